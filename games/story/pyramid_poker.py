"""Pyramid Poker told: the dealer's setting, then each hand's three wagers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cards import JACK, RANKS, rank
from games.cents import in_dollars
from games.pyramid_poker.house_way import house_way
from games.pyramid_poker.reasons import REASONS
from games.pyramid_poker.settle import fouls, high_hand
from games.story.accounts import amount, reasons, seat_title, wager_account
from games.story.story import Account, Section, Sentence
from games.story.words import ONES, cards, rank_names, standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.judge.settlement import Outcome, Settlement
    from games.round_log.round import Round, Seat
    from games.setup import Setup

Set = tuple[int, int, int]
"""Ranks of a set hand: low, then the two of the high hand."""


def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
    """The dealer first, the banker where there is one, then every hand."""
    yield _dealer(played, setup, settlement)
    against = _against(played, setup) if settlement.seats else None
    for place, seat in enumerate(played.seats):
        outcome = settlement.seats[place] if settlement.seats else None
        said = _bank_in_parts(played, settlement) if seat.seat == played.banker else ()
        yield _seat(played, seat, outcome, against, said)


def _dealer(played: Round, setup: Setup, settlement: Settlement) -> Section:
    house = played.house
    said = [Sentence("No cards logged.")]
    if house.cards:
        laid = f"Cards {cards(house.cards)}, low as logged {cards(house.low)}."
        said = [Sentence(laid, ("PP-4",))]
    if settlement.seats:
        said.append(_house_way_told(house.cards, setup))
    accounts: tuple[Account, ...] = ()
    if played.banker is not None:
        said.append(
            Sentence(
                f"Seat {played.banker} banks with {in_dollars(played.bank)}; the others and the "
                "house play main against that hand.",
                ("PP-20", "PP-23", "PP-24"),
            )
        )
        accounts = (_houses_wager(played, setup, settlement),)
    return Section("Dealer", tuple(said), accounts)


def _house_way_told(hand: Cards, setup: Setup) -> Sentence:
    """How the House Way sets three cards, and which of its rules says so."""
    low, *high = house_way_set(hand, setup)
    as_set = f"The House Way sets {RANKS[low]} low and {rank_names(high)} high: "
    ranks = sorted((low, *high))
    if ranks[0] == ranks[2]:
        return Sentence(as_set + "three of a kind is split.", ("PP-8", "PP-14"))
    if ranks[0] != ranks[1] != ranks[2]:
        return Sentence(as_set + "without a pair the middle card is low.", ("PP-8", "PP-17"))
    pair = f"a pair of {ONES[ranks[1]]}s".replace("sixs", "sixes")
    if ranks[1] < JACK:
        return Sentence(f"{as_set}{pair} is the high hand.", ("PP-8", "PP-16"))
    third = RANKS[ranks[0] if ranks[0] != ranks[1] else ranks[2]]
    does = "stays together" if high[0] == high[1] else "is split"
    return Sentence(f"{as_set}{pair} beside a {third} {does}.", ("PP-8", "PP-15", "PP-I13"))


def house_way_set(hand: Cards, setup: Setup) -> Set:
    """Three cards as the House Way sets them."""
    a, b, c = (rank(card) for card in hand)
    low = house_way(a, b, c, split_at_four=setup.reading("PP-I13") == "split_at_four")
    high = sorted([a, b, c], reverse=True)
    high.remove(low)
    return low, high[0], high[1]


def _as_set(seat: Seat) -> Set:
    high = sorted((rank(c) for c in seat.cards.replace(seat.low, b"", 1)), reverse=True)
    return rank(seat.low[0]), high[0], high[1]


def _against(played: Round, setup: Setup) -> Set:
    """The hand that main is played against: the dealer's, or the banker's as finally set."""
    if played.banker is None:
        return house_way_set(played.house.cards, setup)
    banker = next(seat for seat in played.seats if seat.seat == played.banker)
    as_set = _as_set(banker)
    return house_way_set(banker.cards, setup) if fouls(*as_set) else as_set


def _houses_wager(played: Round, setup: Setup, settlement: Settlement) -> Account:
    said: tuple[Sentence, ...] = ()
    if settlement.seats:
        said = _compared(house_way_set(played.house.cards, setup), _against(played, setup))
    return Account(
        "house",
        played.house.wager,
        (*said, *reasons(settlement.house, "main", REASONS, played.house.wager)),
        played.house.result,
        amount(settlement.house, "main"),
    )


def _bank_in_parts(played: Round, settlement: Settlement) -> tuple[Sentence, ...]:
    """What each hand takes from the bank, or pays into it."""
    parts = [
        f"seat {seat.seat} {in_dollars(seat.result['main'])} as logged"
        if outcome is None
        else f"seat {seat.seat} {in_dollars(outcome.amounts['main'])}"
        for seat, outcome in zip(played.seats, settlement.seats, strict=False)
        if seat.seat != played.banker
    ]
    house = amount(settlement.house, "main")
    if house is not None:
        parts.append(f"the house {in_dollars(house)}")
    return (Sentence(f"Won from the bank: {', '.join(parts)}.", ("PP-23",)),) if parts else ()


def _seat(
    played: Round,
    seat: Seat,
    outcome: Outcome | None,
    against: Set | None,
    bank: tuple[Sentence, ...],
) -> Section:
    banks = ", banker" if seat.seat == played.banker else ""
    return Section(
        seat_title(seat) + banks,
        tuple(_setting(seat, outcome, against if banks else None)),
        tuple(_account(played, seat, key, outcome, against, bank) for key in seat.wagers),
        seat.seat,
    )


def _setting(seat: Seat, outcome: Outcome | None, again: Set | None) -> Iterator[Sentence]:
    """How a hand is set; `again` is a banker's hand as it stands after a foul."""
    if not seat.cards:
        yield Sentence("No cards logged.")
        return
    yield Sentence(f"Cards {cards(seat.cards)}, set with {cards(seat.low)} low.", ("PP-5",))
    if outcome is None or not fouls(*_as_set(seat)):
        return
    yield Sentence("The low card outranks the high hand: a foul.", ("PP-6", "PP-I4"))
    if again is not None:
        low, *high = again
        says = f"Set again the House Way: {RANKS[low]} low and {rank_names(high)} high."
        yield Sentence(says, ("PP-27",))


def _account(
    played: Round,
    seat: Seat,
    key: str,
    outcome: Outcome | None,
    against: Set | None,
    bank: tuple[Sentence, ...],
) -> Account:
    said: tuple[Sentence, ...] = ()
    if key == "main" and seat.seat == played.banker:
        said = bank
    elif key == "main" and outcome is not None and against is not None:
        said = _compared(_as_set(seat), against)
    elif key == "six_card" and outcome is not None:
        said = (Sentence(f"With the house's {cards(played.house.cards)}.", ("PP-21",)),)
    return wager_account(seat, key, outcome, REASONS, said)


def _compared(mine: Set, theirs: Set) -> tuple[Sentence, ...]:
    """Low with low, high with high."""
    low, *high = mine
    their_low, *their_high = theirs
    return (
        Sentence(
            f"Low: {RANKS[low]} against {RANKS[their_low]}, {standing(low, their_low)}.",
            ("PP-9", "PP-13"),
        ),
        Sentence(
            f"High: {rank_names(high)} against {rank_names(their_high)}, "
            f"{standing(high_hand(*high), high_hand(*their_high))}.",
            ("PP-9", "PP-12"),
        ),
    )
