"""The second reading compared with what the documents print, and what follows by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.second_reading import SetupError, judge_lines
from tests.games.written_rounds import as_line, pick_2_seat, pyramid_seat, round_of


def judged(round_: dict[str, Any], **setup: Any) -> dict[str, Any]:
    return judge_lines([as_line(round_)], setup)[0]


def expected(round_: dict[str, Any], place: int = 0, **setup: Any) -> Any:
    return judged(round_, **setup)["seats"][place]["expected"]


def codes(answer: dict[str, Any]) -> set[str]:
    return {finding["code"] for finding in answer["findings"]}


# --- Pyramid Poker ---------------------------------------------------------------------------


def pyramid(dealer: str, dealers_low: str, *seats: dict[str, Any], **fields: Any) -> dict[str, Any]:
    house = {"cards": dealer, "low": dealers_low}
    return round_of("pyramid-poker", list(seats), house=house, **fields)


# (dealer's three cards, the low card under `list`, under `split_at_four`); PP-14 to PP-17.
HOUSE_WAY = [
    ("Jd Js 7c", "7c", "Jd"),  # a.
    ("Jd Js 6c", "Jd", "Jd"),
    ("Jd Js 8c", "8c", "8c"),
    ("Qd Qs 8c", "8c", "Qd"),  # b.
    ("Qd Qs 7c", "Qd", "Qd"),
    ("Kd Ks 9c", "9c", "Kd"),  # c.
    ("Kd Ks 8c", "Kd", "Kd"),
    ("Ad As Tc", "Tc", "Ad"),  # d.
    ("Ad As 9c", "Ad", "Ad"),
    ("Ad As Jc", "Jc", "Jc"),
    ("Jd Js Ac", "Ac", "Ac"),
    ("Td Ts 2c", "2c", "2c"),  # tens or lower stay together
    ("2d 2s Ac", "Ac", "Ac"),
    ("8d Tc Ks", "Tc", "Tc"),  # the document's own example
    ("5d 5c 5s", "5c", "5c"),
]


@pytest.mark.parametrize(("cards", "by_list", "at_four"), HOUSE_WAY)
def test_the_house_way_is_the_documents_list(cards, by_list, at_four):
    for reading, low in (("list", by_list), ("split_at_four", at_four)):
        for shown in cards.split():
            answer = judged(
                pyramid(cards, shown, pyramid_seat("9d 8c 2s", "8c")),
                interpretations={"PP-I13": reading},
            )
            assert ("setting.dealer" in codes(answer)) == (shown[0] != low[0]), (reading, shown)


@pytest.mark.parametrize(
    ("cards", "low", "main"),
    [
        # The dealer has Q low, K-4 high.
        ("Ad Kc 5s", "Kc", 100),  # both better
        ("Ad Qc 5s", "Qc", 100),  # low equal, high better
        ("Ad Kc 4s", "Ad", -100),  # the ace over K-4: a foul
        ("As Kc 4c", "Kc", 100),
        ("Kc Qc 3s", "Qc", -100),  # low equal, high worse
        ("Jc Ts 2s", "Ts", -100),  # both worse
        ("Ac Js 2s", "Js", 0),  # high better, low worse
        ("Kc Qc 4c", "Qc", 0),  # both equal: PP-I1
        ("7s 7h 7c", "7c", 300),
        ("Ks Kh 4s", "Kh", 100),  # K low, K-4 high equal: ahead on low only
    ],
)
def test_low_against_low_and_high_against_high(cards, low, main):
    assert expected(pyramid("Kh Qh 4h", "Qh", pyramid_seat(cards, low)))["main"] == main


def test_two_equal_hands_push_or_go_to_the_dealer():
    round_ = pyramid("Kh Qh 4h", "Qh", pyramid_seat("Kc Qc 4c", "Qc"))
    assert expected(round_)["main"] == 0
    assert expected(round_, interpretations={"PP-I1": "dealer_wins"})["main"] == -100


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("As Ks Qs", 50),
        ("Ks Qs Js", 30),
        ("As 2s 3s", 30),
        ("Ks As 2s", 2),
        ("5s 5s 5s", 20),
        ("As 2d 3s", 5),
        ("9s 4s 2s", 2),
        ("9s 9s 2s", 2),
        ("9s 9d 2s", 1),
        ("7s 5d 2s", 0),
        ("8s 5d 2s", -1),
        ("As 5d 2s", -1),
    ],
)
def test_the_three_card_table(cards, pays):
    seat = pyramid_seat(cards, cards.split()[1])
    assert expected(pyramid("Kh Qh 4h", "Qh", seat))["three_card"] == pays * 100


@pytest.mark.parametrize(
    ("cards", "dealer", "pays"),
    [
        ("7s 7h 7c", "7d 7d 7h", 1000),
        ("As Ks Qs", "Js Ts 2d", 200),
        ("As 2s 3s", "4s 5s Kd", 75),
        ("7s 7h 7c", "7d 7d 2h", 50),
        ("7s 7h 7c", "7d Kd 2h", 10),
        ("7s 7h 7c", "Kd Kh Kc", 7),
        ("7s 7h 2c", "Kd Kh Kc", 7),
        ("7s 9s 2s", "Ks 3s 4d", 6),
        ("As 2h 3s", "4s 5s Kd", 5),
        ("7s 7h 7c", "2d Kh Jc", 2),
        ("7s 7h 2c", "2d Kh Kc", 1),
        ("7s 7h 2c", "3d Kh Jc", -1),
    ],
)
def test_the_six_card_table(cards, dealer, pays):
    seat = pyramid_seat(cards, cards.split()[1])
    assert expected(pyramid(dealer, dealer.split()[1], seat))["six_card"] == pays * 100


def banked(low: str, **seats_and_fields: Any) -> dict[str, Any]:
    house = {"cards": "Qh Jh 3h", "low": "Jh", "wager": 200, "result": 0}
    banker = pyramid_seat("Kd 9d 4s", low, (0, 100, 100), player="p-1")
    others = [pyramid_seat("Ad Tc 2c", "Tc"), pyramid_seat("5d 5h 5c", "5d")]
    fields = {"banker": 1, "bank": 10_000, "house": house, **seats_and_fields}
    return round_of("pyramid-poker", [banker, *others], **fields)


def test_the_bank_pays_and_takes_main_from_players_and_house():
    # Banker 9 low, K-4 high. Seat 2: T low, A-2 high, +100. Seat 3: trips, +300.
    # House: J low, Q-3 high: one each.
    answer = judged(banked("9d"))
    assert [seat["expected"]["main"] for seat in answer["seats"]] == [-400, 100, 300]
    assert answer["house"] == {"expected": {"main": 0}}


def test_a_fouled_banker_is_set_again_the_house_way():
    # K low over 9-4 fouls; the house way is 9 low, K-4 high.
    answer = judged(banked("Kd"))
    assert "setting.banker" in codes(answer)
    assert [seat["expected"]["main"] for seat in answer["seats"]] == [-400, 100, 300]


def test_bank_covers_stakes_or_three_times_stakes():
    assert "bank.cover" not in codes(judged(banked("9d", bank=400)))
    assert "bank.cover" in codes(judged(banked("9d", bank=399)))
    three_times = {"interpretations": {"PP-I10": "max_payout"}}
    assert "bank.cover" in codes(judged(banked("9d", bank=1199), **three_times))
    assert "bank.cover" not in codes(judged(banked("9d", bank=1200), **three_times))


def test_maximum_cuts_six_card_first_and_audits_the_total():
    # Trips on both tables: 20 to 1 and 2 to 1, 2,200 together; 2,100 allowed.
    seat = pyramid_seat("7s 7h 7c", "7h")
    seat["result"] = {"main": 300, "three_card": 1900, "six_card": 200}
    round_ = pyramid("2d Kh Jc", "Jc", seat)
    answer = judged(round_, max_aggregate=2100)
    assert answer["seats"][0]["expected"] == {"main": 300, "three_card": 2000, "six_card": 100}
    assert answer["status"] == "ok"
    seat["result"]["six_card"] = 201
    finding = judged(round_, max_aggregate=2100)["findings"][0]
    assert (finding["code"], finding["seat"], finding["wager"], finding["delta"]) == (
        "settlement.aggregate",
        1,
        None,
        1,
    )


# --- Pick 2 Poker ----------------------------------------------------------------------------


def pick_2(dealer: str, seat: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return round_of("pick-2-poker", [seat], house={"cards": dealer}, **fields)


@pytest.mark.parametrize(
    ("cards", "plain", "bonus_5"),
    [
        ("As Ks Qs Js Ts", 510, 500),  # with A-K-Q suited
        ("Ks Qs Js Ts 9s", 103, 100),
        ("As 2s 3s 4s 5s", 103, 100),
        ("9s 9h 9d 9c 2s", 26, 40),
        ("9s 9h 9d 2c 2s", 13, 15),
        ("As Ks Qs 4s 2s", 20, 8),
        ("Ks Js 9s 4s 2s", 10, 8),
        ("As Kh Qd Jc Ts", 4, 6),
        ("9s 9h 9d 3c 2s", 2, 4),
        ("9s 9h 3d 3c 2s", -1, 3),
        ("6s 6h 4d 3c 2s", -1, 1),
        ("5s 5h 9d 3c 2s", -1, -1),
        ("As Ks Qs 3c 2d", 10, -1),
        ("As 2s 3s 9c Kd", 3, -1),
    ],
)
def test_the_bonus_tables(cards, plain, bonus_5):
    won = expected(pick_2("Ah Kh 9c 4d 2h", pick_2_seat(cards, "five", bonus_5=100)))
    assert (won["bonus_3_5"], won["bonus_5"]) == (plain * 100, bonus_5 * 100)


@pytest.mark.parametrize(
    ("dealer", "ante", "play"),
    [
        ("Ah Kh 4c 3d 2h", -100, -100),  # the lowest hand that qualifies
        ("Ah Qh Jc 9d 8h", 100, 0),  # not ace-king
        ("2h 2d 5c 4d 3h", -100, -100),  # any pair qualifies
        ("Ac Qd Jd 9d 7h", 100, 0),
    ],
)
def test_a_five_card_dealer_needs_ace_king(dealer, ante, play):
    won = expected(pick_2(dealer, pick_2_seat("As Qs Jh 9s 7h", "five")))
    assert (won["ante"], won["play"]) == (ante, play)


def test_a_dealer_who_does_not_qualify_is_read_in_three_ways():
    round_ = pick_2("Ah Qh Jc 9d 8h", pick_2_seat("7s 5s 4h 3s 2h", "five"))
    for reading, outcome in (
        ("ante_wins", (100, 0)),
        ("both_win", (100, 100)),
        ("both_push", (0, 0)),
    ):
        won = expected(round_, interpretations={"P2-I1": reading})
        assert (won["ante"], won["play"]) == outcome


@pytest.mark.parametrize(
    ("three", "outcome"),
    [
        ("9s 8h 7d", 1),  # a straight beats a flush in three cards
        ("Ks 8h 7d", -1),
    ],
)
def test_three_cards_meet_the_dealers_best_three(three, outcome):
    seat = pick_2_seat("9s 8h 7d Ks 2c", "three", three)
    won = expected(pick_2("Ah Th 4h Kd 2s", seat))
    assert (won["ante"], won["play"]) == (outcome * 100, outcome * 200)


def test_a_tie_pushes():
    won = expected(pick_2("Ah Kh 9c 4d 2h", pick_2_seat("As Ks 9d 4c 2d", "five")))
    assert (won["ante"], won["play"]) == (0, 0)


def test_a_fold_loses_ante_and_bonuses_or_the_ante_alone():
    round_ = pick_2("Ah Kh 9c 4d 2h", pick_2_seat("As Ks Qs 3c 2d", "fold", bonus_5=100))
    assert expected(round_) == {"ante": -100, "play": 0, "bonus_3_5": -100, "bonus_5": -100}
    stands = expected(round_, interpretations={"P2-I5": "bonus_stands"})
    assert stands == {"ante": -100, "play": 0, "bonus_3_5": 1000, "bonus_5": -100}


def test_the_deck_alternates_where_two_are_in_use():
    decks = ["red", "blue", "blue", "red", "green", "red"]
    lines = [
        as_line(
            pick_2(
                "Ah Kh 9c 4d 2h", pick_2_seat("As Ks 9d 4c 2d", "fold"), shuffler=True, deck=deck
            )
            | {"round": f"R-{place}"}
        )
        for place, deck in enumerate(decks)
    ]
    answers = judge_lines(lines)
    assert [place for place, one in enumerate(answers) if "deal.alternation" in codes(one)] == [
        2,
        4,
    ]


def test_the_four_void_reasons_of_the_rules_need_a_shuffler():
    seat = {
        "wagers": pick_2_seat("", "fold")["wagers"],
        "result": pick_2_seat("", "fold")["result"],
    }
    for shuffler, status in ((True, "ok"), (False, "flagged")):
        round_ = round_of("pick-2-poker", [seat], void="shuffler fault", shuffler=shuffler)
        assert judged(round_)["status"] == status


# --- SETUP -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "named"),
    [
        ({"interpretations": {"PP-I99": "push"}}, "PP-I99"),
        ({"interpretations": {"PP-I2": "queen_and_ten"}}, "PP-I2"),
        ({"interpretations": {"PP-I1": "bank_wins"}}, "bank_wins"),
        ({"casino": {}}, "casino"),
        ({"limits": {"T1": {"blind": [1, 2]}}}, "blind"),
        ({"max_aggregate": {"pyramid-poker": {"main": 1}}}, "main"),
        ({"chinese": {"scoring": ["3-5"]}}, "3-5"),
        ({"pay_tables": {"pyramid-poker": {"three_card": {"blaze": 1}}}}, "blaze"),
        ({"pay_tables": {"pyramid-poker": {"three_card": {"flush": 100_001}}}}, "flush"),
    ],
)
def test_an_unknown_word_in_setup_is_named(setup, named):
    with pytest.raises(SetupError, match=named):
        judge_lines([], setup)
