"""Internal controls written, submitted and decided in a browser, with refusals on the way."""

from __future__ import annotations

import re
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compliance import clock
from compliance.access.models import Person
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.events.canonical import digest
from compliance.events.models import Event
from compliance.filings.controls.content import SECTIONS, digest_of_part, get_part
from compliance.filings.controls.drafts import save_part
from compliance.filings.controls.game_form import MOST_TABLES, GameForm
from compliance.filings.controls.models import ControlsDraft, ControlsFiling, ControlsVersion
from compliance.filings.controls.presentation import compare_part
from compliance.filings.controls.reads import get_draft
from compliance.filings.controls.writes import submit_controls, withdraw_controls
from compliance.filings.demonstration_controls import CEDAR
from games.rule_set import SLUGS, rule_set
from tests.compliance.controls.filing import at_table_two, bring_into_effect, only_pyramid
from tests.compliance.controls.filing import submitted as filed
from tests.compliance.documents.filed_documents import document_of
from tests.compliance.pages.browsing import (
    browser_as,
    browser_of,
    check_and_post,
    confirm_act,
    hidden,
    words,
)
from tests.compliance.people import made_party, made_person, party_for, person_as

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
DRAFT = "/controls/of/room/draft/"


def good(**texts: str) -> dict[str, Any]:
    """Return good controls, with some of their sections in other words."""
    content = only_pyramid()
    return {**content, "texts": {**content["texts"], **texts}}


def drafted(content: dict[str, Any]) -> None:
    """Create a draft with all this, as a clerk of the room saved it part by part."""
    with without_access_scope():
        clerk = Person.objects.filter(email="writer@example.org").first()
        room = party_for(Role.OPERATOR_MANAGER, "room")
        clerk = clerk or made_person("writer", room, Role.OPERATOR_CLERK)
        for part in [*SECTIONS, *(f"games.{slug}" for slug in content["games"])]:
            seen = digest_of_part(get_draft(room).content, part)
            value = get_part(content, part)
            save_part(operator=room, part=part, value=value, seen=seen, by=clerk)


def save(client: Any, part: str, *, scripted: bool = False, **sent: Any) -> Any:
    """Save a section like someone who has just opened it, with the button or the script."""
    page = f"{DRAFT}{part}/"
    more = {"HTTP_HX_REQUEST": "true"} if scripted else {}
    return client.post(page, {"seen": hidden(client.get(page), "seen"), "save": 1, **sent}, **more)


def content_of_draft() -> dict[str, Any]:
    with without_access_scope():
        return ControlsDraft.objects.get().content


def newest() -> ControlsVersion:
    with without_access_scope():
        return ControlsVersion.objects.select_related("filing").latest("number")


@pytest.fixture
def manager():
    return browser_as(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def licensing():
    return browser_as(Role.LICENSING)


def submitted(manager: Any, content: dict[str, Any] | None = None, **more: Any) -> ControlsVersion:
    drafted(content or good())
    page = f"{DRAFT}submit/"
    answer = manager.post(page, {"seen": hidden(manager.get(page), "seen"), **more})
    assert answer.status_code == 302, words(answer)
    return newest()


def approve(licensing: Any, address: str, decision: dict[str, Any]) -> None:
    assert check_and_post(licensing, f"{address}approve/", decision).status_code == 302
    assert confirm_act(browser_as(Role.DIRECTOR)).status_code == 302


def test_controls_go_from_the_draft_to_the_visit(manager, licensing):
    drafted(good(tips=""))
    page = manager.get(DRAFT)
    assert "Tips … To be written WAC 230-15-430" in words(page)
    summary = manager.get(f"{DRAFT}submit/")
    assert "This cannot be submitted yet" in words(summary)
    seen = digest(content_of_draft())
    refused = manager.post(f"{DRAFT}submit/", {"seen": seen})
    assert refused.status_code == 422
    assert "write this section" in words(refused)
    version = submitted(manager)
    address = reverse("controls_version", args=[version.uuid])

    comment = {"comment-section": "tips", "comment-text": "Who counts them?"}
    assert licensing.post(f"{address}comment/", comment).status_code == 302
    back = {"return-reason": "See the comment.", "return-days": 30}
    assert licensing.post(f"{address}return/", back).status_code == 302
    seen_by_manager = words(manager.get(address))
    assert "Returned with comments; an answer is due by" in seen_by_manager
    assert "Who counts them?" in seen_by_manager

    section = words(manager.get(f"{DRAFT}tips/"))
    assert "Comments on version 1 Who counts them?" in section
    assert "Fix version 1 of your internal controls" in words(manager.get("/"))
    again = submitted(manager, good(tips="The cage counts them."))
    address = reverse("controls_version", args=[again.uuid])
    page = licensing.get(address)
    decision = {
        "approve-seen": hidden(page, "approve-seen"),
        "approve-in_effect_from": "2199-01-01 06:00",
    }
    approve(licensing, address, decision)
    agent = browser_as(Role.AGENT)
    visit = {"visit-as_approved": "on", "visit-note": ""}
    assert agent.post(f"{address}visit/", visit).status_code == 302
    content = words(manager.get(address))
    assert "Approved in writing" in content
    assert "in place as approved" in content
    compared = manager.get("/controls/of/room/compare/", {"before": 1, "after": 2})
    assert "As the house does it. The cage counts them." in words(compared)
    assert "Surveillance" in words(compared).partition("No change")[2]


def test_sections_keep_what_was_written_and_lines_end_alike(manager):
    save(manager, "dealing", text="one\r\ntwo")
    save(manager, "void_reasons", reasons="power failure\r\n\r\nfire alarm")
    save(manager, "hours", friday_opens="10:00", friday_closes="04:00")
    save(manager, "cut_off", cut_off="07:00")
    save(manager, "submission_hours", hours="8")
    assert content_of_draft() == {
        "texts": {"dealing": "one\ntwo"},
        "void_reasons": ["power failure", "fire alarm"],
        "hours": {"friday": ["10:00", "04:00"]},
        "cut_off": "07:00",
        "submission_hours": 8,
    }


LINE = {"rows": 2, "t0_name": "T1", "t0_main_low": "5", "t0_main_high": "$1,000.50"}


def test_empty_line_of_a_game_is_no_table(manager):
    page = manager.get(f"{DRAFT}games.pyramid-poker/").text
    assert 'aria-label="Table in line 1: maximum of three card in dollars"' in page
    choices = {"reading_PP-I1": "dealer_wins", "aggregate_six_card": "5000", "banker_six_card": "1"}
    assert save(manager, "games.pyramid-poker", **LINE, **choices).status_code == 302
    assert content_of_draft()["games"]["pyramid-poker"] == {
        "tables": {"T1": {"main": [500, 100_050]}},
        "interpretations": {"PP-I1": "dealer_wins"},
        "max_aggregate": {"six_card": 500_000},
        "banker_min": {"six_card": 100},
    }
    shown = manager.get(f"{DRAFT}games.pyramid-poker/")
    assert 'value="1000.50"' in shown.text
    assert "Table T1, three card: Give the minimum and the maximum." in words(shown)
    assert "$1,000.50 is above the cap of $400.00" in words(shown)
    save(manager, "games.pyramid-poker", take_out=1)
    assert content_of_draft()["games"] == {}


def test_points_of_chinese_poker_are_kept_by_their_names(manager):
    content = {"rows": 1, "t0_name": "T6", "scoring": ["unit", "2-4"], "bonus_trips_front": 2}
    more = {"natural_dragon": 3, "surrender": 0, "largest_unit": "10"}
    save(manager, "games.chinese-poker", **content, **more)
    assert content_of_draft()["games"]["chinese-poker"] == {
        "tables": {"T6": {}},
        "chinese": {
            "scoring": ["unit", "2-4"],
            "bonuses": {"trips_front": 2},
            "naturals": {"dragon": 3},
            "surrender": 0,
            "largest_unit": 1_000,
        },
    }


def test_controls_of_every_game_survive_their_form(manager):
    games = {slug: game for slug, game in CEDAR["games"].items() if slug in SLUGS}
    drafted({**good(), "games": games})
    for slug, game in games.items():
        page = manager.get(f"{DRAFT}games.{slug}/").text
        fields = dict(re.findall(r'<input[^>]* name="([^"]+)"[^>]*? value="([^"]*)"', page))
        chosen = r'<select name="([^"]+)"(?:(?!</select>).)*?<option value="([^"]*)" selected'
        fields |= dict(re.findall(chosen, page, re.DOTALL))
        boxes = re.findall(r'name="scoring"[^>]* value="([^"]*)"[^>]* checked', page)
        answer = manager.post(f"{DRAFT}games.{slug}/", {**fields, "scoring": boxes, "save": 1})
        assert answer.status_code == 302, words(answer)
        assert content_of_draft()["games"][slug] == game


def test_adding_a_line_keeps_input_and_saves_nothing(manager):
    answer = manager.post(f"{DRAFT}games.pyramid-poker/", {**LINE, "seen": "x", "add": 1})
    assert 'name="t2_name"' in answer.text
    assert 'value="$1,000.50"' in answer.text
    with without_access_scope():
        assert not ControlsDraft.objects.exists()


def test_what_is_typed_is_saved_and_checked_as_on_submission(manager):
    answer = save(manager, "tips", scripted=True, text="")
    assert "Tips: write this section." in answer.text
    answer = save(manager, "tips", scripted=True, text="Counted by <two>.")
    assert "This section is complete" in answer.text
    assert "Saved at" in answer.text
    assert content_of_draft()["texts"]["tips"] == "Counted by <two>."
    assert hidden(answer, "seen") == digest_of_part(content_of_draft(), "tips")
    wrong = save(manager, "cut_off", scripted=True, cut_off="26:00")
    assert (wrong.status_code, "Not saved yet" in wrong.text) == (200, True)
    assert "cut_off" not in content_of_draft()


def test_continuous_typing_is_one_event(manager):
    at = datetime(2025, 7, 12, 12, tzinfo=UTC)
    # saved at 0, 10 and 20 minutes, then after a break of 20 more
    for minutes in (0, 10, 20, 40):
        with clock.standing_at(at + timedelta(minutes=minutes)):
            save(manager, "tips", scripted=True, text=f"After {minutes}.")
    assert Event.objects.filter(type="controls.draft_saved").count() == 2


def test_different_sections_are_edited_concurrently(manager):
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    opened = {part: hidden(manager.get(f"{DRAFT}{part}/"), "seen") for part in ("tips", "dealing")}
    manager.post(f"{DRAFT}tips/", {"seen": opened["tips"], "text": "Mine."})
    answer = clerk.post(f"{DRAFT}dealing/", {"seen": opened["dealing"], "text": "Theirs."})
    assert answer.status_code == 302
    assert content_of_draft()["texts"] == {"tips": "Mine.", "dealing": "Theirs."}


def test_later_writer_of_a_section_gets_conflict(manager):
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    opened = hidden(manager.get(f"{DRAFT}tips/"), "seen")
    clerk.post(f"{DRAFT}tips/", {"seen": opened, "text": "The clerk's."})
    late = {"seen": opened, "text": "The manager's."}
    typed = manager.post(f"{DRAFT}tips/", late, HTTP_HX_REQUEST="true")
    assert "another user saved this section" in typed.text
    assert 'name="seen"' not in typed.text  # more typing doesn't overwrite either
    sent = manager.post(f"{DRAFT}tips/", late)
    assert sent.status_code == 422
    assert "The clerk's. The manager's." in words(sent)
    assert content_of_draft()["texts"]["tips"] == "The clerk's."
    again = {"seen": hidden(sent, "seen"), "text": "The manager's."}
    assert manager.post(f"{DRAFT}tips/", again).status_code == 302
    assert content_of_draft()["texts"]["tips"] == "The manager's."


def test_change_after_the_summary_is_not_submitted_unseen(manager):
    drafted(good())
    seen = hidden(manager.get(f"{DRAFT}submit/"), "seen")
    save(manager, "tips", text="Changed since.")
    answer = manager.post(f"{DRAFT}submit/", {"seen": seen})
    assert answer.status_code == 422
    assert "Another user saved this draft after the summary" in words(answer)
    assert "Changed since." in words(answer)
    with without_access_scope():
        assert not ControlsVersion.objects.exists()


@pytest.mark.parametrize(
    ("part", "sent", "says"),
    [
        ("games.pyramid-poker", {**LINE, "t0_main_high": "x"}, "“x” is not an amount"),
        ("games.pyramid-poker", {**LINE, "t0_main_high": "NaN"}, "“NaN” is not an amount"),
        ("games.pyramid-poker", {**LINE, "t0_main_high": "1e999"}, "maximum of main"),
        ("games.pyramid-poker", {**LINE, "t0_main_high": "-1"}, "greater than or equal to 0"),
        ("games.pyramid-poker", {**LINE, "t0_main_high": "5.001"}, "2 decimal places"),
        ("games.pyramid-poker", {**LINE, "t0_main_high": ""}, "Give both, the minimum"),
        ("games.pyramid-poker", {**LINE, "t0_main_high": "4"}, "below the minimum"),
        ("games.pyramid-poker", {**LINE, "t0_name": ""}, "Name the table"),
        ("games.pyramid-poker", {**LINE, "t1_name": "T1"}, "T1 is already in line 1"),
        ("games.pyramid-poker", {**LINE, "t0_name": "T\u202e1"}, "a sign that nobody sees"),
        ("games.pyramid-poker", {**LINE, "t0_name": "Tísch"}, "as the round log does"),
        ("games.pyramid-poker", {**LINE, "rows": "9" * 30}, "less than or equal to 200"),
        ("games.pyramid-poker", {**LINE, "reading_PP-I1": "x"}, "Select a valid choice"),
        ("hours", {"friday_opens": "10:00"}, "Give both times"),
        ("hours", {"friday_opens": "25:00"}, "Enter a valid time"),
        ("submission_hours", {"hours": "99"}, "less than or equal to 72"),
        ("tips", {"text": "a\0b"}, "Null characters"),
        ("tips", {"text": "x" * 100_001}, "at most 100000 characters"),
    ],
)
def test_unreadable_value_gets_a_field_error(manager, part, sent, says):
    answer = save(manager, part, **sent)
    assert answer.status_code == 422
    assert says in words(answer)
    with without_access_scope():
        assert not ControlsDraft.objects.exists()


@pytest.mark.parametrize("part", ["poetry", "games.bridge", "games", "edition"])
def test_a_section_that_there_is_not_is_not_there(manager, part):
    assert manager.get(f"{DRAFT}{part}/").status_code == 404


def test_decision_on_a_stale_state_is_rejected(manager, licensing):
    address = reverse("controls_version", args=[submitted(manager).uuid])
    decision = {"approve-seen": "0" * 64, "approve-in_effect_from": "2199-01-01 06:00"}
    answer = licensing.post(f"{address}approve/", decision)
    assert answer.status_code == 422
    assert "What you were shown is not what is on file now" in words(answer)
    assert newest().filing.state == ControlsFiling.State.SUBMITTED


def test_early_start_and_second_decision_are_refused(manager, licensing):
    address = reverse("controls_version", args=[submitted(manager).uuid])
    seen = hidden(licensing.get(address), "approve-seen")
    decision = {"approve-seen": seen, "approve-in_effect_from": "2025-01-01 06:00"}
    early = licensing.post(f"{address}approve/", decision)
    assert early.status_code == 422
    assert "no earlier than it was submitted" in words(early)
    denial = {"deny-reason": "No."}
    assert check_and_post(licensing, f"{address}deny/", denial).status_code == 302
    late = licensing.post(
        f"{address}approve/", decision | {"approve-in_effect_from": "2199-01-01 06:00"}
    )
    assert late.status_code == 422
    assert "denied" in words(late)


def test_page_offers_steps_of_role_and_state(manager, licensing):
    address = reverse("controls_version", args=[submitted(manager).uuid])
    assert "Withdraw" in words(manager.get(address))
    assert "Approve" not in words(manager.get(address))
    assert "Note a visit" not in words(licensing.get(address))
    assert "Approve" in words(licensing.get(address))
    manager.post(f"{address}withdraw/", {"withdraw-reason": "A mistake."})
    assert "Approve What is decided" not in words(licensing.get(address))


def test_section_comment_cites_documents_in_scope(manager, licensing):
    version = submitted(manager)
    with without_access_scope():
        room = party_for(Role.OPERATOR_MANAGER, "room")
        plan = document_of(made_person("clerk", room, Role.OPERATOR_CLERK), room, "Plan of cameras")
        other = document_of(
            person_as(Role.OPERATOR_MANAGER, "other"),
            party_for(Role.OPERATOR_MANAGER, "other"),
            "Plan of another room",
        )
    address = reverse("controls_version", args=[version.uuid])
    assert "Plan of another room" not in licensing.get(address).text
    content = {"comment-section": "surveillance", "comment-text": "See the plan."}
    theirs = manager.post(f"{address}comment/", {**content, "comment-papers": [str(other.uuid)]})
    assert theirs.status_code == 422
    own = licensing.post(f"{address}comment/", {**content, "comment-papers": [str(plan.uuid)]})
    assert own.status_code == 302
    link = reverse("document_version", args=[plan.uuid])
    for reader in (manager, licensing):
        assert f'href="{link}">Plan of cameras, version 1</a>' in reader.get(address).text


def test_controls_are_withdrawn_after_notice(manager, licensing):
    version = submitted(manager)
    address = reverse("controls_version", args=[version.uuid])
    assert licensing.post(f"{address}notice/", {"notice-reason": "Early."}).status_code == 422
    seen = hidden(licensing.get(address), "approve-seen")
    decision = {"approve-seen": seen, "approve-in_effect_from": "2199-01-01 06:00"}
    approve(licensing, address, decision)
    assert "Object to the withdrawal" not in words(manager.get(address))

    auditor = browser_as(Role.AUDITOR)
    for client in (manager, auditor, browser_as(Role.AGENT)):
        assert client.post(f"{address}notice/", {"notice-reason": "No."}).status_code == 404
    end = {"end-reason": "Tables were moved.", "end-in_effect_from": "2199-02-01 06:00"}
    too_early = licensing.post(f"{address}end/", end)
    assert (too_early.status_code, "a notice comes first" in words(too_early)) == (422, True)
    assert licensing.post(f"{address}notice/", {"notice-reason": " "}).status_code == 422
    notice = {"notice-reason": "Tables moved."}
    assert check_and_post(licensing, f"{address}notice/", notice).status_code == 302
    assert licensing.post(f"{address}objection/", {"objection-reason": "x"}).status_code == 404
    objection = {"objection-reason": "They were not."}
    assert manager.post(f"{address}objection/", objection).status_code == 302
    assert manager.post(f"{address}objection/", objection).status_code == 422
    assert check_and_post(licensing, f"{address}end/", end).status_code == 302

    page = words(auditor.get(address))
    assert "They were not." in page
    assert "Tables were moved. Withdrawn from February 1, 2199, 6:00 AM PST" in page
    assert newest().filing.state == ControlsFiling.State.WITHDRAWN
    assert "Withdraw the approval" not in words(licensing.get(address))
    with without_access_scope():
        content = [each.reason for each in Event.objects.filter(type="withdrawal.stepped")]
        assert sorted(content) == ["Tables moved.", "Tables were moved.", "They were not."]


def test_withdrawn_verbal_approval_frees_next_version(manager, licensing):
    now = clock.now()
    with without_access_scope():
        writer, officer = (
            Person.objects.get(memberships__role=role)
            for role in (Role.OPERATOR_MANAGER, Role.LICENSING)
        )
        with clock.standing_at(now - timedelta(days=3)):
            former = filed(writer, good())
        with clock.standing_at(now - timedelta(days=2)):
            bring_into_effect(former, officer, now - timedelta(days=1))
    version = submitted(manager, at_table_two(), games_swap_only="on")
    address = reverse("controls_version", args=[version.uuid])
    seen = hidden(licensing.get(address), "approve-seen")
    by_word = {"approve-seen": seen, "approve-in_effect_from": "2199-01-01 06:00"}
    approve(licensing, address, {**by_word, "approve-verbally": "on"})
    check_and_post(licensing, f"{address}notice/", {"notice-reason": "Not as said."})
    end = {"end-reason": "Gone.", "end-in_effect_from": "2199-02-01 06:00"}
    check_and_post(licensing, f"{address}end/", end)
    assert submitted(manager, {**good(), "cut_off": "04:00"}).number == version.number + 1


def test_a_clerk_writes_and_does_not_submit():
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    assert "Review and submit" not in clerk.get(DRAFT).text
    assert clerk.get(f"{DRAFT}submit/").status_code == 404
    assert clerk.post(f"{DRAFT}submit/", {"seen": "x"}).status_code == 404
    assert save(clerk, "tips", text="Counted.").status_code == 302


def test_only_its_agency_sees_an_operations_versions():
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


def test_version_list_queries_do_not_grow():
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


def test_monday_hours_fill_the_week_without_overlaps(manager):
    monday = {"monday_opens": "10:00", "monday_closes": "04:00"}
    save(manager, "hours", alike=1, **monday)
    week = content_of_draft()["hours"]
    assert set(map(tuple, week.values())) == {("10:00", "04:00")}
    assert len(week) == 7
    times = {"monday_opens": "10:00", "monday_closes": "04:00"}
    times |= {"tuesday_opens": "03:59", "tuesday_closes": "12:00"}
    typed = save(manager, "hours", scripted=True, **times)
    assert "go on until 4:00 AM on Tuesday, which opens at 3:59 AM already" in typed.text


def test_double_submit_makes_one_version(manager):
    drafted(good())
    page = f"{DRAFT}submit/"
    seen = {"seen": hidden(manager.get(page), "seen")}
    first, second = manager.post(page, seen), manager.post(page, seen)
    assert first.url == second.url
    assert "Version 1 is under review" in words(manager.get(page))


def test_reordered_interpretations_are_no_difference():
    content = good()
    chosen = {"PP-I8": "per_deal", "PP-I1": "dealer_wins"}
    content["games"]["pyramid-poker"]["interpretations"] = chosen
    other = deepcopy(content)
    other["games"]["pyramid-poker"]["interpretations"] = dict(reversed(chosen.items()))
    rows = compare_part(content, other, "games.pyramid-poker")
    assert any("PP-I8" in row.before for row in rows)
    assert not any(row.changed for row in rows)


@pytest.mark.parametrize("game", SLUGS)
def test_a_game_at_as_many_tables_as_a_draft_takes_is_saved(manager, game):
    """Django's default limit is a thousand fields."""
    part = f"games.{game}"
    wagers = {}
    for line in range(MOST_TABLES):
        wagers[f"t{line}_name"] = f"T{line}"
        for wager in rule_set(game).wagers:
            wagers |= {f"t{line}_{wager}_low": "5", f"t{line}_{wager}_high": "100"}
    form = GameForm(part, {"rows": MOST_TABLES}, rules=rule_set(game))
    every_field = dict.fromkeys(form.fields.keys() - {"seen", "scoring"}, "")
    sent = {**every_field, **wagers, "rows": MOST_TABLES}
    assert save(manager, part, **sent).status_code == 302
    tables = content_of_draft()["games"][game]["tables"]
    assert len(tables) == MOST_TABLES
    assert tables["T199"] == {wager: [500, 10_000] for wager in rule_set(game).wagers}


def test_ended_session_gets_401_for_scripts(manager):
    address = f"{DRAFT}tips/"
    sent = {"tips": "Counted.", "seen": hidden(manager.get(address), "seen")}
    manager.cookies.clear()
    typed = manager.post(address, sent, headers={"HX-Request": "true"})
    assert (typed.status_code, typed.content) == (401, b"")
    assert "/account/sign-in/" in manager.post(address, sent)["Location"]
