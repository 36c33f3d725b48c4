"""Pyramid Poker's odds against the published figures, and against small shoes in full."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from games.odds.hands import census, hand_classes, settle_rows
from games.odds.pyramid_poker import main_odds, settle_six_cards, settle_three_cards
from games.odds.wagers import odds
from games.pyramid_poker.house_way import house_way
from games.pyramid_poker.reasons import REASONS
from games.pyramid_poker.settle import settle_main, settle_six_card, settle_three_card
from games.setup import Setup

PYRAMID = "pyramid-poker"


@pytest.fixture(scope="module")
def six_decks():
    return list(odds(PYRAMID, Setup(), 6))


def three_card(setup, decks):
    """Return only its odds, without counting the wagers after it."""
    return next(w for w in odds(PYRAMID, setup, decks) if w.wager == "three_card")


def edge_of(wagers, wager, term):
    (found,) = [w for w in wagers if w.wager == wager and any(term in line for line in w.terms)]
    return found.house_edge


@pytest.mark.parametrize(
    ("wager", "term", "published"),
    [
        ("three_card", "Paid by PP-28.", Fraction(18568, 626665)),
        ("three_card", "straight_flush 50, not 30", Fraction(-5192, 626665)),  # PP-30
        ("six_card", "Paid by PP-29.", Fraction(21316866446, 305162919061)),
        ("main", "sets the House Way.", Fraction(-60314763, 4474529605)),
    ],
)
def test_published_six_deck_edges_come_out_exactly(six_decks, wager, term, published):
    assert edge_of(six_decks, wager, term) == published


def test_the_best_setting_gains_the_published_1_418_percent(six_decks):
    edge = edge_of(six_decks, "main", "the best way")
    assert round(edge * 100, 3) == Fraction("-1.418")


def test_three_card_lines_of_one_deck_have_known_counts():
    # of 22,100: 4 A-K-Q suited, 44 other straight flushes, 52 trips, 720, 1,096 and 3,744
    wager = three_card(Setup(), 1)
    counted = {o.to: o.probability * 22_100 for o in wager.outcomes if o.to > 0}
    assert counted == {50: 4, 30: 44, 20: 52, 5: 720, 2: 1_096, 1: 3_744}


@pytest.mark.parametrize(
    ("ranks", "decks"), [(4, 1), (4, 2), (3, 3)], ids=lambda number: str(number)
)
def test_three_card_classes_match_a_small_shoe_dealt_out(ranks, decks):
    pays = Setup().pays(PYRAMID, "three_card")
    dealt = Counter(
        settle_three_card(*hand, 1, pays)[1] for hand in combinations(shoe(ranks, decks), 3)
    )
    hands = hand_classes(3, ranks)
    _, why = settle_rows(settle_three_cards, hands.cards, 1, pays)
    counted = census(hands, why).counts(decks)
    assert {reason: count for reason, count in counted.items() if count} == dealt


@pytest.mark.parametrize(("ranks", "decks"), [(5, 1), (3, 2), (2, 3)], ids=lambda n: str(n))
def test_six_card_classes_match_a_small_shoe_dealt_out(ranks, decks):
    pays = Setup().pays(PYRAMID, "six_card")
    dealt = Counter(
        settle_six_card(*hand, 1, pays)[1] for hand in combinations(shoe(ranks, decks), 6)
    )
    hands = hand_classes(6, ranks)
    _, why = settle_rows(settle_six_cards, hands.cards, 1, pays)
    counted = census(hands, why).counts(decks)
    assert {reason: count for reason, count in counted.items() if count} == dealt


def test_each_deal_of_two_hands_is_counted_once():
    # of one deck, 52 of 22,100 hands are three of a kind, whatever the dealer gets (PP-7)
    main, _ = main_odds(Setup(), 1)
    assert {o.to: o.probability for o in main.outcomes}[3] == Fraction(52, 22_100)


@pytest.mark.parametrize(("ranks", "decks"), [((5, 9, 12), 1), ((8, 9), 2)], ids=str)
def test_main_by_ranks_matches_a_small_shoe_dealt_out(ranks, decks):
    # 7, J and A of one deck, or T and J of two: each deal of two hands, card by card
    dealt = Counter()
    cards = [rank for rank in ranks for _ in range(4 * decks)]
    for hand in combinations(range(len(cards)), 3):
        left = [place for place in range(len(cards)) if place not in hand]
        mine = set_the_house_way([cards[place] for place in hand])
        for theirs in combinations(left, 3):
            against = set_the_house_way([cards[place] for place in theirs])
            to, why = settle_main(*mine, *against, 1, both_equal=0, wins_at_once=True)
            dealt[REASONS[why].says, to] += 1
    counted, _ = main_odds(Setup(), decks, ranks)
    assert {(o.name, o.to): o.probability for o in counted.outcomes} == {
        outcome: Fraction(deals, dealt.total()) for outcome, deals in dealt.items()
    }


def set_the_house_way(ranks):
    low = house_way(*ranks, split_at_four=False)
    high = list(ranks)
    high.remove(low)
    return low, *high


def test_copy_rule_of_pai_gow_moves_main_by_equal_deals(six_decks):
    # PP-I1: every deal equal on both hands is lost instead of pushed, and nothing else changes
    level = next(o.probability for o in six_decks[0].outcomes if o.name == "equal on both hands")
    strict, _ = main_odds(Setup(interpretations={"PP-I1": "dealer_wins"}), 6)
    assert strict.house_edge == six_decks[0].house_edge + level


def test_splitting_at_four_changes_the_odds_of_main(six_decks):
    # PP-I13: both sides set four of the thirteen-rank hands differently
    split, _ = main_odds(Setup(interpretations={"PP-I13": "split_at_four"}), 6)
    assert split.house_edge != six_decks[0].house_edge


def test_changed_pay_line_moves_edge_by_its_extra_pay():
    plain = three_card(Setup(), 8)
    raised = Setup(pay_tables={PYRAMID: {"three_card": {"one_pair": 2}}})
    paid = three_card(raised, 8)
    pairs = next(o.probability for o in plain.outcomes if o.name == "one pair")
    # a suited pair keeps its flush line, which pays 2 as well
    assert paid.house_edge == plain.house_edge - pairs


def shoe(ranks, decks):
    return [card for card in range(4 * ranks) for _ in range(decks)]
