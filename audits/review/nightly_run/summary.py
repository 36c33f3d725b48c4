"""Key figures of a gambling day: what an agent wants to know first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audits.intake.models import RoundLog
from audits.intake.reads import current_segments
from audits.replay.findings.models import Finding, IssueNight
from audits.replay.findings.reads import audited_days
from audits.review.restitution.reads import restitution
from compliance.access.scope import without_access_scope

if TYPE_CHECKING:
    from datetime import date

    from audits.intake.days.models import GamblingDay
    from audits.review.restitution.reads import Owed


@dataclass(frozen=True, kw_only=True)
class OperatorsDay:
    """One operator's part of a night."""

    name: str
    rounds: int
    tables: tuple[str, ...]
    findings: int
    supplements: int
    digest: str


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A night over all operators in cents; overpaid and underpaid amounts are kept separate."""

    day: date
    operators: tuple[OperatorsDay, ...]
    games: dict[str, int]
    """Rounds by game."""
    issues: tuple[IssueNight, ...]
    """What occurred that night, by severity and money, without the day's own findings (`night.*`).
    """
    lacking: tuple[Finding, ...]
    rejected: int
    owed: tuple[Owed, ...]
    """By player, table and operator, the largest sum first."""

    @property
    def rounds(self) -> int:
        """Return the number of audited rounds."""
        return sum(each.rounds for each in self.operators)

    @property
    def findings(self) -> int:
        """Return the number of findings in rounds."""
        return sum(each.findings for each in self.operators)

    @property
    def underpaid(self) -> int:
        """Return what players are owed."""
        return sum(each.owed for each in self.owed)

    @property
    def overpaid(self) -> int:
        """Return what players were overpaid."""
        return sum(each.received for each in self.owed)


WEIGHTS = ("money", "procedure", "notice")


def summary_of(day: date) -> Summary:
    """Sum up a gambling day over every operator that has one."""
    with without_access_scope():
        days = list(audited_days(day=day))
        games: dict[str, int] = {}
        operators = [_operators_day(each, games) for each in days]
        nights = IssueNight.objects.filter(day=day, findings__gt=0, replay__isnull=False)
        lacking = Finding.objects.filter(day=day, issue__code__startswith="night.")
        logs = {
            sha for each in days for s in current_segments(each.party, day=day) for sha in s.logs
        }
        return Summary(
            day=day,
            operators=tuple(operators),
            games=dict(sorted(games.items(), key=lambda each: -each[1])),
            issues=tuple(sorted(nights.select_related("issue__party"), key=_first_looked_at)),
            lacking=tuple(
                lacking.exclude(standing=Finding.Standing.GONE)
                .select_related("issue__party")
                .order_by("issue__party__code", "issue__code", "pk")
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


def _first_looked_at(night: IssueNight) -> tuple[int, int, int, int]:
    money = max(night.over, night.under)
    return WEIGHTS.index(night.issue.weight), -money, -night.findings, night.issue_id
