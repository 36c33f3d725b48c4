"""A second reading of Pai Gow Poker, from its rules of play alone; it imports nothing of `games`.

Hands are compared by trying every card that the joker may be, and sets by trying every one.
"""

from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
FIVE_ACES, STRAIGHT_FLUSH, FOUR, FULL, FLUSH, STRAIGHT, THREE, TWO, PAIR, HIGH = range(10, 0, -1)
PAYS = {"seven": 5000, "match": 2000, "seven_joker": 1000, "aces": 400, "royal": 150, "sf": 50,
        "four": 25, "full": 5, "flush": 4, "three": 3, "straight": 2, "none": -1}  # fmt: skip
ENVY = {"seven": 500000, "match": 100000, "seven_joker": 50000, "aces": 25000, "royal": 5000,
        "sf": 2000, "four": 500}  # fmt: skip


def value(card):
    return RANKS.index(card[0])


def run_of(values):
    """Return how high a straight is, or None; PG-5: A-2-3-4-5 is just below A-K-Q-J-10."""
    ordered = sorted(values)
    if len(set(ordered)) < len(ordered):
        return None
    if ordered == [0, 1, 2, 3, 12]:
        return 11.5
    return ordered[-1] if ordered[-1] - ordered[0] == len(ordered) - 1 else None


def name(cards):
    """Return the rank of natural cards, five or two: higher compares higher."""
    values = [value(card) for card in cards]
    groups = sorted(((values.count(each), each) for each in set(values)), reverse=True)
    shape = tuple(count for count, _ in groups)
    order = tuple(each for _, each in groups)
    if shape[0] == 5:
        return (FIVE_ACES, order)
    if len(cards) == 5 and shape[0] == 1:
        top = run_of(values)
        suited = len({card[1] for card in cards}) == 1
        if top is not None:
            return (STRAIGHT_FLUSH if suited else STRAIGHT, (top,))
        if suited:
            return (FLUSH, order)
    named = {(4, 1): FOUR, (3, 2): FULL, (3, 1, 1): THREE, (2, 2, 1): TWO, (2, 1, 1, 1): PAIR,
             (2,): PAIR}  # fmt: skip
    return (named.get(shape, HIGH), order)


def rank(cards):
    """Return the best rank of five or two cards (PG-3): the joker is an ace, or completes."""
    if "Jo" not in cards:
        return name(cards)
    rest = [card for card in cards if card != "Jo"]
    # An ace: of a suit that makes no flush by itself, so that only its rank counts.
    found = [name([*rest, "A?"])]
    if len(cards) == 5:
        found += [
            made
            for card in DECK
            if card not in rest and (made := name([*rest, card]))[0] in
            (STRAIGHT, FLUSH, STRAIGHT_FLUSH)
        ]  # fmt: skip
    return max(found)


def is_ordered(low, high):
    return rank(low) <= rank(high)


def sets(cards):
    for low in combinations(cards, 2):
        rest = list(cards)
        for card in low:
            rest.remove(card)
        if is_ordered(low, rest):
            yield list(low), rest


def best(cards):
    return max(rank(five) for five in combinations(cards, 5))


def house(cards):  # noqa: C901 - the rules, one after another
    """Return the set of the house way, PG-8 to PG-15."""
    every = [(rank(low), rank(high), low, high) for low, high in sets(cards)]
    whole = best(cards)
    kind, order = whole

    def choose(condition, by):
        fitting = [each for each in every if condition(each[0], each[1])]
        return max(fitting, key=by)[2:] if fitting else None

    def by_low(each):
        return (each[0], each[1])

    def by_high(each):
        return (each[1], each[0])

    def is_pair(low, _high):
        return low[0] == PAIR

    def stays(least):
        return lambda _low, high: high[0] >= least

    def stays_with(kept, card):
        def condition(low, high):
            return high[0] >= kept and (low[0] == PAIR or low[1][0] >= RANKS.index(card))

        return condition

    if kind == FIVE_ACES:  # PG-8
        kings = choose(lambda low, _: low == (PAIR, (11,)), by_high)
        return kings or choose(lambda low, _: low == (PAIR, (12,)), by_high)
    if kind == FOUR:  # PG-9
        paired = choose(lambda low, high: low[0] == PAIR and high[0] >= FOUR, by_low)
        if paired:
            return paired
        four = order[0]
        if four <= RANKS.index("6"):
            return choose(stays(FOUR), by_low)
        card = "K" if four <= RANKS.index("T") else "A"
        kept = choose(stays_with(FOUR, card), by_low) if four <= RANKS.index("K") else None
        return kept or choose(is_pair, by_high)
    if kind == FULL:  # PG-10
        return choose(lambda low, high: low[0] == PAIR and high[0] >= THREE, by_low)
    if kind in (STRAIGHT, FLUSH, STRAIGHT_FLUSH):  # PG-11
        return choose(is_pair, by_high) or choose(stays(STRAIGHT), by_low)
    if kind == THREE:  # PG-12
        if order[0] == RANKS.index("A"):
            return choose(lambda low, high: low[1][0] == 12 and high[0] == PAIR and
                          high[1][0] == 12, by_low)  # fmt: skip
        return choose(stays(THREE), by_low)
    if kind == TWO:
        three_pairs = choose(lambda low, high: low[0] == PAIR and high[0] == TWO, by_low)
        if three_pairs:  # PG-13
            return three_pairs
        higher = order[0]  # PG-14
        kept = None
        if higher <= RANKS.index("6"):
            kept = choose(stays_with(TWO, "K"), by_low)
        elif higher <= RANKS.index("J"):
            kept = choose(stays_with(TWO, "A"), by_low)
        return kept or choose(is_pair, by_high)
    return choose(stays(PAIR if kind == PAIR else HIGH), by_low)  # PG-15


def fortune(cards):
    """Return the best-paid line that seven cards fit (PG-20)."""
    lines = {"none"}
    natural = [card for card in cards if card != "Jo"]
    jokers = len(cards) - len(natural)
    suits = {card[1] for card in natural}
    if len(suits) == 1 and run_of_seven([value(card) for card in natural], jokers):
        lines.add("seven_joker" if jokers else "seven")
    for suit in SUITS:
        royal = [card for card in natural if card[1] == suit and card[0] in "TJQKA"]
        rest = [card for card in natural if card not in royal]
        is_match = len(rest) == 2 and len({card[1] for card in rest}) == 1
        if len(royal) + jokers == 5 and is_match and {card[0] for card in rest} == {"K", "Q"}:
            lines.add("match")
    named = {FIVE_ACES: "aces", FOUR: "four", FULL: "full", FLUSH: "flush", STRAIGHT: "straight",
             THREE: "three"}  # fmt: skip
    for five in combinations(cards, 5):
        for kind, order in every_rank(five):
            if kind == STRAIGHT_FLUSH:
                lines.add("royal" if order == (12,) else "sf")
            elif kind in named:
                lines.add(named[kind])
    return max(lines, key=PAYS.get)


def every_rank(cards):
    """Yield every rank that five cards have, whatever the joker is."""
    if "Jo" not in cards:
        yield name(cards)
        return
    rest = [card for card in cards if card != "Jo"]
    yield name([*rest, "A?"])
    for card in DECK:
        if card not in rest:
            made = name([*rest, card])
            if made[0] in (STRAIGHT, FLUSH, STRAIGHT_FLUSH):
                yield made


def run_of_seven(values, jokers):
    for first in range(-1, 7):
        window = {(first + step) % 13 for step in range(7)}
        if len(window & set(values)) + jokers == 7 and len(set(values)) == len(values):
            return True
    return False


def compare(mine, theirs):
    return (rank(mine) > rank(theirs)) - (rank(mine) < rank(theirs))


def main(parts, theirs, wager, no_commission):
    """Return what a main wager wins, and the commission kept (PG-6, PG-17 to PG-19)."""
    if no_commission and rank(theirs[1])[0] == HIGH and rank(theirs[1])[1][0] == RANKS.index("Q"):
        return 0, 0
    if not is_ordered(*parts):
        return -wager, 0
    wins = [compare(mine, their) > 0 for mine, their in zip(parts, theirs, strict=True)]
    if all(wins):
        paid = wager if no_commission else wager * 95 // 100 // 5 * 5
        return paid, wager - paid
    return (0, 0) if any(wins) else (-wager, 0)


def settle(dealer, seats, banker=None, house_wager=0, no_commission=False):
    """Return each seat's results, and the house's own; a seat is cards, parts, main, fortune."""
    dealers = house(dealer)
    theirs = dealers
    if banker is not None:
        cards, parts = seats[banker][:2]
        theirs = parts if is_ordered(*parts) else house(cards)
    lines = [fortune(cards) for cards, _, _, _ in seats]
    results, bank = [], 0
    for place, (_, parts, wager, side) in enumerate(seats):
        won, kept = (0, 0) if place == banker else main(parts, theirs, wager, no_commission)
        bank -= won + kept
        line = lines[place]
        envy = 0
        if side >= 500:
            envy = sum(ENVY.get(each, 0) for other, each in enumerate(lines) if other != place)
        results.append({"main": won, "fortune": PAYS[line] * side, "envy": envy})
    if banker is None:
        return results, None
    own, kept = main(dealers, theirs, house_wager, no_commission)
    bank -= own + kept
    results[banker]["main"] = bank if bank <= 0 else bank * 95 // 100 // 5 * 5
    return results, own + kept
