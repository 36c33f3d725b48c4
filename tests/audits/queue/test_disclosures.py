"""What an operator discloses voluntarily, and the commission adds to a case."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from audits.review.cases.models import CaseItem
from audits.review.cases.writes import open_case
from audits.review.disclosures.models import Disclosure
from audits.review.issues.decisions import StepRequest, take_step
from audits.review.releases.writes import release_issue
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.filings.documents.models import Document
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from compliance.access.models import Party

pytestmark = pytest.mark.django_db
SAID = {
    "operator": "room",
    "day": "2025-07-12",
    "table": "T1",
    "facts": "A <card> fell.",
    "done": "The dealer was trained.",
}


@pytest.fixture
def manager() -> Client:
    return browser_as(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def room(manager: Client) -> Party:
    return party_for(Role.OPERATOR_MANAGER, "room")


def note(text: str = "What the floor wrote down.") -> SimpleUploadedFile:
    return SimpleUploadedFile("floor.txt", text.encode())


def made(manager: Client, **more: Any) -> str:
    answer = manager.post(reverse("new_disclosure"), {**SAID, **more})
    assert answer.status_code == 302, words(answer)
    return str(answer["Location"])


def test_disclosure_is_kept_as_written_and_joins_a_case(manager, agent, room):
    page = made(manager, papers=[note()])
    shown = manager.get(page)
    assert "A &lt;card&gt; fell." in shown.text
    assert "Own disclosure of July 12, 2025, version 1" in words(shown)
    assert "Add to a case" not in words(shown)
    event = Event.objects.get(type="disclosure.made")
    assert event.party == room.uuid
    with without_access_scope():
        case = open_case(party=room, title="Cards", reason="A card fell.", by=agent)
        other = party_for(Role.OPERATOR_MANAGER, "other")
        elsewhere = open_case(party=other, title="Other", reason="Other.", by=agent)
    queue = browser_of(agent)
    assert "was trained" not in words(queue.get(reverse("case", args=[case.uuid])))
    address = f"{page}case/"
    assert queue.post(address, {"case": str(elsewhere.uuid)}).status_code == 422
    assert queue.post(address, {"case": str(case.uuid)}).status_code == 302
    again = queue.post(address, {"case": str(case.uuid)})
    assert (again.status_code, "in CR" in words(again)) == (422, True)
    with without_access_scope():
        item = CaseItem.objects.get(case=case)
        assert item.kind == CaseItem.Kind.DISCLOSURE
        assert "The dealer was trained." in item.text
        assert item.paper.document.owner == room
    assert manager.post(address, {"case": str(case.uuid)}).status_code == 404


def test_other_operator_sees_no_disclosure_or_document(manager, room):
    page = made(manager, papers=[note()])
    rival = browser_as(Role.OPERATOR_MANAGER, "rival")
    assert rival.get(page).status_code == 404
    assert "card" not in words(rival.get(reverse("disclosures")))
    assert rival.post(reverse("new_disclosure"), SAID).status_code == 422
    with without_access_scope():
        paper = Document.objects.get(owner=room)
    assert rival.get(reverse("document", args=[paper.uuid])).status_code == 404


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"facts": " "}, "required"),
        ({"facts": "a\0b"}, "Null characters"),
        ({"day": "2199-01-01"}, "still to come"),
        ({"day": "2025-02-30"}, "valid date"),
        ({"table": "T" * 33}, "at most 32"),
        ({"papers": [SimpleUploadedFile("a.exe", b"MZ")]}, "a.exe"),
        ({"papers": [SimpleUploadedFile("a.txt", b"")]}, "a.txt"),
    ],
)
def test_unreportable_content_is_rejected_and_not_kept(manager, changes, says):
    answer = manager.post(reverse("new_disclosure"), {**SAID, **changes})
    assert answer.status_code == 422
    assert says in words(answer)
    with without_access_scope():
        assert not Disclosure.objects.exists()
        assert not Document.objects.exists()


def test_a_double_click_reports_once(manager):
    made(manager)
    again = manager.post(reverse("new_disclosure"), SAID)
    assert (again.status_code, "on file" in words(again)) == (422, True)


def test_answer_brings_documents_to_the_agent_only(manager, agent, room, tmp_path: Path):
    issue = issue_of(room, seen_by=unit_of_agent(agent))
    take_step(issue=issue, said=StepRequest(step="take_up", reason="Looks bad"), by=agent)
    said = StepRequest(step="ask", reason="Which layout?", until=date(2999, 1, 4))
    take_step(issue=issue, said=said, by=agent)
    release_issue(issue=issue, by=agent)
    address = reverse("answer_question", args=[issue.uuid])
    bad = {"answer-text": "This one.", "answer-papers": [SimpleUploadedFile("a.exe", b"MZ")]}
    assert manager.post(address, bad).status_code == 422
    with without_access_scope():
        assert not Document.objects.exists()
    good = {"answer-text": "This one.", "answer-papers": [note()]}
    assert manager.post(address, good).status_code == 302
    page = reverse("issue", args=[issue.uuid])
    told = "Payout error"
    named = f"Answer to the commission: {told}, table T1, version 1"
    for reader in (manager, browser_of(agent)):
        assert named in words(reader.get(page))
