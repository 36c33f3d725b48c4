"""Blackjack and Spanish 21 settled from their rules of play alone, without the engine.

A hand is (cards, doublings, ending), where the ending is "surrender", "rescue" or "".
"""

from fractions import Fraction

RANKS = "23456789TJQKA"
SUITS = "cdhs"


def worth(rank):
    return 11 if rank == "A" else 10 if rank in "TJQK" else int(rank)


def total(cards):
    """Return a total; aces count one where eleven is too much (BJ-2, SP-2)."""
    points = sum(worth(card[0]) for card in cards)
    aces = sum(card[0] == "A" for card in cards)
    while points > 21 and aces:
        points -= 10
        aces -= 1
    return points


def is_soft(cards):
    low = sum(1 if card[0] == "A" else worth(card[0]) for card in cards)
    return low != total(cards)


def natural(cards):
    return len(cards) == 2 and total(cards) == 21


def has_to_draw(cards, draws_to_soft_17):
    """BJ-5, SP-5."""
    if total(cards) == 17 and is_soft(cards):
        return draws_to_soft_17
    return total(cards) <= 16


def fifty_down(cents):
    """What is won at odds such as 3 to 2 is rounded down to 50 cents, losses up (BJ-16, SP-17)."""
    return int(Fraction(cents) // 50) * 50


def hand_of_blackjack(hand, wager, dealer, split, six_to_five):
    cards, doublings, ending = hand
    stake = wager * 2**doublings
    if ending == "surrender":  # BJ-10
        return fifty_down(Fraction(-stake, 2))
    if total(cards) > 21:  # BJ-12
        return -stake
    if natural(cards) and not split:  # BJ-13
        if natural(dealer[:2]):
            return 0
        return fifty_down(stake * (Fraction(6, 5) if six_to_five else Fraction(3, 2)))
    if natural(dealer[:2]):  # BJ-3
        return -stake
    return against(total(cards), total(dealer), stake)


def against(mine, theirs, stake):
    """BJ-14, SP-15."""
    if theirs > 21 or mine > theirs:
        return stake
    return 0 if mine == theirs else -stake


def hand_of_spanish(hand, wager, dealer, split):
    cards, doublings, ending = hand
    stake = wager * 2**doublings
    if ending:  # SP-8, SP-10
        return fifty_down(Fraction(-stake, 2))
    if total(cards) > 21:  # SP-12
        return -stake
    if natural(cards) and not split:  # SP-13
        return fifty_down(stake * Fraction(3, 2))
    if total(cards) == 21:
        odds = special(cards) if doublings == 0 else 1
        return stake * int(odds) if odds == int(odds) else fifty_down(stake * odds)
    if natural(dealer[:2]):
        return -stake
    return against(total(cards), total(dealer), stake)


def special(cards):
    """SP-14: the best that fits, which is also the first."""
    ranks = "".join(sorted(card[0] for card in cards))
    suits = {card[1] for card in cards}
    odds = {5: Fraction(3, 2), 6: Fraction(2)}.get(len(cards), Fraction(3 if len(cards) > 6 else 1))
    if ranks in {"678", "777"}:
        odds = Fraction(3) if suits == {"s"} else Fraction(2) if len(suits) == 1 else Fraction(3, 2)
    return odds


def super_bonus(hand, wager, dealer, split):
    """SP-18."""
    cards, doublings, _ = hand
    is_three_sevens = [card[0] for card in cards] == ["7"] * 3 and len({c[1] for c in cards}) == 1
    if not is_three_sevens or dealer[0][0] != "7" or doublings or split or wager < 500:
        return 0
    return 500_000 if wager >= 2500 else 100_000


def twenty_one_plus_three(three, paid):
    """BJ-17; `paid` is what suited three of a kind, straight flush and so on pay."""
    places = sorted(RANKS.index(card[0]) for card in three)
    flush = len({card[1] for card in three}) == 1
    alike = len(set(places)) == 1
    run = places in ([n, n + 1, n + 2] for n in range(11)) or places == [0, 1, 12]
    found = {
        "suited_three": alike and flush, "straight_flush": run and flush, "three": alike,
        "straight": run, "flush": flush,
    }  # fmt: skip
    return max((paid.get(name, -1) for name, has in found.items() if has), default=-1)


def match_the_dealer(two, upcard, suited, unsuited):
    """BJ-18, SP-19: each matching card pays, and without any the wager loses."""
    pays = [suited if card == upcard else unsuited for card in two if card[0] == upcard[0]]
    return sum(pays) if pays else -1


def lucky_ladies(two, dealer, paid):
    """BJ-19."""
    if total(two) != 20:
        return -1
    if list(two) == ["Qh", "Qh"]:
        return 1000 if natural(dealer[:2]) else paid[0]
    if two[0] == two[1]:
        return paid[1]
    return paid[2] if two[0][1] == two[1][1] else paid[3]
