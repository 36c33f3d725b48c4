"""What is planted is found, completely and exactly; nothing else is."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from fractions import Fraction

import pytest

from games.checks import CHECKS, CODES
from games.rule_set import SLUGS
from games.simulator.faults.planter import FAULTS
from games.simulator.plan import FaultPlan
from tests.games.both_readings import assert_agreement
from tests.games.dealing.plans import APPROVED, OPENING, SETUPS, dealt, found, must_be_found
from tests.games.rounds.batches import Batch

SEEDS = {"pick-2-poker": "three"}
"""Seeds with tables where that game is dealt from a machine, and some where it is by hand."""
OFTEN = (FaultPlan(rate=Fraction(1, 5)),)
NOT_OF_A_ROUND = {
    *(code for code in CODES if code.startswith(("night.", "document.", "watch."))),
    "approval.game", "approval.license", "approval.hours",  # only the system knows these
    "limit.unverified",
    # filed games: see tests/games/families
    "play.choice", "play.draw", "fee.commission", "fee.rake", "limit.raises",
}  # fmt: skip


def always(name, **more):
    return (FaultPlan(name=name, rate=Fraction(1), **more),)


def rounds_of(lines):
    return [json.loads(one.line) for one in lines]


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
@pytest.mark.parametrize("game", SLUGS)
def test_every_planted_irregularity_is_found_alone(game, setup, tmp_path):
    lines = dealt(game, 1200, setup, seed=SEEDS.get(game, "planted"), faults=OFTEN)
    assert found(lines, setup) == must_be_found(lines)
    sample = [one.line + b"\n" for one in lines[:150]]
    assert_agreement(Batch(game, setup, sample), tmp_path)


def test_every_irregularity_and_round_code_gets_planted():
    names, codes = {}, set()
    for game in SLUGS:
        planted = [
            each
            for compact, setup in enumerate(SETUPS.values())
            for one in dealt(
                game,
                1500,
                setup,
                seed=SEEDS.get(game, "planted"),
                faults=OFTEN,
                compact=compact == 1,
            )
            for each in one.planted
        ]
        names[game] = {each.name for each in planted}
        codes |= {each.code for each in planted}
    of_checks = {check.code for check in CHECKS}
    assert {game: names[game] - of_checks for game in SLUGS} == {
        game: set(FAULTS[game]) for game in SLUGS
    }
    assert set().union(*names.values()) >= of_checks
    assert codes == CODES - NOT_OF_A_ROUND - {"limit.wac"}


def test_so_many_rounds_go_wrong_as_the_rate_says():
    lines = dealt("pyramid-poker", 8000, APPROVED, faults=(FaultPlan(rate=Fraction(1, 50)),))
    # 160 expected; four standard deviations are 50.
    assert 110 < len(must_be_found(lines)) < 210


def test_faultless_rounds_match_those_of_a_clean_deal():
    faulty = dealt("pick-2-poker", 500, {}, faults=(FaultPlan(rate=Fraction(1, 20)),))
    clean = dealt("pick-2-poker", 500, {})
    same = sum(one.line == other.line for one, other in zip(faulty, clean, strict=True))
    assert same < 500
    # A deck used twice shifts the turns of all later rounds: without decks they are the same.
    for one, other in zip(rounds_of(faulty), rounds_of(clean), strict=True):
        if one["round"] not in must_be_found(faulty):
            assert {**one, "deck": None} == {**other, "deck": None}


def test_a_table_pays_what_its_layout_prints_all_night():
    lines = dealt("pyramid-poker", 9000, {}, faults=always("layout_pays", table="T3"))
    planted = [each for one in lines for each in one.planted]
    assert len(planted) > 20
    rounds = {each["round"]: each for each in rounds_of(lines)}
    for each in planted:
        assert rounds[each.round]["table"] == "T3"
        seat = next(s for s in rounds[each.round]["seats"] if s["seat"] == each.seat)
        stake = seat["wagers"]["three_card"]
        assert (each.code, each.wager) == ("settlement.three_card", "three_card")
        assert seat["result"]["three_card"] == 50 * stake  # PP-30
        assert each.delta == 20 * stake  # PP-28: 30 to 1
    assert found(lines, {}) == must_be_found(lines)


def test_a_dealer_sets_wrongly_at_one_table_for_a_span():
    begin, end = OPENING + timedelta(hours=2), OPENING + timedelta(hours=8)
    plans = always("dealer_pair", table="T2", begin=begin, end=end)
    lines = dealt("pyramid-poker", 3000, {}, faults=plans)
    wrong = must_be_found(lines)
    assert len(wrong) > 5
    for each in rounds_of(lines):
        if each["round"] in wrong:
            assert each["table"] == "T2"
            assert begin.isoformat() <= each["at"] < end.isoformat()
            ranks = Counter(card[0] for card in each["house"]["cards"].split())
            assert any(ranks[rank] == 2 for rank in "JQKA")
    assert found(lines, {}) == wrong


def test_money_is_shown_with_its_sign():
    lines = dealt("chinese-poker", 800, {}, faults=always("wrong_total"))
    balances = [each for one in lines for each in one.planted if each.wager == "total"]
    rounds = {each["round"]: each for each in rounds_of(lines)}
    for each in balances:
        if each.code == "settlement.balance":
            total = sum(seat["result"]["total"] for seat in rounds[each.round]["seats"])
            assert each.delta == total != 0
    assert {each.delta > 0 for each in balances} == {True, False}
