"""Open issues that are not found in rounds, and return decided ones for a new decision."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Max, Min, Sum

from audits.commission import commission_unit
from audits.replay.auditing.causes import headline_of
from audits.replay.events import ISSUE_CHANGED, ISSUE_EMPTIED, ISSUE_REFILLED
from audits.replay.findings.models import (
    CAUSE,
    Finding,
    Issue,
    IssueClause,
    IssueNight,
    IssueVisibility,
)
from audits.replay.findings.reads import impact_of
from audits.review.issues.assignments import due_from, work_on
from audits.review.issues.models import Proposal, Work
from audits.review.releases.writes import release_as_standing
from compliance import clock
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from games.checks import severity

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from audits.replay.models import Replay
    from compliance.access.models import Party


def name_clauses(*, issue: Issue, cites: Iterable[str]) -> None:
    """Record the clauses that findings of an issue cite; known ones stay as they are."""
    known = set(IssueClause.objects.filter(issue=issue).values_list("clause", flat=True))
    IssueClause.objects.bulk_create(
        [IssueClause(issue=issue, clause=each) for each in sorted(set(cites) - known)],
        ignore_conflicts=True,
    )


def return_for_decision(
    *, issue: Issue, day: date, says: str, replay: Replay | None = None
) -> None:
    """Reopen a decided issue and say what changed, according to `replay` or a look at the day."""
    reopen_issue(issue=issue, says=says)
    record(
        ISSUE_CHANGED,
        by=SYSTEM,
        party=issue.party,
        about=issue,
        carries={
            "day": str(day),
            "replay": str(replay.uuid) if replay else "",
            "says": says,
        },
    )


def reopen_issue(*, issue: Issue, says: str) -> None:
    """Return a decided issue to the agent with the reason; the caller records the event.

    Only one issue of a cause is open at a time. If a later one is open, the agent sees it, and it
    refers to this one: the change is noted there too, and the decision stays as it was.
    """
    same = {name: getattr(issue, name) for name in CAUSE}
    later = Issue.objects.filter(open=True, **same).exclude(pk=issue.pk).first()
    issue.changed_since = says
    if later is None:
        issue.open = True
        issue.state = Issue.State.UNDER_REVIEW
        issue.waived_until = None
    else:
        later.changed_since = f"Of what was decided before it: {says}"
        later.save(update_fields=["changed_since"])
    issue.save(update_fields=["open", "state", "changed_since", "waived_until"])
    Work.objects.filter(issue=issue).update(edition=F("edition") + 1)  # shown pages are stale
    Work.objects.filter(issue=later or issue).update(
        edition=F("edition") + 1, due=due_from(clock.today(), issue.weight), escalated=None
    )


@transaction.atomic
def close_if_empty(*, issue: Issue, day: date, replay: Replay) -> None:
    """Close an open issue that has no findings left, with the reason.

    One with a proposed decision stays open for the person who must agree.
    """
    kept = Issue.objects.select_for_update(of=("self",)).get(pk=issue.pk)
    if not kept.open or kept.findings or Proposal.objects.filter(issue=kept).exists():
        return
    kept.state, kept.open = Issue.State.EMPTY, False
    kept.changed_since = f"No findings are left: a replay of {day} found none."
    kept.save(update_fields=["state", "open", "changed_since"])
    Work.objects.filter(issue=kept).update(edition=F("edition") + 1)
    carries = {"day": str(day), "replay": str(replay.uuid)}
    record(ISSUE_EMPTIED, by=SYSTEM, party=kept.party, about=kept, carries=carries)


def reopen_empty(*, issue: Issue, day: date, replay: Replay) -> None:
    """Reopen an issue that closed itself and has findings again."""
    issue.state, issue.open, issue.changed_since = Issue.State.NEW, True, ""
    issue.save(update_fields=["state", "open", "changed_since"])
    due = due_from(clock.today(), issue.weight)
    Work.objects.filter(issue=issue).update(edition=F("edition") + 1, due=due)
    carries = {"day": str(day), "replay": str(replay.uuid)}
    record(ISSUE_REFILLED, by=SYSTEM, party=issue.party, about=issue, carries=carries)


def issue_of_cause(
    *, party: Party, code: str, game: str = "", table: str = "", wager: str = "", line: str = ""
) -> Issue:
    """Return the open issue of a cause, or a new one that follows the last decided one."""
    cause = {
        "party": party,
        "game": game,
        "cause": " ".join(filter(None, (code, table, wager, line))),
    }
    found = Issue.objects.filter(open=True, **cause).first()
    if found is not None:
        return found
    made = Issue.objects.create(
        **cause,
        code=code,
        table=table,
        wager=wager,
        line=line,
        headline=headline_of((code,)),
        weight=severity(code),
        opened=clock.now(),
        again_after=Issue.objects.filter(open=False, **cause).order_by("-pk").first(),
    )
    IssueVisibility.objects.create(shown=made, party=commission_unit())
    work_on(issue=made, unit=commission_unit())
    release_as_standing(issue=made, codes=(code,))
    return made


def count_night(issue: Issue, day: date) -> None:
    """Recount an issue's night, and sum the issue over its nights."""
    holding = issue.shown_findings.filter(day=day).exclude(standing=Finding.Standing.GONE)
    name_clauses(issue=issue, cites=set(chain(*holding.values_list("cites", flat=True))))
    figures = holding.aggregate(first=Min("at"), last=Max("at"))
    IssueNight.objects.update_or_create(
        issue=issue,
        day=day,
        defaults={"findings": holding.count(), "rounds": 0, "over": 0, "under": 0, **figures},
    )
    over_all = issue.nights.aggregate(
        findings=Sum("findings"), first=Min("first"), last=Max("last")
    )
    for name, value in over_all.items():
        setattr(issue, name, value)
    issue.impact = impact_of(issue)
    issue.save(update_fields=[*over_all, "impact"])
