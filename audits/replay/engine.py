"""The engine version: a digest of the engine's and the audit's source files, never set by hand."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (ROOT / "games", ROOT / "audits" / "replay" / "judging")
KINDS = {".py", ".toml"}


@cache
def engine_version() -> str:
    """Return the hex SHA-256 of every source and rule file that a finding may depend on."""
    digest = hashlib.sha256()
    for folder in SOURCES:
        for source in sorted(folder.rglob("*")):
            if source.suffix in KINDS:
                digest.update(source.relative_to(ROOT).as_posix().encode() + b"\0")
                digest.update(source.read_bytes() + b"\0")
    return digest.hexdigest()
