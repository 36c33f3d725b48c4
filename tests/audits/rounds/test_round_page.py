"""The page of a round: cards, amounts, steps with their clauses, proof, and who may open it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audits.replay.findings.models import Finding
from audits.review.releases.writes import release_day, release_issue
from audits.review.rounds.presentation import draw_cards
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.files.archive import current_archive
from tests.audits.replay.nights import dealt, on_file, spoiled
from tests.audits.submission.logs import ingested, played, written
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, person_as
from tests.reports.nights import TOO_MUCH, closed, replayed

if TYPE_CHECKING:
    from typing import Any

    from django.test import Client

    from audits.intake.days.models import GamblingDay

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


@pytest.fixture
def night() -> tuple[Room, GamblingDay, list[dict[str, Any]]]:
    """Return twenty rounds at T1, which the controls name; every tenth is overpaid by a dollar."""
    room = Room()
    rounds = spoiled(dealt(20, tables=("T1",)), every=10, cents=TOO_MUCH)
    with without_access_scope():
        on_file(room.party, rounds)
    replayed(room.party)
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
def test_card_is_drawn_and_named_as_read_aloud(card, name, rank, suit, red):
    [found] = draw_cards([card])
    assert (found.name, found.rank, found.suit, found.red) == (name, rank, suit, red)
    assert found.joker == card.startswith("Jo")


def test_wrong_round_shows_verdict_and_amount_first(night, agent):
    room, _, rounds = night
    says = words(agent.get(page(room, rounds[0])))
    assert "1 apparent violation Players were overpaid $1.00." in says
    seat = rounds[0]["seats"][0]
    before = seat["result"]["main"] - TOO_MUCH
    sign = "+" if before > 0 else "−" if before < 0 else ""
    assert f"{sign}${abs(before) / 100:,.2f} $1.00 overpaid" in says
    with without_access_scope():
        issue = Finding.objects.get(round=rounds[0]["round"]).issue
    assert reverse("issue", args=[issue.uuid]) in agent.get(page(room, rounds[0])).text


def test_clean_round_quotes_each_clause_once(night, agent):
    room, _, rounds = night
    answer = agent.get(page(room, rounds[1]))
    assert "No apparent violations" in words(answer)
    assert "overpaid" not in words(answer)
    quoted = re.findall(r'id="(clause-\d+)"', answer.text)
    referred = set(re.findall(r'href="#(clause-\d+)"', answer.text))
    assert quoted
    assert len(quoted) == len(set(quoted))
    assert referred <= set(quoted)
    # The House Way is PP-8; the clause is quoted, not only named.
    assert "PP-8 The dealer sets the hand the House Way" in words(answer)


def test_every_logged_card_is_drawn_with_its_name(night, agent):
    room, _, rounds = night
    answer = agent.get(page(room, rounds[1]))
    names = re.findall(r'role="img" aria-label="([^"]+)"', answer.text)
    logged = [rounds[1]["house"]["cards"], rounds[1]["house"]["low"]]
    for seat in rounds[1]["seats"]:
        logged += [seat["cards"], seat["low"]]
    assert names == [card.name for card in draw_cards(" ".join(logged).split())]


def test_round_links_to_its_line_proof_and_neighbors(night, agent):
    room, _, rounds = night
    answer = agent.get(page(room, rounds[7]))
    assert json.loads(answer.context["round"].record.raw) == rounds[7]
    assert page(room, rounds[6]) in answer.text
    assert page(room, rounds[8]) in answer.text
    says = words(answer)
    assert "Line 8 as submitted" in says
    assert answer.context["round"].proof.log_sha256 in says
    assert "Identical to the replay's, byte for byte." in says
    assert "Previous round" not in words(agent.get(page(room, rounds[0])))
    assert "Next round" not in words(agent.get(page(room, rounds[19])))


def test_operator_sees_only_released_findings(night):
    room, day, rounds = night
    manager = browser_of(room.manager)
    hidden = words(manager.get(page(room, rounds[0])))
    assert "The audit is shown once the commission releases it" in hidden
    for secret in ("overpaid", "apparent", "Step by step"):
        assert secret not in hidden
    agent = person_as(Role.AGENT)
    with without_access_scope():
        issue = Finding.objects.get(round=rounds[0]["round"]).issue
    release_issue(issue=issue, by=agent)
    assert "$1.00 overpaid" in words(manager.get(page(room, rounds[0])))
    with without_access_scope():
        day.refresh_from_db()
    release_day(day=day, by=agent)
    shown = manager.get(page(room, rounds[0]))
    assert "Step by step" in words(shown)
    assert "/replays/" not in shown.text


def test_query_count_is_the_same_for_every_round(night, agent):
    room, _, rounds = night
    # A round with findings asks once more: whether a person moved them to another issue.
    for numbers in ((0, 10), (1, 19)):
        counted = set()
        for number in numbers:
            agent.get(page(room, rounds[number]))
            with CaptureQueriesContext(connection) as queries:
                agent.get(page(room, rounds[number]))
            counted.add(len(queries))
        assert len(counted) == 1


@pytest.mark.parametrize("id_", ["..", ".", "-", ":", "a" * 64, "log", "find", "%2e"[1:]])
def test_every_id_has_its_own_address(id_):
    room = party_for(Role.OPERATOR_MANAGER, "room")
    browser = browser_as(Role.OPERATOR_CLERK, "room")
    with without_access_scope():
        ingested(room, written([played(id_)]))
    address = reverse("round", args=["room", id_])
    assert not re.search(r"/\.+/", address)
    assert f"Round {id_}" in words(browser.get(address))


def test_text_of_a_log_is_escaped():
    room = party_for(Role.OPERATOR_MANAGER, "room")
    browser = browser_as(Role.OPERATOR_CLERK, "room")
    void = "<script>alert(1)</script> {{ request }} " + "x" * 500
    with without_access_scope():
        ingested(room, written([played("R-1", void=void)]))
    answer = browser.get(reverse("round", args=["room", "R-1"]))
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ request }}" in answer.text


def test_round_out_of_calendar_is_shown_in_utc():
    room = party_for(Role.OPERATOR_MANAGER, "room")
    browser = browser_as(Role.OPERATOR_CLERK, "room")
    with without_access_scope():
        log = [played("R-1") | {"at": "0001-01-01T00:00:00Z"}, played("R-2")]
        ingested(room, written(log))
    says = words(browser.get(reverse("round", args=["room", "R-1"])))
    assert "January 1, 0001, 12:00:00 a.m. UTC" in says
    assert browser.get(reverse("round", args=["room", "R-2"])).status_code == 200


def test_damaged_file_names_problem_and_remedy(night, agent):
    room, _, rounds = night
    with without_access_scope():
        segment = room.party.segments.get()
    place = current_archive().place(segment.sha256)
    place.chmod(0o640)
    place.write_bytes(b"nothing")
    answer = agent.get(page(room, rounds[0]))
    assert answer.status_code == 503
    assert "manage.py verify archive" in words(answer)
