"""What stands beside a pattern: its nights and tables drawn, and the same cause before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from audits.findings_in_words import name_in_words
from audits.models import Decision, Pattern
from audits.web.patterns.charts import chart_of
from audits.web.patterns.shown import money_of
from audits.web.rounds.times import shown
from compliance.web.lists import dollars

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from audits.web.patterns.charts import Chart

MOST_PATTERNS: Final = 200
MOST_BEFORE: Final = 10
LONGEST_NAME: Final = 12


def beside(
    pattern: Pattern, nights: Sequence[Mapping[str, Any]], *, inside: bool
) -> dict[str, Any]:
    """By night, by table, and earlier patterns of the cause at this operator."""
    tables = tables_of(pattern)
    return {
        "night_chart": _drawn(
            [(f"{each['night'].day:%b} {each['night'].day.day}", each["night"]) for each in nights][
                ::-1
            ],
            "gambling day",
        ),
        "tables": tables,
        "table_chart": _drawn([(each["name"], each["sums"]) for each in tables], "table")
        if len(tables) > 1
        else None,
        "before": before(pattern, inside=inside),
    }


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
    """Earlier patterns of the code and game at this operator, the newest first, and their ends."""
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


def _drawn(rows: Sequence[tuple[str, Any]], by: str) -> Chart | None:
    """Money both ways where any moved, else how many rounds."""
    money = any(each.over or each.under for _, each in rows)
    if money:
        bars = [(name, abs(each.over), abs(each.under)) for name, each in rows]
        most = max((max(over, under) for _, over, under in bars), default=0)
        told = "too much above the line, too little below it"
        said = [f"{name}: {dollars(over)} and {dollars(under)}" for name, over, under in bars]
        return chart_of(
            bars,
            says=f"Money by {by}, {told}. {'; '.join(said)}",
            most=f"Too much above, too little below; the highest is {dollars(most)}",
        )
    bars = [(name, each.rounds, 0) for name, each in rows]
    most = max((rounds for _, rounds, _ in bars), default=0)
    said = [f"{name}: {rounds:,}" for name, rounds, _ in bars]
    return chart_of(
        bars,
        says=f"Rounds by {by}. {'; '.join(said)}",
        most=f"Rounds; the highest is {most:,}",
    )


def _short(table: str) -> str:
    return table if len(table) <= LONGEST_NAME else f"{table[: LONGEST_NAME - 1]}…"
