"""Which Showdown sets foul, and what each hand scores in its place."""

from __future__ import annotations

import pytest

from games.ranking.long_hand import hand_of_showdown
from games.rule_set import rule_set
from games.setup import Setup
from games.showdown.play import settle, values_of
from games.showdown.settle import worth
from tests.games.ranking.hands import cards
from tests.games.showdown.sets import showdown

CHART = values_of(rule_set("showdown"), "chart")
MULTIPLES = values_of(rule_set("showdown"), "multiples")

# Weak and proper: the other places while one is tested.
REGULAR = ["2c", "7d 4c 2h", "8d 4c 2h", "9d 4c 2h", "Td 6c 4h 3s 2d", "Jd 6c 4h 3s 2d"]


FOUR_NINES = "9c 9d 9h 9s 2c"


def kind(size, rank="9"):
    return " ".join(rank + "cdhs"[i % 4] for i in range(size))


def run(size, suit="s", low=0):
    return " ".join("23456789TJQKA"[low + i] + suit for i in range(size))


def value(hand, text, values=CHART):
    row = cards(text)
    return worth(hand - 1, hand_of_showdown(row, 0, len(row)), values)


def is_foul(hands):
    """Return whether a set loses to the weakest proper one in every hand."""
    outcome = settle(showdown([hands, REGULAR]), Setup())
    assert outcome.irregular is None
    assert outcome.findings == ()
    (met,) = outcome.meetings
    return met.reasons == (2,)


def with_hands(**hands):
    return [hands.get(f"h{place}", hand) for place, hand in enumerate(REGULAR, start=1)]


@pytest.mark.parametrize(
    ("hand", "scores"),
    [
        (6, {4: 4, 5: 6, 6: 10, 7: 14, 8: 18, 9: 22, 10: 26}),
        (5, {4: 8, 5: 12, 6: 20, 7: 28}),
        (4, {4: 12, 5: 18, 6: 24}),
        (3, {4: 16, 5: 24}),
    ],
)
def test_the_chart_scores_kinds_by_place_and_number_sd_17(hand, scores):
    for size, points in scores.items():
        text = kind(size) + " 2s" if size == 4 else kind(size)
        assert value(hand, text) == points


@pytest.mark.parametrize(
    ("hand", "scores"),
    [
        (6, {5: 5, 6: 8, 7: 11, 8: 14, 9: 17, 10: 20}),
        (5, {5: 10, 6: 18, 7: 26}),
        (4, {5: 15, 6: 20}),
        (3, {5: 20}),
    ],
)
def test_the_chart_scores_runs_by_place_and_number_sd_17(hand, scores):
    for size, points in scores.items():
        assert value(hand, run(size)) == points


@pytest.mark.parametrize(
    ("hand", "text", "points"),
    [
        (6, "9c 9d 9h 8c 8d", 1),
        (5, "9c 9d 9h 8c 8d", 2),
        (4, "9c 9d 9h 8c 8d", 4),
        (3, "9c 9d 9h 8c 8d", 6),
        (4, "9c 9d 9h", 3),
        (3, "9c 9d 9h", 6),
        (2, "9c 9d 9h", 9),
        (6, "9c 9d 9h 8c 7d", 1),
        (5, "9c 9d 9h 8c 7d", 1),
        (5, "9c 8c 6c 3c 2c", 1),
        (2, "9c 8c 6c", 1),
        (1, "As", 1),
    ],
)
def test_full_houses_and_trips_score_by_place_sd_14_sd_17(hand, text, points):
    assert value(hand, text) == points


@pytest.mark.parametrize(
    ("hand", "text", "chart", "multiple"),
    [
        (5, run(6), 18, 16),
        (5, run(7), 26, 22),
        (4, kind(6), 24, 30),
        (4, run(6), 20, 24),
    ],
)
def test_chart_wins_over_multiples_in_four_places_sd_i1(hand, text, chart, multiple):
    assert value(hand, text, CHART) == chart
    assert value(hand, text, MULTIPLES) == multiple
    differing = [i for i, (a, b) in enumerate(zip(CHART, MULTIPLES, strict=True)) if a != b]
    assert len(differing) == 4


# The document's examples of a regular hand and three power hands, with each hand's score.
EXAMPLES = [
    (
        ["Ac", "5c 5d 5h", "6c 6d 6h", "7c 7d 7h", "9c 9d 9h 9s 2c", run(5)],
        [1, 9, 6, 3, 8, 5],
    ),
    (
        ["Ac", "5c 5d 4h", "6c 6d 4h", "7c 7d 7h 4c 4d", "9c 9d 9h 9s 2c", run(5)],
        [1, 1, 1, 4, 8, 5],
    ),
    (
        ["Qc", "Ac Kd Jh", "6c 6d 6h", "7c 7d 7h", kind(5), run(7)],
        [1, 1, 6, 3, 12, 11],
    ),
    (
        ["Ac", "5c 5d 4h", "6c 6d 6h 6s 2d", "7c 7d 7h 7s 2c", "9c 9d 9h 9s 2c", run(6)],
        [1, 1, 16, 12, 8, 8],
    ),
]


@pytest.mark.parametrize(("hands", "scores"), EXAMPLES)
def test_printed_example_hands_are_proper_and_score_as_printed(hands, scores):
    assert not is_foul(hands)
    assert [value(place, hand) for place, hand in enumerate(hands, start=1)] == scores


@pytest.mark.parametrize(
    "hands",
    [
        REGULAR,
        with_hands(h1="7c"),  # the longer hand of one top card is higher
        with_hands(h6=run(10)),
        with_hands(h6=kind(10)),
        with_hands(h5=run(7), h6=run(8)),
        with_hands(h5=kind(7), h6=kind(8)),
        with_hands(h4="7d 7c 7h 5s 5d", h5=kind(5), h6=run(6)),
        with_hands(h4="7d 7c 7h 5s 5d 2c", h5=kind(5), h6=run(6)),
        with_hands(h3="6d 6c 6h 5s 5d", h4="7d 7c 7h 5s 5d", h5=kind(5), h6=run(6)),
        with_hands(h3="6d 6c 6h 5s 5d", h4="7d 7c 7h 7s 5d 2c", h5=FOUR_NINES, h6=run(5)),
        with_hands(h4=kind(6, "7"), h5=kind(6, "8"), h6=kind(6)),
    ],
)
def test_places_accept_their_sizes_sd_6_sd_10_to_sd_13(hands):
    assert not is_foul(hands)


@pytest.mark.parametrize(
    "hands",
    [
        with_hands(h1="4c 4d"),
        with_hands(h2="9d 8c 7h 6s 5d"),
        with_hands(h2="9d 8c", h6=run(6)),
        with_hands(h4="7d 6c 4h 3s"),
        with_hands(h4="Kc 9c 8c 4c 2c", h5=kind(5), h6=run(6)),  # a flush in an expanded hand 4
        with_hands(h4="7d 7c 7h 6s 5d 2c", h5=kind(5), h6=run(6)),  # trips of six cards
        with_hands(h3="6d 6c 6h 5s 5d", h5=kind(5), h6=run(6)),  # next to a hand 4 of three
        with_hands(h3="Kc 9c 8c 4c 2c", h4="7d 7c 7h 5s 5d", h5=kind(5), h6=run(6)),
        with_hands(h3="6d 6c 6h 5s 5d 2c", h4="7d 7c 7h 7s 5d", h5=FOUR_NINES, h6=run(5)),
        with_hands(h5=kind(5) + " 2s", h6=run(7)),
        with_hands(h5="9s 9d 9h 9c 2s 2c", h6=run(7)),
        with_hands(h6=kind(6) + " 2s"),
        with_hands(h6=run(6) + " 2s"),
        with_hands(h5=run(8), h6=kind(7)),  # in order, but eight cards are too many for hand 5
    ],
)
def test_unknown_size_or_name_fouls_sd_i10(hands):
    assert is_foul(hands)


@pytest.mark.parametrize(
    ("changed", "fouls"),
    [
        ({"h1": "8c"}, True),
        ({"h3": "7d 4c 2s"}, False),  # same ranks, the spade against the heart
        ({"h3": "7d 4c 2d"}, True),
        ({"h3": "7d 4c 2h"}, True),  # identical
        ({"h2": "Qs Kh Ad"}, True),  # a straight over high cards
        ({"h3": "9d 9c 9h", "h4": "Kc 9c 8c", "h5": run(5), "h6": kind(5)}, True),  # SD-9
        ({"h3": "Kc 9c 8c", "h4": "9d 9c 9h", "h5": run(5), "h6": kind(5)}, False),
        ({"h4": "Kc 9c 8c", "h5": "9d 9c 9h 8s 7d", "h6": run(5)}, True),  # a flush over trips
        ({"h4": "9d 9c 9h", "h5": "6d 5c 4h 3s 2d", "h6": run(5)}, False),
        ({"h5": kind(5), "h6": run(5)}, True),
        ({"h5": run(6), "h6": kind(5, "A")}, True),  # SD-I3: 8 over 6
        ({"h5": kind(7), "h6": run(8)}, True),  # 14 and 14, the kind above
        ({"h5": run(7), "h6": kind(7)}, False),
        ({"h5": run(5, "h", 1), "h6": run(5, "s", 1)}, False),  # SD-19 within a set
        ({"h5": run(5, "s", 1), "h6": run(5, "s", 1)}, True),  # SD-I4
        ({"h5": "Ts 9h 8d 7c 6s", "h4": "Th 9c 8s", "h6": run(5)}, False),  # the longer
    ],
)
def test_each_hand_outranks_the_one_before_sd_7_sd_i2_sd_i4(changed, fouls):
    assert is_foul(with_hands(**changed)) is fouls


def test_only_neighbors_are_compared_sd_i15():
    """A straight of three to the ace is below trips, which are below a straight to the six."""
    hands = with_hands(h3="Qs Kh Ad", h4="9d 9c 9h", h5="6d 5c 4h 3s 2d", h6=run(5))
    assert not is_foul(hands)


def test_jokers_may_stand_for_one_card_twice_sd_1_sd_i12():
    hands = with_hands(h6="Jo=As Jo=As As Jo=As As")
    assert not is_foul(hands)
    assert value(6, hands[5]) == 6


def test_six_cards_in_hand_4_score_by_their_best_five_sd_i11():
    assert value(4, "9c 9d 9h 9s 8c 8d") == 12
    assert value(4, "5s 6s 7s 8s 9s 2h") == 15
    assert value(4, "9c 9d 9h 8s 8c 8d") == 4
    assert value(4, "9c 9d 9h 8s 8c 2d") == 4
    assert value(4, kind(5) + " 2s") == 18
