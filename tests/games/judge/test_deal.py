"""The shoe: how many decks, how many copies of a card."""

from __future__ import annotations

import pytest

from tests.games.replayed import found, replayed_alone, the
from tests.games.written_rounds import (
    casino_seat,
    chinese_seat,
    dealt_from,
    pick_2_seat,
    pyramid_seat,
    round_of,
)

SEVEN_ACES = [pyramid_seat("As As As", "As"), pyramid_seat("As As As", "As"),
              pyramid_seat("As 2d 3c", "2d")]  # fmt: skip


def pyramid(*seats, **fields):
    return round_of(
        "pyramid-poker", list(seats), **{"house": {"cards": "Kd Ts 8c", "low": "Ts"}, **fields}
    )


def deals(answer):
    return [one for one in found(answer) if one[0].startswith("deal")]


@pytest.mark.parametrize(("decks", "right"), [(1, False), (5, False), (6, True), (100, True)])
def test_pyramid_poker_is_dealt_from_six_decks_or_more(decks, right):
    # PP-1
    answer = replayed_alone(pyramid(pyramid_seat("As Jd 9c", "Jd"), decks=decks))
    assert deals(answer) == ([] if right else [("deal.shoe", None, None)])


@pytest.mark.parametrize("decks", [2, 6])
def test_the_other_games_have_their_own_number_of_decks_and_no_other(decks):
    # P2-1, CP-1
    seat = pick_2_seat("Kd Jh 8c 5s 2d", "fold")
    line = round_of("pick-2-poker", [seat], house={"cards": "As Ks 9c 5h 3s"}, decks=decks)
    assert deals(replayed_alone(line)) == [("deal.shoe", None, None)]


def test_copies_of_a_card_are_counted_over_all_hands_against_the_logged_decks():
    assert deals(replayed_alone(pyramid(*SEVEN_ACES))) == [("deal.duplicate", None, None)]
    assert deals(replayed_alone(pyramid(*SEVEN_ACES, decks=7))) == []
    assert deals(replayed_alone(pyramid(*SEVEN_ACES[:2]))) == []


def test_the_dealers_cards_count():
    house = {"cards": "As 8c 7c", "low": "8c"}
    assert deals(replayed_alone(pyramid(*SEVEN_ACES[:2], house=house))) == [
        ("deal.duplicate", None, None)
    ]


def test_several_cards_too_many_are_one_finding():
    seats = [pyramid_seat("As As Kd", "Kd") for _ in range(7)]
    assert deals(replayed_alone(pyramid(*seats, house={"cards": "8c 7c 6c", "low": "7c"}))) == [
        ("deal.duplicate", None, None)
    ]


def test_jokers_are_counted_named_or_not():
    # CV-1: two jokers
    dealer = ["Jc", "Qd 9s Jo=2h", "4s 4h Jo=4d 9c 9h"]
    house = {"cards": dealt_from(dealer), "hands": dealer}
    mine = ["As", "7d 7c Kh", "Qh Th 8h 5h 3h"]
    line = round_of("casino-version", [casino_seat(mine)], house=house)
    assert deals(replayed_alone(line)) == []
    mine = ["As", "7d 7c Kh", "Qh Th 8h 5h Jo=3h"]
    line = round_of("casino-version", [casino_seat(mine)], house=house)
    assert deals(replayed_alone(line)) == [("deal.duplicate", None, None)]


def test_sets_are_not_counted_beside_the_cards_they_are_made_of():
    line = pyramid(*[pyramid_seat("As Jd 9c", "As") for _ in range(6)])
    assert deals(replayed_alone(line)) == []


def test_chinese_poker_logs_no_cards_beside_its_sets():
    hands = "8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh"
    line = round_of(
        "chinese-poker", [chinese_seat(hands), chinese_seat(hands)], unit=100, scoring="unit"
    )
    assert ("deal.duplicate", None, None) in found(replayed_alone(line))


def test_a_hand_with_the_wrong_number_of_cards_says_how_many():
    # PP-4
    answer = replayed_alone(pyramid(pyramid_seat("As Jd 9c 2d", "Jd")))
    assert the(answer, "deal.count")["logged"] == "4 cards"
    assert the(answer, "deal.count")["cites"] == ["PP-4"]
