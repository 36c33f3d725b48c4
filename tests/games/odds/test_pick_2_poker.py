"""Pick 2's odds against the published figures, known counts, and a small deck in full."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from games.odds.hands import census, hand_classes, settle_rows
from games.odds.pick_2_poker import settle_bonuses_3_5, settle_bonuses_5
from games.odds.wagers import odds
from games.setup import Setup

PICK_2 = "pick-2-poker"
HANDS = 2_598_960


@pytest.fixture(scope="module")
def one_deck():
    return list(odds(PICK_2, Setup(), 1))


def test_the_published_house_edges_come_out_exactly(one_deck):
    edges = {
        wager.wager: wager.house_edge for wager in one_deck if "not approved" not in str(wager)
    }
    bonuses = {key: edge for key, edge in edges.items() if not key.startswith("ante")}
    assert bonuses == {"bonus_3_5": Fraction(2047, 2652), "bonus_5": Fraction(1203, 30940)}
    # nobody does better by a fold, so all mandatory wagers are the main game and the bonus
    assert edges["ante+bonus_3_5"] == edges["ante"] + edges["bonus_3_5"]


def test_bonus_5_counts_match_published_one_deck_counts(one_deck):
    # pairs of sixes or better: 9 ranks of 84,480 hands each (P2-18)
    (bonus,) = [wager for wager in one_deck if wager.wager == "bonus_5"]
    assert {outcome.to: outcome.probability * HANDS for outcome in bonus.outcomes} == {
        500: 4, 100: 36, 40: 624, 15: 3_744, 8: 5_108, 6: 10_200, 4: 54_912, 3: 123_552,
        1: 9 * 84_480, -1: 2_598_960 - 198_180 - 9 * 84_480,
    }  # fmt: skip


def test_both_tables_of_the_3_5_bonus_are_added_up(one_deck):
    # P2-I3: a royal flush is also A-K-Q suited, four of a kind also three of a kind
    first = one_deck[0]
    assert {o.name: (o.to, o.probability * HANDS) for o in first.outcomes if o.to > 20} == {
        "royal flush (5) + A-K-Q suited (3)": (510, 4),
        "straight flush (5) + straight flush (3)": (103, 36),
        "four of a kind (5) + three of a kind (3)": (26, 624),
    }


def test_layout_tables_are_shown_as_not_approved(one_deck):
    # P2-19: three of a kind 4, not 1, and A-K-Q suited 3, not 10
    by_the_rules, by_the_layout, *_ = one_deck
    assert "three_of_a_kind 4, not 1" in by_the_layout.terms[0]
    assert "ace_king_queen_suited 3, not 10" in by_the_layout.terms[0]
    won = {outcome.name: outcome.probability for outcome in by_the_rules.outcomes}
    gained = sum(3 * part for name, part in won.items() if "three of a kind (5)" in name)
    given = sum(7 * part for name, part in won.items() if "A-K-Q suited (3)" in name)
    assert by_the_layout.house_edge == by_the_rules.house_edge - gained + given


def test_ace_king_queen_of_any_suits_pays_more_hands():
    # P2-I9: the player wins what the suited interpretation leaves to lose
    suited = next(odds(PICK_2, Setup(), 1)).house_edge
    any_suits = next(odds(PICK_2, Setup(interpretations={"P2-I9": "any_suits"}), 1)).house_edge
    assert any_suits < suited


@pytest.mark.parametrize("ranks", [4, 6])
def test_five_card_classes_match_a_small_deck_dealt_out(ranks):
    setup = Setup()
    fives, threes = (setup.pays(PICK_2, f"bonus_3_5_{table}") for table in ("five", "three"))
    checks = (
        (settle_bonuses_3_5, (fives, threes, False)),
        (settle_bonuses_5, (setup.pays(PICK_2, "bonus_5"),)),
    )
    dealt = list(combinations(range(4 * ranks), 5))
    hands = hand_classes(5, ranks)
    for settle, terms in checks:
        to, why = [0] * len(dealt), [0] * len(dealt)
        settle(_Rows(dealt), to, why, 1, *terms)
        _, by_class = settle_rows(settle, hands.cards, 1, *terms)
        counted = census(hands, by_class).counts(1)
        assert {reason: count for reason, count in counted.items() if count} == Counter(why)


class _Rows(list):
    """Hands indexed like an array: `hands[row, place]`."""

    def __getitem__(self, at):
        row, place = at
        return super().__getitem__(row)[place]
