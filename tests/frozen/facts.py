"""Compare facts with those recorded in `facts/`, using the names of `renames.toml`.

`python -m tests.frozen` rewrites the facts, for a commit that changes them on purpose.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import zstandard

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HERE = Path(__file__).parent
WRITES_FACTS = "WRITE_FROZEN_FACTS"
LINES_SHOWN = 30
HOW_TO_CHANGE = (
    "Frozen facts changed. If this is on purpose, put new names into tests/frozen/renames.toml, "
    "run `python -m tests.frozen` for any other change, and say so in the commit."
)
NAME = re.compile(r"[\w.-]++(?!\":\"\^)")  # not the `issue` of JSON Schema


def renames() -> dict[str, str]:
    """Return every old name with its new one."""
    found: dict[str, str] = {}
    for section in tomllib.loads((HERE / "renames.toml").read_text()).values():
        assert not found.keys() & section.keys(), "renames.toml renames the same name twice"
        found |= section
    return found


def renamed(text: str) -> str:
    """Return the text with each old name replaced; a name is replaced only as a whole."""
    names = renames()
    return NAME.sub(lambda name: names.get(name[0], name[0]), text)


def as_fact(*values: Any) -> str:
    """Write a fact as one line."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def require_unchanged(facts: Mapping[str, Iterable[str]], *, may_grow: bool = False) -> None:
    """Compare facts with the recorded ones, or record them when `python -m tests.frozen` runs.

    `may_grow`: new facts are allowed, because another test requires them to be declared.
    """
    if WRITES_FACTS in os.environ:
        for name, lines in facts.items():
            _place(name).write_text("".join(f"{line}\n" for line in lines))
        return
    changed = [_changes(name, list(lines), may_grow=may_grow) for name, lines in facts.items()]
    if any(changed):
        message = "\n".join([HOW_TO_CHANGE, *filter(None, changed)])
        raise AssertionError(message)


def _changes(name: str, now: list[str], *, may_grow: bool) -> str:
    """Return the first lines that differ; empty if none does."""
    kept = renamed(_place(name).read_text()).splitlines()
    if may_grow:  # a set, whose order changes with new names
        kept, now = sorted(kept), sorted(now)
    changes = [
        line
        for line in difflib.unified_diff(kept, now, n=0, lineterm="")
        if line[:2] not in {"--", "++", "@@"} and not (may_grow and line.startswith("+"))
    ]
    head = f"{name}.txt: {len(changes)} lines differ (- kept, + now)"
    return "\n".join([head, *changes[:LINES_SHOWN]]) if changes else ""


def _place(name: str) -> Path:
    return HERE / "facts" / f"{name}.txt"


def unpacked(place: Path) -> bytes:
    """Return the content of a compressed file."""
    return zstandard.ZstdDecompressor().decompress(place.read_bytes())
