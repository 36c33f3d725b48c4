"""Which of the cards dealt the rules themselves set: the dealer's, and a banker's after a foul."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from games.cards import rank
from games.pyramid_poker.settle import fouls
from games.ranking.three_card import three_card
from games.story.pyramid_poker import house_way_set

if TYPE_CHECKING:
    from games.cards import Cards
    from games.round_log.round import Round, Seat
    from games.setup import Setup


def dealer_as_ruled(round_: Round, setup: Setup) -> Cards:
    """The dealer's low card (PP-8), or best three (P2-7); empty where the rules set nothing.

    Of cards that do alike the ones that were set are named.
    """
    house = round_.house
    if round_.game == "pyramid-poker" and len(house.cards) == 3:
        return _low(house.cards, house.low, setup)
    if round_.game == "pick-2-poker" and len(house.cards) == 5:
        return _best_three(house.cards, house.three or b"")
    return b""


def banker_as_ruled(round_: Round, seat: Seat, setup: Setup) -> Cards:
    """The low card of a banker whose hand fouls and is set again (PP-27); empty for any other."""
    if round_.banker != seat.seat or len(seat.cards) != 3 or len(seat.low) != 1:
        return b""
    high = sorted((rank(card) for card in seat.cards.replace(seat.low, b"", 1)), reverse=True)
    if len(high) != 2 or not fouls(rank(seat.low[0]), high[0], high[1]):
        return b""
    return _low(seat.cards, seat.low, setup)


def _low(hand: Cards, as_set: Cards, setup: Setup) -> Cards:
    wanted = house_way_set(hand, setup)[0]
    fit = [card for card in hand if rank(card) == wanted]
    return as_set if len(as_set) == 1 and as_set[0] in fit else bytes(fit[:1])


def _best_three(hand: Cards, shown: Cards) -> Cards:
    best = max(combinations(hand, 3), key=lambda three: three_card(*three))
    alike = {bytes(sorted(t)) for t in combinations(hand, 3) if three_card(*t) == three_card(*best)}
    return shown if bytes(sorted(shown)) in alike else bytes(best)
