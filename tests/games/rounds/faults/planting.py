"""Named faults to plant in a clean round: each is meant to yield its code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.games.rounds.shoe import RANKS, SUITS

if TYPE_CHECKING:
    from random import Random

Round = dict[str, Any]
Seat = dict[str, Any]
# Returns whether this round could take the fault.
Plant = Callable[["Random", Round], bool]

EVERY_GAME = ("pyramid-poker", "chinese-poker", "pick-2-poker", "showdown", "casino-version")
WITH_WAGERS = ("pyramid-poker", "pick-2-poker", "casino-version")


@dataclass(frozen=True)
class Fault:
    name: str
    code: str
    games: tuple[str, ...]
    plant: Plant


FAULTS: list[Fault] = []
# Faults of amounts and of a table's sequence: any round can take one next to another fault.
BESIDE = (
    "settlement",
    "wager",
    "limit.table",
    "limit.unit",
    "log",
    "deal.alternation",
    "deal.shoe",
)


def fault(code: str, *games: str) -> Callable[[Plant], Plant]:
    def keep(plant: Plant) -> Plant:
        FAULTS.append(Fault(plant.__name__, code, games or EVERY_GAME, plant))
        return plant

    return keep


def plant(rng: Random, round_: Round) -> str:
    """Plant a fault that the round can take, sometimes with another one; return which."""
    fitting = [one for one in FAULTS if round_["game"] in one.games]
    planted = plant_one(rng, round_, fitting)
    if rng.random() < 0.25:
        beside = [one for one in fitting if one.code.startswith(BESIDE)]
        planted += " and " + plant_one(rng, round_, beside)
    return planted


def plant_one(rng: Random, round_: Round, faults: list[Fault]) -> str:
    for one in rng.sample(faults, len(faults)):
        if one.plant(rng, round_):
            return one.name
    return "nothing"


def any_seat(rng: Random, round_: Round) -> Seat:
    seat: Seat = rng.choice(round_["seats"])
    return seat


def result_key(rng: Random, seat: Seat) -> str:
    keys: list[str] = [key for key in seat["result"] if not key.startswith("x_")]
    return rng.choice(keys)


def any_card(rng: Random) -> str:
    return rng.choice(RANKS) + rng.choice(SUITS)


def swapped(rng: Random, text: str, card: str) -> str:
    """Return the cards with one of them replaced."""
    cards = text.split(" ")
    cards[rng.randrange(len(cards))] = card
    return " ".join(cards)


def recounted(rng: Random, text: str) -> str:
    cards = text.split(" ")
    if rng.random() < 0.5:
        return " ".join(cards[:-1])
    return " ".join([*cards, any_card(rng)])
