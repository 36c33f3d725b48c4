"""Terms in effect, requested in a browser: shown for one's own tables, refused in words."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from compliance.access.permissions import Role
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


@pytest.fixture
def room():
    return Room()


def asked(client: Client, at: str, **more: str):
    question = {"operator": "room", "game": "pyramid-poker", "table": "T1", "at": at, **more}
    return client.get(reverse("in_effect"), question)


def test_manager_sees_limits_cap_and_approvals(room):
    answer = asked(browser_of(room.manager), "2025-02-03 20:00")
    shown = words(answer)
    assert answer.status_code == 200
    assert "Not authorized" in shown  # February 3, 2025 is a Monday; the room opens on two days
    assert "approval.hours" in shown
    friday = words(asked(browser_of_again(room), "2025-02-07 20:00"))
    assert "Authorized" in friday
    assert "main $5.00 $400.00" in friday
    assert "$400.00 Citation WAC 230-15-140" in friday
    assert "The commission's approval" in friday
    assert room.game_approval.digest in friday
    assert "PP-I1" in friday


def browser_of_again(room: Room) -> Client:
    client = Client()
    signed_in(client, room.manager)
    return client


@pytest.mark.parametrize(
    ("on", "cap"),
    [
        ("2008-05-21", "$200.00"),
        ("2008-12-31", "$200.00"),
        ("2009-01-01", "$300.00"),
        ("2023-09-24", "$300.00"),
        ("2023-09-25", "$400.00"),
    ],
)
def test_cap_and_authorization_follow_the_day(room, on, cap):
    shown = words(asked(browser_of(room.manager), f"{on} 20:00"))
    assert f"Cap {cap} Citation" in shown
    assert "Not authorized" in shown


def test_carried_forward_value_says_since_when(room):
    assert "Carried forward" in words(asked(browser_of(room.manager), "2026-11-01 20:00"))


def test_repeated_local_hour_asks_for_its_offset(room):
    client = browser_of(room.manager)
    twice = asked(client, "2025-11-02 01:30")
    assert twice.status_code == 422
    assert "ambiguous" in words(twice)
    assert asked(client, "2025-11-02T01:30-07:00").status_code == 200


@pytest.mark.parametrize("at", ["", "soon", "0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00"])
def test_invalid_instant_gets_a_field_error(room, at):
    assert asked(browser_of(room.manager), at).status_code == 422


def test_other_party_cannot_name_the_operator(room):
    client = browser_as(Role.OPERATOR_MANAGER, "other")
    answer = asked(client, "2025-02-07 20:00")
    assert answer.status_code == 422
    assert party_for(Role.OPERATOR_MANAGER, "room").name not in answer.text


def test_a_supplier_has_no_such_page(room):
    assert browser_as(Role.SUPPLIER, "other").get(reverse("in_effect")).status_code == 404


def test_an_agent_asks_about_every_operator(room):
    answer = asked(browser_as(Role.AGENT), "2025-02-07 20:00", table="")
    assert "Name a table to see its limits." in words(answer)
