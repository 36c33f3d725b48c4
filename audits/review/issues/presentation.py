"""An issue in words and figures: what happened, when, at which tables, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from audits.local_times import show_instant
from audits.replay.auditing.cause_keys import ISOLATED, inferred_cause
from audits.replay.findings.models import Finding, Issue
from audits.replay.findings.wording import describe_coverage, parts_of
from audits.review.cases.models import Case
from audits.review.issues.models import Decision, Proposal, Work
from audits.review.issues.steps import STEPS
from compliance.ui.charts import MONEY, Column, Columns
from compliance.ui.lists import dollars
from games.checks import describe_code
from games.explanation.words import describe_name
from games.findings import MoneyOwner, money_owner

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from audits.replay.findings.models import IssueNight, IssuePart


NIGHTS = 31


@dataclass(frozen=True)
class Inside:
    """What only the commission sees of an issue."""

    work: Work | None
    proposal: Proposal | None
    cases: list[Case]
    """Open cases on its operator."""
    cases_with_it: list[Case]
    again_after: Issue | None

    @classmethod
    def of(cls, issue: Issue) -> Inside:
        """Load what was done about an issue."""
        return cls(
            Work.objects.filter(issue=issue).select_related("assigned_to").first(),
            Proposal.objects.filter(issue=issue).select_related("by", "case").first(),
            list(Case.objects.filter(party=issue.party_id, state=Case.State.OPEN)),
            list(Case.objects.filter(items__issue=issue, items__removal__isnull=True)),
            Issue.objects.filter(again=issue).first(),
        )

    @property
    def edition(self) -> int:
        """Return the edition of the issue that a page shows."""
        return self.work.edition if self.work else 0

    @property
    def proposed(self) -> str:
        """Return the step that waits for a second approval."""
        return STEPS[self.proposal.step].label if self.proposal else ""


def in_one_sentence(issue: Issue) -> str:
    """Describe what happened: where, how often, when, and the amounts."""
    tables = parts_of(issue, "table")
    named = f"Table{'s' if len(tables) > 1 else ''} {', '.join(tables)}" if tables else ""
    where = " of ".join(filter(None, (named, issue.party.name)))
    what = ", ".join(map(describe_name, filter(None, (issue.game, issue.wager, issue.line))))
    times = [show_instant(at, "M j, Y, g:i A") for at in (issue.first, issue.last) if at]
    when = f", {' to '.join(dict.fromkeys(times))}" if times else ""
    money = [
        f"{way} {dollars(abs(cents))}"
        for cents, way in ((issue.over, "overpaid"), (issue.under, "underpaid"))
        if cents
    ]
    who = owner_of(issue)
    were = "were" if who is MoneyOwner.PLAYERS else "was"
    amounts = f"; {who} {were} {' and '.join(money)}" if money else ""
    return f"{where}{f' ({what})' if what else ''}: {how_often(issue)}{when}{amounts}."


def owner_of(issue: Issue) -> MoneyOwner:
    """Return whose money its sums are: players', except in one from before causes were inferred."""
    moved = issue.over or issue.under
    return money_owner(issue.code, issue.wager) if moved else MoneyOwner.PLAYERS


def how_often(issue: Issue) -> str:
    """Count its rounds; or its findings, if they are not in rounds."""
    count, what = (issue.rounds, "round") if issue.rounds else (issue.findings, "finding")
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def nights_of(issue: Issue, *, inside: bool) -> tuple[list[IssueNight], bool]:
    """Return the newest gambling days of an issue, and whether there are earlier ones."""
    nights = issue.nights.order_by("-day")
    found = list((nights.select_related("replay") if inside else nights)[: NIGHTS + 1])
    return found[:NIGHTS], len(found) > NIGHTS


MOST_BEFORE: Final = 10
FEWEST: Final = 2
"""A chart with a single column would show no more than its figure."""


@dataclass
class Sums:
    """Rounds and amounts of an hour or a table."""

    name: str
    rounds: int = 0
    over: int = 0
    under: int = 0

    def add(self, part: IssuePart) -> None:
        """Add a part of an issue."""
        self.rounds += part.rounds
        self.over += abs(part.over)
        self.under += abs(part.under)


def cause_in_words(issue: Issue) -> str:
    """State the inferred cause and how much it explains; that there is none, for payout errors."""
    if issue.diagnosis:
        return f"{issue.diagnosis} {describe_coverage(issue)}"
    if inferred_cause(issue.cause) == ISOLATED:
        return "No cause explains these errors: they are rare, and have nothing in common."
    return ""


def tables_of(issue: Issue) -> list[Sums]:
    """Return what an issue came to at each table; empty if it has only one."""
    return _by(issue, lambda part: part.table, whose=MoneyOwner.PLAYERS)


def lines_of(issue: Issue) -> list[Sums]:
    """Return what an issue came to on each wager and line; empty if it has only one."""

    def name(part: IssuePart) -> str:
        words = ", ".join(map(describe_name, filter(None, (part.wager, part.line))))
        return words or describe_code(part.code)

    return _by(issue, name, whose=None)


def dealers_of(nights: Sequence[IssueNight]) -> list[Sums]:
    """Return what an issue came to by dealer, on the nights shown; empty if none is named."""
    sums: dict[str, Sums] = {}
    for dealer, rounds, over, under in (row for night in nights for row in night.by_dealer):
        of_dealer = sums.setdefault(dealer, Sums(dealer or "Not named in the log"))
        of_dealer.rounds += rounds
        of_dealer.over += over
        of_dealer.under += under
    return [sums[each] for each in sorted(sums)] if set(sums) - {""} else []


def _by(issue: Issue, name: Callable[[IssuePart], str], *, whose: MoneyOwner | None) -> list[Sums]:
    """Sum an issue by name; `whose` leaves out the money of anyone else."""
    sums: dict[str, Sums] = {}
    for part in issue.parts.filter(findings__gt=0):
        shown = name(part) or describe_code(part.code)
        if whose not in {None, money_owner(part.code, part.wager)}:
            part.over = part.under = 0
        sums.setdefault(shown, Sums(shown)).add(part)
    return [sums[each] for each in sorted(sums)] if len(sums) > 1 else []


def exceptions_of(issue: Issue, *, inside: bool) -> list[Finding]:
    """Return findings that the cause does not explain, as far as they are shown in full."""
    ids = [id_ for night in nights_of(issue, inside=inside)[0] for id_ in night.exceptions]
    return list(Finding.objects.filter(issue=issue, identity__in=ids).order_by("day", "pk"))


@dataclass(frozen=True)
class EarlierIssue:
    """An earlier issue, and its newest decision."""

    issue: Issue
    decision: Decision | None


def earlier_issues(issue: Issue, *, inside: bool) -> list[EarlierIssue]:
    """Return earlier issues of the same code and game, or cause, at this operator, newest first."""
    same = Q(game=issue.game, code=issue.code) | Q(cause=issue.cause)
    earlier = Issue.objects.filter(same, party=issue.party_id, pk__lt=issue.pk)
    newest = earlier.order_by("-pk")[:MOST_BEFORE]
    decided: dict[int, Decision] = {}
    if inside:
        decisions = Decision.objects.filter(issue__in=newest.values("pk"))
        decided = {each.issue_id: each for each in decisions.order_by("pk")}
    return [EarlierIssue(each, decided.get(each.pk)) for each in newest]


def draw_nights(nights: Sequence[IssueNight]) -> Columns | None:
    """Draw the gambling days, oldest first."""
    rows = [(f"{each.day:%b} {each.day.day}", each) for each in reversed(nights)]
    return _draw(rows, "gambling day")


def _draw(rows: Sequence[tuple[str, IssueNight | Sums]], by: str) -> Columns | None:
    """Draw amounts in both directions if there are any, otherwise the number of rounds."""
    if len(rows) < FEWEST:
        return None
    if any(each.over or each.under for _, each in rows):
        columns = [Column(name, abs(each.over), abs(each.under)) for name, each in rows]
        most = dollars(max(max(each.up, each.down) for each in columns))
        figures = [f"{each.name}: {dollars(each.up)} and {dollars(each.down)}" for each in columns]
        return Columns.of(
            f"Overpaid above the line, underpaid below it; the highest is {most}",
            columns,
            says=f"Money by {by}, overpaid above the line, underpaid below it. "
            + "; ".join(figures),
            kinds=MONEY,
        )
    columns = [Column(name, each.rounds) for name, each in rows]
    most = f"{max((each.up for each in columns), default=0):,}"
    figures = [f"{each.name}: {each.up:,}" for each in columns]
    return Columns.of(
        f"Rounds; the highest is {most}", columns, says=f"Rounds by {by}. {'; '.join(figures)}"
    )
