"""The page of a round: cards, amounts, steps with their clauses, proof; for whom it opens."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audits.models import Finding
from audits.services.release import release_day, release_pattern
from audits.web.rounds.cards import drawn
from compliance.archive import current_archive
from compliance.choices import Role
from compliance.walls import without_walls
from tests.audits.hand_in.logs import played, taken, written
from tests.audits.replay.nights import dealt, on_file, spoiled
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, person_as
from tests.reports.nights import TOO_MUCH, closed, judged

if TYPE_CHECKING:
    from typing import Any

    from django.test import Client

    from audits.models import GamblingDay

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> tuple[Room, GamblingDay, list[dict[str, Any]]]:
    """Twenty rounds at T1, which the controls name; every tenth paid a dollar too much."""
    room = Room()
    rounds = spoiled(dealt(20, tables=("T1",)), every=10, cents=TOO_MUCH)
    with without_walls():
        on_file(room.party, rounds)
    judged(room.party)
    return room, closed(room.party), rounds


@pytest.fixture
def agent() -> Client:
    return browser_of(person_as(Role.AGENT))


def page(room: Room, round_: dict[str, Any]) -> str:
    return reverse("round", args=[room.party.code, round_["round"]])


@pytest.mark.parametrize(
    ("card", "name", "rank", "suit", "red"),
    [
        ("Qs", "queen of spades", "Q", "s", False),
        ("Td", "ten of diamonds", "10", "d", True),
        ("Jo", "joker", "", "", False),
        ("Jo=Kh", "joker as king of hearts", "K", "h", True),
    ],
)
def test_a_card_is_drawn_by_rank_and_suit_and_named_as_it_is_read_out(card, name, rank, suit, red):
    [found] = drawn([card])
    assert (found.name, found.rank, found.suit, found.red) == (name, rank, suit, red)
    assert found.joker == card.startswith("Jo")


def test_a_wrong_round_says_first_what_was_found_and_what_it_moved(night, agent):
    room, _, rounds = night
    says = words(agent.get(page(room, rounds[0])))
    assert "An apparent violation Players received $1.00 too much." in says
    seat = rounds[0]["seats"][0]
    before = seat["result"]["main"] - TOO_MUCH
    sign = "+" if before > 0 else "−" if before < 0 else ""
    assert f"{sign}${abs(before) / 100:,.2f} +$1.00 too much" in says
    with without_walls():
        pattern = Finding.objects.get(round=rounds[0]["round"]).pattern
    assert reverse("pattern", args=[pattern.uuid]) in agent.get(page(room, rounds[0])).text


def test_a_clean_round_says_so_and_quotes_each_clause_once(night, agent):
    room, _, rounds = night
    answer = agent.get(page(room, rounds[1]))
    assert "Nothing was found on this round" in words(answer)
    assert "too much" not in words(answer).partition("Step by step")[0]
    quoted = re.findall(r'id="(clause-\d+)"', answer.text)
    referred = set(re.findall(r'href="#(clause-\d+)"', answer.text))
    assert quoted
    assert len(quoted) == len(set(quoted))
    assert referred <= set(quoted)
    # The House Way is PP-8; the clause is quoted, not only named.
    assert "PP-8 The dealer sets by the House Way" in words(answer)


def test_every_card_of_the_log_is_drawn_with_its_name(night, agent):
    room, _, rounds = night
    answer = agent.get(page(room, rounds[1]))
    names = re.findall(r'role="img" aria-label="([^"]+)"', answer.text)
    logged = [rounds[1]["house"]["cards"], rounds[1]["house"]["low"]]
    for seat in rounds[1]["seats"]:
        logged += [seat["cards"], seat["low"]]
    assert names == [card.name for card in drawn(" ".join(logged).split())]


def test_the_line_its_proof_and_the_rounds_beside_it_are_led_to(night, agent):
    room, _, rounds = night
    answer = agent.get(page(room, rounds[7]))
    assert json.loads(answer.context["round"].told.raw) == rounds[7]
    assert page(room, rounds[6]) in answer.text
    assert page(room, rounds[8]) in answer.text
    says = words(answer)
    assert "Line 8 as it was handed in" in says
    assert answer.context["round"].told.proof.log_sha256 in says
    assert "The same, byte for byte, as the replay put on file." in says
    assert "Round before" not in words(agent.get(page(room, rounds[0])))
    assert "Round after" not in words(agent.get(page(room, rounds[19])))


def test_an_operator_reads_the_own_round_and_what_was_released_of_it(night):
    room, day, rounds = night
    manager = browser_of(room.manager)
    hidden = words(manager.get(page(room, rounds[0])))
    assert "What was found is shown once the commission has released it" in hidden
    for secret in ("too much", "apparent", "Step by step", "not judged as"):
        assert secret not in hidden
    agent = person_as(Role.AGENT)
    with without_walls():
        pattern = Finding.objects.get(round=rounds[0]["round"]).pattern
    release_pattern(pattern=pattern, by=agent)
    assert "+$1.00 too much" in words(manager.get(page(room, rounds[0])))
    with without_walls():
        day.refresh_from_db()
    release_day(day=day, by=agent)
    shown = manager.get(page(room, rounds[0]))
    assert "Step by step" in words(shown)
    assert "/replays/" not in shown.text


def test_a_page_costs_the_same_queries_clean_or_not_first_or_last(night, agent):
    room, _, rounds = night
    counted = set()
    for number in (0, 1, 10, 19):
        agent.get(page(room, rounds[number]))
        with CaptureQueriesContext(connection) as queries:
            agent.get(page(room, rounds[number]))
        counted.add(len(queries))
    assert len(counted) == 1


@pytest.mark.parametrize("id_", ["..", ".", "-", ":", "a" * 64, "log", "find", "%2e"[1:]])
def test_whatever_an_id_looks_like_it_has_an_address_of_its_own(id_):
    room = party_for(Role.OPERATOR_MANAGER, "room")
    browser = browser_as(Role.OPERATOR_CLERK, "room")
    with without_walls():
        taken(room, written([played(id_)]))
    address = reverse("round", args=["room", id_])
    assert not re.search(r"/\.+/", address)
    assert f"Round {id_}" in words(browser.get(address))


def test_what_a_log_says_is_shown_and_never_obeyed():
    room = party_for(Role.OPERATOR_MANAGER, "room")
    browser = browser_as(Role.OPERATOR_CLERK, "room")
    void = "<script>alert(1)</script> {{ request }} " + "x" * 500
    with without_walls():
        taken(room, written([played("R-1", void=void)]))
    answer = browser.get(reverse("round", args=["room", "R-1"]))
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ request }}" in answer.text


def test_a_round_whose_clock_left_the_calendar_is_shown_in_utc():
    room = party_for(Role.OPERATOR_MANAGER, "room")
    browser = browser_as(Role.OPERATOR_CLERK, "room")
    with without_walls():
        log = [played("R-1") | {"at": "0001-01-01T00:00:00Z"}, played("R-2")]
        taken(room, written(log))
    says = words(browser.get(reverse("round", args=["room", "R-1"])))
    assert "January 1, 0001, 12:00:00 AM UTC" in says
    assert browser.get(reverse("round", args=["room", "R-2"])).status_code == 200


def test_a_damaged_file_says_what_is_wrong_and_what_to_do(night, agent):
    room, _, rounds = night
    with without_walls():
        segment = room.party.segments.get()
    place = current_archive().place(segment.sha256)
    place.chmod(0o640)
    place.write_bytes(b"nothing")
    answer = agent.get(page(room, rounds[0]))
    assert answer.status_code == 503
    assert "heal_segment" in words(answer)
