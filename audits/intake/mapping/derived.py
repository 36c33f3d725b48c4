"""Sets that an export leaves out and the rules determine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.cards import CardError, dealt, rank, show
from games.pyramid_poker.house_way import house_way

if TYPE_CHECKING:
    from games.cards import Cards


def derive_sets(round_: dict[str, Any]) -> list[str]:
    """Add what is missing and determined; return the names of what was added.

    In Pyramid Poker, the dealer's low card follows from the House Way (PP-14 to PP-17) unless the
    third card is exactly four below a pair, where it depends on an interpretation (PP-I13). A
    player's follows only from three of a kind: any other hand may be set in two ways (PP-6). A
    player-banked deal has no House Way, and a void round needs no set.
    """
    if round_.get("game") != "pyramid-poker" or round_.get("void") is not None:
        return []
    added = []
    house = round_.get("house")
    if isinstance(house, dict) and "low" not in house and "banker" not in round_:
        low = _by_house_way(_cards(house))
        if low:
            house["low"] = low
            added.append("house.low")
    for seat in round_.get("seats", ()):
        cards = _cards(seat)
        if "low" not in seat and len(cards) == 3 and len({rank(card) for card in cards}) == 1:
            seat["low"] = show(cards[:1])
            added.append(f"seat {seat.get('seat')} low")
    return added


def _cards(hand: dict[str, Any]) -> Cards:
    try:
        return dealt(hand.get("cards") or "")
    except CardError:
        return b""


def _by_house_way(cards: Cards) -> str:
    if len(cards) != 3 or len({*cards}) == 0 or any(card >= 52 for card in cards):
        return ""
    a, b, c = (rank(card) for card in cards)
    either = {house_way(a, b, c, split_at_four=split) for split in (False, True)}
    if len(either) != 1:
        return ""
    low = either.pop()
    return show(bytes([next(card for card in cards if rank(card) == low)]))
