"""Every clause and open question has a test that names it; the page of them is current."""

import pytest

from games.rule_set import SLUGS
from games.settlement.outcomes import game
from tests.games.clauses_page import PAGE, all_ids, named_in_code, named_in_tests, page
from tests.games.replayed import replayed
from tests.games.written_rounds import pick_2_seat, pyramid_seat, round_of

UNKNOWN_ON_PURPOSE = {"PP-I99"}
"""Named by tests of what happens to an unknown id."""


def test_every_clause_and_reading_has_a_test_that_names_it():
    tests = named_in_tests()
    assert [id_ for id_ in all_ids() if id_ not in tests] == []


def test_every_named_clause_is_in_a_rule_set():
    known = {*all_ids(), *UNKNOWN_ON_PURPOSE}
    named = {**named_in_code(), **named_in_tests()}
    assert {id_: places for id_, places in named.items() if id_ not in known} == {}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_outcome_of_a_wager_cites_a_clause(slug):
    assert [reason.says for reason in game(slug).REASONS.values() if not reason.cites] == []


def test_a_wager_that_no_line_pays_cites_its_own_table():
    # K-5-2 with K-T-8 has one pair in six cards: PP-28, PP-29. K-J-8-5-2: P2-17, P2-18.
    pyramid = round_of(
        "pyramid-poker", [pyramid_seat("Kh 5d 2d", "5d")], house={"cards": "Kd Ts 8c", "low": "Ts"}
    )
    pick_2 = round_of(
        "pick-2-poker", [pick_2_seat("Kd Jh 8c 5s 2d", "five", bonus_5=100)],
        house={"cards": "As Kc 9c 5h 3s"}, round="R-2",
    )  # fmt: skip
    cites = {
        found["wager"]: found["cites"]
        for answer in replayed(pyramid, pick_2)
        for found in answer["findings"]
    }
    assert cites["three_card"] == ["PP-28", "PP-I7"]
    assert cites["six_card"] == ["PP-29", "PP-I6"]
    assert cites["bonus_3_5"] == ["P2-10", "P2-17", "P2-I3"]
    assert cites["bonus_5"] == ["P2-10", "P2-18"]


def test_clauses_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == page(), "stale: run `make clauses`"
