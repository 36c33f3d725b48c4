"""Chinese Poker rounds: thirteen cards set in three hands, mostly legally."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.games.second_reading import cards as reading_cards
from tests.games.second_reading import chinese as reading

from .shoe import RANKS, SUITS, Shoe, spelled

if TYPE_CHECKING:
    from random import Random

    from tests.games.second_reading.setup import Setup

    from .table import Table

NATURALS = ("three-straights", "three-flushes", "six-pairs", "dragon")


def deal(rng: Random, table: Table, setup: Setup) -> dict[str, Any]:
    shoe = Shoe(rng, 1)
    seats: list[dict[str, Any]] = []
    for number in table.numbers(rng.randint(2, 4)):
        earlier = [seat for seat in seats if "front" in seat]
        made = again(rng, shoe, earlier) if rng.random() < 0.25 else play(rng, shoe, setup)
        seat = {"seat": number, **table.player(number), **made}
        seats.append(seat | {"result": {"total": 0}})
    return {
        "unit": rng.choice((1, 100, 250, 1000)),
        "scoring": rng.choice(setup.scorings),
        "seats": seats,
    }


def again(rng: Random, shoe: Shoe, earlier: list[dict[str, Any]]) -> dict[str, str]:
    """Repeat another player's hands in other suits, if the deck has them: equal hands are rare."""
    if not earlier:
        return named([shoe.group(5), shoe.group(5), shoe.group(3)])
    seat = rng.choice(earlier)
    return named([shoe.like(seat[part].split(" ")) for part in ("back", "middle", "front")])


def play(rng: Random, shoe: Shoe, setup: Setup) -> dict[str, Any]:
    if setup.surrender is not None and rng.random() < 0.15:
        return {"cards": spelled(shoe.group(13, "any")), "play": "surrender"}
    if rng.random() < 0.2:
        natural = rng.choice(NATURALS)
        hands = natural_hands(rng, shoe, natural)
        read = {part: reading_cards.as_set(hand) for part, hand in hands.items()}
        counts = natural in setup.naturals and reading.makes_natural(natural, read)
        return hands | ({"natural": natural} if counts and rng.random() < 0.8 else {})
    groups = [shoe.group(5), shoe.group(5), shoe.group(3)]
    return set_hands(rng, groups, setup)


def set_hands(rng: Random, groups: list[list[str]], setup: Setup) -> dict[str, str]:
    """Set the two fives in their order; try other orders of the thirteen cards if the set fouls."""
    cards = [card for group in groups for card in group]
    chosen = named(groups)
    for _ in range(rng.choice((0, 12, 12, 12))):
        read = {part: reading_cards.as_set(hand) for part, hand in chosen.items()}
        if not reading.fouls(read, setup):
            return chosen
        swapped = {**chosen, "back": chosen["middle"], "middle": chosen["back"]}
        read = {part: reading_cards.as_set(hand) for part, hand in swapped.items()}
        if not reading.fouls(read, setup):
            return swapped
        rng.shuffle(cards)
        by_rank = sorted(cards, key=lambda card: (cards_alike(card, cards), RANKS.index(card[0])))
        mixed = by_rank if rng.random() < 0.5 else cards
        chosen = named([mixed[8:], mixed[3:8], mixed[:3]])
    return chosen


def cards_alike(card: str, cards: list[str]) -> int:
    return sum(other[0] == card[0] for other in cards)


def named(groups: list[list[str]]) -> dict[str, str]:
    back, middle, front = (spelled(group) for group in groups)
    return {"front": front, "middle": middle, "back": back}


def natural_hands(rng: Random, shoe: Shoe, natural: str) -> dict[str, str]:
    if natural in ("three-straights", "three-flushes"):
        patterns = ("straight", "run") if natural == "three-straights" else ("flush", "run")
        return named([shoe.group(size, rng.choice(patterns)) for size in (5, 5, 3)])
    if natural == "dragon":
        cards = shoe.group(13, "any") if rng.random() < 0.1 else dragon(rng, shoe)
    else:
        pairs = [card for rank in rng.sample(RANKS, 7) for card in shoe.kind(rank, 2)][:12]
        cards = [shoe.take(card) for card in pairs]
        cards += [shoe.any_card() for _ in range(13 - len(cards))]
    rng.shuffle(cards)
    return named([cards[:5], cards[5:10], cards[10:]])


def dragon(rng: Random, shoe: Shoe) -> list[str]:
    cards = []
    for rank in RANKS:
        left = [rank + suit for suit in SUITS if shoe.has(rank + suit)]
        cards.append(shoe.take(rng.choice(left)) if left else shoe.any_card())
    return cards
