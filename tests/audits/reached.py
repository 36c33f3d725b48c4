"""One of each of a party's audit objects, for tests that try every address as everyone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from audits.intake.days.models import GamblingDay
from audits.replay.findings.models import IssueVisibility
from audits.replay.models import ReplayComparison
from audits.review.cases.models import CaseItem
from audits.review.cases.writes import Gathered, open_case
from audits.review.disclosures.writes import disclose
from audits.review.visits.models import Visit, VisitItem
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.queue.issues import issue_of
from tests.audits.replay.ledger_rows import AT, NIGHT, commission, made_replay
from tests.compliance.people import made_person

if TYPE_CHECKING:
    from collections.abc import Collection

    from audits.review.disclosures.models import Disclosure
    from compliance.access.models import Party

NO_AUDITS: dict[str, Any] = {
    "replay": uuid4(),
    "comparison": uuid4(),
    "issue": uuid4(),
    "disclosure": uuid4(),
    "gambling_day": "2199-01-01",
    "case": uuid4(),
    "case_item": uuid4(),
    "visit": uuid4(),
    "visit_item": 1,
}


def disclosure_of(party: Party) -> Disclosure:
    clerk = made_person(f"reports-{uuid4()}", party, Role.OPERATOR_CLERK)
    return disclose(party=party, day=NIGHT, facts=f"A card fell at {party}.", by=clerk)


def audits_of(party: Party, asked: Collection[str]) -> dict[str, Any]:
    """Create what the requested names need, and no more."""
    made: dict[str, Any] = {}
    if "replay" in asked:
        made["replay"] = made_replay(code=party.code).uuid
    if "comparison" in asked:
        former, later = made_replay(code=party.code), made_replay(code=party.code)
        with without_access_scope():
            made["comparison"] = ReplayComparison.objects.create(
                former=former, later=later, days=[], at=AT
            ).uuid
    if "issue" in asked:
        issue = issue_of(party, seen_by=commission())
        with without_access_scope():
            IssueVisibility.objects.create(shown=issue, party=party)
        made["issue"] = issue.uuid
    if "gambling_day" in asked:
        with without_access_scope():
            GamblingDay.objects.get_or_create(
                party=party, day=NIGHT, defaults={"begins": AT, "ends": AT, "closes": AT}
            )
        made["gambling_day"] = str(NIGHT)
    if "disclosure" in asked:
        made["disclosure"] = disclosure_of(party).uuid
    if "case" in asked:
        agent = made_person(f"agent-{uuid4()}", commission(), Role.AGENT)
        what = Gathered(kind=CaseItem.Kind.FACT, text="Seen.")
        case = open_case(party=party, title="Seen", reason="Seen.", begins_with=what, by=agent)
        with without_access_scope():
            made |= {"case": case.uuid, "case_item": case.items.get().uuid}
    if "visit" in asked:
        visit = Visit(unit=commission(), party=party, day=NIGHT, by=uuid4(), at=AT)
        visit.save()
        VisitItem(visit=visit, place=1, kind="floor", approved=[], cites=[]).save()
        made |= {"visit": visit.uuid, "visit_item": 1}
    return made
