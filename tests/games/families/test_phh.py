"""Poker hand histories (PHH) as lines of a round log. These hands are invented."""

import json

import pytest

from games.families.versus.phh import PhhError, line_of, read_hands
from tests.games.families.filed_games import audit

RAISED = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 50, 200]
actions = ['d dh p1 ????', 'd dh p2 AsAd', 'd dh p3 KsKd', 'p3 cbr 6', 'p1 f', 'p2 cbr 50',
           'p3 cc', 'p2 sm AsAd', 'p3 sm KsKd', 'd db 2c7d9h', 'd db 3s', 'd db 4c']
winnings = [0, 96.50, 0]
"""
TWO_PLAYERS = """
variant = 'FT'
antes = [1, 1]
blinds_or_straddles = [2, 4]
small_bet = 4
big_bet = 8
starting_stacks = [100, 100]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 cbr 8', 'p1 cc', 'd db 2c7d9h', 'p1 cbr 4', 'p2 f']
finishing_stacks = [109, 91]
"""


def lines(text):
    return [
        line_of(hand, game="texas-holdem", name="h", table="T1", at="2009-07-01T20:00:00Z")
        for hand in read_hands(text)
    ]


def test_hand_with_its_fee_becomes_a_round():
    """The pot is $50 twice and the small blind's dollar; of $101, the winner got $96.50."""
    (line,) = lines(RAISED)
    assert line["button"] == 3
    assert line["fees"] == {"rake": 450, "jackpot": 0}
    assert line["pots"] == [{"amount": 10100, "seats": [2, 3], "won": {}}]
    assert [seat["result"]["pot"] for seat in line["seats"]] == [-100, 4650, -5000]
    assert [each["act"] for each in line["actions"]] == [
        "post", "post", "raise", "fold", "raise", "call", "show", "show",
    ]  # fmt: skip
    line["pots"][0]["won"] = {"2": 9650}
    assert audit(json.dumps(line).encode(), "texas-holdem").findings == ()


def test_two_players_have_the_button_as_small_blind():
    """Each has put in $9 when the $4 bet is returned; the ante of a dollar is no wager."""
    (line,) = lines(TWO_PLAYERS)
    first = [(each["seat"], each["act"], each["to"]) for each in line["actions"][:6]]
    assert first == [
        (1, "ante", 100), (2, "ante", 100), (1, "post", 400), (2, "post", 200),
        (2, "raise", 800), (1, "call", 800),
    ]  # fmt: skip
    line["pots"][0]["won"] = {"1": 1800}
    setup = {"interpretations": {"TH-I1": "fixed"}, "limits": {"T1": {"bet": [400, 800]}}}
    verdict = audit(json.dumps(line).encode(), "texas-holdem", setup=json.dumps(setup))
    assert verdict.findings == ()
    assert dict(verdict.seats) == {1: {"pot": 900}, 2: {"pot": -900}}


def test_file_of_several_hands_is_split():
    text = f"[1]{RAISED}\n[2]{TWO_PLAYERS}"
    assert [len(line["seats"]) for line in lines(text)] == [3, 2]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("'NT'", "'PO'", "The variant PO is not hold'em"),
        ("[100, 50, 200]", "[100, inf, 200]", "Infinity is no whole number of cents"),
        ("'p1 f'", "'p1 sd 2c'", 'The action "p1 sd 2c" is not one of hold\'em'),
        ("winnings", "_winnings", "neither what was won"),
        ("variant =", "variant", "This is no hand"),
    ],
)
def test_hand_that_is_no_round_is_refused(old, new, says):
    with pytest.raises(PhhError, match=says):
        lines(RAISED.replace(old, new, 1))
