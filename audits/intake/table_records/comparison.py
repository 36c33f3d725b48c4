"""Compare new records of tables with each other and with those on file."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from audits.instants import instant
from compliance.clock import zone
from games.log.schema import FUND_RECORD, RECORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date, datetime

    from audits.intake.segments.ingestion import LoggedRecord


CASH: Final = "cash"
CLOSED: Final = "closed"
FUND: Final = "fund"
AMOUNTS_OF_CASH: Final = ("opener", "fills", "credits", "closer", "drop")
AMOUNTS_OF_FUND: Final = ("before", "contributions", "payouts", "fee", "after")
VALUES: Final = (*AMOUNTS_OF_CASH, *AMOUNTS_OF_FUND, "fund", "game", "kind", "reason")
"""What a record has besides its table and time, by its name here and in the database."""
SUBJECTS: Final[Mapping[str, str]] = {
    "table_cash": CASH,
    "table_closed": CLOSED,
    FUND_RECORD: FUND,
}
assert SUBJECTS.keys() == RECORDS.keys()  # noqa: S101 - each record of the log is known here


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A table's cash of a span of time, that one was closed on a day, or a fund on a day."""

    subject: str
    table: str = ""
    day: date | None = None
    """The gambling day; cash has one once its span is known to be free."""
    begins: datetime | None = None
    ends: datetime | None = None
    opener: int | None = None
    fills: int | None = None
    credits: int | None = None
    closer: int | None = None
    drop: int | None = None
    fund: str = ""
    game: str = ""
    kind: str = ""
    before: int | None = None
    contributions: int | None = None
    payouts: int | None = None
    fee: int | None = None
    after: int | None = None
    reason: str = ""
    line: int | None = None
    """In the log, from 1."""
    key: int | None = None
    """Of the record on file."""
    log: str = ""
    """SHA-256 of the log with it; empty if it was typed or sent by a program."""

    @property
    def content(self) -> tuple[object, ...]:
        """Return what makes two records the same."""
        values = (getattr(self, name) for name in VALUES)
        span = (self.begins, self.ends) if self.subject == CASH else (self.day,)
        return (self.subject, self.table, *span, *values)

    @property
    def place(self) -> tuple[str, str]:
        """Return what its records of one time exclude each other on: a table's cash, a fund."""
        return self.subject, self.table or self.fund


def entry_of(logged: LoggedRecord) -> Entry:
    """Return the entry that a line of a log makes; OverflowError if it ends beyond all dates."""
    values = dict(logged.values)
    for name, moment in (("begins", "begin"), ("ends", "end")):
        if moment in values:
            values[name] = instant(values.pop(moment))
    subject = SUBJECTS[logged.record]
    return Entry(subject=subject, table=logged.table, line=logged.line or None, **values)


@dataclass(frozen=True)
class Refused:
    """A record that cannot be accepted, and why."""

    entry: Entry
    field: str
    reason: str


@dataclass
class Compared:
    """The outcome of new records."""

    accepted: list[Entry] = field(default_factory=list)
    replaced: list[int] = field(default_factory=list)
    """Keys of records on file that the accepted ones replace."""
    refused: list[Refused] = field(default_factory=list)
    newest: int = 0
    """Key of the newest record on file with which they were compared."""


def compare_entries(
    entries: Iterable[Entry], on_file: Iterable[Entry], *, corrects: str | None = None
) -> Compared:
    """Compare entries one by one; one that is on file already changes nothing.

    Those of the log that `corrects` names by its SHA-256 are replaced by entries that overlap them.
    """
    known = _Known()
    old: dict[tuple[str, str], list[Entry]] = {}
    for entry in on_file:
        if corrects and entry.log == corrects:
            old.setdefault(entry.place, []).append(entry)
        else:
            known.add(entry)
    compared = Compared()
    for entry in entries:
        if entry.content in known.contents:
            continue
        other = known.find(entry)
        if other is not None:
            compared.refused.append(Refused(entry, _field(entry), _why(other)))
            continue
        replaced = [each for each in old.get(entry.place, ()) if _clash(entry, each)]
        if [each.content for each in replaced] == [entry.content]:
            known.add(entry)
            continue
        for each in replaced:
            if each.key is not None and each.key not in compared.replaced:
                compared.replaced.append(each.key)
        compared.accepted.append(entry)
        known.add(entry)
    return compared


class _Known:
    """Records of which no two overlap."""

    def __init__(self) -> None:
        self.contents: set[tuple[object, ...]] = set()
        self._spans: dict[str, list[Entry]] = {}
        self._begins: dict[str, list[datetime]] = {}
        self._days: dict[tuple[tuple[str, str], date], Entry] = {}

    def add(self, entry: Entry) -> None:
        self.contents.add(entry.content)
        if entry.day is not None and entry.subject != CASH:
            self._days[entry.place, entry.day] = entry
        elif entry.begins is not None:
            begins = self._begins.setdefault(entry.table, [])
            place = bisect_left(begins, entry.begins)
            begins.insert(place, entry.begins)
            self._spans.setdefault(entry.table, []).insert(place, entry)

    def find(self, entry: Entry) -> Entry | None:
        """Return a record that the entry overlaps."""
        if entry.begins is None:
            return self._days.get((entry.place, entry.day)) if entry.day else None
        spans = self._spans.get(entry.table, [])
        place = bisect_left(self._begins.get(entry.table, []), entry.begins)
        return next(
            (each for each in spans[max(0, place - 1) : place + 1] if _clash(entry, each)), None
        )


def _clash(one: Entry, other: Entry) -> bool:
    if one.begins is None or one.ends is None or other.begins is None or other.ends is None:
        return one.day == other.day
    return one.begins < other.ends and other.begins < one.ends


def _field(entry: Entry) -> str:
    return "from" if entry.subject == CASH else "day"


def _why(other: Entry) -> str:
    where = (
        "is on file"
        if other.line is None or other.key is not None
        else f"is on line {other.line:,}"
    )
    if other.subject == CLOSED:
        return (
            f"that {other.table} was closed on {other.day} {where} already, for another reason:"
            " withdraw that record, or leave this one out"
        )
    if other.subject == FUND:
        return (
            f"the fund {other.fund} on {other.day} {where} already, with other values:"
            " withdraw that record, or leave this one out"
        )
    return (
        f"cash of {other.table} from {_clock(other.begins)} to {_clock(other.ends)} {where}, and"
        " the spans of one table may not overlap: correct the times, or withdraw the other record"
    )


def _clock(at: datetime | None) -> str:
    assert at is not None  # noqa: S101 - cash has both ends
    return at.astimezone(zone()).isoformat(timespec="minutes")
