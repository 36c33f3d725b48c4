"""Case pages: opened from everywhere, collected, written, recommended, closed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audits.review.cases.models import Case, CaseItem
from audits.review.cases.writes import (
    Gathered,
    gather,
    note_on_case,
    open_case,
    recommend,
    take_out,
)
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.acts.models import ProposedAct
from compliance.events.models import Event
from compliance.filings.documents.models import DocumentFile
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.compliance.pages.browsing import (
    browser_as,
    browser_of,
    check_and_post,
    confirm_act,
    hidden,
    words,
)
from tests.compliance.people import made_person, party_for

if TYPE_CHECKING:
    from django.test import Client

    from compliance.access.models import Party, Person

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


@pytest.fixture
def room(agent: Person) -> Party:
    return party_for(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def case(agent: Person, room: Party) -> Case:
    return open_case(party=room, title="Payouts at T3", reason="Paid by the layout.", by=agent)


def page(case: Case) -> str:
    return reverse("case", args=[case.uuid])


def post(browser: Client, case: Case, name: str, prefix: str, **said: Any) -> Any:
    fields = {f"{prefix}-{field}": value for field, value in said.items()}
    return check_and_post(browser, reverse(name, args=[case.uuid]), fields)


def test_case_opened_on_complaint_says_apparent_violation(browser, room):
    said = {
        "operator": "room",
        "title": "A straight flush paid short",
        "reason": "A patron called.",
        "kind": "complaint",
        "text": "They paid 30 to 1 <b>not</b> 50 to 1.",
    }
    answer = browser.post(reverse("new_case"), said)
    shown = browser.get(answer.url)
    assert "Reason A patron called." in words(shown)
    assert "An apparent violation: no agent has recommended a level yet." in words(shown)
    assert "Player's complaint They paid 30 to 1 <b>not</b> 50 to 1." in words(shown)
    assert "&lt;b&gt;not" in shown.text
    with without_access_scope():
        assert Event.objects.filter(type__in=("case.opened", "case.gathered")).count() == 2
    del room


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"operator": ""}, "This field is required"),
        ({"operator": "nobody"}, "Select a valid choice"),
        ({"title": ""}, "This field is required"),
        ({"title": "x" * 121}, "at most 120 characters"),
        ({"reason": " "}, "This field is required"),
        ({"kind": ""}, "Say what this is"),
        ({"kind": "round"}, "Name the round"),
        ({"kind": "issue"}, "Select a valid choice"),
        ({"text": ""}, "Write what to add to the case"),
        ({"round": "T1\x00", "kind": "round"}, "Null characters"),
    ],
)
def test_rejected_case_says_what_is_missing(browser, room, changed, says):
    said = {"operator": "room", "title": "Odds", "reason": "Told.", "kind": "complaint",
            "text": "They paid 30."}  # fmt: skip
    answer = browser.post(reverse("new_case"), said | changed)
    assert answer.status_code == 422
    assert says in words(answer)
    with without_access_scope():
        assert not Case.objects.exists()
    del room


def test_form_sent_twice_opens_one_case(browser, room):
    form = browser.get(reverse("new_case"))
    said = {"operator": "room", "title": "Odds", "reason": "Told.", "uuid": hidden(form, "uuid")}
    first, again = (browser.post(reverse("new_case"), said) for _ in range(2))
    assert first.url == again.url
    changed = browser.post(reverse("new_case"), said | {"title": "Other odds"})
    assert changed.status_code == 422
    assert "This form already opened a case" in words(changed)
    with without_access_scope():
        assert Case.objects.count() == 1
    assert Event.objects.filter(type="case.opened").count() == 1
    del room


def test_issue_leads_into_a_new_or_open_case(browser, agent, room, case):
    issue = issue_of(room, seen_by=unit_of_agent(agent), table="T3")
    shown = browser.get(reverse("issue", args=[issue.uuid]))
    address = f"{reverse('new_case')}?issue={issue.uuid}"
    assert address in shown.text
    begun = browser.get(address)
    assert "Add issue to CR" in words(begun)
    opened = browser.post(address, {"title": "Straight flushes", "reason": "Often."})
    with without_access_scope():
        new = Case.objects.get(title="Straight flushes")
        assert (new.party, new.items.get().issue) == (room, issue)
    assert opened.url == page(new)
    into = reverse("issue_into_case", args=[case.uuid])
    assert browser.post(into, {"issue": issue.uuid}).url == page(case)
    again = browser.post(into, {"issue": issue.uuid})  # a double click
    assert again.status_code == 422
    assert "already" in words(again)
    with without_access_scope():
        assert case.items.count() == 1
    shown = browser.get(reverse("issue", args=[issue.uuid]))
    assert "Evidence in CR" in words(shown)
    assert page(case) in shown.text
    assert page(new) in shown.text


@pytest.mark.parametrize("named", ["x", "00000000-0000-0000-0000-000000000000"])
def test_an_issue_that_is_not_there_opens_no_case(browser, case, named):
    assert browser.get(reverse("new_case"), {"issue": named}).status_code == 404
    into = reverse("issue_into_case", args=[case.uuid])
    assert browser.post(into, {"issue": named}).status_code in {404, 422}
    with without_access_scope():
        assert not case.items.exists()


def test_evidence_has_a_harmless_name_and_opens_from_the_case(browser, room, case):
    hostile = "..\\..\\etc\u202e<script>alert(1)<.txt"
    said = {"kind": "complaint", "text": "His letter", "evidence_date": "2025-07-12"}
    file = SimpleUploadedFile(hostile, b"They paid me thirty.", "text/html")
    answer = post(browser, case, "gather_in_case", "gather", **said, papers=file)
    assert answer.status_code == 302
    shown = browser.get(page(case))
    assert "<script>" not in shown.text.partition("<main")[2]
    with without_access_scope():
        kept = DocumentFile.objects.select_related("version__document").get()
        assert kept.version.document.title == f"{case}: Player's complaint"
        assert kept.version == case.items.get().paper
    assert kept.name == "etc<script>alert(1)<.txt"
    address = reverse("document_file", args=[kept.version.uuid, 0])
    assert address in shown.text
    read = browser.get(address)
    assert read.content == b"They paid me thirty."
    assert read["Content-Disposition"].startswith("attachment")
    manager = browser_as(Role.OPERATOR_MANAGER, "room")
    assert manager.get(address).status_code == 404
    del room


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"kind": "fact"}, "Write what to add to the case"),
        ({"kind": "paper"}, "Choose the files"),
        ({"kind": "issue"}, "Select a valid choice"),
        ({"kind": "paper", "papers": b"MZ"}, "evil.exe"),
        ({"kind": "paper", "papers": b"", "evidence_date": "2025-07-12"}, "empty"),
        ({"kind": "paper", "papers": b"MZ", "evidence_date": "2025-07-12"}, "evil.exe"),
    ],
)
def test_what_cannot_be_put_in_is_refused_by_name(browser, case, said, says):
    if "papers" in said:
        said = said | {"papers": SimpleUploadedFile("evil.exe", said["papers"])}
    answer = post(browser, case, "gather_in_case", "gather", **said)
    assert answer.status_code == 422
    assert says in words(answer) or "Enter the day" in words(answer)
    with without_access_scope():
        assert not case.items.exists()


def test_a_stale_page_overwrites_no_facts_and_keeps_the_text(browser, agent, case):
    stale = hidden(browser.get(page(case)), "facts-edition")
    post(browser, case, "write_case", "facts", edition=stale, title="Payouts", facts="First.")
    answer = post(
        browser, case, "write_case", "facts", edition=stale, title="Payouts", facts="Second."
    )
    assert answer.status_code == 422
    assert "Second.</textarea>" in answer.text
    assert "First." in words(answer)
    with without_access_scope():
        assert Case.objects.get().facts == "First."
    del agent


def test_case_with_level_is_closed_and_reopened(browser, agent, case):
    early = post(browser, case, "close_case", "close", reason="Done.")
    assert "Recommend a level first" in words(early)
    said = {"was": "", "level": "settlement", "reason": "The third time."}
    assert post(browser, case, "recommend_in_case", "level", **said).status_code == 302
    colleague = browser_of(made_person("colleague", unit_of_agent(agent), Role.AGENT))
    stale = post(colleague, case, "recommend_in_case", "level", **(said | {"level": "none"}))
    assert "Notice of violation and settlement" in words(stale)
    assert stale.status_code == 422
    post(browser, case, "close_case", "close", reason="Settled.")
    with without_access_scope():
        assert Case.objects.get().state == Case.State.OPEN
    assert "A supervisor decides" in words(browser.get(page(case)))
    act = ProposedAct.objects.get()
    peer = colleague.get(reverse("act", args=[act.uuid]))
    assert "Your role does not allow you to do this" in words(peer)
    supervisor = made_person("supervisor", unit_of_agent(agent), Role.SUPERVISOR)
    confirm_act(browser_of(supervisor))
    shown = browser.get(page(case))
    assert "Recommended: Notice of violation and settlement." in words(shown)
    assert "The third time." in words(shown)
    assert reverse("gather_in_case", args=[case.uuid]) not in shown.text
    assert "Reason for closing Settled." in words(browser.get(page(case)))
    closed = post(browser, case, "gather_in_case", "gather", kind="fact", text="More.")
    assert closed.status_code == 422
    post(browser, case, "reopen_case", "reopen", reason="A new complaint.")
    with without_access_scope():
        assert Case.objects.get().state == Case.State.OPEN


def test_removed_item_is_listed_with_its_reason(browser, agent, case):
    item = gather(case=case, what=Gathered(kind=CaseItem.Kind.FACT, text="A sign."), by=agent)
    address = reverse("take_out_of_case", args=[case.uuid, item.uuid])
    assert browser.post(address, {f"out-{item.uuid}-reason": ""}).status_code == 422
    assert browser.post(address, {f"out-{item.uuid}-reason": "Of another room."}).status_code == 302
    assert "Reason: Of another room." in words(browser.get(page(case)))
    other = open_case(party=case.party, title="Other", reason="Seen.", by=agent)
    elsewhere = reverse("take_out_of_case", args=[other.uuid, item.uuid])
    assert browser.post(elsewhere, {f"out-{item.uuid}-reason": "Mine."}).status_code == 404


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({}, {"Payouts", "Signs", "Decks"}),
        ({"operator": "room"}, {"Payouts", "Signs"}),
        ({"state": "closed"}, set()),
        ({"level": "apparent"}, {"Payouts", "Decks"}),
        ({"level": "verbal_warning"}, {"Signs"}),
        ({"sought": "pay"}, {"Payouts"}),
        ({"sought": "CR 2025-00002"}, {"Signs"}),
        ({"sought": "2025-2"}, {"Signs"}),
        ({"sought": "CR 2025-999999999"}, set()),
    ],
)
def test_a_filter_shows_what_it_says(browser, agent, room, asked, shown):
    other = party_for(Role.OPERATOR_MANAGER, "other")
    for party, title in ((room, "Payouts"), (room, "Signs"), (other, "Decks")):
        with clock.standing_at(datetime(2025, 7, 14, 19, tzinfo=UTC)):
            made = open_case(party=party, title=title, reason="Seen.", by=agent)
        if title == "Signs":
            recommend(case=made, level=Case.Level.VERBAL_WARNING, reason="Once.", by=agent)
    listed = browser.get(reverse("cases"), asked)
    assert {row.title for row in listed.context["cut"].rows} == shown


@pytest.mark.parametrize(
    "asked",
    [{"operator": "nobody"}, {"state": "guilty"}, {"level": "gallows"}, {"sought": "\x00"}],
)
def test_unreadable_filter_shows_nothing_and_says_so(browser, case, asked):
    answer = browser.get(reverse("cases"), asked)
    assert answer.status_code == 422
    assert not answer.context["cut"].rows
    del case


def test_page_queries_do_not_grow_with_issues(browser, agent, room, case):
    unit = unit_of_agent(agent)
    busy = open_case(party=room, title="Much", reason="Seen.", by=agent)
    note_on_case(case=case, text="Quiet.", by=agent)
    for number in range(4):
        issue = issue_of(room, seen_by=unit, table=f"A{number}")
        gather(case=busy, what=Gathered(kind=CaseItem.Kind.ISSUE, issue=issue), by=agent)
        item = gather(case=busy, what=Gathered(kind=CaseItem.Kind.FACT, text=str(number)), by=agent)
        note_on_case(case=busy, text="Ask him.", by=agent)
        take_out(item=item, reason="Wrong.", by=agent)
    counted = []
    for address in (page(case), page(busy)):
        browser.get(address)
        with CaptureQueriesContext(connection) as queries:
            browser.get(address)
        counted.append(len(queries))
    assert counted[0] == counted[1]
    with CaptureQueriesContext(connection) as few:
        browser.get(reverse("cases"))
    for number in range(52):
        open_case(party=room, title=f"Case {number}", reason="Seen.", by=agent)
    with CaptureQueriesContext(connection) as many:
        first = browser.get(reverse("cases"))
    assert len(few) == len(many)
    second = browser.get(reverse("cases") + first.context["cut"].on)
    assert [len(each.context["cut"].rows) for each in (first, second)] == [50, 4]


def test_auditor_reads_case_and_operator_sees_none(browser, agent, room, case):
    note_on_case(case=case, text="Their manager knew.", by=agent)
    auditor = browser_as(Role.AUDITOR)
    shown = auditor.get(page(case))
    assert "Their manager knew." in words(shown)
    assert "<form" not in shown.text.partition("<main")[2]
    manager = browser_as(Role.OPERATOR_MANAGER, "room")
    assert manager.get(reverse("cases")).status_code == 404
    assert "Cases" not in manager.get(reverse("home")).text
    log = manager.get(reverse("events"))
    assert str(case) not in log.text
    del browser, room


def test_round_leads_into_an_open_case(browser, room, case):
    begun = browser.get(reverse("new_case"), {"operator": "room", "round": "T3-000123"})
    assert f"Add round to {case}" in words(begun)
    assert 'value="T3-000123"' in begun.text
    hostile = browser.get(reverse("new_case"), {"operator": "<b>", "round": '"><script>'})
    assert "<script>" not in hostile.text.partition("<main")[2]
    post(browser, case, "gather_in_case", "gather", kind="round", round="T3-000123")
    shown = browser.get(page(case))
    assert f"{reverse('find_round')}?operator=room&amp;id=T3-000123" in shown.text
    assert reverse("report_about", args=["case_file", case.uuid]) in shown.text
    del room
