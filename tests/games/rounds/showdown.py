"""Showdown rounds: surrenders at two declarations, power hands, jokers, pots and their ties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.games.second_reading import showdown as reading
from tests.games.second_reading.cards import as_set

from .shoe import Shoe, as_dealt, spelled

if TYPE_CHECKING:
    from random import Random

    from tests.games.second_reading.setup import Setup

    from .table import Table

# Sizes of hands 1 to 6; at most 25 cards.
SHAPES = (
    (1, 3, 3, 3, 5, 5),
    (1, 3, 3, 3, 5, 5),
    (1, 3, 3, 5, 5, 5),
    (1, 3, 3, 6, 5, 5),
    (1, 3, 3, 3, 5, 8),
    (1, 3, 3, 3, 5, 10),
    (1, 3, 3, 3, 6, 7),
    (1, 3, 3, 3, 7, 7),
    (1, 3, 3, 6, 6, 6),
    (1, 3, 5, 5, 5, 6),
    (1, 3, 5, 6, 5, 5),
    (1, 3, 3, 3, 5, 6),
    (1, 3, 3, 5, 5, 6),
)
STRONG = ("run", "whole_kind", "whole_kind")
FIVE = ("run", "whole_kind", "kind", "pairs", "flush", "straight", "any")
THREE = ("whole_kind", "flush", "straight", "kind", "any", "any")
CARDS = {"surrender-20": 20, "surrender-23": 23, "showdown": 25}


def deal(rng: Random, table: Table, setup: Setup) -> dict[str, Any]:
    del setup
    shoe = Shoe(rng, 3, jokers=4)
    numbers = table.numbers(rng.randint(2, 6))
    plays = declarations(rng, len(numbers))
    seats: list[dict[str, Any]] = []
    shown: list[list[list[str]]] = []
    for number, play in zip(numbers, plays, strict=True):
        seats.append({"seat": number, **table.player(number), **hold(rng, shoe, play, shown)})
    return {
        "chip": rng.choice((1, 100, 500)),
        "dealer": rng.choice(numbers),
        "seats": [seat | {"result": {"showdown": 0, "surrender": 0, "pot": 0}} for seat in seats],
    }


def declarations(rng: Random, players: int) -> list[str]:
    """Return each player's play; the only one who stays is `last`, and at least one stays."""
    if rng.random() < 0.15:
        plays = [rng.choice(("surrender-20", "surrender-23")) for _ in range(players)]
        plays[rng.randrange(players)] = "last"
        return plays
    plays = rng.choices(tuple(CARDS), (1, 1, 6), k=players)
    if plays.count("showdown") < 2:
        plays[:2] = ["showdown", "showdown"]
    rng.shuffle(plays)
    return plays


def hold(rng: Random, shoe: Shoe, play: str, shown: list[list[list[str]]]) -> dict[str, Any]:
    if play != "showdown":
        size = CARDS.get(play) or rng.choice((20, 23, 25))
        return {"cards": spelled(shoe.group(size, "any")), "play": play}
    if shown and rng.random() < 0.25:
        hands = [shoe.like(hand) for hand in rng.choice(shown)]
    elif rng.random() < 0.12:
        hands = any_set(rng, shoe)
    else:
        hands = legal_set(rng, shoe)
    shown.append(hands)
    used = as_dealt([card for hand in hands for card in hand])
    discarded = [shoe.any_card() for _ in range(25 - len(used))]
    cards = [*used, *discarded]
    rng.shuffle(cards)
    return {"cards": spelled(cards), "play": play, "hands": [spelled(hand) for hand in hands]}


def any_set(rng: Random, shoe: Shoe) -> list[list[str]]:
    shape = rng.choice(SHAPES)
    hands = []
    for place, size in enumerate(shape, start=1):
        power = size >= 6 or (size == 5 and place <= 4)
        patterns = STRONG if power else FIVE if size == 5 else THREE
        pattern = "pairs" if place == 4 and size == 6 and rng.random() < 0.5 else None
        hands.append(shoe.group(size, pattern or rng.choice(patterns)))
    return [shoe.name_jokers(hand, 0.06) for hand in in_order(hands)]


def in_order(hands: list[list[str]]) -> list[list[str]]:
    """Order hands of the same size by strength, with each size in its places."""
    read = {
        spelled(hand): reading.read_hand(6 if len(hand) >= 5 else 1, as_set(spelled(hand)))
        for hand in hands
    }
    ordered = list(hands)
    for first in range(6):
        for second in range(first + 1, 6):
            one, other = read[spelled(ordered[first])], read[spelled(ordered[second])]
            same_size = len(ordered[first]) == len(ordered[second])
            if same_size and one is not None and other is not None and other < one:
                ordered[first], ordered[second] = ordered[second], ordered[first]
    return ordered


def legal_set(rng: Random, shoe: Shoe) -> list[list[str]]:
    """Try some sets and return the first that doesn't foul, or else the last one."""
    for attempt in range(40):
        hands = any_set(rng, shoe)
        if attempt == 39 or reading.proper_set({"hands": [spelled(hand) for hand in hands]}):
            break
        for card in (card for hand in hands for card in hand):
            if card.startswith("Jo"):
                shoe.jokers += 1
            else:
                shoe.give_back(card)
    return hands
