"""Tails: the last rounds of each table of a segment, for checking what comes after.

A JSON Lines file with one line per table, sorted by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from audits.intake.segments.rejections import DamagedSegmentError
from games.log.form import Rejection, line_of, read_written

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from games.log.round import Round


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a table's rounds in a segment."""

    table: str
    last: Round
    last_played: Round | None
    """The last round that is not void; None if all are."""
    rejected_after: bool
    """Whether a rejected line of the table followed the last round in its log."""

    def rounds(self) -> Iterator[Round]:
        """Yield its rounds in order of play."""
        if self.last_played is not None and self.last_played != self.last:
            yield self.last_played
        yield self.last


def write_tails(path: Path, tails: Iterable[Tail]) -> None:
    """Write tails in the given order, which must be ascending by table."""
    with path.open("wb") as file:
        for tail in tails:
            line: dict[str, object] = {
                "table": tail.table,
                "rejected_after": tail.rejected_after,
                "last": line_of(tail.last).decode(),
            }
            if tail.last_played is not None and not tail.last.played:
                line["last_played"] = line_of(tail.last_played).decode()
            file.write(orjson.dumps(line) + b"\n")


def read_tails(path: Path, tables: Collection[str] | None = None) -> dict[str, Tail]:
    """Return a segment's tails by table, limited to `tables` if given.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    found: dict[str, Tail] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                fields = orjson.loads(line)
                if tables is not None and fields["table"] not in tables:
                    continue
                last = _round(fields["last"])
                text = fields.get("last_played")
                played = _round(text) if text else last if last.played else None
                found[fields["table"]] = Tail(
                    fields["table"], last, played, fields["rejected_after"]
                )
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise DamagedSegmentError(path, f"line {number}: {error}") from None
    return found


def _round(text: str) -> Round:
    read = read_written(text.encode())
    if isinstance(read, Rejection):
        raise ValueError(read.reason)
    return read
