"""Find a round in a log by its id, and settle it after the rounds before it at its table."""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, timedelta, timezone
from typing import TYPE_CHECKING, Final

from games.log.form import Rejection, read_line
from games.log.lines import lines
from games.settlement.sequence import Tables
from games.settlement.verdict import settle_round

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import tzinfo
    from pathlib import Path

    from games.log.round import Round
    from games.settlement.verdict import Verdict
    from games.setup import Setup
    from games.terms import Before

    Read = Callable[[bytes], Round | Rejection]


OFFSET: Final = re.compile(r"(?P<sign>[+-])(?P<hours>\d\d):(?P<minutes>\d\d)$")


def nothing() -> None:
    """Do nothing for each line, when there is no progress to show."""


class NotFoundError(LookupError):
    """The log has no such round; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class SettledRound:
    """A line of the log with the requested id, and its verdict."""

    line: int
    round: Round
    verdict: Verdict
    before: Before
    zone: tzinfo
    """The zone in which the log gives the round's time."""


@dataclass(slots=True)
class SearchResult:
    """Every line with the id: those that can be settled and those that are rejected."""

    settled: list[SettledRound] = field(default_factory=list)
    rejected: list[tuple[int, Rejection]] = field(default_factory=list)


def find_round(
    log: Path,
    id_: str,
    setup: Setup,
    each_line: Callable[[], object] = nothing,
    read: Read = read_line,
) -> SearchResult:
    """Settle every line of a log that has this id, exactly as the filter would.

    `each_line` is called for every line read; long logs are read twice. `read` reads filed games.

    Raises:
        NotFoundError: no line has it.
        OSError: the log can't be read.
    """
    result = SearchResult()
    wanted: dict[int, Round] = {}
    unread: list[str] = []
    for number, line, item in _lines_with(log, id_, each_line, read):
        if line is None and isinstance(item, Rejection):
            unread.append(f" Line {number} cannot be read: {item.reason}.")
        elif isinstance(item, Rejection):
            # the id of a line that isn't JSON can't be read: it contains the text, so it may be the
            # one
            if item.round in (id_, None):
                result.rejected.append((number, item))
        elif item.round == id_:
            wanted[number] = item
    if not wanted and not result.rejected:
        case = " Capital and lowercase letters differ in IDs."
        message = f"no line has round `{id_}`.{''.join(unread[:3]) or case}"
        raise NotFoundError(message)
    tables = {round_.table for round_ in wanted.values()}
    for table in sorted(tables):
        result.settled += _settle_at(log, table, id_, min(wanted), setup, each_line, read)
    result.settled.sort(key=lambda settled: settled.line)
    return result


def _settle_at(
    log: Path,
    table: str,
    id_: str,
    first: int,
    setup: Setup,
    each_line: Callable[[], object],
    read: Read,
) -> Iterator[SettledRound]:
    """Go through a table's rounds in order, and settle those with the id."""
    rounds: list[tuple[int, bytes | None, Round, Before]] = []
    with closing(Tables()) as memory:
        for number, line, item in _lines_with(log, table, each_line, read):
            if isinstance(item, Rejection):
                memory.note_rejection(item.table)
                continue
            if item.table == table and item.round == id_:
                rounds.append((number, line, item, memory.before(item)))
            memory.note(item)
        two_decks = {round_.game: len(memory.before(round_).decks) > 1 for *_, round_, _ in rounds}
    for number, line, round_, before in rounds:
        verdict = settle_round(round_, setup, before, is_repeat=number > first)
        if two_decks[round_.game]:
            verdict = verdict.with_two_decks()
        yield SettledRound(number, round_, verdict, before, _zone(line))


def _lines_with(
    log: Path, text: str, each_line: Callable[[], object], read: Read
) -> Iterator[tuple[int, bytes | None, Round | Rejection]]:
    """Yield the lines that contain the text, parsed; skip all others without parsing them.

    An escape may hide the text. A line that can't be read (too long, or where compressed data
    breaks off) comes without its bytes.
    """
    sought = text.encode("utf-8", "surrogateescape")
    with log.open("rb") as stream:
        for number, line in enumerate(lines(stream), 1):
            each_line()
            if isinstance(line, Rejection):
                yield number, None, line
            elif sought in line or b"\\u" in line:
                yield number, line, read(line)


def _zone(line: bytes | None) -> tzinfo:
    """Return the zone of a line's `at`, as `-08:00`; UTC for `Z`."""
    offset = OFFSET.search(str(json.loads(line or b"{}").get("at")))
    if offset is None:
        return UTC
    ahead = timedelta(hours=int(offset["hours"]), minutes=int(offset["minutes"]))
    return timezone(ahead if offset["sign"] == "+" else -ahead)
