"""Texas Hold'em settled by the engine and by a second reading of its rules, and planted faults."""

import json
from collections import Counter
from datetime import UTC, datetime
from fractions import Fraction
from random import Random

import pytest

from games.families.filed import FiledGames
from games.families.versus.faults import FAULTS
from games.log.form import Rejection
from games.setup import read_setup
from games.simulator.night import deal_night
from games.simulator.plan import FaultPlan, Plan
from tests.games.families.filed_games import definition_of, line
from tests.games.families.holdem_reading import Hand

SLUG = "texas-holdem"


def games_with(**setup):
    definitions = {SLUG: definition_of(SLUG)}
    games = FiledGames(definitions)
    return games, read_setup(json.dumps(setup), definitions)


def verdicts(lines, **setup):
    games, terms = games_with(**setup)
    run = games.run(terms)
    for each in lines:
        played = games.read_line(each)
        assert not isinstance(played, Rejection), played
        yield run.verdict(played)


@pytest.mark.parametrize("short", ["each", "total", "any"])
def test_both_readings_settle_random_rounds_alike(short):
    hands = [Hand(Random(f"{short} {number}"), short) for number in range(1_000)]
    lines = [
        line(SLUG, round=f"r-{number}", **hand.line()) for number, hand in enumerate(hands)
    ]  # fmt: skip
    found = verdicts(lines, interpretations={"TH-I3": short})
    for hand, verdict in zip(hands, found, strict=True):
        assert verdict.findings == (), hand.line()
        assert {seat: due["pot"] for seat, due in verdict.seats} == hand.net
    rare = Counter(
        {
            "side pots": sum(len(hand.pots) > 1 for hand in hands),
            "two side pots": sum(len(hand.pots) > 2 for hand in hands),
            "divided": sum(any(len(won) > 1 for won in hand.won) for hand in hands),
            "odd": sum(any(len(set(won.values())) > 1 for won in hand.won) for hand in hands),
            "returned": sum(bool(hand.back) for hand in hands),
        }
    )
    assert min(rare.values()) > 20, rare


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_fault_is_found_and_nothing_else(fault):
    games, setup = games_with(limits={"T1": {"bet": [500, 30000]}})
    plan = Plan(
        game=SLUG,
        tables=("T1",),
        opening=datetime(2025, 7, 12, 20, tzinfo=UTC),
        setup=games.in_setup(setup),
        faults=(FaultPlan(name=fault, rate=Fraction(1, 2)),),
    )
    night = deal_night(plan)
    dealt = [next(night) for _ in range(300)]
    assert sum(bool(each.planted) for each in dealt) > 10
    found = verdicts([each.line for each in dealt], limits={"T1": {"bet": [500, 30000]}})
    for each, verdict in zip(dealt, found, strict=True):
        planted = {(one.code, one.seat, one.wager, one.delta) for one in each.planted}
        codes = {(one.code, one.seat, one.wager, one.delta) for one in verdict.findings}
        assert codes == planted, each.line
