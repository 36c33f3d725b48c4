"""A second reading of Mini-Baccarat and EZ Baccarat, from their rules of play alone.

It imports nothing of `games`. Odds are counted by the values of cards, not by their ranks.
"""

from fractions import Fraction
from itertools import product

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def value(card):
    """MB-2: tens and court cards count zero, an ace one, others their number."""
    return (
        {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}.get(card[0])
        if card[0] in "ATJQK"
        else int(card[0])
    )


def total(cards):
    """MB-3: the last digit of the sum."""
    return sum(map(value, cards)) % 10


def player_takes(player, banker):
    """MB-9 and MB-10, by the totals of two cards each."""
    return max(player, banker) < 8 and player <= 5


def banker_takes(player, banker, third):
    """MB-9, MB-11 and MB-12; `third` is what the player hand's third card counts, if it has one."""
    if max(player, banker) >= 8:
        return False
    if third is None:
        return banker <= 5
    if banker <= 2:
        return True
    if banker == 3:
        return third != 8
    lowest = {4: 2, 5: 4, 6: 6}.get(banker)
    return lowest is not None and lowest <= third <= 7


def is_drawn_right(player, banker):
    """Return whether both hands took their third cards as the rules require."""
    two = total(player[:2]), total(banker[:2])
    third = value(player[2]) if len(player) == 3 else None
    if (len(player) == 3) != player_takes(*two):
        return False
    return (len(banker) == 3) == banker_takes(*two, third)


def winner(player, banker):
    """MB-13."""
    mine, theirs = total(player), total(banker)
    return "tie" if mine == theirs else "player" if mine > theirs else "banker"


def mini(wagers, player, banker, half_on_six, ties_pay):
    """Return what a seat's wagers come to, the streak wager aside (MB-14 to MB-18)."""
    won = winner(player, banker)
    due = {}
    due["player"] = {"player": 1, "tie": 0, "banker": -1}[won] * wagers["player"]
    stake = wagers["banker"]
    if won == "tie":
        due["banker"] = 0
    elif won == "player":
        due["banker"] = -stake
    elif not half_on_six:
        due["banker"] = stake * 19 // 100 * 5
    elif total(banker) == 6:
        due["banker"] = stake // 10 * 5
    else:
        due["banker"] = stake
    due["tie"] = ties_pay * wagers["tie"] if won == "tie" else -wagers["tie"]
    for key, hand in (("player_pair", player), ("banker_pair", banker)):
        due[key] = 11 * wagers[key] if hand[0][0] == hand[1][0] else -wagers[key]
    return due


def streak(choice, amount, rounds):
    """Return what a streak wager comes to in the last of the rounds since it was placed (MB-19).

    Rounds are pairs of hands, or None for a void one. None is returned if it was decided before.
    """
    won = 0
    for place, dealt in enumerate(rounds):
        result = 0
        came = "tie" if dealt is None else winner(*dealt)
        if came == choice:
            won += 1
            result = amount * {"player": 7, "banker": 6}[choice] if won == 3 else 0
        elif came != "tie":
            result = -amount
        if place == len(rounds) - 1:
            return result
        if result:
            return None
    raise AssertionError


def easy(wagers, player, banker, ties_pay):
    """Return what a seat's wagers come to at EZ Baccarat (EZ-13 to EZ-17)."""
    won = winner(player, banker)
    dragon = won == "banker" and total(banker) == 7 and len(banker) == 3
    panda = won == "player" and total(player) == 8 and len(player) == 3
    return {
        "player": {"player": 1, "tie": 0, "banker": -1}[won] * wagers["player"],
        "banker": 0 if dragon else {"player": -1, "tie": 0, "banker": 1}[won] * wagers["banker"],
        "tie": (ties_pay if won == "tie" else -1) * wagers["tie"],
        "dragon_7": (40 if dragon else -1) * wagers["dragon_7"],
        "panda_8": (25 if panda else -1) * wagers["panda_8"],
    }


def chance_of_three_card_win(hand, points, decks):
    """Return how likely `hand` wins with three cards and these points, by the values of cards."""
    counts = dict.fromkeys(range(1, 10), 4 * decks) | {0: 16 * decks}
    cards, found = 52 * decks, Fraction()

    def deal(values):
        ways, left = 1, dict(counts)
        for place, each in enumerate(values):
            ways *= Fraction(left[each], cards - place)
            left[each] -= 1
        return ways, left

    for first in product(range(10), repeat=4):
        player, banker = (first[0] + first[1]) % 10, (first[2] + first[3]) % 10
        ways, left = deal(first)
        third = range(10) if player_takes(player, banker) else (None,)
        for mine in third:
            after = player if mine is None else (player + mine) % 10
            odds, rest, now = ways, left, cards - 4
            if mine is not None:
                odds, rest, now = ways * left[mine] / now, {**left, mine: left[mine] - 1}, now - 1
            draws = banker_takes(player, banker, mine)
            for theirs in range(10) if draws else (None,):
                end = banker if theirs is None else (banker + theirs) % 10
                size = {"player": mine is not None, "banker": theirs is not None}[hand]
                wins = {"player": after > end, "banker": end > after}[hand]
                if size and wins and {"player": after, "banker": end}[hand] == points:
                    found += odds if theirs is None else odds * rest[theirs] / now
    return found
