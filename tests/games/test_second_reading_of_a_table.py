"""The second reading of the contract on findings: order, silence, the round before."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.second_reading import judge_lines
from tests.games.written_rounds import as_line, chinese_seat, pick_2_seat, pyramid_seat, round_of

REJECTED = b'{"v": 1, "round": "R-9", "table": "T1"}\n'
MONEY = {"main": 100, "three_card": -100, "six_card": -100}  # what HAND wins from the house below


def hand(player: str | None = None, **fields: Any) -> dict[str, Any]:
    """Return ten low, ace-two high: ahead of the house's nine low, king-four high on both."""
    named = {} if player is None else {"player": player}
    return pyramid_seat("Ad Tc 2c", "Tc", **named, **fields) | {"result": dict(MONEY)}


def housed(number: int, *seats: dict[str, Any], **fields: Any) -> dict[str, Any]:
    house = {"cards": "Kd 9d 4s", "low": "9d"}
    fields = {"round": f"R-{number}", "house": house, **fields}
    return round_of("pyramid-poker", list(seats or [hand("p-1"), hand("p-2")]), **fields)


def banked(
    number: int, wager: int = 0, player: str | None = "p-1", **fields: Any
) -> dict[str, Any]:
    """Let seat 1 bank with cards equal to the house's; the house's wager is a push."""
    named = {} if player is None else {"player": player}
    banker = pyramid_seat("Ks 9s 4h", "9s", (0, 100, 100), **named)
    banker["result"] = {"main": -100, "three_card": -100, "six_card": 100}
    house = {"cards": "Kd 9d 4s", "low": "9d", "wager": wager, "result": 0}
    fields = {"round": f"R-{number}", "house": house, "banker": 1, "bank": 10_000, **fields}
    return round_of("pyramid-poker", [banker, hand("p-2")], **fields)


def codes_of(*rounds: dict[str, Any] | bytes, **setup: Any) -> list[list[str]]:
    lines = [one if isinstance(one, bytes) else as_line(one) for one in rounds]
    answers = judge_lines(lines, setup)
    return [[finding["code"] for finding in one.get("findings", ())] for one in answers]


def test_two_player_banked_rounds_never_follow_each_other():
    assert codes_of(housed(1), banked(2), housed(3), banked(4)) == [[], [], [], []]
    assert codes_of(banked(1), banked(2), housed(3)) == [[], ["bank.turn"], []]


def test_a_void_round_is_not_the_round_before_of_the_bank():
    void = housed(2, hand() | {"result": dict.fromkeys(MONEY, 0)}, void="power failure")
    codes = codes_of(banked(1), void, banked(3), void_reasons=["power failure"])
    assert codes == [[], [], ["bank.turn"]]


def test_bank_is_not_audited_after_rejected_line():
    assert codes_of(banked(1), REJECTED, banked(2), banked(3)) == [[], [], [], ["bank.turn"]]
    elsewhere = REJECTED.replace(b"T1", b"T2")
    assert codes_of(banked(1), elsewhere, banked(2)) == [[], [], ["bank.turn"]]


@pytest.mark.parametrize(("wager", "codes"), [(200, []), (201, ["bank.house_wager"])])
def test_house_bets_at_most_bankers_previous_stakes(wager, codes):
    before = housed(1, hand("p-1"), hand("p-1"), hand("p-2"))
    assert codes_of(before, banked(2, wager)) == [[], codes]


def test_house_wager_is_not_audited_without_history():
    assert codes_of(banked(1, 5000)) == [[]]
    assert codes_of(housed(1), banked(2, 5000, player=None)) == [[], []]
    assert codes_of(housed(1, hand("p-2")), banked(2, 1)) == [[], ["bank.house_wager"]]


def test_time_may_repeat_but_not_run_backward_in_any_zone():
    same = {"at": "2019-05-05T03:15:03Z"}  # 20:15:03-07:00
    earlier = {"at": "2019-05-04T21:15:02.999-06:00"}
    assert codes_of(housed(1), housed(2, **same), housed(3, **earlier)) == [
        [],
        [],
        ["log.sequence"],
    ]


def test_repeated_id_is_a_finding_on_the_later_line():
    other_table = housed(1, table="T2")
    assert codes_of(housed(1), housed(2), other_table) == [[], [], ["log.sequence"]]


def test_findings_are_ordered_by_seat_then_wager_then_code():
    spoiled = hand("p-1")
    spoiled["wagers"] |= {"main": 0, "three_card": 90_000}
    spoiled["result"] = {"main": 7, "three_card": 7, "six_card": -100}
    round_ = housed(1, hand("p-2"), spoiled, decks=2)
    found = judge_lines([as_line(round_)], {"cap": 40_000})[0]["findings"]
    assert [(one["seat"], one["wager"], one["code"]) for one in found] == [
        (None, None, "deal.shoe"),
        (2, "main", "settlement.main"),
        (2, "main", "wager.missing"),
        (2, "three_card", "limit.wac"),
        (2, "three_card", "settlement.three_card"),
    ]


def test_hand_of_four_cards_is_not_settled_others_are():
    broken = hand() | {"cards": "Ad Tc 2c 3c"}
    answer = judge_lines([as_line(housed(1, broken, hand()))])[0]
    assert [seat["expected"] for seat in answer["seats"]] == [None, MONEY]
    assert [(one["code"], one["seat"]) for one in answer["findings"]] == [("deal.count", 1)]


def test_missing_dealer_cards_settle_no_seat():
    house = {"cards": "Kd 9d", "low": "9d"}
    answer = judge_lines([as_line(housed(1, house=house))])[0]
    assert answer["status"] == "irregular"
    assert "seats" not in answer
    assert [one["code"] for one in answer["findings"]] == ["deal.count", "irregular"]


def test_zero_wager_is_missing_not_below_its_limit():
    seat = hand()
    seat["wagers"]["main"] = 0
    seat["result"]["main"] = 0
    limits = {"T1": {"main": [50, 100], "six_card": [101, 200], "three_card": [50, 99]}}
    assert codes_of(housed(1, seat), limits=limits) == [
        ["wager.missing", "limit.table_min", "limit.table_max"]
    ]


@pytest.mark.parametrize(
    ("setup", "codes"),
    [
        ({}, []),
        ({"banker": {"min": {"three_card": 100}}}, []),
        ({"banker": {"min": {"three_card": 101}}}, ["bank.wager"]),
        ({"limits": {"T1": {"three_card": [101, 200]}}}, ["bank.wager", "limit.table_min"]),
        (
            {"banker": {"min": {"three_card": 1}}, "limits": {"T1": {"three_card": [101, 200]}}},
            ["limit.table_min"],  # the other seat's
        ),
    ],
)
def test_banker_bets_minimum_on_side_wagers(setup, codes):
    assert codes_of(banked(1), **setup) == [codes]


def test_void_round_expects_nothing_and_audits_wagers():
    seat = hand() | {"wagers": {"main": 0, "three_card": 100, "six_card": 100}}
    del seat["cards"], seat["low"]
    round_ = housed(1, seat, void="fire", decks=1)
    del round_["house"]
    answer = judge_lines([as_line(round_)], {"void_reasons": ["fire"]})[0]
    assert answer["seats"] == [{"seat": 1, "expected": dict.fromkeys(MONEY, 0)}]
    assert [(one["code"], one["wager"], one["delta"]) for one in answer["findings"]] == [
        ("void.result", "main", 100),
        ("wager.missing", "main", 0),
        ("void.result", "six_card", -100),
        ("void.result", "three_card", -100),
    ]
    assert codes_of(round_)[0][0] == "void.reason"


def test_unbalanced_bank_is_a_finding_with_seats_own():
    round_ = banked(1)
    round_["seats"][1]["result"]["main"] = 150
    found = judge_lines([as_line(round_)])[0]["findings"]
    assert [(one["code"], one["seat"], one["delta"]) for one in found] == [
        ("settlement.balance", None, 50),
        ("settlement.main", 2, 50),
    ]


def test_per_deal_maximum_is_split_in_proportion_with_odd_cents():
    # Pairs of threes and fours with the house's king-nine-four: nothing in six cards but seat 2's.
    pairs = [pyramid_seat(cards, "2c", (100, 100, 100)) for cards in ("3d 3h 2c", "5d 5h 2c")]
    third = pyramid_seat("6d 6h 2c", "2c", (100, 100, 100))
    maximum = {"pyramid-poker": {"three_card": 200}}
    setup = {"interpretations": {"PP-I8": "per_deal"}, "max_aggregate": maximum}
    answer = judge_lines([as_line(housed(1, *pairs, third))], setup)[0]
    # 100 each, 200 in all: 66 each, two cents over.
    assert [seat["expected"]["three_card"] for seat in answer["seats"]] == [67, 67, 66]
    aggregate = [one for one in answer["findings"] if one["code"] == "settlement.aggregate"]
    assert [(one["seat"], one["wager"], one["delta"]) for one in aggregate] == [
        (None, "three_card", -200)
    ]
    assert "settlement.three_card" not in [one["code"] for one in answer["findings"]]


def test_too_many_copies_are_one_finding_of_the_round():
    twice = pick_2_seat("As Ks 9d 4c 2d", "fold")
    again = pick_2_seat("As Ks 9d 4c 2h", "fold")
    house = {"cards": "Ah Kh 9c 4d 2c"}
    found = judge_lines([as_line(round_of("pick-2-poker", [twice, again], house=house))])[0]
    duplicates = [one for one in found["findings"] if one["code"] == "deal.duplicate"]
    assert [one["seat"] for one in duplicates] == [None]
    joker = pick_2_seat("As Ks 9d 4c Jo", "fold")
    answer = judge_lines([as_line(round_of("pick-2-poker", [joker], house=house))])[0]
    assert answer["seats"] == [{"seat": 1, "expected": None}]
    assert [one["code"] for one in answer["findings"]] == ["deal.duplicate"]


def test_single_seat_has_no_opponent():
    plain = chinese_seat("8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh")
    answer = judge_lines([as_line(round_of("chinese-poker", [plain], unit=100, scoring="unit"))])[0]
    assert [one["code"] for one in answer["findings"]] == ["irregular", "limit.players"]


def test_a_scoring_that_is_not_approved_is_settled_as_logged():
    seats = [chinese_seat("8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh") for _ in range(2)]
    round_ = round_of("chinese-poker", seats, unit=1001, scoring="1-6")
    codes = codes_of(round_, chinese={"scoring": ["unit"]})
    assert codes == [["approval.controls", "deal.duplicate", "limit.unit"]]
