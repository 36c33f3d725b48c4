"""Deals a round of the family at random, by the drawing rules or against them, settled as dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.cards import dealt, show
from games.families.baccarat.hand import FEWEST, CommonHands
from games.families.baccarat.round import BaccaratSeat
from games.families.baccarat.runs import settle_seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from games.cards import Cards
    from games.definition import Definition
    from games.families.baccarat.program import BaccaratProgram

SIDE_WAGERS: Final = 0.3
"""How often a player places a wager beside the main ones."""
MAIN: Final = 2
"""Wagers of which a player places one: the first two of the definition, as a rule."""


def deal_round(
    program: BaccaratProgram, seats: Sequence[int], stake: int, side: int, chance: Random
) -> dict[str, Any]:
    """Return the game's part of a line, settled right; nobody places a wager that runs on."""
    definition = program.definition
    shoe = [card for card in range(52) for _ in range(definition.decks.number)]
    cards = iter(chance.sample(shoe, 6))
    player = bytes((next(cards), next(cards)))
    banker = bytes((next(cards), next(cards)))
    if CommonHands(program, player, banker).draws[0]:
        player += bytes((next(cards),))
    if CommonHands(program, player, banker).draws[1]:
        banker += bytes((next(cards),))
    line: dict[str, Any] = {
        "hands": {"player": show(player), "banker": show(banker)},
        "seats": [
            {"seat": seat, "wagers": _wagers(definition, program, stake, side, chance)}
            for seat in seats
        ],
    }
    settle_line(program, line)
    return line


def settle_line(program: BaccaratProgram, line: Mapping[str, Any]) -> None:
    """Give every seat of a line without running wagers the result of its cards as dealt."""
    hands = CommonHands(program, *(dealt(line["hands"][key]) for key in ("player", "banker")))
    for seat in line["seats"]:
        placed = BaccaratSeat(seat=seat["seat"], wagers=seat["wagers"], result={})
        seat["result"] = dict(settle_seat(hands, placed, {}).amounts)


def break_draw(program: BaccaratProgram, line: dict[str, Any], chance: Random) -> str:
    """Give the banker hand a third card that it must not have, or take it away; say which."""
    player, banker = (dealt(line["hands"][key]) for key in ("player", "banker"))
    if len(banker) > FEWEST:
        banker, what = banker[:FEWEST], "the banker hand stands where it must draw"
    else:
        banker += bytes((_free_card(program, player + banker, chance),))
        what = "the banker hand draws where it must stand"
    line["hands"]["banker"] = show(banker)
    settle_line(program, line)
    return what


def _free_card(program: BaccaratProgram, cards: Cards, chance: Random) -> int:
    decks = program.definition.decks.number
    return chance.choice([card for card in range(52) if cards.count(card) < decks])


def _wagers(
    definition: Definition, program: BaccaratProgram, stake: int, side: int, chance: Random
) -> dict[str, int]:
    wagers = dict.fromkeys(definition.wagers, 0)
    free = [key for key in wagers if key not in program.own.runs]
    wagers[chance.choice(free[:MAIN])] = stake
    for key in free[MAIN:]:
        if chance.random() < SIDE_WAGERS:
            wagers[key] = side
    for key in definition.mandatory_wagers:
        wagers[key] = wagers[key] or stake
    return wagers
