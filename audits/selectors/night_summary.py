"""A gambling day in figures: what an agent wants to know of it before anything else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audits.models import Finding, PatternNight, RoundLog
from audits.selectors.findings import days_judged
from audits.selectors.restitution import restitution
from audits.selectors.segments import current_segments
from compliance.walls import without_walls

if TYPE_CHECKING:
    from datetime import date

    from audits.models import GamblingDay
    from audits.selectors.restitution import Owed


@dataclass(frozen=True, kw_only=True)
class OperatorsDay:
    """One operator's share of a night."""

    name: str
    rounds: int
    tables: tuple[str, ...]
    findings: int
    supplements: int
    digest: str


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A night over all operators. Cents; both ways of a wrong payment are kept apart."""

    day: date
    operators: tuple[OperatorsDay, ...]
    games: dict[str, int]
    """Rounds by game."""
    patterns: tuple[PatternNight, ...]
    """What occurred that night, by weight and money; the day's own (`night.*`) are not among it."""
    lacking: tuple[Finding, ...]
    rejected: int
    owed: tuple[Owed, ...]
    """By player, table and operator, the largest sum first."""

    @property
    def rounds(self) -> int:
        """Rounds that were judged."""
        return sum(each.rounds for each in self.operators)

    @property
    def findings(self) -> int:
        """Findings of rounds."""
        return sum(each.findings for each in self.operators)

    @property
    def underpaid(self) -> int:
        """What players are owed."""
        return sum(each.owed for each in self.owed)

    @property
    def overpaid(self) -> int:
        """What players received too much."""
        return sum(each.received for each in self.owed)


WEIGHTS = ("money", "procedure", "notice")


def summary_of(day: date) -> Summary:
    """Sum a gambling day up over every operator that it is kept for."""
    with without_walls():
        days = list(days_judged(day=day))
        games: dict[str, int] = {}
        operators = [_operators_day(each, games) for each in days]
        nights = PatternNight.objects.filter(day=day, findings__gt=0, replay__isnull=False)
        lacking = Finding.objects.filter(day=day, pattern__code__startswith="night.")
        logs = {
            sha for each in days for s in current_segments(each.party, day=day) for sha in s.logs
        }
        return Summary(
            day=day,
            operators=tuple(operators),
            games=dict(sorted(games.items(), key=lambda each: -each[1])),
            patterns=tuple(sorted(nights.select_related("pattern__party"), key=_first_looked_at)),
            lacking=tuple(
                lacking.exclude(standing=Finding.Standing.GONE)
                .select_related("pattern__party")
                .order_by("pattern__party__code", "pattern__code", "pk")
            ),
            rejected=sum(
                RoundLog.objects.filter(sha256__in=logs).values_list("rejected", flat=True)
            ),
            owed=tuple(sorted(restitution(day=day), key=lambda each: (-each.owed, -each.received))),
        )


def _operators_day(day: GamblingDay, games: dict[str, int]) -> OperatorsDay:
    segments = current_segments(day.party, day=day.day)
    for each in segments:
        games[each.game] = games.get(each.game, 0) + each.rounds
    return OperatorsDay(
        name=day.party.name,
        rounds=sum(each.rounds for each in segments),
        tables=tuple(sorted({table for each in segments for table in each.tables})),
        findings=day.current.findings if day.current else 0,
        supplements=day.supplements,
        digest=day.current.digest if day.current else "",
    )


def _first_looked_at(night: PatternNight) -> tuple[int, int, int, int]:
    money = max(night.over, night.under)
    return WEIGHTS.index(night.pattern.weight), -money, -night.findings, night.pattern_id
