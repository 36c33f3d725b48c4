"""The maximum aggregate payout in its three forms, and what is audited where it applies."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.settlement.outcomes import split_maximum
from tests.games.both_readings import settled
from tests.games.replayed import expected, found, replayed_alone, the
from tests.games.written_rounds import as_line, pick_2_seat, pyramid_seat, round_of

DEALER = {"cards": "Kd Ts 8c", "low": "Ts"}
FLUSH = "Kh 9h 4h"
"""A flush on three cards, 2 to 1; with the dealer's K T 8 one pair on six: lost."""
TRIPS = "2s 2d 2c"
"""Main 3 to 1; three cards 20 to 1; six cards three of a kind, 2 to 1."""


def pyramid(*seats, **fields):
    return round_of("pyramid-poker", list(seats), **{"house": DEALER, **fields})


def trips(main, three_card, six_card, stakes=(100, 100, 100)):
    result = {"main": main, "three_card": three_card, "six_card": six_card}
    return pyramid_seat(TRIPS, "2s", stakes, result=result)


def setup(most, reading="odds_only"):
    return {"max_aggregate": most, "interpretations": {"PP-I8": reading}}


def test_maximum_cuts_both_odds_wagers_of_a_hand_never_main():
    # PP-19, PP-I8 `odds_only`: 2000 and 200 won, 1500 allowed; PP-I9: six_card is cut first
    answer = replayed_alone(pyramid(trips(300, 1500, 0)), setup(1500))
    assert found(answer) == []
    assert expected(answer) == {"main": 300, "three_card": 1500, "six_card": 0}


def test_only_the_sum_is_audited_whatever_the_split():
    # PP-I9
    assert found(replayed_alone(pyramid(trips(300, 1400, 100)), setup(1500))) == []
    answer = replayed_alone(pyramid(trips(300, 2000, 200)), setup(1500))
    assert found(answer) == [("settlement.aggregate", 1, None)]
    one = the(answer, "settlement.aggregate")
    assert (one["logged"], one["expected"], one["delta"]) == (2200, 1500, 700)


def test_exactly_the_maximum_is_not_cut():
    answer = replayed_alone(pyramid(trips(300, 1999, 201)), setup(2200))
    assert found(answer) == [
        ("settlement.six_card", 1, "six_card"),
        ("settlement.three_card", 1, "three_card"),
    ]


def test_wrong_main_is_found_with_uncut_maximum():
    answer = replayed_alone(pyramid(trips(200, 1500, 0)), setup(1500))
    assert found(answer) == [("settlement.main", 1, "main")]


def test_losing_wager_counts_for_nothing_alone():
    # PP-I8: lost wagers don't count: 200 won, the six-card 100 lost
    lost = pyramid_seat(FLUSH, "9h", result={"main": -100, "three_card": 150, "six_card": -99})
    answer = replayed_alone(pyramid(lost), setup(150))
    assert found(answer) == [("settlement.six_card", 1, "six_card")]


def test_each_hand_has_a_maximum_of_its_own():
    # PP-19, per hand: also for one player's hands
    mine = {"player": "p-1"}
    answer = replayed_alone(
        pyramid({**trips(300, 1500, 0), **mine}, {**trips(300, 1500, 0), **mine}), setup(1500)
    )
    assert found(answer) == []


def test_all_wagers_cuts_main_last_in_house_banked_rounds():
    # PP-I8 `all_wagers`: 300 + 2000 + 200 won
    answer = replayed_alone(pyramid(trips(100, 0, 0)), setup(100, "all_wagers"))
    assert found(answer) == []
    assert expected(answer) == {"main": 100, "three_card": 0, "six_card": 0}


@pytest.mark.parametrize("reading", ["odds_only", "all_wagers"])
def test_a_bank_is_never_cut_by_the_houses_maximum_aggregate(reading):
    banker = pyramid_seat("6s 6d 4c", "4c", (0, 100, 100))
    banker["result"] = {"main": -300, "three_card": 100, "six_card": -100}
    house = {**DEALER, "wager": 0, "result": 0}
    line = pyramid(banker, trips(300, 100, 0), house=house, banker=1, bank=100)
    answer = replayed_alone(line, setup(100, reading))
    assert found(answer) == []
    assert expected(answer, 2) == {"main": 300, "three_card": 100, "six_card": 0}


def test_per_deal_maximum_cuts_each_wager_in_proportion():
    # PP-I8 `per_deal`, PP-I9: 2000 + 4000 won, 1000 allowed: 333 1/3 and 666 2/3, the remaining
    # cent to the first in dealing order
    seats = trips(300, 334, 200), trips(300, 666, 200, (100, 200, 100))
    most = {"pyramid-poker": {"three_card": 1000}}
    answer = replayed_alone(pyramid(*seats), {"max_aggregate": most})
    assert found(answer) == []
    assert expected(answer, 1)["three_card"] == 334
    assert expected(answer, 2)["three_card"] == 666
    assert expected(answer, 1)["six_card"] == 200


def test_per_deal_only_the_sum_over_the_winners_is_audited():
    seats = trips(300, 500, 200), trips(300, 501, 200, (100, 200, 100))
    loser = pyramid_seat("Kh 9s 4h", "9s",
                         result={"main": -100, "three_card": -50, "six_card": -100})  # fmt: skip
    most = {"pyramid-poker": {"three_card": 1000}}
    answer = replayed_alone(pyramid(*seats, loser), {"max_aggregate": most})
    assert found(answer) == [
        ("settlement.aggregate", None, "three_card"),
        ("settlement.three_card", 3, "three_card"),
    ]
    assert the(answer, "settlement.aggregate")["delta"] == 1


def test_pick_2s_bonus_wagers_may_have_a_maximum_per_deal():
    # bonus_5: four of a kind pays 4000
    seat = pick_2_seat("9s 9d 9c 9h 2d", "fold", bonus_5=100)
    seat["result"] = {"ante": -100, "play": 0, "bonus_3_5": 2600, "bonus_5": 1000}
    line = round_of("pick-2-poker", [seat], house={"cards": "As Kd 9c 5h 3s"}, decks=1)
    most = {
        "max_aggregate": {"pick-2-poker": {"bonus_5": 1000}},
        "interpretations": {"P2-I5": "bonus_stands"},
    }
    answer = replayed_alone(line, most)
    assert expected(answer)["bonus_5"] == 1000
    assert not [code for code, *_ in found(answer) if code.startswith("settlement")]


def test_a_number_is_pyramid_pokers_alone():
    seat = pick_2_seat("9s 9d 9c 9h 2d", "five", bonus_5=100)
    line = round_of("pick-2-poker", [seat], house={"cards": "As Kd 8c 5h 3s"})
    assert expected(replayed_alone(line, {"max_aggregate": 1}))["bonus_5"] == 4000


def test_a_seat_that_cannot_be_settled_takes_no_part():
    wrong = {**trips(0, 0, 0), "low": "Kc"}
    for most in (100, {"pyramid-poker": {"three_card": 100}}):
        answer = replayed_alone(pyramid(wrong, trips(300, 100, 0)), {"max_aggregate": most})
        assert expected(answer, 1) is None
        assert expected(answer, 2)["three_card"] == 100


amounts = st.lists(st.integers(0, 10**17), min_size=1, max_size=12).filter(sum)


@given(amounts, st.data())
def test_maximum_is_split_whole_and_none_exceeds_its_win(won, data):
    most = data.draw(st.integers(0, sum(won) - 1))
    parts = split_maximum(won, most)
    assert sum(parts) == most
    for amount, part in zip(won, parts, strict=True):
        assert 0 <= part <= amount
        assert abs(part * sum(won) - most * amount) < sum(won)  # within a cent of its proportion


PLAYER = {"player": "p-1"}


def test_maximum_per_player_counts_all_their_hands():
    # PP-I8: p-1 wins 2200 twice, 3000 allowed: both six_card (200 each) and 1000 of seat 1 are cut
    seats = [{**trips(300, 2000, 200), **PLAYER}, trips(300, 2000, 200),
             {**trips(300, 2000, 200), **PLAYER}]  # fmt: skip
    answer = replayed_alone(pyramid(*seats), setup(3000, "per_player"))
    assert found(answer) == [("settlement.aggregate", 1, None)]
    assert the(answer, "settlement.aggregate")["delta"] == 1400
    assert [expected(answer, seat) for seat in (1, 2, 3)] == [
        {"main": 300, "three_card": 1000, "six_card": 0},
        {"main": 300, "three_card": 2000, "six_card": 200},
        {"main": 300, "three_card": 2000, "six_card": 0},
    ]


def test_maximum_per_table_counts_all_hands():
    # PP-I8: 4400 won, 4400 paid, 4000 allowed
    answer = replayed_alone(
        pyramid(trips(300, 2000, 200), trips(300, 2000, 200)), setup(4000, "per_table")
    )
    assert found(answer) == [("settlement.aggregate", None, None)]
    one = the(answer, "settlement.aggregate")
    assert (one["logged"], one["expected"], one["delta"]) == (4400, 4000, 400)


@pytest.mark.parametrize(
    ("at", "reading", "most", "forbidden"),
    [
        ("2021-06-13T23:59:59-07:00", "odds_only", 1500, False),
        ("2021-06-14T00:00:00-07:00", "odds_only", 1500, True),
        ("2021-06-14T00:00:00-07:00", "per_table", 1500, True),
        ("2021-06-14T00:00:00-07:00", "per_deal", {"pyramid-poker": {"three_card": 1500}}, False),
    ],
)
def test_law_of_the_day_allows_the_form_of_a_maximum(tmp_path, at, reading, most, forbidden):
    # WAC 230-15-490(2), (3)(a): from 2021-06-14 only per deal and wager; else settled without it
    chosen, log = tmp_path / "setup.json", tmp_path / "log.jsonl"
    chosen.write_text(json.dumps(setup(most, reading)))
    log.write_bytes(as_line(pyramid(trips(300, 2000, 200), at=at)))
    (answer,) = settled("--setup", str(chosen), "--law", "compliance/law", str(log))
    assert (("approval.controls", None, None) in found(answer)) is forbidden
    if forbidden:
        assert the(answer, "approval.controls")["cites"] == [
            "WAC 230-15-490(2)", "WAC 230-15-490(3)(a)",
        ]  # fmt: skip
        assert expected(answer) == {"main": 300, "three_card": 2000, "six_card": 200}
    else:
        assert ("settlement.aggregate" in {code for code, *_ in found(answer)}) is True


def test_void_round_has_no_lawful_maximum_either(tmp_path):
    chosen, log = tmp_path / "setup.json", tmp_path / "log.jsonl"
    chosen.write_text(json.dumps(setup(1500)))
    line = pyramid(trips(0, 0, 0), at="2022-01-01T12:00:00-08:00", void="fire")
    log.write_bytes(as_line(line))
    (answer,) = settled("--setup", str(chosen), "--law", "compliance/law", str(log))
    assert found(answer) == [("approval.controls", None, None), ("void.reason", None, None)]
