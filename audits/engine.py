"""The version of what judges: a digest over the engine's and the judging's sources, never typed."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

AUDITS = Path(__file__).resolve().parent
SOURCES = (AUDITS.parent / "games", AUDITS / "judging")
KINDS = {".py", ".toml"}


@cache
def engine_version() -> str:
    """SHA-256 over every source and rule file that a finding may depend on, in hexadecimal."""
    digest = hashlib.sha256()
    for folder in SOURCES:
        for source in sorted(folder.rglob("*")):
            if source.suffix in KINDS:
                digest.update(source.relative_to(AUDITS.parent).as_posix().encode() + b"\0")
                digest.update(source.read_bytes() + b"\0")
    return digest.hexdigest()
