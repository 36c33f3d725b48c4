"""A second reading of Texas Hold'em, from its rules of play alone; it imports nothing of `games`.

It plays rounds of no limit by the rules, with short stacks, ties and odd cents, and settles them
chip layer by chip layer. Hands are compared by trying all 21 ways to take five of seven cards.
"""

from collections import Counter
from itertools import combinations

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]
STREETS = ("preflop", "flop", "turn", "river")
OPEN = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}


def five(cards):
    """Return how five cards rank (TH-19): higher tuples are better."""
    values = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    shape = sorted(Counter(values).items(), key=lambda item: (-item[1], -item[0]))
    order = [value for value, _ in shape]
    counts = [count for _, count in shape]
    suited = len({card[1] for card in cards}) == 1
    run = len(order) == 5 and order[0] - order[4] == 4
    if order == [12, 3, 2, 1, 0]:
        run, order = True, [3]
    if run and suited:
        return (8, order[0])
    if counts[0] == 4:
        return (7, *order)
    if counts[:2] == [3, 2]:
        return (6, *order)
    if suited:
        return (5, *order)
    if run:
        return (4, order[0])
    named = {(3, 1): 3, (2, 2): 2, (2, 1): 1, (1, 1): 0}
    return (named[tuple(counts[:2])], *order)


def best(cards):
    return max(five(each) for each in combinations(cards, 5))


class Hand:
    """One round, played at random but by the rules."""

    def __init__(self, chance, short="each", most_raises=3):
        self.chance, self.short, self.most_raises = chance, short, most_raises
        self.seats = sorted(chance.sample(range(1, 11), chance.randint(2, 7)))
        self.button = chance.choice(self.seats)
        deck = chance.sample(DECK, 52)
        if chance.random() < 0.3:  # few ranks: many ties
            deck = [card for card in deck if card[0] in "AKQJT9"]
        self.cards = {seat: [deck.pop(), deck.pop()] for seat in self.seats}
        self.board = [deck.pop() for _ in range(5)]
        self.stack = {seat: chance.choice((37, 155, 460, 1001, 5003)) for seat in self.seats}
        self.ante = chance.choice((0, 0, 7))
        place = self.seats.index(self.button) + 1
        self.ring = self.seats[place:] + self.seats[:place]
        self.left = dict(self.stack)
        self.put = dict.fromkeys(self.seats, 0)
        self.folded = set()
        self.actions = []
        self.back = {}
        self.street = "preflop"
        self.play()

    def log(self, seat, act, to):
        self.actions.append({"seat": seat, "street": self.street, "act": act, "to": to})

    def pay(self, seat, cents):
        cents = min(cents, self.left[seat])
        self.left[seat] -= cents
        self.put[seat] += cents
        return cents

    def alive(self):
        return [seat for seat in self.ring if seat not in self.folded]

    def play(self):
        for seat in self.ring:
            if self.ante:
                self.log(seat, "ante", self.pay(seat, self.ante))
        ring = self.ring
        small, big = (ring[1], ring[0]) if len(ring) == 2 else ring[:2]
        here = dict.fromkeys(ring, 0)
        for seat, blind in ((small, 25), (big, 50)):
            if self.left[seat]:
                here[seat] = self.pay(seat, blind)
                self.log(seat, "post", here[seat])
        start = ring.index(big) + 1
        for self.street in STREETS:
            self.bets(here, ring[start:] + ring[:start])
            if len(self.alive()) == 1:
                break
            here, start = dict.fromkeys(ring, 0), 0
        self.result()

    def bets(self, here, order):
        top = max(here.values())
        full = max(top, 50) if self.street == "preflop" else 50
        full = top if self.street == "preflop" and top else full
        raises, line = 0, [seat for seat in order if seat not in self.folded]
        met = {}  # what a player had met when acting last, and the raises made by then
        reopened = 0
        while line:
            seat = line.pop(0)
            if seat in self.folded or not self.left[seat] or len(self.alive()) == 1:
                continue
            others = [each for each in self.alive() if each != seat and self.left[each]]
            if here[seat] >= top and not others:
                continue
            may = seat not in met or self.is_open(top, full, reopened, *met[seat])
            may = may and raises < self.most_raises and bool(others)
            to = self.choose(seat, here[seat], top, full, may)
            if to is None:
                self.folded.add(seat)
                self.log(seat, "fold", here[seat])
            else:
                word = "check" if to == here[seat] else "call" if to <= top else "raise"
                word = "bet" if word == "raise" and not top else word
                self.pay(seat, to - here[seat])
                self.log(seat, word, to)
                here[seat] = to
                if to > top:
                    self.raised_to = to
                    counts = to - top >= full or self.short == "any"
                    if self.short == "total":
                        counts = to - self.full_to(here, top, full) >= full
                    if counts:
                        raises += bool(top)
                        reopened += 1
                        full = max(full, to - top)
                        self.last_full = to
                    top = to
                    at = order.index(seat)
                    line = list(order[at + 1 :] + order[:at])
            met[seat] = (top, reopened)
        self.last_full = 0
        if len(self.alive()) == 1 or self.street == "river" or not self.can_go_on():
            self.give_back(here)

    last_full = 0

    def full_to(self, here, top, full):
        return self.last_full or (top if self.street == "preflop" else 0)

    def is_open(self, top, full, reopened, level, before):
        if self.short == "total":
            return top - level >= full
        return reopened > before

    def choose(self, seat, mine, top, full, may):
        """Return the new total on the street, or None to fold."""
        roll, limit = self.chance.random(), mine + self.left[seat]
        if may and limit > top and roll < 0.35:
            if self.chance.random() < 0.3 or limit < top + full:
                return limit
            return min(limit, top + self.chance.choice((full, full, full + 13, 3 * full)))
        if mine >= top:
            return mine
        return None if roll > 0.8 else min(top, limit)

    def can_go_on(self):
        return sum(self.left[seat] > 0 for seat in self.alive()) > 1

    def give_back(self, here):
        """Return what nobody called (TH-14)."""
        (seat, most), *rest = sorted(here.items(), key=lambda item: -item[1])
        excess = most - max((each for _, each in rest), default=0)
        if excess and not self.back:
            self.back = {seat: excess}
            self.put[seat] -= excess

    def result(self):
        self.community = self.board[: OPEN[self.street]]
        alive = self.alive()
        if len(alive) > 1:
            self.community = self.board
            for seat in alive:
                self.log(seat, "show", 0)
        self.pots = []
        money = dict(self.put)
        while any(money.values()):  # the smallest stake still in makes the next pot (TH-15)
            inside = [seat for seat in alive if money[seat]]
            layer = min((money[seat] for seat in inside), default=0)
            if not inside:
                self.pots[-1][0] += sum(money.values())
                break
            amount = 0
            for seat in money:
                amount += min(layer, money[seat])
                money[seat] -= min(layer, money[seat])
            self.pots.append([amount, inside])
        total = sum(amount for amount, _ in self.pots)
        self.rake = self.chance.choice((0, total // 10, total // 20))
        self.won = []
        fee = self.rake
        for amount, inside in self.pots:
            charged = min(fee, amount)
            fee -= charged
            self.won.append(self.portion(amount - charged, inside))
        self.net = {
            seat: sum(won.get(seat, 0) for won in self.won) - self.put[seat] for seat in self.seats
        }

    def portion(self, amount, inside):
        """Divide a pot (TH-20, TH-21)."""
        top = inside
        if len(inside) > 1:
            ranks = {seat: best(self.cards[seat] + self.board) for seat in inside}
            top = [seat for seat in inside if ranks[seat] == max(ranks.values())]
        each, odd = divmod(amount, len(top))
        return {seat: each + (odd if seat == top[0] else 0) for seat in top}

    def line(self):
        """Return the round as a log has it."""
        shows = len(self.alive()) > 1
        return {
            "button": self.button,
            "community": " ".join(self.community),
            "actions": self.actions,
            "pots": [
                {"amount": amount, "seats": inside, "won": {str(s): c for s, c in won.items()}}
                for (amount, inside), won in zip(self.pots, self.won, strict=True)
            ],
            "fees": {"rake": self.rake, "jackpot": 0},
            "seats": [
                {
                    "seat": seat,
                    "stack": self.stack[seat],
                    "cards": " ".join(self.cards[seat])
                    if shows and seat not in self.folded
                    else None,
                    "result": {"pot": self.net[seat]},
                }
                for seat in self.seats
            ],
        }
