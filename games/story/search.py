"""Find a round in a log by its id, and judge it after what came before at its table."""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, timedelta, timezone
from typing import TYPE_CHECKING, Final

from games.judge.sequence import Tables
from games.judge.verdict import judge
from games.round_log.form import Rejection, read_line
from games.round_log.lines import lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import tzinfo
    from pathlib import Path

    from games.judge.sequence import Before
    from games.judge.verdict import Verdict
    from games.round_log.round import Round
    from games.setup import Setup


OFFSET: Final = re.compile(r"(?P<sign>[+-])(?P<hours>\d\d):(?P<minutes>\d\d)$")


def nothing() -> None:
    """What is done at each line when nobody watches."""


class NotFoundError(LookupError):
    """The log has no such round; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A line of the log with the id that was asked for, and the verdict on it."""

    line: int
    round: Round
    verdict: Verdict
    before: Before
    zone: tzinfo
    """The zone in which the log gives the round's time."""


@dataclass(slots=True)
class Found:
    """Every line with the id: those that can be judged, and those that are rejected."""

    judged: list[Judged] = field(default_factory=list)
    rejected: list[tuple[int, Rejection]] = field(default_factory=list)


def find_round(
    log: Path, id_: str, setup: Setup, each_line: Callable[[], object] = nothing
) -> Found:
    """Judge every line of a log that has this id, as the filter would judge it.

    `each_line` is called for every line gone through; long logs are gone through twice.

    Raises:
        NotFoundError: no line has it.
        OSError: the log cannot be read.
    """
    found = Found()
    wanted: dict[int, Round] = {}
    unread: list[str] = []
    for number, line, item in _lines_with(log, id_, each_line):
        if line is None and isinstance(item, Rejection):
            unread.append(f" Line {number} cannot be read: {item.reason}.")
        elif isinstance(item, Rejection):
            # of a line that is no JSON nobody can read the id: it holds the text, and may be it
            if item.round in (id_, None):
                found.rejected.append((number, item))
        elif item.round == id_:
            wanted[number] = item
    if not wanted and not found.rejected:
        case = " Ids are told apart by case."
        message = f"no line has the round `{id_}`.{''.join(unread[:3]) or case}"
        raise NotFoundError(message)
    tables = {round_.table for round_ in wanted.values()}
    for table in sorted(tables):
        found.judged += _judged_at(log, table, id_, min(wanted), setup, each_line)
    found.judged.sort(key=lambda judged: judged.line)
    return found


def _judged_at(
    log: Path, table: str, id_: str, first: int, setup: Setup, each_line: Callable[[], object]
) -> Iterator[Judged]:
    """Go through a table's rounds in order, and judge those with the id."""
    met: list[tuple[int, bytes | None, Round, Before]] = []
    with closing(Tables()) as memory:
        for number, line, item in _lines_with(log, table, each_line):
            if isinstance(item, Rejection):
                memory.note_rejection(item.table)
                continue
            if item.table == table and item.round == id_:
                met.append((number, line, item, memory.before(item)))
            memory.note(item)
        two_decks = {round_.game: len(memory.before(round_).decks) > 1 for *_, round_, _ in met}
    for number, line, round_, before in met:
        verdict = judge(round_, setup, before, taken=number > first)
        if two_decks[round_.game]:
            verdict = verdict.with_two_decks()
        yield Judged(number, round_, verdict, before, _zone(line))


def _lines_with(
    log: Path, text: str, each_line: Callable[[], object]
) -> Iterator[tuple[int, bytes | None, Round | Rejection]]:
    """The lines that hold a text, read; all others are passed over without being parsed.

    An escape may hide a text. A line that cannot be read (too long, or where compressed data
    breaks off) comes without its bytes.
    """
    sought = text.encode("utf-8", "surrogateescape")
    with log.open("rb") as stream:
        for number, line in enumerate(lines(stream), 1):
            each_line()
            if isinstance(line, Rejection):
                yield number, None, line
            elif sought in line or b"\\u" in line:
                yield number, line, read_line(line)


def _zone(line: bytes | None) -> tzinfo:
    """The zone of a line's `at`, as `-08:00`; UTC for `Z`."""
    offset = OFFSET.search(str(json.loads(line or b"{}").get("at")))
    if offset is None:
        return UTC
    ahead = timedelta(hours=int(offset["hours"]), minutes=int(offset["minutes"]))
    return timezone(ahead if offset["sign"] == "+" else -ahead)
