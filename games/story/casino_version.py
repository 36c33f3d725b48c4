"""Casino Version told: the dealer's three hands, then each player's against them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.casino_version.play import Terms, terms_of
from games.casino_version.reasons import EQUAL, LOST, REASONS, WON
from games.casino_version.settle import FOUL, SIZES, hand_points, worth
from games.cents import in_dollars
from games.ranking.long_hand import hand_of_showdown
from games.story.accounts import amount, reason, seat_title, wager_account
from games.story.story import Account, Section, Sentence
from games.story.words import cards, strength_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.judge.settlement import Outcome, Settlement
    from games.round_log.round import Round, Seat
    from games.setup import Setup

COMPARED: Final = {
    first + hand: word
    for first, word in ((WON, "won"), (EQUAL, "equal"), (LOST, "lost"))
    for hand in range(len(SIZES))
}


def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
    """The dealer, then every seat."""
    dealers = played.house.hands
    judged, terms = bool(settlement.seats), terms_of(setup)
    said = [Sentence(f"Cards {cards(played.house.cards)}.", ("CV-2", "CV-3"))]
    said += _hands(dealers, judged=judged)
    yield Section("Dealer", tuple(said))
    for place, seat in enumerate(played.seats):
        yield _seat(seat, settlement.seats[place] if judged else None, dealers, terms)


def _hands(hands: tuple[Cards, ...], *, judged: bool) -> Iterator[Sentence]:
    for number, hand in enumerate(hands, 1):
        named = f", {_named(hand)}" if judged else ""
        yield Sentence(f"Hand {number}: {cards(hand)}{named}.", ("CV-4", "CV-I4", "CV-I5"))


def _named(hand: Cards) -> str:
    return strength_in_words(hand_of_showdown(hand, 0, len(hand)))


def _seat(seat: Seat, outcome: Outcome | None, dealers: tuple[Cards, ...], terms: Terms) -> Section:
    chose = {"fold": ", folds", "play": ", plays"}.get(seat.play or "", "")
    said = [Sentence(f"Cards {cards(seat.cards)}{chose}.", ("CV-3",))]
    said += _hands(seat.hands, judged=outcome is not None)
    points = Account(
        "points",
        None,
        tuple(_points(seat, outcome, dealers, terms)),
        seat.result["points"],
        amount(outcome, "points"),
    )
    wagers = (wager_account(seat, key, outcome, REASONS) for key in seat.wagers)
    return Section(seat_title(seat), tuple(said), (points, *wagers), seat.seat)


def _points(
    seat: Seat, outcome: Outcome | None, dealers: tuple[Cards, ...], terms: Terms
) -> Iterator[Sentence]:
    """How each hand compared and what it scored, and the points that it all comes to."""
    if outcome is None:
        return
    codes = outcome.reasons.get("points", ())
    hand = 0
    for code in codes:
        if code in COMPARED:
            yield _hand_compared(code, hand, seat, dealers, terms)
            hand += 1
        else:
            yield reason(REASONS[code])
        if code == FOUL:
            yield from _lost_to_the_dealer(dealers, terms)
    ante = seat.wagers["ante"]
    if ante and outcome.amounts["points"]:
        net = outcome.amounts["points"] // ante
        yield Sentence(f"Net {net:+} at {in_dollars(ante)} a point.", ("CV-7",))


def _hand_compared(
    code: int, hand: int, seat: Seat, dealers: tuple[Cards, ...], terms: Terms
) -> Sentence:
    points = hand_points(hand, b"".join(seat.hands), 0, b"".join(dealers), 0, terms)
    return Sentence(
        f"Hand {hand + 1}: {_named(seat.hands[hand])} against {_named(dealers[hand])}, "
        f"{COMPARED[code]}, {points:+}.",
        REASONS[code].cites,
    )


def _lost_to_the_dealer(dealers: tuple[Cards, ...], terms: Terms) -> Iterator[Sentence]:
    """Against a foul the dealer's hands score their own values."""
    for hand, held in enumerate(dealers):
        points = worth(hand, hand_of_showdown(held, 0, len(held)), terms)
        yield Sentence(f"Hand {hand + 1}: the dealer's {_named(held)}, {-points:+}.", ("CV-I6",))
