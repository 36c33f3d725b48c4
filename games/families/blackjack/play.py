"""What the rules allow: what may be done with a hand, and when the dealer draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.definition.blackjack_form import HIT as DRAWS_ON
from games.definition.blackjack_form import OPTIONS, YES
from games.families.blackjack.round import (
    DOUBLE,
    HIT,
    REDOUBLE,
    RESCUE,
    SPLIT,
    STAND,
    SURRENDER,
)
from games.families.blackjack.values import ACE, TWENTY_ONE, VALUES, is_blackjack, total_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.cards import Cards
    from games.families.blackjack.program import BlackjackProgram

DEALER_STANDS: Final = 17
TOTALS: Final[Mapping[str, frozenset[int]]] = {
    "any": frozenset(range(2, TWENTY_ONE)),
    "nine_to_eleven": frozenset({9, 10, 11}),
    "ten_or_eleven": frozenset({10, 11}),
    "never": frozenset(),
}
"""By option `double.on`: the totals that may be doubled."""


@dataclass(frozen=True, slots=True)
class State:
    """A hand as it is when something is done with it."""

    cards: Cards
    hands: int
    """How many hands the seat has."""
    is_split: bool
    """Whether the hand comes from a split, or was split."""
    doubles: int
    is_first: bool
    """Whether nothing was done with the hand but splitting it."""
    is_over: bool
    """Whether the hand stood or was given up."""


def dealer_draws(program: BlackjackProgram, cards: Cards) -> bool:
    """Return whether the dealer must draw to these cards."""
    total, soft = total_of(cards)
    if total == DEALER_STANDS and soft:
        return program.words["dealer.soft_17"] == DRAWS_ON
    return total < DEALER_STANDS


def drawn_wrongly(program: BlackjackProgram, cards: Cards, *, has_open: bool) -> tuple[str, str]:
    """Return what the dealer did and should have done, empty if the cards are right.

    Without a hand that is still open the dealer need not draw.
    """
    for number in range(2, len(cards)):
        if not dealer_draws(program, cards[:number]):
            return f"a card drawn to {in_words(cards[:number])}", "no card"
    if has_open and dealer_draws(program, cards):
        return f"no card drawn to {in_words(cards)}", "a card"
    return "", ""


def in_words(cards: Cards) -> str:
    """Return a total in words: `soft 17`, `hard 12`."""
    total, soft = total_of(cards)
    return f"{'soft' if soft else 'hard'} {total}"


def may(program: BlackjackProgram, action: str, state: State, dealers: Cards) -> bool:
    """Return whether the rules allow an action."""
    if action == STAND:
        return not state.is_over
    looked = program.words["dealer.looks"] == YES
    if state.is_over or (looked and is_blackjack(dealers[:2])):
        return False
    return total_of(state.cards)[0] < TWENTY_ONE and _ALLOWED[action](program, state)


def _has_split_aces(state: State) -> bool:
    return state.is_split and bool(state.cards) and state.cards[0] >> 2 == ACE


def _draws(program: BlackjackProgram, state: State) -> bool:
    """Return whether a hand may receive cards that it asks for."""
    return not _has_split_aces(state) or program.words["split.aces_draw"] == "any"


def _hit(program: BlackjackProgram, state: State) -> bool:
    return state.doubles == 0 and _draws(program, state)


def _double(program: BlackjackProgram, state: State) -> bool:
    words = program.words
    return (
        state.doubles == 0
        and _draws(program, state)
        and total_of(state.cards)[0] in TOTALS[words["double.on"]]
        and (words["double.cards"] == "any" or len(state.cards) == 2)
        and (not state.is_split or words["double.after_split"] == YES)
    )


def _redouble(program: BlackjackProgram, state: State) -> bool:
    again = OPTIONS["double.again"].index(program.words["double.again"])
    return 0 < state.doubles <= again


def _rescue(program: BlackjackProgram, state: State) -> bool:
    return state.doubles > 0 and program.words["double.rescue"] == YES


def _surrender(program: BlackjackProgram, state: State) -> bool:
    allowed = program.words["surrender.when"] == "late"
    return allowed and state.is_first and not state.is_split and len(state.cards) == 2


def _split(program: BlackjackProgram, state: State) -> bool:
    words = program.words
    if not state.is_first or len(state.cards) != 2 or state.hands >= program.rules.most_hands:
        return False
    first, second = (card >> 2 for card in state.cards)
    if words["split.of"] == "never" or VALUES[first] != VALUES[second]:
        return False
    if words["split.of"] == "rank" and first != second:
        return False
    return not _has_split_aces(state) or words["split.aces_again"] == YES


_ALLOWED: Final[Mapping[str, Callable[[BlackjackProgram, State], bool]]] = {
    HIT: _hit,
    DOUBLE: _double,
    REDOUBLE: _redouble,
    RESCUE: _rescue,
    SURRENDER: _surrender,
    SPLIT: _split,
}
