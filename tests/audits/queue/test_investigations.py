"""Investigations: who leads them, what is alleged, what is to do, complaints, sealed exhibits."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from hashlib import sha256
from zipfile import ZipFile

import pytest
from django.urls import reverse

from audits.review.cases.exhibits import read_seal, seal_exhibits
from audits.review.cases.investigation import (
    add_task,
    answer_complaint,
    finish_task,
    lead_case,
    open_complaint,
    resolve_round,
)
from audits.review.cases.models import CaseItem, CaseSeal, Complaint
from audits.review.cases.writes import Gathered, gather, open_case
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.models import Event
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.audits.reached import DOT, photo_in
from tests.audits.replay.nights import dealt, on_file
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import party_for, person_as

pytestmark = pytest.mark.django_db
Kind = CaseItem.Kind


@pytest.fixture
def room(agent):
    return party_for(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def case(agent, room):
    return open_case(party=room, title="Payouts at T3", reason="Paid by the layout.", by=agent)


@pytest.fixture
def played(room):
    with without_access_scope():
        rounds = dealt(3)
        on_file(room, rounds)
    return rounds


def post(browser, case, route, prefix, /, **given):
    fields = {f"{prefix}-{field}": value for field, value in given.items()}
    return browser.post(reverse(route, args=[case.uuid]), fields, follow=True)


def test_case_page_takes_lead_people_violations_and_video(agent, case):
    browser = browser_of(agent)
    for name, prefix, given, says in (
        ("lead_case", "lead", {"lead": agent.uuid}, "leads the case"),
        ("person_in_case", "person", {"name": "d-17, dealer"}, "Person: d-17, dealer"),
        (
            "alleged_in_case",
            "violation",
            {"name": "wac 230-15-140(1)", "text": "Paid over the limit."},
            "Alleged violation: WAC 230-15-140(1)",
        ),
        (
            "video_in_case",
            "video",
            {"name": "Camera 12", "begins": "2025-07-12 21:00", "text": "The payout."},
            "Video: Camera 12",
        ),
    ):
        assert says in words(post(browser, case, name, prefix, **given))
    wrong = {"name": "section 5", "text": "Paid over."}
    refused = post(browser, case, "alleged_in_case", "violation", **wrong)
    assert (refused.status_code, "This is not a section" in words(refused)) == (422, True)
    issue = issue_of(case.party, seen_by=unit_of_agent(agent))
    added = browser.post(reverse("issue_into_case", args=[case.uuid]), {"issue": issue.uuid})
    assert added.status_code == 302
    with without_access_scope():
        assert set(case.items.values_list("kind", flat=True)) == {
            *("person", "violation", "video", "issue"),
        }


def test_tasks_are_due_and_done_once(agent, case):
    due = clock.today() + timedelta(days=2)
    task = add_task(case=case, what="Ask for the video", due=due, assigned_to=agent, by=agent)
    with pytest.raises(RefusedError, match="in the past"):
        add_task(case=case, what="x", due=clock.today() - timedelta(1), assigned_to=agent, by=agent)
    with pytest.raises(RefusedError, match="does not work on cases"):
        add_task(case=case, what="x", due=due, assigned_to=person_as(Role.DIRECTOR), by=agent)
    with pytest.raises(RefusedError, match="does not work on cases"):
        lead_case(case=case, lead=person_as(Role.AUDITOR), by=agent)
    browser = browser_of(agent)
    assert "Ask for the video" in words(browser.get(reverse("case", args=[case.uuid])))
    assert finish_task(task=task, by=agent).done
    with pytest.raises(RefusedError, match="done already"):
        finish_task(task=task, by=agent)


def test_round_is_evidence_only_if_it_is_on_file(agent, case, played):
    known = gather(case=case, what=Gathered(kind=Kind.ROUND, round=played[0]["round"]), by=agent)
    alleged = gather(case=case, what=Gathered(kind=Kind.ROUND, round="T9-000001"), by=agent)
    assert (known.is_alleged, alleged.is_alleged) == (False, True)
    shown = words(browser_of(agent).get(reverse("case", args=[case.uuid])))
    assert "Alleged round T9-000001" in shown
    assert "No round with this number was on file" in shown


def test_complaint_goes_from_words_to_round_to_answer(agent, room, played):
    browser, today = browser_of(agent), clock.today()
    given = {"operator": "room", "patron": "Jo Park", "received": f"{today}", "table": "T1",
            "text": "They paid even money on a flush."}  # fmt: skip
    opened = browser.post(reverse("new_complaint"), given, follow=True)
    assert "Complaint of Jo Park, table T1" in words(opened)
    with without_access_scope():
        complaint = Complaint.objects.select_related("case__party", "case__lead").get()
    case = complaint.case
    assert case.lead == agent
    with pytest.raises(RefusedError, match="Find the round first"):
        answer_complaint(complaint=complaint, answer="Paid right.", by=agent)
    with pytest.raises(RefusedError, match="is on file"):
        resolve_round(complaint=complaint, round_id="T9-1", searched="", by=agent)
    found = post(browser, case, "round_of_complaint", "round", round_id=played[0]["round"])
    assert "is the round of this complaint" in words(found)
    answered = post(browser, case, "answer_complaint", "reply", answer="It was paid as approved.")
    assert "It was paid as approved." in words(answered)
    with without_access_scope():
        complaint = Complaint.objects.select_related("case__party").get()
    with pytest.raises(RefusedError, match="answered before"):
        answer_complaint(complaint=complaint, answer="Again.", by=agent)


def test_complaint_without_a_round_says_what_was_searched(agent, room):
    case = open_complaint(
        party=room, patron="Anonymous", text="They cheat.", received=clock.today(), by=agent
    )
    with without_access_scope():
        complaint = Complaint.objects.select_related("case__party").get(case=case)
    with pytest.raises(RefusedError, match="what you searched"):
        resolve_round(complaint=complaint, round_id="", searched=" ", by=agent)
    resolve_round(complaint=complaint, round_id="", searched="T1, 9 p.m. to 10 p.m.", by=agent)
    answer_complaint(complaint=complaint, answer="No such round is on file.", by=agent)
    shown = words(browser_of(agent).get(reverse("case", args=[case.uuid])))
    assert "None on file" in shown
    assert "T1, 9 p.m. to 10 p.m." in shown


def test_sealed_file_has_every_exhibit_and_its_digest(agent, case, played):
    with pytest.raises(RefusedError, match="no evidence to seal"):
        seal_exhibits(case=case, by=agent)
    photo = photo_in(case, agent)
    gather(case=case, what=Gathered(kind=Kind.ROUND, round=played[0]["round"]), by=agent)
    browser = browser_of(agent)
    sealed = browser.post(reverse("seal_exhibits", args=[case.uuid]), follow=True)
    assert "The exhibits are sealed: 2 in one file." in words(sealed)
    with without_access_scope():
        seal = CaseSeal.objects.get()
        assert Event.objects.get(type="case.sealed").payload["sha256"] == seal.sha256
    content = read_seal(seal)
    assert sha256(content).hexdigest() == seal.sha256
    sent = browser.get(reverse("sealed_exhibits", args=[case.uuid, seal.uuid]))
    assert sent.content == content
    with ZipFile(io.BytesIO(content)) as file:
        listed = json.loads(file.read("exhibits.json"))
        for exhibit in listed["exhibits"]:
            for each in exhibit["files"]:
                assert sha256(file.read(each["name"])).hexdigest() == each["sha256"]
        [named] = listed["exhibits"][0]["files"]
        assert file.read(named["name"]) == DOT
        [of_round] = listed["exhibits"][1]["files"]
        assert json.loads(file.read(of_round["name"]))["round"] == played[0]["round"]
    shown = browser.get(reverse("case_photo", args=[case.uuid, photo.uuid, 0]))
    assert (shown.content, shown["Content-Type"]) == (DOT, "image/png")
    assert seal_exhibits(case=case, by=agent).sha256 == seal.sha256  # nothing was added since
