"""What stands beside a pattern: its nights, hours and tables drawn, and the same cause before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from audits.findings_in_words import name_in_words
from audits.instants import instant
from audits.models import Decision, Pattern
from audits.web.charts import MONEY, Column, Columns
from audits.web.patterns.shown import money_of
from audits.web.rounds.times import shown
from compliance.web.lists import dollars

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_PATTERNS: Final = 200
MOST_BEFORE: Final = 10
LONGEST_NAME: Final = 12
FEWEST: Final = 2
"""A chart of one column shows nothing that its figure does not say."""
HOUR: Final = 3_600_000_000  # microseconds
MOST_HOURS: Final = 26
"""A gambling day has 25 clock hours at most; a clock that is wrong makes no more of them."""


def beside(
    pattern: Pattern, nights: Sequence[Mapping[str, Any]], *, inside: bool
) -> dict[str, Any]:
    """By night and its hours, by table, and earlier patterns of the cause at this operator."""
    tables = tables_of(pattern)
    hours = hours_of(nights)
    return {
        "night_chart": _drawn(
            [(f"{each['night'].day:%b} {each['night'].day.day}", each["night"]) for each in nights][
                ::-1
            ],
            "gambling day",
        ),
        "hours": hours,
        "hour_chart": _drawn([(each["name"], each["sums"]) for each in hours], "hour"),
        "tables": tables,
        "table_chart": _drawn([(each["name"], each["sums"]) for each in tables], "table"),
        "before": before(pattern, inside=inside),
    }


def hours_of(nights: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The clock hours of a pattern of one night alone; none where it is all in one hour."""
    if len(nights) != 1 or len(counted := nights[0]["night"].by_hour) < FEWEST:
        return []
    sums = {begin // HOUR: _Sums(*figures) for begin, *figures in counted}
    return [
        {
            "name": shown(instant(hour * HOUR), "M j, g A"),
            "sums": sums.get(hour, _Sums()),
            "rounds": sums.get(hour, _Sums()).rounds,
            **money_of(sums.get(hour, _Sums())),
        }
        for hour in range(min(sums), min(max(sums) + 1, min(sums) + MOST_HOURS))
    ]


def tables_of(pattern: Pattern) -> list[dict[str, Any]]:
    """The same code, wager and line at each table of the operator; this pattern's among them."""
    if not pattern.table:
        return []
    same = Pattern.objects.filter(
        party=pattern.party_id,
        game=pattern.game,
        code=pattern.code,
        wager=pattern.wager,
        line=pattern.line,
        findings__gt=0,
    )
    sums: dict[str, _Sums] = {}
    for each in same.order_by("-pk")[:MOST_PATTERNS]:
        sums.setdefault(each.table, _Sums()).add(each)
    return [
        {
            "table": table,
            "name": _short(table),
            "sums": sums[table],
            "this": table == pattern.table,
            **money_of(sums[table]),
        }
        for table in sorted(sums)
    ]


def before(pattern: Pattern, *, inside: bool) -> list[dict[str, Any]]:
    """Patterns of the code and game at this operator opened before, the newest first."""
    earlier = Pattern.objects.filter(
        party=pattern.party_id, game=pattern.game, code=pattern.code, pk__lt=pattern.pk
    )
    newest = earlier.order_by("-pk")[:MOST_BEFORE]
    decided: dict[int, Decision] = {}
    if inside:
        decisions = Decision.objects.filter(pattern__in=newest.values("pk"))
        decided = {each.pattern_id: each for each in decisions.order_by("pk")}
    return [
        {
            "pattern": each,
            "about": ", ".join(
                filter(None, (each.table, name_in_words(each.wager), name_in_words(each.line)))
            ),
            "last": shown(each.last, "M j, Y, g:i A") if each.last else "–",
            "decision": decided.get(each.pk),
            **money_of(each),
        }
        for each in newest
    ]


@dataclass
class _Sums:
    """What a table's patterns come to."""

    rounds: int = 0
    over: int = 0
    under: int = 0

    def add(self, pattern: Pattern) -> None:
        self.rounds += pattern.rounds
        self.over += abs(pattern.over)
        self.under += abs(pattern.under)


def _drawn(rows: Sequence[tuple[str, Any]], by: str) -> Columns | None:
    """Money both ways where any moved, else how many rounds."""
    if len(rows) < FEWEST:
        return None
    if any(each.over or each.under for _, each in rows):
        columns = [Column(name, abs(each.over), abs(each.under)) for name, each in rows]
        most = dollars(max(max(each.up, each.down) for each in columns))
        said = [f"{each.name}: {dollars(each.up)} and {dollars(each.down)}" for each in columns]
        return Columns.of(
            f"Too much above the line, too little below it; the highest is {most}",
            columns,
            says=f"Money by {by}, too much above the line, too little below it. {'; '.join(said)}",
            kinds=MONEY,
        )
    columns = [Column(name, each.rounds) for name, each in rows]
    most = f"{max((each.up for each in columns), default=0):,}"
    said = [f"{each.name}: {each.up:,}" for each in columns]
    return Columns.of(
        f"Rounds; the highest is {most}", columns, says=f"Rounds by {by}. {'; '.join(said)}"
    )


def _short(table: str) -> str:
    return table if len(table) <= LONGEST_NAME else f"{table[: LONGEST_NAME - 1]}…"
