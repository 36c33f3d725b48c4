"""One of each of a party's audit objects, for tests that try every address as everyone."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile

from audits.intake.days.models import GamblingDay
from audits.replay.findings.models import IssueVisibility
from audits.replay.models import ReplayComparison
from audits.review.cases.exhibits import seal_exhibits
from audits.review.cases.investigation import add_task, open_complaint
from audits.review.cases.models import CaseItem
from audits.review.cases.writes import Gathered, gather_documents
from audits.review.disclosures.writes import disclose
from audits.review.visits.models import Visit, VisitItem
from audits.review.visits.writes import plan_visit
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.filings.documents.writes import receive_files
from tests.audits.queue.issues import issue_of
from tests.audits.replay.ledger_rows import AT, NIGHT, commission, made_replay
from tests.compliance.people import made_person

if TYPE_CHECKING:
    from collections.abc import Collection

    from audits.review.cases.models import Case
    from audits.review.disclosures.models import Disclosure
    from compliance.access.models import Party, Person

NO_AUDITS: dict[str, Any] = {
    "replay": uuid4(),
    "comparison": uuid4(),
    "issue": uuid4(),
    "disclosure": uuid4(),
    "gambling_day": "2199-01-01",
    "case": uuid4(),
    "case_item": uuid4(),
    "case_task": uuid4(),
    "case_seal": uuid4(),
    "photo": 0,
    "visit": uuid4(),
    "visit_item": 1,
    "planned": uuid4(),
}


def disclosure_of(party: Party) -> Disclosure:
    clerk = made_person(f"reports-{uuid4()}", party, Role.OPERATOR_CLERK)
    return disclose(party=party, day=NIGHT, facts=f"A card fell at {party}.", by=clerk)


DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""A PNG of one pixel."""


def photo_in(case: Case, agent: Person) -> CaseItem:
    """Add a photo to a case."""
    with receive_files([SimpleUploadedFile("sign.png", DOT, "image/png")]) as files:
        return gather_documents(
            case=case,
            what=Gathered(kind=CaseItem.Kind.PAPER, text="The sign at T3."),
            papers=files,
            evidence_date=clock.today(),
            by=agent,
        )


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
        made |= _of_case(party, asked)
    if "visit" in asked:
        visit = Visit(unit=commission(), party=party, day=NIGHT, by=uuid4(), at=AT)
        visit.save()
        VisitItem(visit=visit, place=1, kind="floor", approved=[], cites=[]).save()
        made |= {"visit": visit.uuid, "visit_item": 1}
    if "planned" in asked:
        agent = made_person(f"agent-{uuid4()}", commission(), Role.AGENT)
        made["planned"] = plan_visit(party=party, day=clock.today(), by=agent).uuid
    return made


def _of_case(party: Party, asked: Collection[str]) -> dict[str, Any]:
    agent = made_person(f"agent-{uuid4()}", commission(), Role.AGENT)
    case = open_complaint(
        party=party, patron="Jo Park", text="Seen.", received=clock.today(), by=agent
    )
    with without_access_scope():
        made: dict[str, Any] = {"case": case.uuid, "case_item": case.items.get().uuid, "photo": 0}
    if "case_task" in asked:
        task = add_task(case=case, what="Look", due=clock.today(), assigned_to=agent, by=agent)
        made["case_task"] = task.uuid
    if "case_seal" in asked:
        made["case_seal"] = seal_exhibits(case=case, by=agent).uuid
    if "photo" in asked:
        made["case_item"] = photo_in(case, agent).uuid
    return made
