"""The files that a judged share leaves in the archive, written.

The findings themselves; its patterns with their first findings; the marks of all findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from audits.judging.findings_file import FindingsWriter, read_findings
from audits.marks import Key, mark
from compliance.archive import current_archive
from games.judge.finding import weight

if TYPE_CHECKING:
    from pathlib import Path

    from audits.judging.judgement import Judgement

COUNTS = ("findings", "rounds", "over", "under", "first", "last")


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
                "examples": [
                    [each.finding.decode(), each.round.decode()] for each in count.examples
                ],
            }
            writer.write(orjson.dumps(told))
    with marks.open("wb") as file:
        for rows in mark(read_findings(judgement.file), sorted(keys)):
            file.write(rows.tobytes())
    kept = {"findings_file": judgement.file, "patterns_file": patterns, "marks_file": marks}
    return {name: _stored(place) for name, place in kept.items()}


def _stored(place: Path) -> str:
    with place.open("rb") as content:
        return current_archive().store(content).digest
