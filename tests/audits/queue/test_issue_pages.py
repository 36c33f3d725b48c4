"""Issue pages: found by a filter, viewed, assigned, decided, released."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audits.replay.findings.models import Finding, Issue, IssueNight
from audits.replay.writes import Scope, begin_replay
from audits.review.cases.writes import open_case
from audits.review.issues.assignments import claim
from audits.review.issues.decisions import StepRequest, note, take_step
from audits.review.issues.models import Decision, Proposal, ReviewNote, Work
from audits.review.issues.questions import answer_question
from audits.review.releases.writes import release_issue
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.audits.replay.nights import dealt, on_file, spoiled
from tests.audits.replay.working import work
from tests.compliance.pages.browsing import browser_as, browser_of, check_and_post, hidden, words
from tests.compliance.people import made_party, made_person, party_for, person_as

if TYPE_CHECKING:
    from django.test import Client

    from compliance.access.models import Party, Person

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
AT = datetime(2025, 7, 13, 4, 30, tzinfo=UTC)  # half past nine in the evening of the 12th


@pytest.fixture
def room(agent: Person) -> Party:
    return party_for(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def issue(agent: Person, room: Party) -> Issue:
    return found(room, agent)


def found(room: Party, agent: Person, findings: int = 1, **fields: Any) -> Issue:
    """Create an issue with a night and its first findings."""
    made = issue_of(room, seen_by=unit_of_agent(agent), **fields)
    with without_access_scope():
        Issue.objects.filter(pk=made.pk).update(first=AT, last=AT)
        IssueNight.objects.create(
            issue=made, day=date(2025, 7, 12), findings=3, rounds=3, over=0, under=0
        )
        Finding.objects.bulk_create(
            Finding(
                issue=made,
                identity=f"{made.pk:016}{number:016}",
                day=date(2025, 7, 12),
                round=f"R-{number}",
                at=AT,
                seat=2,
                logged=2000,
                expected=12000,
                delta=-10000,
                cites=["PP-28"],
            )
            for number in range(findings)
        )
    return made


def stands(issue: Issue) -> Issue:
    with without_access_scope():
        return Issue.objects.get(pk=issue.pk)


def page(issue: Issue) -> str:
    return reverse("issue", args=[issue.uuid])


def sent(browser: Client, issue: Issue, name: str, **said: str) -> Any:
    """Take a step as the page shows it."""
    shown = browser.get(page(issue))
    edition = hidden(shown, f"{name}-edition")
    fields = {f"{name}-{field}": value for field, value in said.items()}
    address = reverse(f"issue_{name}", args=[issue.uuid])
    return browser.post(address, {f"{name}-edition": edition, **fields})


def test_a_page_says_what_happened_with_money_by_direction(browser, room, agent):
    made = found(room, agent, over=5000, under=123456)
    says = words(browser.get(page(made)))
    assert "Table T1 of The room (Pyramid poker, Three card, Straight flush): 3 rounds" in says
    assert "Jul 12, 2025, 9:30 PM PDT" in says
    assert "players were overpaid $50.00 and underpaid $1,234.56" in says
    assert "R-0" in says
    assert "$20.00 $120.00 −$100.00 PP-28" in says


def test_replayed_night_is_traced_to_its_evidence(browser, agent):
    cedar = party_for(Role.OPERATOR_CLERK, "cedar")
    with without_access_scope():
        on_file(cedar, spoiled(dealt(30), every=10))
        replay = begin_replay(operator=cedar, scope=Scope(), by=None)
        while work(of=replay):
            pass
        made = Issue.objects.filter(code="settlement.main").order_by("pk").first()
    shown = browser.get(page(made))
    assert reverse("replay", args=[replay.uuid]) in shown.text
    [line, *_] = re.findall(r"/rounds/logs/[^\"]+/lines/\d+/", shown.text)
    with without_access_scope():
        first = made.shown_findings.order_by("pk").first()
    assert f'"{first.round}"' in browser.get(line).context["text"]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({}, {"T1", "T2", "T3"}),
        ({"operator": "room"}, {"T1", "T2"}),
        ({"operator": "room", "table": "T2"}, {"T2"}),
        ({"game": "pyramid-poker"}, {"T1", "T2", "T3"}),
        ({"game": "showdown"}, set()),
        ({"code": "deal.count"}, {"T2"}),
        ({"weight": "procedure"}, {"T2"}),
        ({"state": "explained"}, {"T3"}),
        ({"state": "open"}, {"T1", "T2"}),
        ({"day": "2025-07-12"}, {"T1", "T2", "T3"}),
        ({"day": "2025-07-13"}, set()),
    ],
)
def test_a_filter_shows_what_it_says(browser, agent, room, asked, shown):
    other = party_for(Role.OPERATOR_MANAGER, "other")
    found(room, agent)
    found(room, agent, table="T2", code="deal.count", weight="procedure")
    found(other, agent, table="T3", state="explained", open=False)
    listed = browser.get(reverse("issues"), asked)
    assert {row.table for row in listed.context["cut"].rows} == shown


@pytest.mark.parametrize(
    "asked",
    [
        {"operator": "nobody"},
        {"operator": "' OR 1=1 --"},
        {"game": "roulette"},
        {"table": "\x00"},
        {"table": "T\u202e1"},
        {"code": "<script>"},
        {"weight": "heavy"},
        {"state": "guilty"},
        {"day": "9999-99-99"},
        {"day": "0001-01-01"},
    ],
)
def test_unreadable_filter_shows_nothing_and_says_so(browser, issue, asked):
    answer = browser.get(reverse("issues"), asked)
    assert answer.status_code == 422
    assert not answer.context["cut"].rows
    assert "<script>" not in answer.text.partition("<main")[2]


def test_an_empty_list_says_what_to_do(browser):
    nothing = browser.get(reverse("issues"))
    assert reverse("new_replay") in nothing.text
    none_fits = browser.get(reverse("issues"), {"code": "deal.count"})
    assert "No issue matches" in words(none_fits)


def test_lists_go_on_page_by_page_with_the_same_few_queries(browser, agent, room):
    found(room, agent, findings=2)
    address = reverse("issues")
    browser.get(address)
    with CaptureQueriesContext(connection) as few:
        browser.get(address, {"operator": "room"})
    for number in range(53):
        found(room, agent, table=f"A{number}")
    with CaptureQueriesContext(connection) as many:
        first = browser.get(address, {"operator": "room"})
    assert len(many) == len(few)
    assert "sort=" not in first.text
    second = browser.get(address + first.context["cut"].on)
    assert [len(each.context["cut"].rows) for each in (first, second)] == [50, 4]
    assert second.context["filters"].cleaned_data["operator"] == room


def test_page_queries_do_not_grow_with_history(browser, agent, room):
    quiet, busy = found(room, agent), found(room, agent, findings=60, table="T2")
    case = open_case(party=room, title="Straight flushes", reason="Often", by=agent)
    claim(issue=busy, by=agent)
    for number in range(3):
        note(issue=busy, text=f"note {number}", by=agent)
        take_step(issue=busy, said=StepRequest(step="refer", reason="why", case=case), by=agent)
        take_step(issue=busy, said=StepRequest(step="reopen", reason="why not"), by=agent)
    browser.get(page(quiet))
    counted = []
    for each in (quiet, busy):
        with CaptureQueriesContext(connection) as queries:
            shown = browser.get(page(each))
        counted.append(len(queries))
    # For the names of authors, of possible assignees, and for documents of answers.
    assert counted[1] <= counted[0] + 3
    rest = browser.get(page(busy) + shown.context["cut"].on)
    assert len(rest.context["findings"].rows) == 10


def test_issue_is_assigned_and_decided_with_its_reason(browser, agent, issue):
    browser.post(reverse("claim_issue", args=[issue.uuid]))
    with without_access_scope():
        assert Work.objects.get(issue=issue).assigned_to == agent
    answer = sent(browser, issue, "dismiss", reason="Misread <b>by us</b>")
    assert answer.url == page(issue)
    assert stands(issue).state == Issue.State.NO_VIOLATION
    shown = browser.get(page(issue))
    assert "Misread &lt;b&gt;by us" in shown.text
    assert agent.name in words(shown)


@pytest.mark.parametrize(
    ("name", "said", "says"),
    [
        ("dismiss", {}, "This field is required"),
        ("dismiss", {"reason": " \r\n "}, "This field is required"),
        ("dismiss", {"reason": "x" * 10_001}, "at most 10000 characters"),
        ("ask", {"reason": "Why?"}, "This field is required"),
        ("ask", {"reason": "Why?", "until": "2020-01-01"}, "lies in the past"),
        ("waive", {"reason": "Why?", "until": "9999-12-31"}, "A year from"),
        ("refer", {"reason": "Why?", "case": "1"}, "not one of the available choices"),
    ],
)
def test_rejected_step_says_what_is_missing_and_keeps_input(browser, issue, name, said, says):
    answer = sent(browser, issue, name, **said)
    assert answer.status_code == 422
    assert says in words(answer)
    assert stands(issue).state == Issue.State.NEW
    if said.get("reason") == "Why?":
        assert "Why?</textarea>" in answer.text


@pytest.mark.parametrize("edition", ["", "-1", "x", "9" * 40, "1e3"])
def test_an_edition_that_is_none_decides_nothing(browser, issue, edition):
    said = {"dismiss-edition": edition, "dismiss-reason": "Misread"}
    answer = browser.post(reverse("issue_dismiss", args=[issue.uuid]), said)
    assert answer.status_code == 422
    assert stands(issue).state == Issue.State.NEW


def test_a_stale_page_decides_nothing_and_can_be_sent_again(browser, agent, issue):
    colleague = made_person("colleague", unit_of_agent(agent), Role.AGENT)
    stale = hidden(browser.get(page(issue)), "dismiss-edition")
    take_step(issue=issue, said=StepRequest(step="take_up", reason="Mine"), by=colleague)
    said = {"dismiss-edition": stale, "dismiss-reason": "Misread"}
    address = reverse("issue_dismiss", args=[issue.uuid])
    answer = browser.post(address, said)
    assert answer.status_code == 422
    assert "while you were looking at it" in words(answer)
    assert "Colleague began the review. “Mine”" in words(answer)
    assert "Misread</textarea>" in answer.text
    assert stands(issue).state == Issue.State.UNDER_REVIEW
    browser.post(address, said | {"dismiss-edition": hidden(answer, "dismiss-edition")})
    assert stands(issue).state == Issue.State.NO_VIOLATION


def test_issue_is_reassigned_and_escalated(browser, agent, issue):
    colleague = made_person("colleague", unit_of_agent(agent), Role.AGENT)
    browser.post(reverse("claim_issue", args=[issue.uuid]))
    shown = browser.get(page(issue))
    said = {"give-to": colleague.uuid, "give-edition": hidden(shown, "give-edition")}
    address = reverse("give_issue", args=[issue.uuid])
    for _ in range(2):  # a double click
        assert browser.post(address, said).status_code == 302
    assert "Assigned to Colleague" in words(browser.get(page(issue)))
    assert "Reassign" not in words(browser.get(page(issue)))
    escalate = reverse("escalate_issue", args=[issue.uuid])
    assert browser.post(escalate, {"escalate-reason": " "}).status_code == 422
    browser.post(escalate, {"escalate-reason": "I know the dealer"})
    assert "escalated to the supervisors" in words(browser.get(page(issue)))
    assert "already" in words(browser.post(escalate, {"escalate-reason": "Again"}))


@pytest.mark.parametrize("name", ["issue_dismiss", "note_issue", "claim_issue"])
def test_new_sign_in_leads_from_form_address_to_its_page(browser, issue, name):
    answer = browser.get(reverse(name, args=[issue.uuid]))
    assert (answer.status_code, answer.url) == (302, page(issue))


def test_disallowed_step_is_hidden_and_rejected(browser, issue):
    assert reverse("issue_reopen", args=[issue.uuid]) not in browser.get(page(issue)).text
    said = {"reopen-edition": "0", "reopen-reason": "Again"}
    answer = browser.post(reverse("issue_reopen", args=[issue.uuid]), said)
    assert answer.status_code == 422
    assert "does not go from" in words(answer)


def test_second_approver_sees_what_large_decision_contains(browser, agent, room, settings):
    made = found(room, agent, over=settings.SECOND_APPROVAL_ABOVE + 1)
    assert sent(browser, made, "confirm", reason="The layout is wrong").status_code == 302
    assert stands(made).state == Issue.State.NEW
    with without_access_scope():
        proposal = Proposal.objects.get(issue=made)
    agree = reverse("second_decision", args=[made.uuid])
    assert agree not in browser.get(page(made)).text
    second = browser_of(made_person("colleague", unit_of_agent(agent), Role.AGENT))
    assert "The layout is wrong" in words(second.get(page(made)))
    shown = {"agree-edition": hidden(second.get(page(made)), "agree-edition")}
    for other in ("", "x", "00000000-0000-0000-0000-000000000000"):
        assert second.post(agree, {"proposal": other, **shown}).status_code == 422
    assert second.post(agree, {"proposal": proposal.uuid}).status_code == 422
    assert second.post(agree, {"proposal": proposal.uuid, **shown}).status_code == 302
    assert stands(made).state == Issue.State.CONFIRMED
    assert "approved by Colleague" in words(browser.get(page(made)))


def test_answered_proposal_can_no_longer_be_approved(browser, agent, room, settings):
    made = found(room, agent, over=settings.SECOND_APPROVAL_ABOVE + 1)
    until = date(2999, 1, 4)
    take_step(issue=made, said=StepRequest(step="ask", reason="Which?", until=until), by=agent)
    release_issue(issue=made, by=agent)
    early = sent(browser, made, "confirm", reason="The layout is wrong")
    assert "The room has not answered the question yet" in words(early)
    sent(browser, made, "confirm", reason="The layout is wrong", confirmed="on")
    second = browser_of(made_person("colleague", unit_of_agent(agent), Role.AGENT))
    shown = second.get(page(made))
    said = {name: hidden(shown, name) for name in ("proposal", "agree-edition", "agree-shown")}
    manager = person_as(Role.OPERATOR_MANAGER, "room")
    answer_question(issue=made, text="The approved one lay there", by=manager)
    agree = reverse("second_decision", args=[made.uuid])
    overtaken = second.post(agree, said)
    assert overtaken.status_code == 422
    assert "while you were looking at it" in words(overtaken)
    assert "“The approved one lay there”" in words(overtaken)
    assert stands(made).open
    fresh = {name: hidden(overtaken, name) for name in said}
    assert second.post(agree, fresh).status_code == 302
    assert not stands(made).open


def test_activity_says_who_did_what_and_why_newest_first(browser, agent, room):
    made = found(room, agent)
    for step in ("dismiss", "reopen"):
        take_step(issue=made, said=StepRequest(step=step, reason=f"I {step} it"), by=agent)
    note(issue=made, text="Ask again", by=agent)
    says = words(browser.get(page(made)))
    marks = [
        f"{agent.name} wrote a note Ask again",
        f"{agent.name} took the decision back I reopen it",
        f"{agent.name} decided: Not a violation I dismiss it",
    ]
    places = [says.index(mark) for mark in marks]
    assert places == sorted(places)


def test_what_is_decided_has_no_due_day(browser, agent, room):
    made = found(room, agent)
    claim(issue=made, by=agent)
    assert f"Assigned to {agent.name}, due" in words(browser.get(page(made)))
    take_step(issue=made, said=StepRequest(step="dismiss", reason="Misread"), by=agent)
    assert "Assigned to" not in words(browser.get(page(made))).split("Next in")[0]


def test_a_proposal_is_refused_with_its_reason(browser, agent, room, settings):
    made = found(room, agent, over=settings.SECOND_APPROVAL_ABOVE + 1)
    sent(browser, made, "confirm", reason="The layout is wrong")
    address = reverse("refuse_decision", args=[made.uuid])
    proposal = hidden(browser.get(page(made)), "proposal")
    assert browser.post(address, {"proposal": proposal}).status_code == 422
    said = {"proposal": proposal, "refuse-reason": "It is not"}
    assert browser.post(address, said).status_code == 302
    again = browser.post(address, said)
    assert again.status_code == 422
    assert "was decided on, or taken back, meanwhile" in words(again)
    with without_access_scope():
        assert not Proposal.objects.exists()
        assert not Decision.objects.exists()


def test_operator_sees_releases_and_no_internal_work(browser, agent, room, issue):
    unreleased = found(room, agent, table="T2")
    claim(issue=issue, by=agent)
    note(issue=issue, text="Their manager lies", by=agent)
    take_step(issue=issue, said=StepRequest(step="take_up", reason="Looks bad"), by=agent)
    check_and_post(browser, reverse("release_issue", args=[issue.uuid]), {})
    manager = browser_as(Role.OPERATOR_MANAGER, "room")
    listed = manager.get(reverse("issues"))
    assert [row.table for row in listed.context["cut"].rows] == ["T1"]
    assert "Under review" not in words(listed)
    answer = manager.get(page(issue))
    assert answer.status_code == 200
    for secret in ("Their manager lies", "Looks bad", agent.name, "Under review", "replay"):
        assert secret not in words(answer)
    assert manager.get(page(unreleased)).status_code == 404
    assert manager.get(reverse("issues"), {"state": "under_review"}).status_code == 200


def test_a_second_release_is_refused(browser, issue):
    address = reverse("release_issue", args=[issue.uuid])
    assert check_and_post(browser, address, {}).status_code == 302
    again = browser.post(address)
    assert again.status_code == 422
    assert "was released to The room before" in words(again)


def test_agency_sees_releases_to_its_operation(agent):
    reviewer = browser_as(Role.AGENCY_REVIEWER, "agency")
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    made = found(made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency), agent)
    assert reviewer.get(page(made)).status_code == 404
    release_issue(issue=made, by=agent)
    assert reviewer.get(page(made)).status_code == 200
    assert "T1" in words(reviewer.get(reverse("issues")))


def test_an_auditor_reads_all_of_it_and_does_nothing(agent, issue):
    note(issue=issue, text="Look at the layout", by=agent)
    auditor = browser_as(Role.AUDITOR)
    shown = auditor.get(page(issue))
    assert "Look at the layout" in words(shown)
    assert "What you can do" not in words(shown)
    assert auditor.post(reverse("claim_issue", args=[issue.uuid])).status_code == 404


def test_a_note_is_kept_as_written(browser, issue):
    address = reverse("note_issue", args=[issue.uuid])
    assert browser.post(address, {"note-text": " "}).status_code == 422
    browser.post(address, {"note-text": "<script>alert(1)</script>"})
    assert "&lt;script&gt;alert(1)" in browser.get(page(issue)).text
    with without_access_scope():
        assert ReviewNote.objects.get().text == "<script>alert(1)</script>"
