"""A game's settlement of one played round: what each seat should have won, and what prevents that.

Each game's `play.py` makes a `Settlement`; the verdict compares it with the log. The maximum
aggregate payout (PP-19, PP-I8, PP-I9) is applied afterward: it counts what wagers win, but not
stakes returned or wagers lost. Where the maximum applies, the wagers that it may cut are audited by
their sum alone; the split shown is one of many.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from games.findings import Finding, cites, wrong_amount
from games.law import PER_DEAL
from games.maximums import forbidden_maximum, form_of_maximum

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from games.cards import Cards
    from games.log.round import Round
    from games.setup import Setup


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a wager ended as it did, as people would say it at the table."""

    says: str
    cites: tuple[str, ...]


CUT: Final = -1
"""The code, in every game, of an amount that a maximum aggregate payout cut."""

CUT_REASON: Final = Reason("cut by the maximum aggregate payout", ("PP-19", "PP-I8", "PP-I9"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one seat wins (or loses, negative) per result key, in cents, and why.

    The reasons are codes of the game's `reasons.REASONS`, in the order in which they apply. A key
    without an amount can't be computed and isn't audited.
    """

    amounts: Mapping[str, int]
    reasons: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    lines: Mapping[str, str] | None = None
    """Instead of reasons, by a definition: the line that each key reached, as a word."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one player wins from another (negative, loses to) where players play each other."""

    key: str
    seat: int
    other: int
    amount: int
    reasons: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """A played round settled by the rules.

    `seats` is parallel to the round's seats; None is a seat that can't be settled, for the reason
    that one of `findings` gives. With `irregular` nobody can be settled, and `seats` is empty.
    `findings` are the game's own: `deal.count`, `setting.*`, `approval.controls`,
    `settlement.balance`.
    """

    seats: tuple[Outcome | None, ...] = ()
    findings: tuple[Finding, ...] = ()
    house: Outcome | None = None
    """Player-banked rounds: the house's own main wager against the bank, under the key `main`."""
    meetings: tuple[Meeting, ...] = ()
    """Chinese Poker and Showdown: every two players, whose amounts add up to those of the seats."""
    irregular: str | None = None
    irregular_cites: tuple[str, ...] = ()


class Game(Protocol):
    """What settlement needs from a game: the module `games/<game>/play.py`."""

    REASONS: Mapping[int, Reason]

    @staticmethod
    def settle(played: Round, setup: Setup) -> Settlement:
        """Settle a round that was played (never a void one) under the approved terms."""


def miscount(cards: Cards, wanted: int, seat: int | None, clause: str) -> Iterator[Finding]:
    """Yield `deal.count` for a hand with the wrong number of cards; seat None is the dealer's."""
    if len(cards) != wanted:
        yield Finding(
            "deal.count",
            seat,
            logged=f"{len(cards)} cards",
            expected=f"{wanted} cards",
            cites=cites(clause),
        )


def balance(played: Round, key: str, clause: str) -> Iterator[Finding]:
    """Yield `settlement.balance` if the logged results of one key don't sum to zero.

    The house's own wager against a player's bank counts like a seat.
    """
    total = sum(seat.result[key] for seat in played.seats) + played.house.result
    if total:
        yield wrong_amount("settlement.balance", None, key, total, 0, (clause,))


FIRST_CUT = ("six_card", "three_card", "main")
"""Which wager of a hand is shown as cut first (PP-I9)."""


@dataclass(frozen=True, slots=True)
class Capped:
    """Outcomes after the cut, what is wrong, and which amounts are audited only by their sum."""

    outcomes: tuple[Outcome | None, ...]
    findings: tuple[Finding, ...] = ()
    decided: frozenset[tuple[int, str]] = frozenset()


def capped(round_: Round, outcomes: tuple[Outcome | None, ...], setup: Setup) -> Capped:
    """Apply the set-up's maximum aggregate for this game, if any."""
    form = form_of_maximum(round_.game, setup)
    if form is None or forbidden_maximum(round_, setup) is not None:
        return Capped(outcomes)
    if form == PER_DEAL:
        return _per_deal(round_, outcomes, setup.max_per_deal[round_.game])
    most = setup.max_aggregate
    assert most is not None  # noqa: S101  it has a form
    return _in_groups(round_, outcomes, most, _groups(round_, form), _may_cut(round_, form))


def _may_cut(round_: Round, form: str) -> tuple[str, ...]:
    """Return the wagers that may be cut: `main` only under `all_wagers`, and never from a bank."""
    return FIRST_CUT if form == "all_wagers" and round_.banker is None else FIRST_CUT[:2]


Group = tuple[int | None, tuple[int, ...]]
"""Seats with one maximum, by their places, and the seat that a finding names."""


def _groups(round_: Round, form: str) -> list[Group]:
    """Return the seats that share a maximum: each alone, a player's, or all (PP-I8)."""
    if form == "per_table":
        return [(None, tuple(range(len(round_.seats))))]
    places: dict[str | int, list[int]] = {}
    for place, seat in enumerate(round_.seats):
        named = seat.player if form == "per_player" else None
        places.setdefault(place if named is None else named, []).append(place)
    return [(round_.seats[group[0]].seat, tuple(group)) for group in places.values()]


def _in_groups(
    round_: Round,
    outcomes: tuple[Outcome | None, ...],
    most: int,
    groups: list[Group],
    may_cut: tuple[str, ...],
) -> Capped:
    """Apply a maximum to what the hands of each group win together."""
    after = list(outcomes)
    findings: list[Finding] = []
    decided: set[tuple[int, str]] = set()
    for named, places in groups:
        won = [
            (place, key, amount)
            for key in may_cut
            for place in places
            if (amount := _won(outcomes[place], (key,)).get(key, 0))
        ]
        excess = sum(amount for _, _, amount in won) - most
        if excess <= 0:
            continue
        for place, key, amount in won:
            reduction = min(excess, amount)
            excess -= reduction
            outcome = after[place]
            if outcome is not None:
                after[place] = _cut(outcome, {key: amount}, {key: amount - reduction})
        decided |= {(round_.seats[place].seat, key) for place, key, _ in won}
        logged = sum(round_.seats[place].result[key] for place, key, _ in won)
        if logged != most:
            ids = ("PP-19", "PP-I8", "PP-I9")
            findings.append(wrong_amount("settlement.aggregate", named, None, logged, most, ids))
    return Capped(tuple(after), tuple(findings), frozenset(decided))


def _won(outcome: Outcome | None, keys: Iterable[str]) -> dict[str, int]:
    if outcome is None:
        return {}
    return {key: outcome.amounts[key] for key in keys if outcome.amounts.get(key, 0) > 0}


def _cut(outcome: Outcome, won: dict[str, int], cut: dict[str, int]) -> Outcome:
    reasons = {
        key: (*outcome.reasons[key], CUT)
        for key in won
        if cut[key] != won[key] and outcome.lines is None
    }
    return replace(
        outcome, amounts={**outcome.amounts, **cut}, reasons={**outcome.reasons, **reasons}
    )


def _per_deal(
    round_: Round, outcomes: tuple[Outcome | None, ...], most_by_wager: Mapping[str, int]
) -> Capped:
    after = list(outcomes)
    findings: list[Finding] = []
    decided: set[tuple[int, str]] = set()
    for key, most in most_by_wager.items():
        won = [_won(outcome, (key,)).get(key, 0) for outcome in after]
        if sum(won) <= most:
            continue
        for place, part in enumerate(split_maximum(won, most)):
            outcome = after[place]
            if outcome is not None and won[place]:
                after[place] = _cut(outcome, {key: won[place]}, {key: part})
        winners = [seat for seat, amount in zip(round_.seats, won, strict=True) if amount]
        decided |= {(seat.seat, key) for seat in winners}
        logged = sum(seat.result[key] for seat in winners)
        if logged != most:
            findings.append(
                wrong_amount(
                    "settlement.aggregate", None, key, logged, most, ("WAC 230-15-490(2)",)
                )
            )
    return Capped(tuple(after), tuple(findings), frozenset(decided))


def split_maximum(won: Sequence[int], most: int) -> list[int]:
    """Split the maximum in proportion to what was won, in whole cents, remainders in turn.

    (PP-I9 under `per_deal`.)
    """
    total = sum(won)
    parts = [most * amount // total for amount in won]
    left = most - sum(parts)
    for place, amount in enumerate(won):
        if left and amount:
            parts[place] += 1
            left -= 1
    return parts


@cache
def game(slug: str) -> Game:
    """Return the game's own part of the settlement, `games/<game>/play.py`."""
    return cast("Game", import_module(f"games.{slug.replace('-', '_')}.play"))
