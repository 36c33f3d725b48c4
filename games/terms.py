"""What a round is checked against: the approved terms, and what came before it at its table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from games.rule_set import RuleSet
    from games.setup import Setup


@dataclass(frozen=True, slots=True)
class Played:
    """What the rules on banks need from the round before (PP-22, PP-25)."""

    banked: bool
    main_by_player: Mapping[str, int]
    """What each player wagered on main, all hands together."""


Earlier = tuple[str, str, str]
"""A round's id and the cards of its two common hands; empty texts if it was void."""
MOST_EARLIER: Final = 20


@dataclass(frozen=True, slots=True)
class Before:
    """What is known about a table and game before a round."""

    at: int | None = None
    deck: str | None = None
    played: Played | None = None
    after_rejection: bool = False
    decks: tuple[str, ...] = ()
    """Names of the decks used with a shuffling machine in this log so far, in order (P2-I8)."""
    hand_decks: tuple[tuple[int, str], ...] = ()
    """Decks used without one, each once for a day of play, the last one used last."""
    earlier: tuple[Earlier, ...] = ()
    """The last rounds whose hands are common to all seats, for wagers that run over several."""


NOTHING: Final = Before()


@dataclass(frozen=True, slots=True)
class Decks:
    """What is known about the decks at a round's table after reading its log to the end (P2-I8)."""

    two: bool
    """Whether two decks are in use."""
    third: bool
    """Whether the round's deck isn't one of the first two."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What one round is checked against."""

    setup: Setup
    rules: RuleSet
    """The rule set of the round's game."""
    before: Before = NOTHING
    is_repeat: bool = False
    """Whether the round's id is on an earlier line."""
    decks: Decks | None = None
    """None while the log isn't read to its end."""


@dataclass(frozen=True, slots=True)
class ColumnTerms:
    """What the rounds of a block of columns are checked against, whatever came before them."""

    setup: Setup
    rules: RuleSet
    tables: NDArray[np.int64]
    """The table of each round, as a code."""
    names: Sequence[str]
    """The names of the tables, by code."""

    def bounds(self, wager: str, place: int, without: int) -> NDArray[np.int64]:
        """Return each table's minimum (`place` 0) or maximum (1) of a wager, or `without` one."""
        import numpy as np  # takes long, and a single round doesn't need it

        limits = (self.setup.limits.get(name, {}).get(wager) for name in self.names)
        return np.array([without if each is None else each[place] for each in limits], np.int64)


@dataclass(frozen=True, slots=True)
class ColumnsBefore:
    """What came before each round of a block of columns at its table."""

    tables: NDArray[np.int64]
    """The table of each round, as a code."""
    previous: NDArray[np.int64]
    """The row of the round before at the table; -1 if it isn't in this block."""
    voided: NDArray[np.int64]
    """When the last void round in between ended, or a time before all others."""
    carried: NDArray[np.int64]
    """What is carried from block to block for each table (a column), a row each as below."""
    deck: NDArray[np.int64] | None = None
    """The deck of each round, as a code, -1 if it has none; only where decks take turns."""
    alternates: NDArray[np.int64] | None = None
    """Whether the round's deck must be the other one of two."""
    third_deck: NDArray[np.bool_] | None = None
    """Whether the round's deck is known to be a third one."""


AT, DISTURBED, BANKED, DECK, FIRST_DECK, SECOND_DECK, HAND_DECK = 0, 1, 2, 3, 4, 5, 6
CARRIED: Final = 7
"""The rows of `carried`: the last round's time, whether a line outside the columns came last,
whether a player banked, its deck, the first two decks of the log, and the deck of a round dealt
by hand."""
