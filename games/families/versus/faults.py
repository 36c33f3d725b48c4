"""Faults to plant in a line that was settled right: each says what an audit then finds."""

from __future__ import annotations

import itertools
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from games.definition.betting_model import POT
from games.families.family import Broken

if TYPE_CHECKING:
    from collections.abc import Sequence

Line = dict[str, Any]

CODE: Final = f"settlement.{POT}"


def over_rake(line: Line) -> Sequence[Broken]:
    """Take twice the rake from the winner of the main pot; the fee was as high as allowed."""
    rake, pot = line["fees"]["rake"], line["pots"][0]
    winners = [seat for seat, won in pot["won"].items() if won]
    if len(winners) != 1 or not 0 < rake <= pot["won"][winners[0]]:
        return ()
    line["fees"]["rake"] = 2 * rake
    pot["won"][winners[0]] -= rake
    _seat(line, winners[0])["result"][POT] -= rake
    most = sum(each["amount"] for each in line["pots"]) // 10
    return [Broken("fee.rake", None, "rake", most - 2 * rake)]


def pot_to_other(line: Line) -> Sequence[Broken]:
    """Pay the last pot to another player who was in it."""
    pot = line["pots"][-1]
    others = [seat for seat in pot["seats"] if str(seat) not in pot["won"]]
    if len(pot["won"]) != 1 or not others:
        return ()
    ((winner, won),) = pot["won"].items()
    pot["won"] = {str(others[0]): won}
    _seat(line, winner)["result"][POT] -= won
    _seat(line, others[0])["result"][POT] += won
    found = [Broken(CODE, int(winner), POT, -won), Broken(CODE, others[0], POT, won)]
    first = min(int(winner), others[0])
    return [*found, Broken(CODE, None, POT, won if first == others[0] else -won)]


def out_of_turn(line: Line) -> Sequence[Broken]:
    """Let a player fold before the one whose turn it was, who then folds, too."""
    actions = line["actions"]
    for first, second in itertools.pairwise(actions):
        if first["act"] == second["act"] == "fold" and first["street"] == second["street"]:
            first["seat"], second["seat"] = second["seat"], first["seat"]
            first["to"], second["to"] = second["to"], first["to"]
            return [Broken("play.choice", first["seat"], None, 0)]
    return ()


def unbalanced(line: Line) -> Sequence[Broken]:
    """Pay a winner a dollar too much, which nobody lost."""
    for seat, won in line["pots"][0]["won"].items():
        if won:
            _seat(line, seat)["result"][POT] += 100
            return [
                Broken(CODE, int(seat), POT, 100),
                Broken("settlement.balance", None, POT, 100),
            ]
    return ()


def _seat(line: Line, number: int | str) -> Line:
    seat: Line = next(each for each in line["seats"] if each["seat"] == int(number))
    return seat


FAULTS: Final = MappingProxyType(
    {each.__name__: each for each in (over_rake, pot_to_other, out_of_turn, unbalanced)}
)
