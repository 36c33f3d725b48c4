"""A night drawn: rounds and findings by hour and by table, money both ways by code."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Any

from audits.instants import instant as instant_of
from audits.selectors.findings import shares_of
from reports.documents.by_code import players_money
from reports.documents.people import local
from reports.documents.wording import dollars
from reports.paper.blocks import Bar, Bars, Heading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.models import GamblingDay
    from reports.paper.blocks import Block

MOST_TABLES = 40


def counts_of(day: GamblingDay) -> dict[str, Any]:
    """Rounds and findings by hour and by table, as the shares counted them."""
    hours: dict[int, list[int]] = {}
    tables: dict[str, list[int]] = {}
    shares = shares_of(day) if day.current is not None else ()
    for share in shares:
        for table, begin, rounds, findings in share.by_hour:
            for counted, key in ((hours, begin), (tables, table)):
                sums = counted.setdefault(key, [0, 0])
                sums[0] += rounds
                sums[1] += findings
    return {
        "hours": [[local(instant_of(begin)), *hours[begin]] for begin in sorted(hours)],
        "tables": [[table, *tables[table]] for table in sorted(tables)],
    }


def charts_blocks(
    counts: Mapping[str, Any], patterns: Sequence[Mapping[str, Any]]
) -> Iterator[Block]:
    """All charts of a night."""
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
    yield from _money(patterns)


def _money(patterns: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    over: Counter[str] = Counter()
    under: Counter[str] = Counter()
    for each in patterns:
        much, little = players_money(each)
        over[each["code"]] += much
        under[each["code"]] += little
    moved = [(code, over[code], under[code]) for code in sorted(over)]
    yield from money_by("Money by code and direction", "Money by code", moved)


def counted_bars(caption: str, counted: Sequence[tuple[str, int]], what: str) -> Bars:
    """A chart of counts, with a sentence that names the largest; there is at least one."""
    total = sum(count for _, count in counted)
    most = max(counted, key=lambda each: each[1])
    return Bars(
        caption,
        tuple(Bar(name, count, f"{count:,}") for name, count in counted),
        f"{caption}: {total:,} {what} in all, most of them ({most[1]:,}) at {most[0]}.",
    )


def money_by(caption: str, of: str, moved: Sequence[tuple[str, int, int]]) -> Iterator[Bars]:
    """A chart of cents both ways: what was received too much and too little, by name."""
    bars = tuple(
        Bar(f"{name}, {word}", cents, dollars(cents))
        for name, over, under in moved
        for word, cents in (("too much", over), ("too little", under))
        if cents
    )
    if bars:
        told = "; ".join(f"{bar.name} {bar.says}" for bar in bars)
        yield Bars(caption, bars, f"{of}: {told}.")


def _hour(begin: str) -> str:
    return f"{datetime.fromisoformat(begin):%a %-I %p}"
