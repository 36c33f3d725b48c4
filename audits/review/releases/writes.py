"""Release issues and reports to operators, who see nothing of them before.

A standing release shows the findings of a code to an operator automatically. By default there is
one for what a day lacks (`night.*`), because only the operator can fix that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from audits.intake import events
from audits.intake.days.models import GamblingDay
from audits.replay.findings.models import Issue, IssueVisibility
from audits.replay.findings.reads import with_part
from audits.review.releases.hooks import show_released
from audits.review.releases.models import StandingRelease
from audits.review.releases.reads import is_released_as_it_comes
from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.record import record

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.access.models import Party, Person


def release_issue(*, issue: Issue, by: Person) -> None:
    """Release an issue and its rounds to the operator, and to a tribe's gaming agency.

    Later findings of the issue are released with it while it is open. Refuses a second release.
    """
    require(by, Action.RELEASE_FINDINGS, issue.party)
    with transaction.atomic(), without_access_scope():
        if not _show(issue, by=by, standing=False):
            msg = f"This issue was released to {issue.party} before."
            raise RefusedError(msg)


def release_as_standing(*, issue: Issue, codes: Collection[str] = ()) -> bool:
    """Release an issue if all its codes have a standing release; return whether this call did it.

    Code that opens an issue calls this, and needs to know nothing else about releases.
    """
    with transaction.atomic(), without_access_scope():
        if not all(is_released_as_it_comes(issue.party, code) for code in codes or (issue.code,)):
            return False
        return _show(issue, by=None, standing=True)


def release_day(*, day: GamblingDay, by: Person, supplements: int | None = None) -> None:
    """Release the report of a closed day to the operator.

    Refuses an open day, a second release, and a day whose number of supplements differs from what
    the user has read.
    """
    require(by, Action.RELEASE_FINDINGS, day.party)
    with transaction.atomic(), without_access_scope():
        kept = (
            GamblingDay.objects.select_for_update(of=("self",))
            .select_related("party__agency")
            .get(pk=day.pk)
        )
        if kept.state != GamblingDay.State.CLOSED:
            msg = f"The gambling day {kept.day} is open until {kept.closes}: it has no report yet."
            raise RefusedError(msg)
        if kept.released is not None:
            msg = f"The report of {kept.day} was released to {kept.party} before."
            raise RefusedError(msg)
        if supplements not in (None, kept.supplements):
            msg = (
                f"Logs of {kept.day} came in after what you read: its report has a supplement. "
                "Read it, then release the day."
            )
            raise RefusedError(msg)
        kept.released = clock.now()
        kept.save(update_fields=["released"])
        record(events.DAY_RELEASED, by=by, party=kept.party, carries={"day": str(kept.day)})
        show_released(kept)


def set_standing_release(*, party: Party, code: str, stands: bool, by: Person) -> None:
    """Begin or end the automatic release of a code's findings to an operator.

    A new standing release covers open issues of the code at once; ending one hides nothing. Refuses
    a change that is already in effect.
    """
    require(by, Action.RELEASE_FINDINGS, party)
    with transaction.atomic(), without_access_scope():
        if is_released_as_it_comes(party, code) == stands:
            says = "are already released automatically" if stands else "already wait for an agent"
            msg = f"Findings of {code} at {party} {says}."
            raise RefusedError(msg)
        now = clock.now()
        standing = StandingRelease.objects.filter(party=party, code=code, ended__isnull=True)
        if stands:
            StandingRelease.objects.create(party=party, code=code, since=now)
        elif not standing.update(ended=now):
            StandingRelease.objects.create(party=party, code=code, since=now, ended=now)
        record(
            events.STANDING_RELEASE,
            by=by,
            party=party,
            carries={"code": code, "stands": "yes" if stands else "no"},
        )
        if stands:
            for issue in Issue.objects.filter(
                with_part(code=code), party=party, released=None, open=True
            ):
                codes = issue.parts.order_by().values_list("code", flat=True).distinct()
                release_as_standing(issue=issue, codes=list(codes))


def _show(issue: Issue, *, by: Person | None, standing: bool) -> bool:
    """Release it to the operator and its agency; return whether it was not released before."""
    kept = (
        Issue.objects.select_for_update(of=("self",))
        .select_related("party__agency")
        .get(pk=issue.pk)
    )
    if kept.released is not None:
        return False
    kept.released = issue.released = clock.now()
    kept.save(update_fields=["released"])
    for party in filter(None, (kept.party, kept.party.agency)):
        IssueVisibility.objects.get_or_create(shown=kept, party=party)
    record(
        events.ISSUE_RELEASED,
        by=by or SYSTEM,
        party=kept.party,
        about=kept,
        carries={"code": kept.code, "standing": "yes" if standing else "no"},
    )
    return True
