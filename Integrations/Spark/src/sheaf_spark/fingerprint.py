"""What a job is: everything that its result depends on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import Any, Optional, Sequence

from . import __version__
from .bundle import Bundle
from .command import Identity
from .inputs import Source
from .options import CommandOptions
from .store import absolute


def of_job(
    sources: Sequence[Source],
    options: CommandOptions,
    bundle: Optional[Bundle],
    identity: Identity,
    plan: dict[str, Any],
) -> str:
    """Returns the fingerprint of a job. `plan` has what the caller chose about its steps."""
    rejects = None if options.rejects is None else absolute(options.rejects)
    options_without_paths = {**asdict(options), "config": options.config is not None, "rejects": rejects}
    return digest(
        {
            "package": __version__,
            "sheaf": identity.digest,
            "command": options.command,
            "options": options_without_paths,
            "files": bundle.digest if bundle is not None else None,
            "plan": plan,
            "sources": [[source.name, source.uri, source.size, source.modified] for source in sources],
        }
    )


def digest(value: dict[str, Any]) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
