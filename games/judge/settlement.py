"""What a game says of one played round: what each seat should have won, and what bars that.

Each game's `play.py` makes one; the verdict compares it with the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from games.judge.finding import Finding
    from games.reason import Reason
    from games.round_log.round import Round, Seat
    from games.setup import Setup


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one seat wins (or loses, negative) per result key, in cents, and why.

    The reasons are codes of the game's `reasons.REASONS`, in the order in which they apply. A key
    without an amount cannot be told, and is not judged.
    """

    amounts: Mapping[str, int]
    reasons: Mapping[str, tuple[int, ...]]


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

    `seats` is parallel to the round's seats; None is a seat that cannot be settled, for the reason
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
    """What the judge asks of a game: the module `games/<game>/play.py`."""

    REASONS: Mapping[int, Reason]

    @staticmethod
    def settle(played: Round, setup: Setup) -> Settlement:
        """Settle a round that was played (never a void one) under the approved terms."""

    @staticmethod
    def relations(played: Round, seat: Seat, setup: Setup) -> Iterable[Finding]:
        """`wager.relation` of one seat; asked of void rounds too, where cards and play may lack."""

    @staticmethod
    def limits(played: Round, setup: Setup) -> Iterable[Finding]:
        """`limit.players` and `limit.unit`; asked of void rounds too."""
