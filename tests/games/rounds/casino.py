"""Casino Version rounds: nine cards set as one, three and five."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.games.second_reading import casino as reading

from .money import stake
from .shoe import Shoe, as_dealt, spelled

if TYPE_CHECKING:
    from random import Random

    from tests.games.second_reading.setup import Setup

    from .table import Table

FIVE = ("kind", "run", "flush", "straight", "pairs", "whole_kind", "any")
THREE = ("kind", "whole_kind", "flush", "straight", "any", "any")


def deal(rng: Random, table: Table, setup: Setup) -> dict[str, Any]:
    del setup  # every set of cards is worth dealing under every interpretation
    shoe = Shoe(rng, 2, jokers=2)
    dealer = legal_set(rng, shoe)
    seats = []
    for number in table.numbers(rng.randint(1, 6)):
        player = {"player": f"p-{number}"} if rng.random() < 0.8 else {}
        seats.append({"seat": number, **player, **play(rng, shoe, dealer)})
    house: dict[str, Any] = {"cards": cards_of(dealer), "hands": [spelled(hand) for hand in dealer]}
    if all(seat["play"] == "fold" for seat in seats) and rng.random() < 0.5:
        del house["hands"]
    return {"house": house, "seats": seats}


def cards_of(hands: list[list[str]]) -> str:
    return spelled(as_dealt([card for hand in hands for card in hand]))


def any_set(rng: Random, shoe: Shoe) -> list[list[str]]:
    hands = [
        shoe.group(1, "any"),
        shoe.group(3, rng.choice(THREE)),
        shoe.group(5, rng.choice(FIVE)),
    ]
    return [shoe.name_jokers(hand, 0.08) for hand in hands]


def legal_set(rng: Random, shoe: Shoe) -> list[list[str]]:
    """Set nine cards until they don't foul; failed attempts go back to the shoe."""
    while True:
        hands = any_set(rng, shoe)
        if not reading.fouls(reading.read_hands([spelled(hand) for hand in hands])):
            return hands
        for card in (card for hand in hands for card in hand):
            if card.startswith("Jo"):
                shoe.jokers += 1
            else:
                shoe.give_back(card)


def play(rng: Random, shoe: Shoe, dealer: list[list[str]]) -> dict[str, Any]:
    ante = stake(rng)
    seat: dict[str, Any] = {
        "wagers": {"ante": ante, "buy_in": ante},
        "result": {"points": 0, "ante": 0, "buy_in": 0},
    }
    if rng.random() < 0.15:
        return {"cards": spelled(shoe.group(7)), "play": "fold", **seat}
    chance = rng.random()
    if chance < 0.3:
        hands = [
            shoe.like(hand) if rng.random() < 0.7 else shoe.group(len(hand)) for hand in dealer
        ]
    elif chance < 0.4:
        hands = any_set(rng, shoe)
    else:
        hands = legal_set(rng, shoe)
    return {
        "cards": cards_of(hands),
        "play": "play",
        "hands": [spelled(hand) for hand in hands],
        **seat,
    }
