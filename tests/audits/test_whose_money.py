"""No page says that players received what the house was overpaid, or a table in total.

In a player-banked round the house has a wager of its own against the bank (PP-23).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from audits.replay.findings.models import Issue
from audits.review.dashboard.reads import dashboard
from audits.review.restitution.reads import restitution
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.replay.nights import NIGHT, dealt, on_file
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import person_as
from tests.reports.nights import closed, replayed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from django.test import Client

pytestmark = pytest.mark.django_db
KEPT = 8000
"""Cents that the house did not pay the bank, or paid too little."""


@pytest.fixture
def agent() -> Client:
    return browser_of(person_as(Role.AGENT))


def banked_night(spoil: Callable[[dict[str, Any]], None]) -> tuple[Room, dict[str, Any]]:
    """Return a night of player-banked rounds, one of them spoiled."""
    room = Room()
    rounds = dealt(400, tables=("T1",))
    wrong = next(each for each in rounds if "banker" in each and not each.get("void"))
    spoil(wrong)
    with without_access_scope():
        on_file(room.party, rounds)
    replayed(room.party)
    closed(room.party)
    return room, wrong


@pytest.fixture
def banked() -> tuple[Room, dict[str, Any]]:
    """Return a night in one of whose rounds the house's own result is too high."""

    def overpay_house(wrong: dict[str, Any]) -> None:
        wrong["house"]["result"] += KEPT

    return banked_night(overpay_house)


def test_a_page_says_who_got_it(banked, agent):
    room, wrong = banked
    says = words(agent.get(reverse("round", args=[room.party.code, wrong["round"]])))
    assert "The house was overpaid $80.00." in says
    assert "layers received" not in says
    with without_access_scope():
        issue = Issue.objects.get(code__startswith="settlement.")
    says = words(agent.get(reverse("issue", args=[issue.uuid])))
    assert "July 12, 2025 2 1 $0.00 $0.00" in says  # the night's findings, rounds and sums
    assert "received" not in says
    assert "+$80.00" in says  # the difference of each finding


def test_money_of_players_counts_though_a_table_is_off_too():
    def underpay(wrong: dict[str, Any]) -> None:
        seat = next(each for each in wrong["seats"] if each["seat"] != wrong["banker"])
        seat["result"]["main"] -= KEPT

    room, _ = banked_night(underpay)
    shown = dashboard(days=7, up_to=NIGHT)
    assert (shown.total("over"), shown.total("under")) == (0, KEPT)
    with without_access_scope():
        issue = Issue.objects.get(party=room.party, code__startswith="settlement.")
    assert (issue.code, issue.under) == ("settlement.main", KEPT)


def test_sums_over_players_leave_it_out(banked):
    room, _ = banked
    with without_access_scope():
        assert list(restitution(operator=room.party)) == []
    shown = dashboard(days=7, up_to=NIGHT)
    assert (shown.total("over"), shown.total("under")) == (0, 0)
    assert shown.total("findings") > 0
