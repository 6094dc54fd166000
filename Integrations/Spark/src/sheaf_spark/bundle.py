"""The files of the driver that options name, for tasks on other machines: the configuration, its string tables, and
mapping files."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Optional

from .failures import CONFIGURATION, PermanentError
from .options import CommandOptions, Options
from .store import AnyPath

_CONFIGURATIONS = {"config": "configuration.json", "with_": "with.json"}
_MAPPINGS = "mappings"


@dataclass(frozen=True)
class Bundle:
    """A tar file. `digest` depends only on the files' names inside it and on their contents."""

    content: bytes
    digest: str


def pack(options: CommandOptions) -> Optional[Bundle]:
    """Packs the files that the options name; None if there are none.

    Raises `PermanentError` with status 78 if one can't be read.
    """
    buffer = io.BytesIO()
    sha = hashlib.sha256()
    with tarfile.open(fileobj=buffer, mode="w") as archive:

        def add(name: str, content: bytes) -> None:
            sha.update(f"{name}\0{len(content)}\0".encode("utf-8", "surrogateescape") + content)
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))

        folders: list[str] = []
        for option, path in options.configurations.items():
            add(_CONFIGURATIONS[option], _with_folders(_read(path), os.path.dirname(path), folders))
        for index, folder in enumerate(folders):
            _add_folder(add, folder, f"strings/{index}")
        for index, path in enumerate(options.mappings):
            add(_mapping(index, path), _read(path))
        empty = not archive.getmembers()
    return None if empty else Bundle(buffer.getvalue(), sha.hexdigest())


def unpack(content: bytes, folder: Path, options: Options) -> Options:
    """Unpacks a bundle and returns the options with the paths of its files."""
    folder.mkdir()
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            target = folder / member.name
            target.parent.mkdir(parents=True, exist_ok=True)
            file = archive.extractfile(member)
            assert file is not None
            target.write_bytes(file.read())
    unpacked = {path: str(folder / _mapping(index, path)) for index, path in enumerate(options.mappings)}
    changes: dict[str, Any] = {
        option: [unpacked.get(name, name) for name in inputs] for option, inputs in options.inputs.items()
    }
    changes.update({option: str(folder / _CONFIGURATIONS[option]) for option in options.configurations})
    return replace(options, **changes)


def _mapping(index: int, path: str) -> str:
    """The name of a mapping file in a bundle. It ends like the path, because the command names the input by that."""
    return f"{_MAPPINGS}/{index}/{os.path.basename(path)}"


def _with_folders(content: bytes, folder: str, folders: list[str]) -> bytes:
    """Returns a configuration whose string tables are in the bundle, and adds their folders to `folders`.

    A file that is not a configuration is left as it is: the command reports what is wrong with it.
    """
    try:
        configuration: Any = json.loads(content.decode("utf-8-sig"))
        apps = list(configuration["apps"].values())
    except (ValueError, KeyError, TypeError, AttributeError):
        return content
    for app in apps:
        if isinstance(app, dict) and isinstance(app.get("strings"), str):
            path = os.path.abspath(os.path.join(folder, app["strings"]))
            if path not in folders:
                folders.append(path)
            app["strings"] = f"strings/{folders.index(path)}"
    return json.dumps(configuration, ensure_ascii=False).encode("utf-8") if folders else content


def _add_folder(add: Any, folder: str, name: str) -> None:
    if not os.path.isdir(folder):
        raise PermanentError(f"{folder}: the string tables can't be read: no such folder", CONFIGURATION)
    for path, subfolders, files in os.walk(folder, followlinks=True):
        subfolders.sort()
        for file in sorted(files):
            inside = os.path.relpath(os.path.join(path, file), folder)
            add(f"{name}/{inside}", _read(os.path.join(path, file)))


def _read(path: AnyPath) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise PermanentError(f"{path}: cannot be read: {error.strerror}", CONFIGURATION) from error
