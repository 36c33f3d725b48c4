"""Logs for the tests of segments: lines of some games, tables and days, and a shelf of them."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import orjson

from audits.intake.segments.ingestion import Intake, IntakeResult
from audits.intake.segments.place import Days
from audits.intake.segments.segment_file import read_header, read_segment
from games.log.form import read_line
from games.log.round import Round
from tests.bench.simulated import rounds

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from audits.intake.segments.place import BuiltSegment, OldSegment, Place

EVENING = datetime(2025, 7, 12, 18, tzinfo=UTC)
CUT_OFF = 13
"""The hour, UTC, at which the gambling days of these tests begin: six in the morning there."""

_DEALT = {game: list(rounds(game, 40, 6)) for game in ("pyramid-poker", "chinese-poker")}


def starts(day: date) -> int:
    """Return when a gambling day begins, in microseconds."""
    begin = datetime(day.year, day.month, day.day, CUT_OFF, tzinfo=UTC)
    return int((begin - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(microseconds=1))


def line(
    number: int, *, table: str = "T1", minute: float = 0, game: str = "pyramid-poker", **more: Any
) -> dict[str, Any]:
    """Return a round; its number sets the id and cards, `minute` when it ended after 18:00."""
    at = EVENING + timedelta(minutes=minute)
    dealt = _DEALT[game][number % 40]
    return {**dealt, "round": f"R-{number}", "table": table, "at": at.isoformat(), **more}


def log_of(lines: Iterable[dict[str, Any] | bytes]) -> bytes:
    """Return the bytes of a log."""
    return b"".join(
        (line if isinstance(line, bytes) else orjson.dumps(line)) + b"\n" for line in lines
    )


@dataclass
class Shelf:
    """An operator's files: the current generation of each place."""

    folder: Path
    pieces: dict[Place, list[BuiltSegment]] = field(default_factory=dict)
    number: int = 0

    @property
    def segments(self) -> list[OldSegment]:
        return [made.as_old() for place in self.pieces.values() for made in place]

    def submission(
        self, log: bytes, *, latest: int | None = None, replaced: bytes | None = None
    ) -> IntakeResult:
        """Ingest a log, and put the next generation of its places on the shelf."""
        self.number += 1
        folder = self.folder / f"{self.number}"
        with self.intake(log, folder / "work", latest) as intake:
            intake.read(io.BytesIO(log))
            result = intake.compare(
                self.segments, replaced=None if replaced is None else digest(replaced)
            )
            made = {place: list(intake.segments(place, folder)) for place in result.places}
        self.pieces |= made
        return result

    @staticmethod
    def intake(log: bytes, folder: Path, latest: int | None = None) -> Intake:
        return Intake(log=digest(log), folder=folder, days=Days(starts), latest=latest)

    def ids(self) -> dict[str, list[str]]:
        """Return the ids of rounds by table, in order of play, one place after another."""
        found: dict[str, list[str]] = {}
        for place in sorted(self.pieces):
            for made in self.pieces[place]:
                for played in all_rounds(made.path):
                    found.setdefault(played.table, []).append(played.round)
        return found

    def identities(self) -> list[str]:
        return [made.identity for place in sorted(self.pieces) for made in self.pieces[place]]


def digest(log: bytes) -> str:
    """Return the SHA-256 of a log."""
    return hashlib.sha256(log).hexdigest()


def all_rounds(path: Path) -> list[Round]:
    """Return the rounds of a segment, in order."""
    found: dict[int, Round] = {}
    for group in read_segment(path):
        found |= zip(group.columns.lines.tolist(), group.columns.to_rounds(), strict=True)
        for row, text in group.odd:
            read = read_line(text)
            assert isinstance(read, Round)
            found[row] = read
    return [found[row] for row in sorted(found)]


def sources(path: Path) -> list[tuple[str, int]]:
    """Return the log and line of each round of a segment."""
    logs = read_header(path).logs
    return [
        (logs[log], line)
        for group in read_segment(path)
        for log, line in zip(group.source_log.tolist(), group.source_line.tolist(), strict=True)
    ]


def disturbed(path: Path) -> list[str]:
    """Return the ids of rounds that follow a rejected line."""
    flags = [flag for group in read_segment(path) for flag in group.disturbed.tolist()]
    return [played.round for played, flag in zip(all_rounds(path), flags, strict=True) if flag]
