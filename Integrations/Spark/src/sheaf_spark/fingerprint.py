"""What a job is: everything that its result depends on."""

from __future__ import annotations

import hashlib
import json
import uuid
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence

from . import __version__
from .bundle import Bundle
from .command import Identity
from .inputs import Source
from .options import CommandOptions
from .store import absolute, name_of

# Facts that are too long to be shown: they are compared by their digests.
_HIDDEN = ("inputs", "configuration or mapping file", "sheaf command")


@dataclass(frozen=True)
class Fingerprint:
    """The facts that the result of a job depends on, by name, and those of them that only its last steps depend on."""

    facts: Mapping[str, str]
    of_result: frozenset[str] = frozenset()

    @property
    def whole(self) -> str:
        return digest(dict(self.facts))

    @property
    def reading(self) -> str:
        """The fingerprint of the partial results, which do not depend on the options of the result.

        It differs from `whole` even if there are none.
        """
        return digest(["reading", {name: fact for name, fact in self.facts.items() if name not in self.of_result}])

    def differences(self, others: Mapping[str, str]) -> str:
        """Returns how the facts of another job differ, for a message."""
        texts: list[str] = []
        for name in sorted({*self.facts, *others}, key=lambda name: (name not in _HIDDEN, name)):
            own, other = self.facts.get(name), others.get(name)
            if own == other:
                continue
            if name in _HIDDEN:
                texts.append(f"another {name}" if name != "inputs" else "other inputs")
            else:
                texts.append(f"no {name}" if other is None else name if other == "True" else f"{name} {other}")
        return ", ".join(texts)


def of_job(
    sources: Sequence[Source],
    options: CommandOptions,
    bundle: Optional[Bundle],
    identity: Identity,
    partitions: Optional[int],
) -> Fingerprint:
    """Returns the fingerprint of a job. How it is divided into tasks does not change its result."""
    facts = {
        "inputs": digest([[source.name, source.uri, source.size, source.modified] for source in sources]),
        "sheaf command": identity.digest,
        "package": __version__,
        "command": options.command,
        **options.described(),
    }
    if bundle is not None:
        facts["configuration or mapping file"] = bundle.digest
    if partitions is not None:
        facts["--partitions"] = str(partitions)
    if options.rejects is not None and options.rejects_label is not None:
        facts["--rejects"] = absolute(name_of(options.rejects))
        # Shards keep rejected lines, compressed like the file.
        facts["rejected lines"] = options.rejects_label
    return Fingerprint(facts, frozenset({*options.only_of_result(), "--rejects"}))


def of_other_job() -> Fingerprint:
    """Returns a fingerprint that no other job has."""
    return Fingerprint({"job": uuid.uuid4().hex})


def digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
