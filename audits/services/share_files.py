"""The files that a judged share leaves in the archive, written.

The findings themselves; its patterns with their first findings; the marks of all findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from audits.judging.findings_file import FindingsWriter, read_findings
from audits.marks import Key, mark
from compliance.archive import current_archive
from games.judge.finding import weight

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from audits.judging.judgement import Example, Judgement

COUNTS = ("findings", "rounds", "over", "under", "first", "last")
MOST_BYTES_OF_ROUNDS = 1 << 20
"""Of a pattern's rounds so many are kept, or one: hundreds of any table's, one of a whole hall."""


def keep_files(judgement: Judgement, *, game: str, folder: Path) -> dict[str, str]:
    """Store findings, patterns and marks; the share's fields that name them."""
    keys = {
        Key(game, key.table, key.code, key.wager or "", key.line or ""): count
        for key, count in judgement.patterns.items()
    }
    patterns, marks = folder / "patterns", folder / "marks"
    with FindingsWriter(patterns) as writer:
        for key in sorted(keys):
            count = keys[key]
            told = {
                "key": list(key),
                "weight": weight(key.code),
                "counts": {name: getattr(count, name) for name in COUNTS},
                "hours": [[begin, *counted] for begin, counted in sorted(count.hours.items())],
                "cites": sorted(count.cites),
                **_examples(count.examples),
            }
            writer.write(orjson.dumps(told))
    with marks.open("wb") as file:
        for rows in mark(read_findings(judgement.file), sorted(keys)):
            file.write(rows.tobytes())
    kept = {"findings_file": judgement.file, "patterns_file": patterns, "marks_file": marks}
    return {name: _stored(place) for name, place in kept.items()}


def _examples(examples: Sequence[Example]) -> dict[str, list[Any]]:
    """First findings, each with the place of its round among `rounds`, or with none."""
    places: dict[bytes, int] = {}
    size, told = 0, []
    for each in examples:
        if each.round not in places and (
            not places or size + len(each.round) <= MOST_BYTES_OF_ROUNDS
        ):
            places[each.round] = len(places)
            size += len(each.round)
        told.append([each.finding.decode(), places.get(each.round)])
    return {"examples": told, "rounds": [text.decode() for text in places]}


def _stored(place: Path) -> str:
    with place.open("rb") as content:
        return current_archive().store(content).digest
