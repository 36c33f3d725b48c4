"""Settle a logged round of Casino Version with the kernels: who plays, who folds, who can't."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from games.cards import show, unnamed
from games.casino_version.reasons import (
    ACE,
    ANTE,
    BUY_IN,
    EQUAL,
    FIVE,
    IN_HAND_2,
    IN_HAND_3,
    LOST,
    REASONS,
    WON,
)
from games.casino_version.settle import (
    FOUL,
    SIZES,
    fouls,
    net_points,
    points_between,
    settle_fold,
    settle_points,
    strengths,
)
from games.findings import Finding, cites
from games.ranking.names import FIVE_OF_A_KIND
from games.settlement.outcomes import Outcome, Settlement, miscount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.log.round import House, Round, Seat
    from games.setup import Setup

__all__ = ["REASONS", "settle"]

GAME: Final = "casino-version"
WORTH_OF_FIVE: Final = {"one_point": 1, "as_four": 4, "as_six": 6}
"""Points for five of a kind that no special names, by interpretation of CV-I3."""

Terms = tuple[int, ...]
Strengths = tuple[int, int, int]


def settle(played: Round, setup: Setup) -> Settlement:
    """Settle a round that was played: each seat against the dealer, who sets freely (CV-I8)."""
    everyone_folded = all(seat.play == "fold" for seat in played.seats)
    dealers = list(_dealers_cards(played.house, everyone_folded=everyone_folded))
    wrong = {seat.seat: list(_wrong_cards(seat)) for seat in played.seats}
    findings = (*dealers, *(each for found in wrong.values() for each in found))
    if dealers:
        return Settlement(
            findings=findings,
            irregular="the dealer's cards cannot be settled",
            irregular_cites=dealers[0].cites,
        )
    dealer = b"".join(played.house.hands)
    if dealer and fouls(*strengths(dealer, 0)):
        return Settlement(
            findings=findings,
            irregular="the dealer's set is fouled",
            irregular_cites=("CV-4", "CV-I4", "CV-I7"),
        )
    terms = terms_of(setup)
    outcomes = [
        None if wrong[seat.seat] else _outcome(seat, dealer, terms) for seat in played.seats
    ]
    return Settlement(tuple(outcomes), findings)


def terms_of(setup: Setup) -> Terms:
    """Return what each special scores and whether suits decide, in the order `settle` defines."""
    specials = setup.rules(GAME).points["specials"].lines
    if FIVE not in specials:
        specials = {**specials, FIVE: WORTH_OF_FIVE[setup.reading("CV-I3")]}
    in_2, in_3 = [1] * (FIVE_OF_A_KIND + 1), [1] * (FIVE_OF_A_KIND + 1)
    for of_hand, known in ((in_2, IN_HAND_2), (in_3, IN_HAND_3)):
        for line, name in known.items():
            of_hand[name] = specials.get(line, 1)
    return (
        1 if setup.reading("CV-I1") == "ace_one" else specials.get(ACE, 1),
        int(setup.reading("CV-I2") == "suits"),
        *in_2,
        *in_3,
    )


def _dealers_cards(house: House, *, everyone_folded: bool) -> Iterator[Finding]:
    """Yield the dealer's `deal.count` and `setting.cards`; no set is needed if everyone folded."""
    if everyone_folded and not house.hands:
        if len(house.cards) != 7:
            yield from miscount(house.cards, 9, None, "CV-4")
        return
    yield from miscount(house.cards, 9, None, "CV-4")
    yield from _set_of(house.cards, house.hands, None)


def _wrong_cards(seat: Seat) -> Iterator[Finding]:
    """Yield a seat's `deal.count` and `setting.cards`."""
    if seat.play == "fold":
        yield from miscount(seat.cards, 7, seat.seat, "CV-2")
        return
    yield from miscount(seat.cards, 9, seat.seat, "CV-4")
    yield from _set_of(seat.cards, seat.hands, seat.seat)


def _set_of(cards: Cards, hands: tuple[Cards, ...], seat: int | None) -> Iterator[Finding]:
    """Yield `setting.cards` if the set isn't the cards dealt, or isn't one, three and five."""
    laid = b"".join(hands)
    sizes = tuple(len(hand) for hand in hands)
    same = Counter(unnamed(laid)) == Counter(cards)
    if not same or (sizes != SIZES and len(cards) == sum(SIZES)):
        yield Finding(
            "setting.cards",
            seat,
            logged=" / ".join(show(hand[:9]) for hand in hands),
            expected=f"one, three and five of {show(cards[:9])}",
            cites=cites("CV-4"),
        )


def _outcome(seat: Seat, dealer: Cards, terms: Terms) -> Outcome:
    ante, buy_in = seat.wagers["ante"], seat.wagers["buy_in"]
    compared: tuple[int, ...] = ()
    if seat.play == "fold":
        points, ante_won, buy_in_won, why = settle_fold(ante, buy_in)
    else:
        laid = b"".join(seat.hands)
        mine, others = strengths(laid, 0), strengths(dealer, 0)
        net = net_points(mine, others, laid, 0, dealer, 0, terms)
        points, ante_won, buy_in_won, why = settle_points(net, ante, buy_in)
        compared = (FOUL,) if fouls(*mine) else _compared(mine, others, laid, dealer, terms)
    return Outcome(
        {"points": points, "ante": ante_won, "buy_in": buy_in_won},
        {"points": (*compared, why), "ante": (ANTE + why,), "buy_in": (BUY_IN + why,)},
    )


def _compared(
    mine: Strengths, others: Strengths, laid: Cards, dealer: Cards, terms: Terms
) -> tuple[int, ...]:
    """Return how each hand of a proper set compared, as reason codes."""
    points = [
        points_between(hand, mine[hand], others[hand], laid, 0, dealer, 0, terms)
        for hand in range(3)
    ]
    return tuple(
        (EQUAL if won == 0 else WON if won > 0 else LOST) + hand for hand, won in enumerate(points)
    )
