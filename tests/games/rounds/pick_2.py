"""Pick 2 Poker rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.games.second_reading import cards as reading_cards
from tests.games.second_reading import pick_2 as reading

from .money import stake
from .shoe import Shoe, spelled

if TYPE_CHECKING:
    from random import Random

    from tests.games.second_reading.setup import Setup

    from .table import Table

WAGERS = ("ante", "bonus_3_5", "bonus_5", "play")
TIMES = {"three": 2, "five": 1, "fold": 0}
# Next to the one deck's patterns: hands at the edge of qualifying.
EDGES = (["A", "K", "4", "3", "2"], ["A", "Q", "J", "T", "9"], ["2", "2", "3", "4", "5"])


def deal(rng: Random, table: Table, setup: Setup) -> dict[str, Any]:
    shoe = Shoe(rng, 1)
    dealer = edge(rng, shoe) if rng.random() < 0.4 else five(rng, shoe)
    seats = []
    for number in table.numbers(rng.randint(1, 6)):
        hand = shoe.like(dealer) if rng.random() < 0.3 else five(rng, shoe)
        seats.append(seat(rng, number, hand, setup) | table.player(number))
    house = {"cards": spelled(dealer)}
    if rng.random() < 0.5:
        house["three"] = best_three(rng, dealer)
    return {"house": house, "seats": seats, **table.next_deck()}


def five(rng: Random, shoe: Shoe) -> list[str]:
    """Return five of a pattern, or three of one and two others, so that both tables get lines."""
    if rng.random() < 0.5:
        return shoe.group(5)
    cards = shoe.group(3) + shoe.group(2)
    rng.shuffle(cards)
    return cards


def edge(rng: Random, shoe: Shoe) -> list[str]:
    ranks = rng.choice(EDGES)
    return shoe.like([rank + rng.choice("shdc") for rank in ranks])


def best_three(rng: Random, cards: list[str]) -> str:
    best = rng.choice(reading.best_threes(reading_cards.dealt(spelled(cards))))
    names = {reading_cards.dealt_card(card): card for card in cards}
    return spelled([names[card] for card in best])


def seat(rng: Random, number: int, hand: list[str], setup: Setup) -> dict[str, Any]:
    play = rng.choice(("three", "three", "five", "five", "five", "fold"))
    ante = stake(rng)
    wagers = {
        "ante": ante,
        "bonus_3_5": stake(rng),
        "bonus_5": rng.choice((0, ante)),
        "play": TIMES[play] * ante,
    }
    if setup.readings["P2-I10"] == "bonus_3_5":
        wagers |= {"bonus_3_5": ante, "bonus_5": rng.choice((0, stake(rng)))}
    made: dict[str, Any] = {
        "seat": number,
        "cards": spelled(hand),
        "play": play,
        "wagers": wagers,
        "result": dict.fromkeys(WAGERS, 0),
    }
    if play == "three":
        made["three"] = (
            best_three(rng, hand) if rng.random() < 0.6 else spelled(rng.sample(hand, 3))
        )
    return made
