"""The home page of an operator's people: what is in force, what is to do, and nobody else's."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from audits.services.hand_in import begin_hand_in
from audits.services.release import release_pattern
from audits.services.review import Said, take_step
from compliance import clock
from compliance.choices import Role
from compliance.controls.parts import digest_of_part
from compliance.models import LicenceChange
from compliance.models.licence import LicenceClass
from compliance.selectors.tables_in_force import tables_in_force
from compliance.services.controls import approve_controls, return_controls
from compliance.services.controls import submit_controls as submit
from compliance.services.controls_draft import save_part
from compliance.services.licences import change_licence
from compliance.state import state_digest
from compliance.walls import without_walls
from tests.audits.desk.patterns import pattern_of, unit_of_agent
from tests.compliance.controls.filing import Room, licensed, local, only_pyramid
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, person_as

pytestmark = pytest.mark.django_db
NOON = local(2025, 7, 12, 12)  # a Saturday, open round the clock by the example


@pytest.fixture
def room():
    with without_walls():
        made = Room()
    with clock.standing_at(NOON):
        yield made


def changed_limits(most: int) -> dict:
    content = only_pyramid()
    pyramid = content["games"]["pyramid-poker"]
    content["games"] = {
        "pyramid-poker": {
            **pyramid,
            "tables": {"T1": {**pyramid["tables"]["T1"], "main": [500, most]}},
        }
    }
    return content


def test_a_game_says_the_day_on_which_other_controls_take_effect(room):
    (now,) = tables_in_force(room.party)
    assert now.tables["T1"]["main"] == (500, 40_000)
    assert (now.reasons, now.change) == ((), None)
    with without_walls():
        version = submit(operator=room.party, content=changed_limits(30_000), by=room.manager)
        starts = local(2025, 8, 1, 6)
        approve_controls(
            version=version, seen=state_digest(version), in_effect_from=starts, by=room.officer
        )
    (now,) = tables_in_force(room.party)
    assert now.tables["T1"]["main"] == (500, 40_000)
    assert now.change.at == starts
    assert "version 2 takes effect" in now.change.says
    (then,) = tables_in_force(room.party, starts)
    assert then.tables["T1"]["main"] == (500, 30_000)


def test_the_end_of_the_only_licence_is_a_change_and_closing_time_is_none(room):
    with without_walls():
        licensed(
            room.party,
            LicenceClass.CARD_ROOM,
            room.officer,
            to_date=date(2025, 9, 1),
        )
    (night,) = tables_in_force(room.party, local(2025, 7, 14, 12))  # a Monday: closed
    assert night.closed
    assert night.change is None  # the house-banked licence goes on


def test_the_end_of_the_supplier_s_licence_is_a_change(room):
    licence = party_for(Role.SUPPLIER, "maker").licences.get()
    change_licence(
        licence=licence,
        effect=LicenceChange.Effect.SUSPENDED,
        from_date=date(2025, 8, 15),
        reason="fees",
        by=room.officer,
    )
    (now,) = tables_in_force(room.party)
    assert now.reasons == ()
    assert now.change.at == local(2025, 8, 15)
    assert "may not be dealt then. The maker was not licensed" in now.change.says


def test_the_rules_by_which_one_plays_can_be_read_where_the_reading_room_is_open(room, settings):
    manager = browser_of(room.manager)
    with without_walls():
        version = room.game_approval.subject
    closed = reverse("rule_version", args=[version])
    address = reverse("public_rules", args=[version])
    settings.READING_ROOM = True
    page = manager.get("/").text
    assert closed not in page  # the supplier's filing is not the operator's to open
    assert address in page
    assert manager.get(address).status_code == 200
    settings.READING_ROOM = False
    page = manager.get("/").text
    assert closed not in page
    assert address not in page
    assert "Pyramid Poker, version 1" in words(manager.get("/"))


def test_a_manager_reads_what_is_in_force_and_what_is_to_do_first(room):
    agent = person_as(Role.AGENT)
    pattern = pattern_of(room.party, seen_by=unit_of_agent(agent))
    take_step(pattern=pattern, said=Said(step="take_up", reason="Looks bad"), by=agent)
    said = Said(step="ask", reason="Which layout?", until=date(2025, 7, 20))
    take_step(pattern=pattern, said=said, by=agent)
    manager = browser_of(room.manager)
    assert "Answer the commission" not in words(manager.get("/"))
    release_pattern(pattern=pattern, by=agent)
    with without_walls():
        begin_hand_in(party=room.party, name="night.jsonl", size=10, by=room.manager)
        version = submit(operator=room.party, content=changed_limits(30_000), by=room.manager)
        return_controls(version=version, reason="See.", days=5, by=room.officer)

    page = manager.get("/")
    said = words(page)
    # Friday, July 18 is the fifth business day after Saturday, July 12 (WAC 230-06-051)
    assert "Mend version 2 of your internal controls: it came back with comments" in said
    first, second = said.index("Due July 18, 2025"), said.index("Due July 20, 2025")
    assert first < second < said.index("Go on handing in night.jsonl")
    assert "main $5.00 to $400.00" in said
    assert reverse("pattern", args=[pattern.uuid]) in page.text
    assert "Looks bad" not in said


def test_a_draft_waits_for_whoever_writes_and_another_room_hears_nothing(room):
    with without_walls():
        seen = digest_of_part(room.version.content, "tips")
        save_part(operator=room.party, part="tips", value="Other.", seen=seen, by=room.manager)
    assert "Go on with the draft" in words(browser_of(room.manager).get("/"))
    other = words(browser_as(Role.OPERATOR_MANAGER, "other").get("/"))
    assert "Write your internal controls" in other
    assert "T1" not in other


def test_who_belongs_to_no_party_reads_what_the_system_is_for(client):
    assert "What it does" in words(client.get("/"))
