"""Casino Version explained: the dealer's three hands, then each player's against them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.casino_version.play import Terms, terms_of
from games.casino_version.reasons import EQUAL, LOST, REASONS, WON
from games.casino_version.settle import FOUL, SIZES, hand_points, worth
from games.cents import in_dollars
from games.explanation.model import Section, Step
from games.explanation.sections import (
    explain_reason,
    explain_result,
    explain_wager,
    seat_title,
)
from games.explanation.words import CHOICES, show_cards, strength_in_words
from games.ranking.long_hand import hand_of_showdown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.log.round import Round, Seat
    from games.settlement.outcomes import Outcome, Settlement
    from games.setup import Setup


COMPARED: Final = {
    first + hand: word
    for first, word in ((WON, "won"), (EQUAL, "equal"), (LOST, "lost"))
    for hand in range(len(SIZES))
}


def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
    """Explain the dealer, then every seat."""
    dealers = played.house.hands
    is_settled, terms = bool(settlement.seats), terms_of(setup)
    steps = [Step(f"Cards {show_cards(played.house.cards)}.", ("CV-2", "CV-3"))]
    steps += _hands(dealers, is_settled=is_settled)
    yield Section("Dealer", tuple(steps))
    for place, seat in enumerate(played.seats):
        yield _seat(seat, settlement.seats[place] if is_settled else None, dealers, terms)


def _hands(hands: tuple[Cards, ...], *, is_settled: bool) -> Iterator[Step]:
    for number, hand in enumerate(hands, 1):
        named = f", {_name_hand(hand)}" if is_settled else ""
        yield Step(f"Hand {number}: {show_cards(hand)}{named}.", ("CV-4", "CV-I4", "CV-I5"))


def _name_hand(hand: Cards) -> str:
    return strength_in_words(hand_of_showdown(hand, 0, len(hand)))


def _seat(seat: Seat, outcome: Outcome | None, dealers: tuple[Cards, ...], terms: Terms) -> Section:
    choice = f", {CHOICES[seat.play]}" if seat.play else ""
    steps = [Step(f"Cards {show_cards(seat.cards)}{choice}.", ("CV-3",))]
    steps += _hands(seat.hands, is_settled=outcome is not None)
    points = explain_result(seat, "points", outcome, tuple(_points(seat, outcome, dealers, terms)))
    wagers = (explain_wager(seat, key, outcome, REASONS) for key in seat.wagers)
    return Section(seat_title(seat), tuple(steps), (points, *wagers), seat.seat)


def _points(
    seat: Seat, outcome: Outcome | None, dealers: tuple[Cards, ...], terms: Terms
) -> Iterator[Step]:
    """Explain how each hand compared and what it scored, and the total points."""
    if outcome is None:
        return
    codes = outcome.reasons.get("points", ())
    hand = 0
    for code in codes:
        if code in COMPARED:
            yield _hand_compared(code, hand, seat, dealers, terms)
            hand += 1
        else:
            yield explain_reason(REASONS[code])
        if code == FOUL:
            yield from _lost_to_the_dealer(dealers, terms)
    ante = seat.wagers["ante"]
    if ante and outcome.amounts["points"]:
        net = outcome.amounts["points"] // ante
        yield Step(f"Net points: {net:+} at {in_dollars(ante)} a point.", ("CV-7",))


def _hand_compared(
    code: int, hand: int, seat: Seat, dealers: tuple[Cards, ...], terms: Terms
) -> Step:
    points = hand_points(hand, b"".join(seat.hands), 0, b"".join(dealers), 0, terms)
    return Step(
        f"Hand {hand + 1}: {_name_hand(seat.hands[hand])} against {_name_hand(dealers[hand])}, "
        f"{COMPARED[code]}, {points:+}.",
        REASONS[code].cites,
    )


def _lost_to_the_dealer(dealers: tuple[Cards, ...], terms: Terms) -> Iterator[Step]:
    """Explain the dealer's hands, which score their own values against a foul."""
    for place, hand in enumerate(dealers):
        points = worth(place, hand_of_showdown(hand, 0, len(hand)), terms)
        yield Step(f"Hand {place + 1}: the dealer's {_name_hand(hand)}, {-points:+}.", ("CV-I6",))
