"""Which store a URI belongs to."""

from __future__ import annotations

from dataclasses import dataclass, field

from .hadoop import HadoopStore
from .s3 import S3Store, is_s3
from .store import LocalStore, Store, scheme


@dataclass(frozen=True)
class Stores:
    """Selects a store by the scheme of a URI. It travels with every task."""

    settings: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Settings of Hadoop's file systems, such as `fs.s3a.endpoint`, which `s3:` has, too. They may hold secrets."""
    classpath: tuple[str, ...] = ()
    """Jar files and folders in addition to those of Spark."""
    files_by_hadoop: bool = False
    """Whether Hadoop's client also reads and writes `file:` URIs, as tests do."""

    def of(self, uri: str) -> Store:
        name = scheme(uri)
        if name == "" or (name == "file" and not self.files_by_hadoop):
            return LocalStore()
        if is_s3(name, self.settings):
            return S3Store(self.settings)
        return HadoopStore(self.settings, self.classpath)
