"""Internal controls written, submitted and decided in a browser, with the refusals on the way."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compliance.choices import PartyKind, Role
from compliance.controls.content import DAYS, TEXTS
from compliance.models import ControlsDraft, ControlsFiling, ControlsVersion, Event
from compliance.services.controls import submit_controls, withdraw_controls
from compliance.walls import without_walls
from tests.compliance.controls.examples import GOOD
from tests.compliance.controls.filing import only_pyramid
from tests.compliance.documents.papers import paper_of
from tests.compliance.pages.browsing import browser_as, browser_of, hidden, words
from tests.compliance.people import made_party, made_person, party_for, person_as

pytestmark = pytest.mark.django_db
DRAFT = "/controls/of/room/draft/"


def filled(edition: int = 0, **changes: Any) -> dict[str, Any]:
    """The form of the draft as somebody sends it who wrote the good controls."""
    sent = {
        "edition": edition,
        **dict.fromkeys(TEXTS, "As the house does it."),
        **{f"{day}_{end}": "" for day in DAYS for end in ("opens", "closes")},
        "friday_opens": "10:00",
        "friday_closes": "04:00",
        "cut_off": "06:00",
        "hand_in_hours": 6,
        "void_reasons": "power failure\r\n\r\nfire alarm",
        "games": json.dumps({"pyramid-poker": GOOD["games"]["pyramid-poker"]}),
        **changes,
    }
    return {name: value for name, value in sent.items() if value is not None}


def newest() -> ControlsVersion:
    with without_walls():
        return ControlsVersion.objects.select_related("filing").latest("number")


@pytest.fixture
def manager():
    return browser_as(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def licensing():
    return browser_as(Role.LICENSING)


def submitted(manager: Any, edition: int = 0, **changes: Any) -> ControlsVersion:
    answer = manager.post(DRAFT, filled(edition, submit=1, **changes))
    assert answer.status_code == 302, words(answer)
    return newest()


def test_controls_go_from_the_draft_to_the_visit(manager, licensing):
    assert manager.post(DRAFT, filled(tips="", save=1)).status_code == 302
    page = manager.get(DRAFT)
    assert "texts.tips Tips: write this section. WAC 230-15-430" in words(page)
    refused = manager.post(DRAFT, filled(1, tips="", submit=1))
    assert refused.status_code == 422
    assert "write this section" in words(refused)
    version = submitted(manager, 1)
    address = reverse("controls_version", args=[version.uuid])

    comment = {"comment-section": "tips", "comment-text": "Who counts them?"}
    assert licensing.post(f"{address}comment/", comment).status_code == 302
    back = {"return-reason": "See the comment.", "return-days": 30}
    assert licensing.post(f"{address}return/", back).status_code == 302
    seen_by_manager = words(manager.get(address))
    assert "Returned with comments; an answer is due by" in seen_by_manager
    assert "Who counts them?" in seen_by_manager

    again = submitted(manager, 2, tips="The cage counts them.")
    address = reverse("controls_version", args=[again.uuid])
    page = licensing.get(address)
    decision = {
        "approve-seen": hidden(page, "approve-seen"),
        "approve-in_effect_from": "2199-01-01 06:00",
    }
    assert licensing.post(f"{address}approve/", decision).status_code == 302
    agent = browser_as(Role.AGENT)
    visit = {"visit-as_approved": "on", "visit-note": ""}
    assert agent.post(f"{address}visit/", visit).status_code == 302
    said = words(manager.get(address))
    assert "Approved in writing" in said
    assert "in place as approved" in said
    compared = manager.get("/controls/of/room/compare/", {"before": 1, "after": 2})
    assert "As the house does it. The cage counts them." in words(compared)
    assert "Surveillance" in words(compared).partition("Without a change")[2]


def test_a_draft_keeps_what_was_written_and_lines_end_alike(manager):
    manager.post(DRAFT, filled(save=1, dealing="one\r\ntwo"))
    with without_walls():
        content = ControlsDraft.objects.get().content
    assert content["texts"]["dealing"] == "one\ntwo"
    assert content["void_reasons"] == ["power failure", "fire alarm"]
    assert content["hours"] == {"friday": ["10:00", "04:00"]}
    assert content["games"]["pyramid-poker"]["tables"]["T1"]["main"] == [500, 40_000]


def test_a_stale_page_overwrites_nothing_and_keeps_its_text(manager):
    manager.post(DRAFT, filled(save=1, tips="first"))
    stale = manager.post(DRAFT, filled(save=1, tips="second"))
    assert stale.status_code == 422
    assert "Somebody saved this draft while you were writing" in words(stale)
    assert "second" in stale.text
    with without_walls():
        assert ControlsDraft.objects.get().content["texts"]["tips"] == "first"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"games": "{"}, "Line 1, column 2"),
        ({"games": "[1]"}, "Games are written as"),
        ({"games": '{"x": 1e999}'}, "1e999 is no amount"),
        ({"games": '{"x": NaN}'}, "NaN is no amount"),
        ({"games": '{"x": 25.50}'}, "25.50 is no amount"),
        ({"games": '{"x": ' + "9" * 5000 + "}"}, "Games, tables and limits"),
        ({"games": '{"\\u0000": 1}'}, "plain letters"),
        ({"games": '{"\\ud800": 1}'}, "plain letters"),
        ({"games": "[" * 5000 + "]" * 5000}, "nested too deeply"),
        ({"games": '{"a":' * 900 + "1" + "}" * 900}, "nested too deeply"),
        ({"friday_closes": ""}, "Give both times"),
        ({"friday_opens": "25:00"}, "Enter a valid time"),
        ({"hand_in_hours": "99"}, "less than or equal to 72"),
        ({"edition": "9" * 30}, "less than or equal"),
        ({"tips": "a\0b"}, "Null characters"),
    ],
)
def test_what_cannot_be_read_is_refused_beside_its_field_and_nothing_is_kept(
    manager, changes, says
):
    answer = manager.post(DRAFT, filled(save=1, **changes))
    assert answer.status_code == 422
    assert says in words(answer)
    with without_walls():
        assert not ControlsDraft.objects.exists()


def test_a_decision_on_another_state_than_was_shown_is_refused(manager, licensing):
    address = reverse("controls_version", args=[submitted(manager).uuid])
    decision = {"approve-seen": "0" * 64, "approve-in_effect_from": "2199-01-01 06:00"}
    answer = licensing.post(f"{address}approve/", decision)
    assert answer.status_code == 422
    assert "What you were shown is not what is on file now" in words(answer)
    assert newest().filing.state == ControlsFiling.State.SUBMITTED


def test_a_start_before_the_submission_and_a_second_decision_are_refused(manager, licensing):
    address = reverse("controls_version", args=[submitted(manager).uuid])
    seen = hidden(licensing.get(address), "approve-seen")
    decision = {"approve-seen": seen, "approve-in_effect_from": "2025-01-01 06:00"}
    early = licensing.post(f"{address}approve/", decision)
    assert early.status_code == 422
    assert "no earlier than it was submitted" in words(early)
    assert licensing.post(f"{address}deny/", {"deny-reason": "No."}).status_code == 302
    late = licensing.post(
        f"{address}approve/", decision | {"approve-in_effect_from": "2199-01-01 06:00"}
    )
    assert late.status_code == 422
    assert "denied" in words(late)


def test_a_page_offers_the_steps_of_ones_role_and_of_the_state_alone(manager, licensing):
    address = reverse("controls_version", args=[submitted(manager).uuid])
    assert "Withdraw" in words(manager.get(address))
    assert "Approve" not in words(manager.get(address))
    assert "Note a visit" not in words(licensing.get(address))
    assert "Approve" in words(licensing.get(address))
    manager.post(f"{address}withdraw/", {"withdraw-reason": "A mistake."})
    assert "Approve What is decided" not in words(licensing.get(address))


def test_a_comment_on_a_section_names_papers_of_the_operator_or_of_whoever_writes(
    manager, licensing
):
    version = submitted(manager)
    with without_walls():
        room = party_for(Role.OPERATOR_MANAGER, "room")
        plan = paper_of(made_person("clerk", room, Role.OPERATOR_CLERK), room, "Plan of cameras")
        other = paper_of(
            person_as(Role.OPERATOR_MANAGER, "other"),
            party_for(Role.OPERATOR_MANAGER, "other"),
            "Plan of another room",
        )
    address = reverse("controls_version", args=[version.uuid])
    assert "Plan of another room" not in licensing.get(address).text
    said = {"comment-section": "surveillance", "comment-text": "See the plan."}
    theirs = manager.post(f"{address}comment/", {**said, "comment-papers": [str(other.uuid)]})
    assert theirs.status_code == 422
    own = licensing.post(f"{address}comment/", {**said, "comment-papers": [str(plan.uuid)]})
    assert own.status_code == 302
    link = reverse("document_version", args=[plan.uuid])
    for reader in (manager, licensing):
        assert f'href="{link}">Plan of cameras, version 1</a>' in reader.get(address).text


def test_approved_controls_are_withdrawn_after_a_notice_to_which_the_operator_may_object(
    manager, licensing
):
    version = submitted(manager)
    address = reverse("controls_version", args=[version.uuid])
    assert licensing.post(f"{address}notice/", {"notice-reason": "Early."}).status_code == 422
    seen = hidden(licensing.get(address), "approve-seen")
    decision = {"approve-seen": seen, "approve-in_effect_from": "2199-01-01 06:00"}
    assert licensing.post(f"{address}approve/", decision).status_code == 302
    assert "Object to the withdrawal" not in words(manager.get(address))

    auditor = browser_as(Role.AUDITOR)
    for client in (manager, auditor, browser_as(Role.AGENT)):
        assert client.post(f"{address}notice/", {"notice-reason": "No."}).status_code == 404
    end = {"end-reason": "Tables were moved.", "end-in_effect_from": "2199-02-01 06:00"}
    too_early = licensing.post(f"{address}end/", end)
    assert (too_early.status_code, "a notice comes first" in words(too_early)) == (422, True)
    assert licensing.post(f"{address}notice/", {"notice-reason": " "}).status_code == 422
    assert (
        licensing.post(f"{address}notice/", {"notice-reason": "Tables moved."}).status_code == 302
    )
    assert licensing.post(f"{address}objection/", {"objection-reason": "x"}).status_code == 404
    objection = {"objection-reason": "They were not."}
    assert manager.post(f"{address}objection/", objection).status_code == 302
    assert manager.post(f"{address}objection/", objection).status_code == 422
    assert licensing.post(f"{address}end/", end).status_code == 302

    page = words(auditor.get(address))
    assert "They were not." in page
    assert "Tables were moved. Withdrawn from February 1, 2199, 6:00 AM PST" in page
    assert newest().filing.state == ControlsFiling.State.WITHDRAWN
    assert "Withdraw the approval" not in words(licensing.get(address))
    with without_walls():
        said = [each.reason for each in Event.objects.filter(type="withdrawal.stepped")]
        assert sorted(said) == ["Tables moved.", "Tables were moved.", "They were not."]


def test_controls_approved_by_word_alone_no_longer_bar_the_next_version_once_withdrawn(
    manager, licensing
):
    submitted(manager)
    address = reverse("controls_version", args=[newest().uuid])
    licensing.post(f"{address}deny/", {"deny-reason": "No."})
    version = submitted(manager, 1, cut_off="05:00", games_swap_only="on")
    address = reverse("controls_version", args=[version.uuid])
    seen = hidden(licensing.get(address), "approve-seen")
    by_word = {"approve-seen": seen, "approve-in_effect_from": "2199-01-01 06:00"}
    assert (
        licensing.post(f"{address}approve/", {**by_word, "approve-verbally": "on"}).status_code
        == 302
    )
    licensing.post(f"{address}notice/", {"notice-reason": "Not as said."})
    licensing.post(
        f"{address}end/", {"end-reason": "Gone.", "end-in_effect_from": "2199-02-01 06:00"}
    )
    assert submitted(manager, 2, cut_off="04:00").number == version.number + 1


def test_a_clerk_writes_and_does_not_submit():
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    assert "Submit as the next version" not in clerk.get(DRAFT).text
    assert clerk.post(DRAFT, filled(submit=1)).status_code == 404
    assert clerk.post(DRAFT, filled(save=1)).status_code == 302


def test_an_agency_sees_the_versions_of_its_operation_and_another_agency_does_not():
    own, other = (browser_as(Role.AGENCY_REVIEWER, code) for code in ("agency", "other-agency"))
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    manager = made_person("manager", casino, Role.OPERATOR_MANAGER)
    version = submit_controls(operator=casino, content=only_pyramid(), by=manager)
    address = reverse("controls_version", args=[version.uuid])
    compare = reverse("controls_compare", args=["casino"])
    for page in (address, compare):
        assert own.get(page).status_code == 200
        assert other.get(page).status_code == 404
    assert own.post(f"{address}approve/", {}).status_code == 404


@pytest.mark.parametrize("number", ["0", "x", "9" * 30])
def test_versions_to_compare_that_are_not_there_are_refused(manager, number):
    submitted(manager)
    answer = manager.get("/controls/of/room/compare/", {"before": number, "after": 1})
    assert answer.status_code == 422


def test_the_list_takes_as_many_queries_for_many_versions_as_for_one():
    person = person_as(Role.OPERATOR_MANAGER, "room")
    room = party_for(Role.OPERATOR_MANAGER, "room")
    client = browser_of(person)
    counts = []
    for tip in ("a", "b", "c"):
        content = only_pyramid()
        content["texts"] = {**content["texts"], "tips": tip}
        version = submit_controls(operator=room, content=content, by=person)
        withdraw_controls(version=version, reason="Again.", by=person)
        client.get(reverse("controls_versions"))
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(reverse("controls_versions"), {"state": "withdrawn"})
        counts.append(len(queries))
        assert f"Version {version.number}" in words(answer)
    assert counts[0] == counts[-1]
