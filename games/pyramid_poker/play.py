"""Settle a logged round of Pyramid Poker with the kernels: who plays whom, and who can't."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cards import RANKS, has_joker, rank, show
from games.findings import Finding, cites
from games.pyramid_poker.house_way import house_way
from games.pyramid_poker.reasons import BANKER, REASONS
from games.pyramid_poker.settle import fouls, settle_main, settle_six_card, settle_three_card
from games.settlement.outcomes import Outcome, Settlement, balance, miscount

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.cards import Cards
    from games.log.round import House, Round, Seat
    from games.setup import Setup

__all__ = ["REASONS", "settle"]

GAME = "pyramid-poker"

Set = tuple[int, int, int]
"""Ranks of a set hand: low, then the two of the high hand."""


def settle(played: Round, setup: Setup) -> Settlement:
    """Settle a round that was played, house-banked or player-banked."""
    house = played.house
    miscounted = list(miscount(house.cards, 3, None, "PP-4"))
    barred = {seat.seat: found for seat in played.seats if (found := _bars(seat)) is not None}
    findings = [*miscounted, *(each for found in barred.values() for each in found)]
    bankers: Set | None = None
    if played.banker is not None and played.banker not in barred:
        bankers, fouled = _bankers_set(played, setup)
        findings += fouled
    if miscounted or has_joker(house.cards):
        return Settlement(
            findings=tuple(findings),
            irregular="the dealer's cards cannot be settled",
            irregular_cites=("PP-4",) if miscounted else ("PP-1",),
        )
    findings += _dealers_setting(house, setup)
    if played.banker in barred:
        return Settlement(
            findings=tuple(findings),
            irregular="the banker's hand cannot be settled",
            irregular_cites=("PP-23",),
        )
    theirs = bankers or _house_way(house.cards, setup)
    against = None if bankers is None else _houses_wager(house, bankers, setup)
    outcomes = [
        None if seat.seat in barred else _outcome(played, seat, theirs, setup)
        for seat in played.seats
    ]
    if against is not None:
        outcomes = _with_bank(played, outcomes, against.amounts["main"])
        findings += balance(played, "main", "PP-23")
    return Settlement(tuple(outcomes), tuple(findings), against)


def _dealers_setting(house: House, setup: Setup) -> Iterable[Finding]:
    """Yield `setting.dealer` if the low card isn't one of the cards or the House Way's rank."""
    wanted = _house_way(house.cards, setup)[0]
    low = house.low
    if len(low) == 1 and low[0] in house.cards and rank(low[0]) == wanted:
        return
    ids = ["PP-8", *_house_way_clauses(house.cards)]
    yield Finding(
        "setting.dealer", logged=show(low), expected=RANKS[wanted] + " low", cites=cites(*ids)
    )


def _house_way_clauses(cards: Cards) -> tuple[str, ...]:
    ranks = sorted(rank(card) for card in cards)
    if ranks[0] == ranks[2]:
        return ("PP-14",)
    if ranks[0] != ranks[1] != ranks[2]:
        return ("PP-17",)
    return ("PP-15", "PP-I13") if RANKS[ranks[1]] in "JQKA" else ("PP-16",)


def _bars(seat: Seat) -> list[Finding] | None:
    """Return why a seat can't be settled, or None if it can. Checks of the deal find jokers."""
    found = list(miscount(seat.cards, 3, seat.seat, "PP-4"))
    if len(seat.low) != 1 or seat.low[0] not in seat.cards:
        found.append(
            Finding(
                "setting.cards",
                seat.seat,
                logged=show(seat.low),
                expected=f"one of {show(seat.cards)}"[:80],
                cites=cites("PP-5"),
            )
        )
    return found if found or has_joker(seat.cards) else None


def _as_set(seat: Seat) -> Set:
    high = seat.cards.replace(seat.low, b"", 1)
    return rank(seat.low[0]), rank(high[0]), rank(high[1])


def _house_way(cards: Cards, setup: Setup) -> Set:
    a, b, c = (rank(card) for card in cards)
    low = house_way(a, b, c, split_at_four=setup.reading("PP-I13") == "split_at_four")
    high = [a, b, c]
    high.remove(low)
    return low, high[0], high[1]


def _bankers_set(played: Round, setup: Setup) -> tuple[Set, list[Finding]]:
    """Return the banker's hand as logged, or reset by the House Way if it fouls (PP-27).

    Three of a kind is compared like any other set (PP-I14).
    """
    banker = next(seat for seat in played.seats if seat.seat == played.banker)
    as_set = _as_set(banker)
    if not fouls(*as_set):
        return as_set, []
    again = _house_way(banker.cards, setup)
    finding = Finding(
        "setting.banker",
        banker.seat,
        logged=f"{RANKS[as_set[0]]} low",
        expected=f"{RANKS[again[0]]} low",
        cites=cites("PP-27", "PP-6", "PP-I4"),
    )
    return again, [finding]


def _both_equal(setup: Setup) -> int:
    """Return what a tie pays per cent staked (PP-I1): by Pai Gow's rule the hand loses (PP-31)."""
    return -1 if setup.reading("PP-I1") == "dealer_wins" else 0


def _outcome(played: Round, seat: Seat, theirs: Set, setup: Setup) -> Outcome:
    a, b, c = seat.cards
    three = settle_three_card(a, b, c, seat.wagers["three_card"], setup.pays(GAME, "three_card"))
    x, y, z = played.house.cards
    six = settle_six_card(a, b, c, x, y, z, seat.wagers["six_card"], setup.pays(GAME, "six_card"))
    main = (0, BANKER)
    if seat.seat != played.banker:
        main = settle_main(
            *_as_set(seat),
            *theirs,
            seat.wagers["main"],
            both_equal=_both_equal(setup),
            wins_at_once=True,
        )
    settled = {"main": main, "three_card": three, "six_card": six}
    return Outcome(
        {key: amount for key, (amount, _) in settled.items()},
        {key: (why,) for key, (_, why) in settled.items()},
    )


def _houses_wager(house: House, bankers: Set, setup: Setup) -> Outcome:
    """Settle the house's own hand, set the House Way, against the bank (PP-23, PP-I11)."""
    amount, why = settle_main(
        *_house_way(house.cards, setup),
        *bankers,
        house.wager,
        both_equal=_both_equal(setup),
        wins_at_once=setup.reading("PP-I11") == "yes",
    )
    return Outcome({"main": amount}, {"main": (why,)})


def _with_bank(played: Round, outcomes: list[Outcome | None], house: int) -> list[Outcome | None]:
    """Settle the banker's main: what the house and all others did not win (PP-23).

    A second hand of the banker counts as one of the others (PP-I17), and everything is settled in
    full, however little the bank contains (PP-I15). For a seat that can't be settled, the logged
    amount is used.
    """
    owed = house
    for seat, outcome in zip(played.seats, outcomes, strict=True):
        owed += seat.result["main"] if outcome is None else outcome.amounts["main"]
    return [
        Outcome({**outcome.amounts, "main": -owed}, outcome.reasons)
        if seat.seat == played.banker and outcome is not None
        else outcome
        for seat, outcome in zip(played.seats, outcomes, strict=True)
    ]
