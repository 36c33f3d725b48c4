"""Findings, and which ones prevent a settlement, sentence by sentence."""

from __future__ import annotations

import pytest

from games.checks import CODES, severity
from games.findings import Finding, Severity, ordered
from tests.games.replayed import expected, found, replayed_alone, the
from tests.games.written_rounds import (
    casino_seat,
    chinese_seat,
    dealt_from,
    pick_2_seat,
    pyramid_seat,
    round_of,
)

DEALER = {"cards": "Kd Ts 8c", "low": "Ts"}
WINS = pyramid_seat("As Jd 9c", "Jd")
CHINESE = [
    "8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh",
    "6s 5h 4h / 2d 2h Kh Td 9d / 7s 7h 7c 7d 2c",
]


def pyramid(*seats, house=DEALER, **fields):
    return round_of("pyramid-poker", list(seats), house=house, **fields)


def chinese(*hands, **fields):
    seats = [hand if isinstance(hand, dict) else chinese_seat(hand) for hand in hands]
    return round_of("chinese-poker", seats, unit=100, scoring="unit", **fields)


def test_wrong_number_of_cards_says_how_many():
    # PP-4
    answer = replayed_alone(pyramid(pyramid_seat("As Jd 9c 2d", "Jd")))
    assert the(answer, "deal.count")["logged"] == "4 cards"
    assert the(answer, "deal.count")["cites"] == ["PP-4"]


def test_wrong_card_count_leaves_seat_without_expectation():
    answer = replayed_alone(pyramid(pyramid_seat("As Jd", "Jd"), WINS))
    assert answer["status"] == "flagged"
    assert ("deal.count", 1, None) in found(answer)
    assert expected(answer, 1) is None
    assert not [one for one in found(answer) if one[0].startswith("settlement") and one[1] == 1]
    assert expected(answer, 2)["main"] == 100


@pytest.mark.parametrize("low", ["2c", "Jc", "Jd 9c", "As Jd 9c", "Jo=Jd"])
def test_a_low_not_made_of_the_hands_own_cards_is_a_finding(low):
    # PP-5
    answer = replayed_alone(pyramid(pyramid_seat("As Jd 9c", low)))
    assert ("setting.cards", 1, None) in found(answer)
    assert expected(answer) is None


def test_joker_in_game_without_jokers_bars_its_seat():
    answer = replayed_alone(pyramid(pyramid_seat("Jo Jd 9c", "Jd"), WINS))
    assert ("deal.duplicate", None, None) in found(answer)
    assert expected(answer, 1) is None
    assert expected(answer, 2)["main"] == 100


@pytest.mark.parametrize(
    ("house", "others"),
    [
        ({"cards": "Kd Ts", "low": "Ts"}, "deal.count"),
        ({"cards": "Kd Ts 8c 9c", "low": "Ts"}, "deal.count"),
        ({"cards": "Kd Jo 8c", "low": "8c"}, "deal.duplicate"),
    ],
)
def test_unsettleable_dealer_cards_make_round_irregular(house, others):
    answer = replayed_alone(pyramid(WINS, house=house))
    assert answer["status"] == "irregular"
    assert "seats" not in answer
    assert (others, None, None) in found(answer)
    assert [code for code, *_ in found(answer)].count("irregular") == 1
    assert the(answer, "irregular")["logged"]
    assert not [code for code, *_ in found(answer) if code.startswith("settlement")]


def test_unsettled_banker_seat_makes_round_irregular():
    banker = pyramid_seat("6s 6d", "6s", (0, 100, 100))
    house = {**DEALER, "wager": 0, "result": 0}
    answer = replayed_alone(pyramid(banker, WINS, house=house, banker=1, bank=100))
    assert answer["status"] == "irregular"
    assert "house" not in answer
    assert ("deal.count", 1, None) in found(answer)


def test_unsettled_chinese_seat_makes_round_irregular():
    short = "8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd"
    answer = replayed_alone(chinese(CHINESE[1], short))
    assert answer["status"] == "irregular"
    assert ("deal.count", 2, None) in found(answer)


def test_a_fouled_dealer_of_casino_version_is_irregular():
    # CV-I7: a pair below nothing
    hands = ["As", "Kd Qs 9h", "4s 4h 4d 9c 9h"]
    house = {"cards": dealt_from(hands), "hands": hands}
    answer = replayed_alone(
        round_of("casino-version", [casino_seat(["Jc", "Qd 9s 2h", "5s 5h 5d 8c 8h"])], house=house)
    )
    assert answer["status"] == "irregular"


def test_single_chinese_seat_is_over_limit_and_irregular():
    answer = replayed_alone(chinese(CHINESE[0]))
    assert found(answer) == [("irregular", None, None), ("limit.players", None, None)]


def test_harmless_findings_never_stop_a_settlement():
    # a shoe of two decks, three aces of spades, no three-card wager, main over every limit
    seat = pyramid_seat("As As As", "As", (90_000, 0, 100))
    setup = {"limits": {"T1": {"main": [100, 500]}}, "cap": 40_000}
    answer = replayed_alone(pyramid(seat, decks=2), setup)
    assert {"deal.shoe", "deal.duplicate", "wager.missing", "limit.table_max", "limit.wac"} <= {
        code for code, *_ in found(answer)
    }
    assert expected(answer) == {"main": 270_000, "three_card": 0, "six_card": 200}


@pytest.mark.parametrize(
    ("low", "right"),
    [
        ("7c", False),  # kings stay together only from a nine on (PP-15)
        ("Kd", True),
        ("Ks", True),  # by rank, not by suit
        ("Kh", False),  # not one of the cards
        ("7d", False),
        ("Kd Ks", False),
        ("Jo=Kd", False),
    ],
)
def test_dealers_low_follows_house_way_by_rank(low, right):
    # PP-8; settled on the House Way regardless
    answer = replayed_alone(pyramid(WINS, house={"cards": "Kd Ks 7c", "low": low}))
    assert (("setting.dealer", None, None) not in found(answer)) is right
    # K low and K-7 high against J low and A-9: one each
    assert expected(answer)["main"] == 0


@pytest.mark.parametrize(
    ("cards", "low", "clause"),
    [
        ("2s 2d 2c", "3c", "PP-14"),
        ("Ks Kd 7c", "7c", "PP-15"),
        ("Ts Td 2c", "Ts", "PP-16"),
        ("Kd Ts 8c", "8c", "PP-17"),
    ],
)
def test_wrong_dealer_set_cites_the_broken_sentence(cards, low, clause):
    answer = replayed_alone(pyramid(WINS, house={"cards": cards, "low": low}))
    assert {"PP-8", clause} <= set(the(answer, "setting.dealer")["cites"])


def test_status_is_irregular_then_flagged_then_ok():
    right = {**WINS, "result": {"main": 100, "three_card": -100, "six_card": 500}}
    assert replayed_alone(pyramid(right))["status"] == "flagged"  # six cards: K A J T 9 8, no run
    right["result"]["six_card"] = -100
    answer = replayed_alone(pyramid(right))
    assert answer == {
        "line": 1,
        "round": "R-1",
        "status": "ok",
        "seats": [{"seat": 1, "expected": {"main": 100, "three_card": -100, "six_card": -100}}],
        "findings": [],
    }


def test_wrong_result_says_who_was_overpaid():
    wrong = {**WINS, "result": {"main": 250, "three_card": -100, "six_card": -400}}
    answer = replayed_alone(pyramid(wrong))
    main, six = answer["findings"]
    assert (main["logged"], main["expected"], main["delta"]) == (250, 100, 150)
    assert (six["logged"], six["expected"], six["delta"]) == (-400, -100, -300)
    assert main["cites"] == sorted(main["cites"])
    assert "PP-9" in main["cites"]


def test_findings_are_ordered_by_seat_wager_code():
    findings = [
        Finding("settlement.main", 2, "main"),
        Finding("deal.count", 1),
        Finding("bank.turn"),
        Finding("wager.missing", 1, "main"),
        Finding("settlement.balance", wager="main"),
        Finding("bank.cover"),
        Finding("limit.wac", 1, "main"),
    ]
    assert [one.code for one in ordered(findings)] == [
        "bank.cover",
        "bank.turn",
        "settlement.balance",
        "deal.count",
        "limit.wac",
        "wager.missing",
        "settlement.main",
    ]


def test_every_code_has_one_of_three_weights():
    money = {code for code in CODES if severity(code) is Severity.MONEY}
    procedure = {code for code in CODES if severity(code) is Severity.PROCEDURE}
    assert {code.partition(".")[0] for code in money} == {"settlement", "limit", "bank", "fee"}
    assert {code.partition(".")[0] for code in procedure} == {
        "deal", "setting", "wager", "void", "approval", "play",
    }  # fmt: skip
    assert severity("limit.unverified") is Severity.NOTICE
    assert {code for code in CODES if severity(code) is Severity.NOTICE} == {
        "limit.unverified", "log.sequence", "irregular",
        "night.no_log", "night.late_log", "night.gap", "night.table_silent",
        "night.cash", "night.fund", "night.shoe",
        "watch.cards", "watch.results", "watch.player", "watch.dealer", "watch.errors",
        "document.pay_table", "document.limit", "document.citation",
    }  # fmt: skip


def test_findings_of_the_deal_stand_in_pick_2_as_well():
    seat = pick_2_seat("Kd Jh 8c 5s", "five")
    answer = replayed_alone(round_of("pick-2-poker", [seat], house={"cards": "As Kd 9c 5h 3s"}))
    assert ("deal.count", 1, None) in found(answer)
    assert expected(answer) is None
    irregular = replayed_alone(round_of("pick-2-poker", [seat], house={"cards": "As Kd 9c 5h"}))
    assert irregular["status"] == "irregular"
    assert ("deal.count", 1, None) in found(irregular)
