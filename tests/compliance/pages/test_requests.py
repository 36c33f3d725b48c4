"""Both paths in browsers, from the request to play, with refusals on the way."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from compliance.access.models import Person
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.filings.games.writes import (
    FiledDocuments,
    file_rule_version,
    pay_tables_of_rules,
)
from compliance.filings.licenses.models import Compact, CompactItem
from compliance.filings.requests.models import Approval, CompactTick, GameRequest
from compliance.filings.requests.writes import comment_on, submit_request, take_step
from tests.compliance.documents.filed_documents import document_of
from tests.compliance.games.filing import DAY, asked, filed_rules, filed_rules_of, readings
from tests.compliance.pages.browsing import (
    browser_as,
    browser_of,
    check_and_post,
    confirm_act,
    hidden,
    words,
)
from tests.compliance.people import (
    made_party,
    made_person,
    party_for,
    person_as,
    signed_in,
    with_second_factor,
)

if TYPE_CHECKING:
    from compliance.filings.games.models import RuleVersion

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
STANDARD = ["as_filed", "controls_first", "licensed_makers", "no_marketing"]


def step(client: Client, request: GameRequest, name: str, **fields: Any) -> Any:
    address = reverse(f"request_{name}", args=[request.uuid])
    if name == "approve":
        for each in readings(request.rule_version):
            fields |= {f"reading_{each.id}": each.reading, f"reason_{each.id}": each.reason}
    answer = check_and_post(
        client, address, {f"{name}-{key}": value for key, value in fields.items()}
    )
    if answer.status_code == 302 and name in {"approve", "concur"}:
        return confirm_act(signed_in(Client(), second_person()))
    return answer


def second_person() -> Person:
    """Return the colleague who confirms what licensing decides."""
    found = Person.objects.filter(name="Second").first()
    if found is None:
        found = made_person("second", party_for(Role.DIRECTOR), Role.DIRECTOR)
        with_second_factor(found)
    return found


def decide(client: Client, request: GameRequest, name: str, **data: Any) -> Any:
    """Decide like someone who looks at the page first."""
    page = client.get(reverse("request", args=[request.uuid]))
    return step(client, request, name, seen=hidden(page, f"{name}-seen"), **data)


def ask(client: Client, version: RuleVersion, path: str, party: str) -> Any:
    sent = {"path": path, "asked_by": party, "rule_version": str(version.uuid)}
    return client.post(reverse("new_request"), sent)


def only_request(path: str) -> GameRequest:
    with without_access_scope():
        return GameRequest.objects.get(path=path)


def page_of(client: Client, request: GameRequest) -> str:
    return words(client.get(reverse("request", args=[request.uuid])))


@pytest.fixture
def maker():
    return person_as(Role.SUPPLIER, "maker")


@pytest.fixture
def version(maker):
    return filed_rules(maker)


def test_commercial_request_reaches_approval(maker, version):
    supplier, officer = browser_of(maker), browser_as(Role.LICENSING)
    investigator = browser_as(Role.FINANCIAL_INVESTIGATIONS)
    assert ask(supplier, version, "commercial", "maker").status_code == 302
    request = only_request("commercial")
    twice = ask(supplier, version, "commercial", "maker")
    assert (twice.status_code, "has been asked for already" in words(twice)) == (422, True)

    assert step(officer, request, "miss", reason="The layout.").status_code == 302
    page = page_of(supplier, request)
    assert "Something is missing; missing items due by" in page
    assert "Reason The layout." in page
    early = step(officer, request, "close", reason="Nothing came.")
    assert (early.status_code, "There is time until" in words(early)) == (422, True)
    assert step(supplier, request, "supply", reason="Here it is.").status_code == 302
    assert step(officer, request, "review", reason="Whole.").status_code == 302
    assert step(officer, request, "ask_interests", reason="A holder.").status_code == 302
    waits = step(officer, request, "approve", seen="0" * 64)
    assert waits.status_code == 422
    assert "review of substantial interests" in words(waits)
    assert step(officer, request, "clear_interests", reason="x").status_code == 404
    assert step(investigator, request, "clear_interests", reason="Clean.").status_code == 302

    data = {"standard": STANDARD, "other": "Cards of one maker.\r\n"}
    assert decide(officer, request, "approve", **data).status_code == 302
    page = page_of(supplier, request)
    assert "The commission's approval" in page
    assert "Condition 5: Cards of one maker." in page
    assert "What you can do" not in page


def approved_request(maker: Any, officer: Client, version: RuleVersion) -> GameRequest:
    request = asked(maker, version)
    step(officer, request, "review", reason="Whole.")
    decide(officer, request, "approve", standard=STANDARD)
    request.refresh_from_db()
    assert request.state == GameRequest.State.APPROVED
    return request


def test_the_tribal_path_from_the_request_to_the_concurrence(maker, version):
    officer = browser_as(Role.LICENSING)
    reviewer = browser_as(Role.AGENCY_REVIEWER, "agency")
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    manager = browser_of(made_person("manager", casino, Role.OPERATOR_MANAGER))
    early = ask(manager, version, "tribal", "casino")
    assert early.status_code == 422  # rules that the commission hasn't approved aren't offered
    approved_request(maker, officer, version)
    assert ask(manager, version, "tribal", "casino").status_code == 302
    request = only_request("tribal")

    own = step(manager, request, "approve_as_agency", seen="0" * 64)
    assert own.status_code == 404
    assert step(officer, request, "concur", seen="0" * 64).status_code == 422
    assert decide(reviewer, request, "approve_as_agency").status_code == 302
    assert step(reviewer, request, "seek_concurrence", reason="Please.").status_code == 302
    assert decide(officer, request, "concur").status_code == 302
    page = page_of(manager, request)
    assert "State Approved" in page
    assert "The tribal agency's approval" in page
    assert "The commission's concurrence" in page
    with without_access_scope():
        assert Approval.objects.filter(party=casino).count() == 2


def test_the_commission_objects_and_says_why(maker, version):
    officer = browser_as(Role.LICENSING)
    reviewer = browser_as(Role.AGENCY_REVIEWER, "agency")
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    manager = made_person("manager", casino, Role.OPERATOR_MANAGER)
    approved_request(maker, officer, version)
    request = submit_request(
        rule_version=version, path=GameRequest.Path.TRIBAL, asked_by=casino, by=manager
    )
    decide(reviewer, request, "approve_as_agency")
    step(reviewer, request, "seek_concurrence", reason="Please.")
    assert step(officer, request, "object", reason="").status_code == 422
    assert step(officer, request, "object", reason="The supplement is missing.").status_code == 302
    assert "The supplement is missing." in page_of(reviewer, request)


def test_what_was_not_seen_is_not_decided_on(maker, version):
    officer, request = browser_as(Role.LICENSING), asked(maker, version)
    step(officer, request, "review", reason="Whole.")
    answer = step(officer, request, "approve", seen="0" * 64)
    assert answer.status_code == 422
    assert "What you were shown is not what is on file now" in words(answer)
    with without_access_scope():
        assert not Approval.objects.exists()


def test_a_second_approval_and_an_empty_reason_are_refused(maker, version):
    officer = browser_as(Role.LICENSING)
    request = asked(maker, version)
    assert step(officer, request, "review", reason="  ").status_code == 422
    step(officer, request, "review", reason="Whole.")
    seen = hidden(officer.get(reverse("request", args=[request.uuid])), "approve-seen")
    assert step(officer, request, "approve", seen=seen).status_code == 302
    twice = step(officer, request, "approve", seen=seen)
    assert (twice.status_code, "the request is approved" in words(twice)) == (422, True)


def test_nobody_decides_on_their_own_units_filing():
    officer_of_licensing = person_as(Role.LICENSING)
    own = submit_request(
        rule_version=game_of_the_commission(officer_of_licensing),
        path=GameRequest.Path.COMMERCIAL,
        asked_by=party_for(Role.LICENSING),
        by=officer_of_licensing,
    )
    client = browser_of(officer_of_licensing)
    step(client, own, "review", reason="Ours.")
    page = page_of(client, own)
    assert "Request review of substantial interests" in page
    assert "What is decided on" not in page
    assert step(client, own, "approve", seen="0" * 64).status_code == 404


def game_of_the_commission(officer: Any) -> RuleVersion:
    return filed_rules_of(party_for(Role.LICENSING), by=officer, slug="pick-2-poker")


def test_conditions_are_met_or_waived_until_a_future_day(maker, version):
    officer = browser_as(Role.LICENSING)
    request = approved_request(maker, officer, version)
    with without_access_scope():
        approval = Approval.objects.get()
    address = reverse("approval_condition", args=[approval.uuid, 2])
    prefix = f"mark-{approval.pk}-2"
    sent = {f"{prefix}-mark": "waived", f"{prefix}-until": "", f"{prefix}-reason": "Soon."}
    assert officer.post(address, sent).status_code == 422
    until = timezone.localdate() + timedelta(days=30)
    assert officer.post(address, sent | {f"{prefix}-until": until}).status_code == 302
    assert "Waived until" in page_of(browser_of(maker), request)
    missing = reverse("approval_condition", args=[approval.uuid, 99])
    assert officer.post(missing, sent).status_code == 404


def test_commission_confirms_a_met_condition(maker, version):
    officer, supplier = browser_as(Role.LICENSING), browser_of(maker)
    request = approved_request(maker, officer, version)
    # No equipment is on file, and the supplier has no license; the system checks the other two.
    assert "Answer 2 conditions: Pyramid Poker, version 1" in words(supplier.get("/"))
    with without_access_scope():
        approval = Approval.objects.get()
    own = document_of(maker, party_for(Role.SUPPLIER, "maker"), "License of the maker")
    rival = person_as(Role.SUPPLIER, "rival")
    others = document_of(rival, party_for(Role.SUPPLIER, "rival"), "Secrets of a rival")
    address = reverse("answer_condition", args=[approval.uuid, 2])
    prefix = f"answer-{approval.pk}-2"
    for data in (
        {f"{prefix}-text": "  "},
        {f"{prefix}-text": "See.", f"{prefix}-papers": str(others.uuid)},
        {f"{prefix}-text": "x\u202ey"},
    ):
        assert supplier.post(address, data).status_code == 422
    data = {f"{prefix}-text": "All are licensed.", f"{prefix}-papers": str(own.uuid)}
    assert browser_of(rival).post(address, data).status_code == 404
    assert supplier.post(address, data).status_code == 302
    page = page_of(supplier, request)
    assert "Answered; under review" in page
    assert "License of the maker, version 1" in page
    assert "Answer a condition" in words(supplier.get("/"))
    queue = reverse("filings")
    assert "The licensing unit reviews the answers to conditions" in words(officer.get(queue))
    queue = officer.get(reverse("filing", args=[approval.uuid]))
    assert f"{reverse('request', args=[request.uuid])}#conditions" in queue.text

    mark = f"mark-{approval.pk}-2"
    confirmed = {f"{mark}-mark": "met", f"{mark}-reason": "Looked up."}
    officer.post(reverse("approval_condition", args=[approval.uuid, 2]), confirmed)
    assert "a look at what is said" not in words(officer.get(queue))
    late = supplier.post(address, data)
    assert (late.status_code, "has marked this condition as met" in words(late)) == (422, True)


def test_agency_sees_its_operations_requests_first(maker, version):
    officer = browser_as(Role.LICENSING)
    reviewer = browser_as(Role.AGENCY_REVIEWER, "agency")
    other = browser_as(Role.AGENCY_REVIEWER, "other-agency")
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    manager = made_person("manager", casino, Role.OPERATOR_MANAGER)
    approved_request(maker, officer, version)
    assert "There are no requests yet" in words(reviewer.get("/"))
    request = submit_request(
        rule_version=version, path=GameRequest.Path.TRIBAL, asked_by=casino, by=manager
    )
    assert "Decide on the request of The casino" in words(reviewer.get("/"))
    decide(reviewer, request, "approve_as_agency")
    assert "Seek the commission's concurrence" in words(reviewer.get("/"))
    step(reviewer, request, "seek_concurrence", reason="Please.")
    page = words(reviewer.get("/"))
    assert "Concurrence sought" in page
    assert "To do You have nothing to do" in page
    assert "casino" not in words(other.get("/"))


def test_agency_alone_marks_its_own_conditions(maker, version):
    officer = browser_as(Role.LICENSING)
    reviewer = browser_as(Role.AGENCY_REVIEWER, "agency")
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    manager = made_person("manager", casino, Role.OPERATOR_MANAGER)
    approved_request(maker, officer, version)
    request = submit_request(
        rule_version=version, path=GameRequest.Path.TRIBAL, asked_by=casino, by=manager
    )
    decide(reviewer, request, "approve_as_agency", standard=["as_filed"])
    with without_access_scope():
        approval = Approval.objects.get(kind=Approval.Kind.AGENCY)
    answer = reverse("answer_condition", args=[approval.uuid, 0])
    data = {f"answer-{approval.pk}-0-text": "As filed, at every table."}
    assert browser_of(manager).post(answer, data).status_code == 302
    to_do = "Review what The casino answered to a condition: Pyramid Poker, version 1"
    assert to_do in words(reviewer.get("/"))
    assert "The licensing unit reviews the answers to conditions" not in words(
        officer.get(reverse("filings"))
    )
    mark, prefix = reverse("approval_condition", args=[approval.uuid, 0]), f"mark-{approval.pk}-0"
    met = {f"{prefix}-mark": "met", f"{prefix}-reason": "Seen."}
    assert officer.post(mark, met).status_code == 404
    assert "Mark condition 1" not in page_of(officer, request)
    assert reviewer.post(mark, met).status_code == 302
    assert to_do not in words(reviewer.get("/"))
    notice = {f"notice-{approval.pk}-reason": "The rules changed."}
    address = reverse("approval_notice", args=[approval.uuid])
    assert officer.post(address, notice).status_code == 404
    assert check_and_post(reviewer, address, notice).status_code == 302


def test_request_choices_are_own_or_approved_games(maker, version):
    other, officer = browser_as(Role.SUPPLIER, "other"), browser_as(Role.LICENSING)
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    tribes = browser_of(made_person("manager", casino, Role.OPERATOR_MANAGER))
    address = reverse("new_request")
    assert str(version) not in words(tribes.get(address))
    approved_request(maker, officer, version)
    assert str(version) not in words(other.get(address))
    page = tribes.get(address)
    assert str(version) in words(page)
    assert (hidden(page, "path"), hidden(page, "asked_by")) == ("tribal", "casino")


def test_request_names_who_acts_next_until_it_ends(maker, version):
    supplier, officer = browser_of(maker), browser_as(Role.LICENSING)
    assert ask(supplier, version, "commercial", "maker").status_code == 302
    request = only_request("commercial")
    assert "The licensing unit starts the review." in page_of(supplier, request)
    assert step(officer, request, "review", reason="The papers are there.").status_code == 302
    assert "The commission reviews it and decides." in page_of(supplier, request)
    assert decide(officer, request, "approve", standard=STANDARD).status_code == 302
    assert "Whom it concerns is notified." not in page_of(supplier, request)


def test_home_page_lists_the_queues_of_the_role(maker, version):
    assert ask(browser_of(maker), version, "commercial", "maker").status_code == 302
    home = words(browser_as(Role.LICENSING).get(reverse("home")))
    assert f"{version} : The maker, since" in home
    financial = words(browser_as(Role.FINANCIAL_INVESTIGATIONS).get(reverse("home")))
    assert "Financial investigations (0)" in financial
    assert str(version) not in financial
    assert "Pending filings" not in words(browser_as(Role.AUDITOR).get(reverse("home")))


def test_an_agency_ticks_what_its_compact_asks_of_a_filing(maker, version):
    officer = browser_as(Role.LICENSING)
    reviewer = browser_as(Role.AGENCY_REVIEWER, "agency")
    other = browser_as(Role.AGENCY_REVIEWER, "other-agency")
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    manager = made_person("manager", casino, Role.OPERATOR_MANAGER)
    approved_request(maker, officer, version)
    for each in (agency, party_for(Role.AGENCY_REVIEWER, "other-agency")):
        data = {"agency": each.code, "title": f"Of {each.code}", "from_date": "2020-01-01"}
        officer.post(reverse("enter_compact"), {**data, "source": "The compact"})
        with without_access_scope():
            compact = Compact.objects.get(agency=each)
        for asks in ("A plan of the floor", "The rules <i>as approved</i>"):
            line = {"compact": compact.uuid, "asks": asks, "citation": "Appendix A"}
            assert officer.post(reverse("add_compact_item"), line).status_code == 302
    request = submit_request(
        rule_version=version, path=GameRequest.Path.TRIBAL, asked_by=casino, by=manager
    )
    assert "0 of 2 found by the agency" in page_of(reviewer, request)
    own, foreign = (
        CompactItem.objects.filter(compact__agency=each).first()
        for each in (agency, party_for(Role.AGENCY_REVIEWER, "other-agency"))
    )
    address = reverse("request_checklist", args=[request.uuid])
    assert reviewer.post(address, {"checklist-there": str(foreign.uuid)}).status_code == 422
    assert reviewer.post(address, {"checklist-there": "x"}).status_code == 422
    sent = {"checklist-there": str(own.uuid), "checklist-note": "On page 3."}
    for client in (other, browser_of(manager), officer):
        assert client.post(address, sent).status_code == 404
    for _ in range(2):  # sent twice, stored once
        assert reviewer.post(address, sent).status_code == 302
    assert CompactTick.objects.count() == 2
    page = page_of(browser_of(person_as(Role.DIRECTOR)), request)
    assert "1 of 2 found by the agency" in page
    assert "&lt;i&gt;as approved" in reviewer.get(reverse("request", args=[request.uuid])).text
    decide(reviewer, request, "approve_as_agency")
    step(reviewer, request, "seek_concurrence", reason="Please.")
    closed = reviewer.post(address, {})
    assert (closed.status_code, "its checklist is closed" in words(closed)) == (422, True)
    assert "What the compact requires" not in page_of(browser_of(maker), only_request("commercial"))


def test_an_approval_is_withdrawn_after_notice_and_objection(maker, version):
    officer, supplier = browser_as(Role.LICENSING), browser_of(maker)
    request = approved_request(maker, officer, version)
    with without_access_scope():
        approval = Approval.objects.get()

    def take(client: Client, name: str, **data: Any) -> Any:
        sent = {f"{name}-{approval.pk}-{key}": value for key, value in data.items()}
        return check_and_post(client, reverse(f"approval_{name}", args=[approval.uuid]), sent)

    out_of_order = take(officer, "end", reason="Why.", in_effect_from="2199-01-01 06:00")
    assert (out_of_order.status_code, "not noticed" in words(out_of_order)) == (422, True)
    assert take(officer, "notice", reason="The layout changed.").status_code == 302
    assert take(officer, "objection", reason="x").status_code == 404
    assert take(supplier, "objection", reason="It did not.").status_code == 302
    past = take(officer, "end", reason="It did.", in_effect_from="2025-01-01 06:00")
    assert past.status_code == 422
    done = take(officer, "end", reason="It did.", in_effect_from="2199-01-01 06:00")
    assert done.status_code == 302
    assert "It did not." in page_of(supplier, request)


def test_other_supplier_sees_no_request_or_rules(maker, version):
    request = asked(maker, version)
    other = browser_as(Role.SUPPLIER, "other")
    assert other.get(reverse("request", args=[request.uuid])).status_code == 404
    assert str(version.uuid) not in other.get(reverse("new_request")).text
    assert ask(other, version, "commercial", "other").status_code == 422
    assert "Pyramid" not in words(other.get(reverse("requests")))


def test_commented_documents_open_only_in_scope(maker, version):
    request = asked(maker, version)
    supplier, officer = browser_of(maker), browser_as(Role.LICENSING)
    own = document_of(maker, party_for(Role.SUPPLIER, "maker"), "Answers of the maker")
    rival = person_as(Role.SUPPLIER, "rival")
    others = document_of(rival, party_for(Role.SUPPLIER, "rival"), "Secrets of a rival")
    assert "Secrets of a rival" not in page_of(supplier, request)
    assert "Secrets of a rival" not in page_of(officer, request)  # visible, but not this request's
    address = reverse("request_comment", args=[request.uuid])
    data = {"comment-section": "whole", "comment-text": "See there."}
    for document_file in (others.uuid, "x", "0" * 200):
        refused = supplier.post(address, {**data, "comment-papers": str(document_file)})
        assert refused.status_code == 422
    assert supplier.post(address, {**data, "comment-papers": str(own.uuid)}).status_code == 302
    link = reverse("document_version", args=[own.uuid])
    shown = officer.get(reverse("request", args=[request.uuid])).text
    assert f'href="{link}">Answers of the maker, version 1</a>' in shown
    with without_access_scope(), pytest.raises(RefusedError, match="documents of its own parties"):
        comment_on(request=request, text="x", by=maker, by_party=request.asked_by, papers=[others])


def test_unreadable_document_is_named_without_link(maker, version):
    """A tribe's agency sees its operation's request, but not every document of the operation."""
    with without_access_scope():
        casino = made_party(PartyKind.TRIBAL_OPERATION, "casino")
        chief = made_person("chief", casino, Role.OPERATOR_MANAGER)
        approved_request(maker, browser_as(Role.LICENSING), version)
        request = submit_request(
            rule_version=version, path=GameRequest.Path.TRIBAL, asked_by=casino, by=chief
        )
        document_file = document_of(chief, casino, "Plan of the floor")
        comment_on(request=request, text="See.", by=chief, by_party=casino, papers=[document_file])
        reviewer = made_person("reviewer", casino.agency, Role.AGENCY_REVIEWER)
    page = browser_of(reviewer).get(reverse("request", args=[request.uuid])).text
    assert "Plan of the floor, version 1" in page
    assert reverse("document_version", args=[document_file.uuid]) not in page


def test_comments_are_kept_with_whose_they_are(maker, version):
    request = asked(maker, version)
    supplier = browser_of(maker)
    address = reverse("request_comment", args=[request.uuid])
    data = {"comment-section": "whole", "comment-text": "<b>Ready</b>"}
    for wrong in ({"comment-text": " "}, {"comment-section": "pay_tables.none"}):
        assert supplier.post(address, data | wrong).status_code == 422
    assert supplier.post(address, data).status_code == 302
    assert browser_as(Role.AUDITOR).post(address, data).status_code == 404
    shown = supplier.get(reverse("request", args=[request.uuid]))
    assert "&lt;b&gt;Ready&lt;/b&gt;" in shown.text


def test_section_comments_show_until_a_new_version(maker, version):
    supplier, officer = browser_of(maker), browser_as(Role.LICENSING)
    request = asked(maker, version)
    address = reverse("request_comment", args=[request.uuid])
    page = officer.get(
        reverse("request", args=[request.uuid]), {"section": "definition.pay_tables"}
    )
    assert 'value="definition.pay_tables" selected' in page.text
    for section, text in (("definition.pay_tables", "A flush pays 6."), ("limits", "Cite 140.")):
        data = {"comment-section": section, "comment-text": text}
        assert officer.post(address, data).status_code == 302
    read = page_of(supplier, request)
    assert read.index("Definition: pay tables") < read.index("A flush pays 6.")
    assert read.index("A flush pays 6.") < read.index("Wager limits") < read.index("Cite 140.")

    page = supplier.get(reverse("new_rule_version", args=["pyramid-poker"]))
    mending = words(page)
    assert "Definition: pay tables A flush pays 6." in mending
    assert "Wager limits Cite 140." in mending
    files = FiledDocuments(
        rules=[document_of(maker, party_for(Role.SUPPLIER, "maker"), "Rules")],
        pay_tables={"rules": pay_tables_of_rules("pyramid-poker")},
    )
    changed = file_rule_version(game=version.game, papers=files, as_of=DAY, by=maker)
    ask_for = {"rule_version": str(changed.uuid)}
    assert "Withdraw the request for an earlier version" in words(
        supplier.get(reverse("new_request"), ask_for)
    )
    sent = {**ask_for, "path": "commercial", "asked_by": "maker", "replaces": "on"}
    assert supplier.post(reverse("new_request"), sent).status_code == 302
    request.refresh_from_db()
    assert request.state == GameRequest.State.TAKEN_BACK
    again = f"{reverse('new_request')}?rule_version={version.uuid}"
    assert again in supplier.get(reverse("rule_version", args=[version.uuid])).text


@pytest.mark.parametrize(
    "asked_for",
    ["page=0", "page=-1", "page=x", f"page={'9' * 5000}", "per_page=0", "per_page=-5", "sort=x"],
)
@pytest.mark.parametrize("name", ["requests", "games", "documents", "licenses"])
def test_a_page_that_is_none_is_the_first(name, asked_for):
    answer = browser_as(Role.LICENSING).get(f"{reverse(name)}?{asked_for}")
    assert answer.status_code == 200


def test_request_list_queries_do_not_grow(maker, version):
    officer = person_as(Role.LICENSING)
    client, counts = browser_of(officer), []
    for _ in range(3):
        request = asked(maker, version)
        take_step(request=request, name="take_back", reason="Again.", by=maker)
        client.get(reverse("requests"))
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("requests"), {"state": "taken_back"})
        counts.append(len(queries))
    assert counts[0] == counts[-1]
