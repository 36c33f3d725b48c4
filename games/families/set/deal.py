"""Deals a round of the family at random: the house banks, and players set by the house way too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.cards import JOKER, show
from games.families.set.hand import HouseSet
from games.families.set.round import SetRound, SetSeat
from games.families.set.settle import settle_round

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from games.families.set.program import SetProgram

SIDE_WAGERS: Final = 0.5
"""How often a player places an optional wager."""


def deal_round(
    program: SetProgram, seats: Sequence[int], stake: int, side: int, chance: Random
) -> dict[str, Any]:
    """Return the game's part of a line, settled right; wagers are the stakes."""
    definition = program.definition
    decks = definition.decks
    deck = [card for card in range(52) for _ in range(decks.number)] + [JOKER] * decks.jokers
    chance.shuffle(deck)
    hands = [
        HouseSet(program, bytes(deck.pop() for _ in range(definition.deal.player)))
        for _ in range(len(seats) + 1)
    ]
    house = hands.pop()
    played = SetRound(
        round="",
        game=definition.slug,
        table="",
        at=0,
        seats=tuple(
            SetSeat(
                seat=seat,
                cards=hand.cards,
                parts=hand.parts,
                wagers=_wagers(program, stake, side, chance),
                result={},
            )
            for seat, hand in zip(seats, hands, strict=True)
        ),
    )
    settled = settle_round(program, played, house.parts, house.parts)
    return {
        "house": _as_logged(house),
        "seats": [
            {
                "seat": seat.seat,
                **_as_logged(hand),
                "wagers": dict(seat.wagers),
                "result": {} if each is None else dict(each.amounts),
            }
            for seat, hand, each in zip(played.seats, hands, settled.seats, strict=True)
        ],
    }


def _as_logged(hand: HouseSet) -> dict[str, Any]:
    return {"cards": show(hand.cards), "parts": [show(part) for part in hand.parts]}


def _wagers(program: SetProgram, stake: int, side: int, chance: Random) -> dict[str, int]:
    """Place the mandatory wagers, and some of the others."""
    return {
        key: stake if wager.mandatory else side * (chance.random() < SIDE_WAGERS)
        for key, wager in program.definition.wagers.items()
    }
