"""The home page of an operator's people: what is in effect, what to do, and nothing of others."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from audits.intake.submission import begin_submission
from audits.review.issues.decisions import StepRequest, take_step
from audits.review.releases.writes import release_issue
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.digests import state_digest
from compliance.filings.controls.content import digest_of_part
from compliance.filings.controls.drafts import save_part
from compliance.filings.controls.writes import approve_controls, return_controls
from compliance.filings.controls.writes import submit_controls as submit
from compliance.filings.licenses.models import LicenseChange, LicenseClass
from compliance.filings.licenses.writes import change_license
from compliance.in_effect.gaming_tables import list_tables_in_effect
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.compliance.controls.filing import Room, licensed, local, only_pyramid
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, person_as

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
NOON = local(2025, 7, 12, 12)  # a Saturday, open round the clock by the example


@pytest.fixture
def room():
    with without_access_scope():
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


def test_game_shows_when_other_controls_take_effect(room):
    (now,) = list_tables_in_effect(room.party)
    assert now.tables["T1"]["main"] == (500, 40_000)
    assert (now.reasons, now.change) == ((), None)
    with without_access_scope():
        version = submit(operator=room.party, content=changed_limits(30_000), by=room.manager)
        starts = local(2025, 8, 1, 6)
        approve_controls(
            version=version, seen=state_digest(version), in_effect_from=starts, by=room.officer
        )
    (now,) = list_tables_in_effect(room.party)
    assert now.tables["T1"]["main"] == (500, 40_000)
    assert now.change.at == starts
    assert "version 2 takes effect" in now.change.says
    (then,) = list_tables_in_effect(room.party, starts)
    assert then.tables["T1"]["main"] == (500, 30_000)


def test_end_of_only_license_is_a_change_closing_time_is_not(room):
    with without_access_scope():
        licensed(
            room.party,
            LicenseClass.CARD_ROOM,
            room.officer,
            to_date=date(2025, 9, 1),
        )
    (night,) = list_tables_in_effect(room.party, local(2025, 7, 14, 12))  # a Monday: closed
    assert night.closed
    assert night.change is None  # the house-banked license continues


def test_the_end_of_the_supplier_s_license_is_a_change(room):
    license = party_for(Role.SUPPLIER, "maker").licenses.get()
    change_license(
        license=license,
        effect=LicenseChange.Effect.SUSPENDED,
        from_date=date(2025, 8, 15),
        reason="fees",
        by=room.officer,
    )
    (now,) = list_tables_in_effect(room.party)
    assert now.reasons == ()
    assert now.change.at == local(2025, 8, 15)
    assert "may not be dealt then. The maker was not licensed" in now.change.says


def test_rules_of_play_are_readable_in_the_reading_room(room, settings):
    manager = browser_of(room.manager)
    with without_access_scope():
        version = room.game_approval.subject
    closed = reverse("rule_version", args=[version])
    address = reverse("public_rules", args=[version])
    settings.READING_ROOM = True
    page = manager.get("/").text
    assert closed not in page  # the operator may not open the supplier's filing
    assert address in page
    assert manager.get(address).status_code == 200
    settings.READING_ROOM = False
    page = manager.get("/").text
    assert closed not in page
    assert address not in page
    assert "Pyramid Poker, version 1" in words(manager.get("/"))


def test_manager_reads_what_is_in_effect_and_due(room):
    agent = person_as(Role.AGENT)
    issue = issue_of(room.party, seen_by=unit_of_agent(agent))
    take_step(issue=issue, said=StepRequest(step="take_up", reason="Looks bad"), by=agent)
    asked = StepRequest(step="ask", reason="Which layout?", until=date(2025, 7, 20))
    take_step(issue=issue, said=asked, by=agent)
    manager = browser_of(room.manager)
    assert "Answer the commission" not in words(manager.get("/"))
    release_issue(issue=issue, by=agent)
    with without_access_scope():
        begin_submission(party=room.party, name="night.jsonl", size=10, by=room.manager)
        version = submit(operator=room.party, content=changed_limits(30_000), by=room.manager)
        return_controls(version=version, reason="See.", days=5, by=room.officer)

    page = manager.get("/")
    page_text = words(page)
    # Friday, July 18 is the fifth business day after Saturday, July 12 (WAC 230-06-051)
    assert "Fix version 2 of your internal controls: it was returned with comments" in page_text
    first, second = page_text.index("Due July 18, 2025"), page_text.index("Due July 20, 2025")
    assert first < second < page_text.index("Finish submitting night.jsonl")
    assert "main $5.00 to $400.00" in page_text
    assert reverse("issue", args=[issue.uuid]) in page.text
    assert "Looks bad" not in page_text


def test_draft_is_private_to_its_room(room):
    with without_access_scope():
        seen = digest_of_part(room.version.content, "tips")
        save_part(operator=room.party, part="tips", value="Other.", seen=seen, by=room.manager)
    assert "Continue the draft" in words(browser_of(room.manager).get("/"))
    other = words(browser_as(Role.OPERATOR_MANAGER, "other").get("/"))
    assert "Write your internal controls" in other
    assert "T1" not in other


def test_person_without_party_reads_what_the_system_is_for(client):
    assert "What this system does" in words(client.get("/"))
