"""Causes are named from what was planted, to the cent; what nobody can know gets no name."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import log10
from random import Random

import pytest

from games.diagnosis import Alternative, Dealt, diagnose
from games.diagnosis.concentration import log_tail
from games.settlement.verdict import settle_round
from games.terms import NOTHING
from tests.games.diagnosis.measure import diagnosis_of, measured
from tests.games.diagnosis.planter import PYRAMID, Group, by_seat, group, odds
from tests.games.diagnosis.plants import KNOWN, LAYOUT, UNKNOWN


@pytest.mark.parametrize("name", KNOWN)
def test_planted_cause_is_named_to_the_cent(name: str) -> None:
    planted = KNOWN[name](Random(name))
    (found,) = diagnosis_of(planted).explanations
    assert found.kind == planted.cause
    assert found.delta == planted.delta
    assert found.exceptions == ()


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_cause_gets_no_explanation(name: str) -> None:
    for seed in range(3):
        planted = UNKNOWN[name](Random(f"{name} {seed}"))
        assert measured(planted).false == ()


def paid(line: str, pays: int, wanted: int = 28) -> Group:
    plant = by_seat(odds("three_card", line, Fraction(pays)))
    return group("odds", PYRAMID, plant, Random(line), wanted=wanted)


def test_odds_of_a_line_are_stated_with_those_due() -> None:
    (found,) = diagnosis_of(paid("straight", 1)).explanations
    assert found.headline == "straight on the three card wager paid 1 to 1 instead of 5 to 1"
    rounds = len({place[0] for place in paid("straight", 1).planted})
    assert found.coverage == (rounds, rounds)


def test_stray_round_is_an_exception_and_no_refutation() -> None:
    planted = paid("straight", 1, wanted=45)
    places = [n for n in range(len(planted.rounds)) if _straights(planted, n) == 1]
    place = places[len(places) // 2]
    rounds = list(planted.rounds)
    seats = tuple(
        replace(seat, result={**seat.result, "three_card": 3 * seat.wagers["three_card"]})
        if (rounds[place].round, seat.seat, "three_card") in planted.planted
        else seat
        for seat in rounds[place].seats
    )
    rounds[place] = replace(rounds[place], seats=seats)
    (found,) = diagnosis_of(replace(planted, rounds=tuple(rounds))).explanations
    assert found.coverage == (44, 45)
    assert [each.dealt.round.round for each in found.exceptions] == [rounds[place].round]


def _straights(planted: Group, place: int) -> int:
    return sum(name == planted.rounds[place].round for name, _, _ in planted.planted)


def test_identical_prints_prove_only_the_odds() -> None:
    planted = paid("flush", 3)
    tables = {"three_card": {"flush": LAYOUT["three_card"]["flush"]}}
    rounds = [Dealt(each, planted.setup, settle_round(each, planted.setup, NOTHING))
              for each in planted.rounds]  # fmt: skip
    both = [Alternative(kind=kind, name=kind, pay_tables=tables) for kind in ("layout", "version")]
    assert [each.kind for each in diagnose(rounds, both).explanations] == ["odds"]
    assert [each.kind for each in diagnose(rounds, both[:1]).explanations] == ["layout"]


def test_cause_within_a_time_span_starts_and_ends_there() -> None:
    planted = KNOWN["window"](Random(1))
    at = [each.at for each in planted.rounds
          if each.round in {place[0] for place in planted.planted}]  # fmt: skip
    (found,) = diagnosis_of(planted).explanations
    assert (found.begin, found.end) == (min(at), max(at))


def test_errors_of_one_dealer_come_with_their_chance() -> None:
    (found,) = diagnosis_of(KNOWN["dealer"](Random(1))).explanations
    assert found.scope == ("dealer", "d-3")
    assert found.headline == "payout errors by dealer d-3"


def test_tail_of_a_binomial_distribution() -> None:
    assert log_tail(3, 3, 0.5) == pytest.approx(log10(1 / 8))
    assert log_tail(9, 10, 0.5) == pytest.approx(log10(11 / 1024))
    assert log_tail(0, 10, 0.5) == 0
