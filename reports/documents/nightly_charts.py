"""Charts of a night by hour, table and code, and of the preceding nights."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from audits.instants import instant as instant_of
from audits.replay.findings.reads import units_of
from compliance.files.archive import DamagedError, MissingError, current_archive, read_bytes
from reports.documents.models import Report
from reports.documents.registry import read_inputs
from reports.documents.wording import dollars, local, players_money
from reports.rendering.blocks import Bar, Bars, Heading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.intake.days.models import GamblingDay
    from reports.rendering.blocks import Block


MOST_TABLES = 40


def counts_of(day: GamblingDay) -> dict[str, Any]:
    """Return rounds and findings by hour and by table, as counted by the work units."""
    hours: dict[int, list[int]] = {}
    tables: dict[str, list[int]] = {}
    units = units_of(day) if day.current is not None else ()
    for unit in units:
        for table, begin, rounds, findings in unit.by_hour:
            for counted, key in ((hours, begin), (tables, table)):
                sums = counted.setdefault(key, [0, 0])
                sums[0] += rounds
                sums[1] += findings
    return {
        "hours": [[local(instant_of(begin)), *hours[begin]] for begin in sorted(hours)],
        "tables": [[table, *tables[table]] for table in sorted(tables)],
    }


def charts_blocks(
    counts: Mapping[str, Any], issues: Sequence[Mapping[str, Any]]
) -> Iterator[Block]:
    """Yield all charts of a night."""
    if not counts["hours"]:
        return
    yield Heading("The night in charts")
    hours = [(_hour(begin), rounds, found) for begin, rounds, found in counts["hours"]]
    yield counted_bars("Rounds by hour", [(name, rounds) for name, rounds, _ in hours], "rounds")
    yield counted_bars("Findings by hour", [(name, found) for name, _, found in hours], "findings")
    tables = sorted(counts["tables"], key=lambda each: (-each[2], -each[1], each[0]))
    shown = sorted(tables[:MOST_TABLES])
    most = f", the {MOST_TABLES} with most of {len(tables):,}" if len(tables) > len(shown) else ""
    yield counted_bars(
        f"Rounds by table{most}", [(name, rounds) for name, rounds, _ in shown], "rounds"
    )
    yield counted_bars(f"Findings by table{most}", [(name, n) for name, _, n in shown], "findings")
    yield from _money(issues)


def _money(issues: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    over: Counter[str] = Counter()
    under: Counter[str] = Counter()
    for each in issues:
        much, little = players_money(each)
        over[each["code"]] += much
        under[each["code"]] += little
    moved = [(code, over[code], under[code]) for code in sorted(over)]
    yield from money_by("Money by code and direction", "Money by code", moved)


def counted_bars(caption: str, counted: Sequence[tuple[str, int]], what: str) -> Bars:
    """Return a chart of counts, described by its largest; there must be at least one."""
    total = sum(count for _, count in counted)
    most = max(counted, key=lambda each: each[1])
    return Bars(
        caption,
        tuple(Bar(name, count, f"{count:,}") for name, count in counted),
        f"{caption}: {total:,} {what} in all, most of them ({most[1]:,}) at {most[0]}.",
    )


def money_by(caption: str, of: str, moved: Sequence[tuple[str, int, int]]) -> Iterator[Bars]:
    """Yield charts of overpaid and underpaid cents by name."""
    bars = tuple(
        Bar(f"{name}, {word}", cents, dollars(cents))
        for name, over, under in moved
        for word, cents in (("overpaid", over), ("underpaid", under))
        if cents
    )
    if bars:
        described = "; ".join(f"{bar.name} {bar.says}" for bar in bars)
        yield Bars(caption, bars, f"{of}: {described}.")


def _hour(begin: str) -> str:
    return f"{datetime.fromisoformat(begin):%a %-I %p}"


NIGHTS = 13
"""Number of preceding days: two weeks including the day itself."""
FIGURES = ("rounds", "flagged", "findings", "received", "owed")


def history_of(day: GamblingDay, kind: str) -> list[dict[str, Any]]:
    """Return the figures of the newest report of each preceding day, oldest first.

    Reports that retention removed or that are damaged are left out, since a history is not
    evidence.
    """
    begin = day.day - timedelta(days=NIGHTS)
    made = Report.objects.filter(kind=kind, party=day.party, day__gte=begin, day__lt=day.day)
    newest = {each.day: each for each in made.order_by("day", "number")}
    rows = []
    for on, report in newest.items():
        try:
            kept = read_inputs(read_bytes(current_archive(), report.inputs))["data"]["figures"]
        except (MissingError, DamagedError):
            continue
        rows.append({"day": str(on), **{name: kept[name] for name in FIGURES}})
    return rows


def history_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield charts of two weeks of nights; nothing for the first night."""
    nights = [*data["history"], {"day": data["day"], **data["figures"]}]
    if len(nights) == 1:
        return
    yield Heading("The nights before", 2)
    for name, title in (("rounds", "Rounds audited"), ("findings", "Findings")):
        counts = [(_name(each), each[name]) for each in nights]
        yield counted_bars(f"{title}, night by night", counts, name)
    moved = [(_name(each), each["received"], each["owed"]) for each in nights]
    yield from money_by("Money, night by night", "Money, night by night", moved)


def _name(night: Mapping[str, Any]) -> str:
    return f"{date.fromisoformat(night['day']):%a, %b %-d}"
