"""Pyramid Poker explained: the dealer's setting, then each hand's three wagers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cards import JACK, RANKS, rank
from games.cents import in_dollars
from games.explanation.model import Section, Step, WagerExplanation
from games.explanation.sections import (
    expected_amount,
    explain_odds,
    explain_reasons,
    explain_wager,
    seat_title,
)
from games.explanation.words import (
    RANK_WORDS,
    compare_in_words,
    ranks_in_words,
    show_cards,
)
from games.pyramid_poker.house_way import house_way
from games.pyramid_poker.play import GAME
from games.pyramid_poker.reasons import REASONS, SIX_CARD, THREE_CARD
from games.pyramid_poker.settle import fouls, high_hand

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.log.round import Round, Seat
    from games.settlement.outcomes import Outcome, Settlement
    from games.setup import Setup


TABLES: Final = {"three_card": THREE_CARD, "six_card": SIX_CARD}
Set = tuple[int, int, int]
"""Ranks of a set hand: low, then the two of the high hand."""


def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
    """Explain the dealer first, then the banker if there is one, then every hand."""
    yield _dealer(played, setup, settlement)
    against = _against(played, setup) if settlement.seats else None
    for place, seat in enumerate(played.seats):
        outcome = settlement.seats[place] if settlement.seats else None
        steps = _bank_in_parts(played, settlement) if seat.seat == played.banker else ()
        yield _seat(played, setup, seat, outcome, against, steps)


def _dealer(played: Round, setup: Setup, settlement: Settlement) -> Section:
    house = played.house
    steps = [Step("No cards logged.")]
    if house.cards:
        laid = f"Cards {show_cards(house.cards)}, low as logged {show_cards(house.low)}."
        steps = [Step(laid, ("PP-4",))]
    if settlement.seats:
        steps.append(_house_way_explained(house.cards, setup))
    wagers: tuple[WagerExplanation, ...] = ()
    if played.banker is not None:
        steps.append(
            Step(
                f"Seat {played.banker} banks with {in_dollars(played.bank)}; the other seats and "
                "the house play main against that hand.",
                ("PP-20", "PP-23", "PP-24"),
            )
        )
        wagers = (_houses_wager(played, setup, settlement),)
    return Section("Dealer", tuple(steps), wagers)


def _house_way_explained(hand: Cards, setup: Setup) -> Step:
    """Explain how the House Way sets three cards, and which of its rules applies."""
    low, *high = house_way_set(hand, setup)
    as_set = f"The House Way sets {RANKS[low]} low and {ranks_in_words(high)} high: "
    ranks = sorted((low, *high))
    if ranks[0] == ranks[2]:
        return Step(as_set + "three of a kind is split.", ("PP-8", "PP-14"))
    if ranks[0] != ranks[1] != ranks[2]:
        return Step(as_set + "without a pair, the middle card is low.", ("PP-8", "PP-17"))
    pair = f"a pair of {RANK_WORDS[RANKS[ranks[1]]]}s".replace("sixs", "sixes")
    if ranks[1] < JACK:
        return Step(f"{as_set}{pair} is the high hand.", ("PP-8", "PP-16"))
    third = RANKS[ranks[0] if ranks[0] != ranks[1] else ranks[2]]
    does = "stays together" if high[0] == high[1] else "is split"
    return Step(f"{as_set}{pair} with a {third} {does}.", ("PP-8", "PP-15", "PP-I13"))


def house_way_set(hand: Cards, setup: Setup) -> Set:
    """Return three cards as the House Way sets them."""
    a, b, c = (rank(card) for card in hand)
    low = house_way(a, b, c, split_at_four=setup.reading("PP-I13") == "split_at_four")
    high = sorted([a, b, c], reverse=True)
    high.remove(low)
    return low, high[0], high[1]


def _as_set(seat: Seat) -> Set:
    high = sorted((rank(c) for c in seat.cards.replace(seat.low, b"", 1)), reverse=True)
    return rank(seat.low[0]), high[0], high[1]


def _against(played: Round, setup: Setup) -> Set:
    """Return the hand that main is played against: the dealer's, or the banker's final set."""
    if played.banker is None:
        return house_way_set(played.house.cards, setup)
    banker = next(seat for seat in played.seats if seat.seat == played.banker)
    as_set = _as_set(banker)
    return house_way_set(banker.cards, setup) if fouls(*as_set) else as_set


def _houses_wager(played: Round, setup: Setup, settlement: Settlement) -> WagerExplanation:
    steps: tuple[Step, ...] = ()
    if settlement.seats:
        steps = _compared(house_way_set(played.house.cards, setup), _against(played, setup))
    return WagerExplanation(
        "Dealer",
        "house",
        played.house.wager,
        (*steps, *explain_reasons(settlement.house, "main", REASONS, played.house.wager)),
        played.house.result,
        expected_amount(settlement.house, "main"),
    )


def _bank_in_parts(played: Round, settlement: Settlement) -> tuple[Step, ...]:
    """Explain what each hand takes from the bank, or pays into it."""
    parts = [
        f"seat {seat.seat} {in_dollars(seat.result['main'])} as logged"
        if outcome is None
        else f"seat {seat.seat} {in_dollars(outcome.amounts['main'])}"
        for seat, outcome in zip(played.seats, settlement.seats, strict=False)
        if seat.seat != played.banker
    ]
    house = expected_amount(settlement.house, "main")
    if house is not None:
        parts.append(f"the house {in_dollars(house)}")
    return (Step(f"Won from the bank: {', '.join(parts)}.", ("PP-23",)),) if parts else ()


def _seat(
    played: Round,
    setup: Setup,
    seat: Seat,
    outcome: Outcome | None,
    against: Set | None,
    bank: tuple[Step, ...],
) -> Section:
    banks = ", banker" if seat.seat == played.banker else ""
    return Section(
        seat_title(seat) + banks,
        tuple(_setting(seat, outcome, against if banks else None)),
        tuple(_wager(played, setup, seat, key, outcome, against, bank) for key in seat.wagers),
        seat.seat,
    )


def _setting(seat: Seat, outcome: Outcome | None, again: Set | None) -> Iterator[Step]:
    """Explain how a hand is set; `again` is a banker's hand as reset after a foul."""
    if not seat.cards:
        yield Step("No cards logged.")
        return
    yield Step(f"Cards {show_cards(seat.cards)}, set with {show_cards(seat.low)} low.", ("PP-5",))
    if outcome is None or not fouls(*_as_set(seat)):
        return
    yield Step("Foul: the low card outranks the high hand.", ("PP-6", "PP-I4"))
    if again is not None:
        low, *high = again
        says = f"Reset by the House Way: {RANKS[low]} low and {ranks_in_words(high)} high."
        yield Step(says, ("PP-27",))


def _wager(
    played: Round,
    setup: Setup,
    seat: Seat,
    key: str,
    outcome: Outcome | None,
    against: Set | None,
    bank: tuple[Step, ...],
) -> WagerExplanation:
    steps: tuple[Step, ...] = ()
    if key == "main" and seat.seat == played.banker:
        steps = bank
    elif key == "main" and outcome is not None and against is not None:
        steps = _compared(_as_set(seat), against)
    elif key == "six_card" and outcome is not None:
        steps = (Step(f"With the dealer's {show_cards(played.house.cards)}.", ("PP-21",)),)
    codes = () if outcome is None else outcome.reasons.get(key, ())
    pays = explain_odds(setup, GAME, TABLES, codes, seat.wagers[key])
    return explain_wager(seat, key, outcome, REASONS, steps, pays)


def _compared(mine: Set, theirs: Set) -> tuple[Step, ...]:
    """Compare low with low and high with high."""
    low, *high = mine
    their_low, *their_high = theirs
    return (
        Step(
            f"Low: {RANKS[low]} against {RANKS[their_low]}, {compare_in_words(low, their_low)}.",
            ("PP-9", "PP-13"),
        ),
        Step(
            f"High: {ranks_in_words(high)} against {ranks_in_words(their_high)}, "
            f"{compare_in_words(high_hand(*high), high_hand(*their_high))}.",
            ("PP-9", "PP-12"),
        ),
    )
