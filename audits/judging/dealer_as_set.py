"""Whether a wager was settled against the dealer's hand as it lay, not as the rules set it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.cards import rank
from games.pick_2_poker.settle import settle_play
from games.pyramid_poker.settle import settle_main
from games.ranking.three_card import three_card

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.cards import Cards
    from games.round_log.round import Round, Seat
    from games.setup import Setup


def settled_against_dealer_as_set(round_: Round, finding: Mapping[str, Any], setup: Setup) -> bool:
    """Whether the amount logged is what the dealer's hand as set gives."""
    seat = next((each for each in round_.seats if each.seat == finding["seat"]), None)
    settle = _SETTLED.get((round_.game, finding["code"]))
    if seat is None or settle is None:
        return False
    return bool(settle(round_, seat, finding["wager"], setup) == finding["logged"])


def _pyramid(round_: Round, seat: Seat, _key: str, setup: Setup) -> int | None:
    """The main wager against the house's low card as it was set."""
    if round_.banker is not None:
        return None
    mine, theirs = _set(seat.cards, seat.low), _set(round_.house.cards, round_.house.low)
    if mine is None or theirs is None:
        return None
    equal = -1 if setup.reading("PP-I1") == "dealer_wins" else 0
    amount, _ = settle_main(
        *mine, *theirs, seat.wagers["main"], both_equal=equal, wins_at_once=True
    )
    return amount


def _set(cards: Cards, low: Cards) -> tuple[int, int, int] | None:
    if len(cards) != 3 or len(low) != 1 or low[0] not in cards:
        return None
    one, other = cards.replace(low, b"", 1)
    return rank(low[0]), rank(one), rank(other)


def _pick_2(round_: Round, seat: Seat, key: str, _setup: Setup) -> int | None:
    """A three-card hand against the three that the dealer showed."""
    shown = round_.house.three
    mine = seat.three
    if seat.play != "three" or not shown or len(shown) != 3 or len(mine) != 3:
        return None
    ante, play, _ = settle_play(
        three_card(*mine), three_card(*shown), seat.wagers["ante"], seat.wagers["play"]
    )
    return {"ante": ante, "play": play}[key]


_SETTLED: Final[Mapping[tuple[str, str], Callable[[Round, Seat, str, Setup], int | None]]] = {
    ("pyramid-poker", "settlement.main"): _pyramid,
    ("pick-2-poker", "settlement.ante"): _pick_2,
    ("pick-2-poker", "settlement.play"): _pick_2,
}
