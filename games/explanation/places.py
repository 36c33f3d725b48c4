"""The table as dealt: each hand as logged, and as the rules require where they set the hand.

The rules set the dealer's low card (PP-8) or best three (P2-7), and a banker's hand after a foul
(PP-27).
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from games.cards import rank, show
from games.explanation.model import Hand, Place
from games.explanation.pyramid_poker import house_way_set
from games.explanation.words import CHOICES
from games.pyramid_poker.settle import fouls
from games.ranking.three_card import three_card

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.log.round import House, Round, Seat
    from games.setup import Setup


DEALER: Final = "Dealer"
SET_NAMES: Final = {"chinese-poker": ("Front", "Middle", "Back")}
"""Names of a game's hands where they are not numbered."""


def explain_places(round_: Round, setup: Setup | None = None) -> tuple[Place, ...]:
    """Explain the table as dealt; with a setup, also how the rules would have set each hand."""
    rules = setup if round_.played else None
    seats = tuple(_seat(round_, each, rules) for each in round_.seats)
    has_house = round_.house.cards or round_.house.hands or round_.banker is not None
    places = (*_common(round_), *seats)
    return (_house(round_, rules), *places) if has_house else places


def _common(round_: Round) -> Iterator[Place]:
    """Yield cards that are all seats': community cards, or the player hand and the banker hand."""
    hands = getattr(round_, "hands", None)
    for title, cards in (
        ("Community cards", getattr(round_, "community", b"")),
        ("Player hand", getattr(hands, "player", b"")),
        ("Banker hand", getattr(hands, "banker", b"")),
    ):
        if cards:
            yield Place(title, "", (Hand("Cards", _log_spelling(cards)),))


def _house(round_: Round, setup: Setup | None) -> Place:
    required = b"" if setup is None else required_of_dealer(round_, setup)
    house = round_.house
    return Place(DEALER, "", tuple(_hands(round_.game, house, house.three or b"", required)))


def _seat(round_: Round, seat: Seat, setup: Setup | None) -> Place:
    required = b"" if setup is None else required_of_banker(round_, seat, setup)
    details = (
        f"player {seat.player}" if seat.player else "",
        *(CHOICES[word] for word in (seat.play, seat.natural) if word),
        "banker" if seat.seat == round_.banker else "",
    )
    return Place(
        f"Seat {seat.seat}",
        ", ".join(filter(None, details)),
        tuple(_hands(round_.game, seat, seat.three, required)),
    )


def _hands(game: str, owner: House | Seat, three: Cards, required: Cards) -> Iterator[Hand]:
    if owner.cards:
        yield Hand("Cards", _log_spelling(owner.cards))
    if owner.low or (required and game == "pyramid-poker"):
        yield from _set_hand("Low card", owner.low, required)
    if three or (required and game == "pick-2-poker"):
        yield from _set_hand("Best three" if required else "Three in play", three, required)
    names = SET_NAMES.get(game, ())
    for number, cards in enumerate(owner.hands):
        yield Hand(names[number] if names else f"Hand {number + 1}", _log_spelling(cards))


def _set_hand(label: str, cards: Cards, required: Cards) -> Iterator[Hand]:
    """Yield cards that were set from those dealt, and the required ones if those differ."""
    logged = _log_spelling(cards)
    if not required or sorted(cards) == sorted(required):
        yield Hand(label, logged, is_part=True)
        return
    if cards:
        yield Hand(f"{label} as set", logged, is_wrong=True)
    yield Hand(f"{label} as the rules require", _log_spelling(required))


def _log_spelling(cards: Cards) -> tuple[str, ...]:
    return tuple(show(cards).split())


def required_of_dealer(round_: Round, setup: Setup) -> Cards:
    """Return the dealer's low card (PP-8) or best three (P2-7); empty if the rules set nothing.

    Of equivalent cards, the ones that were set are named.
    """
    house = round_.house
    if round_.game == "pyramid-poker" and len(house.cards) == 3:
        return _low_card(house.cards, house.low, setup)
    if round_.game == "pick-2-poker" and len(house.cards) == 5:
        return _best_three(house.cards, house.three or b"")
    return b""


def required_of_banker(round_: Round, seat: Seat, setup: Setup) -> Cards:
    """Return the low card of a fouling banker's hand as reset (PP-27); empty for any other hand."""
    if round_.banker != seat.seat or len(seat.cards) != 3 or len(seat.low) != 1:
        return b""
    high = sorted((rank(card) for card in seat.cards.replace(seat.low, b"", 1)), reverse=True)
    if len(high) != 2 or not fouls(rank(seat.low[0]), high[0], high[1]):
        return b""
    return _low_card(seat.cards, seat.low, setup)


def _low_card(hand: Cards, as_set: Cards, setup: Setup) -> Cards:
    required = house_way_set(hand, setup)[0]
    fitting = [card for card in hand if rank(card) == required]
    return as_set if len(as_set) == 1 and as_set[0] in fitting else bytes(fitting[:1])


def _best_three(hand: Cards, shown: Cards) -> Cards:
    best = max(combinations(hand, 3), key=lambda three: three_card(*three))
    equal = {bytes(sorted(t)) for t in combinations(hand, 3) if three_card(*t) == three_card(*best)}
    return shown if bytes(sorted(shown)) in equal else bytes(best)
