"""A round in words, written once; the page, the reports and the terminal only show these words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.cents import in_dollars
from games.explanation.words import describe_name, difference_in_words, result_in_words

if TYPE_CHECKING:
    from games.explanation.findings import FindingExplanation, RoundVerdict


@dataclass(frozen=True, slots=True)
class Step:
    """A statement about the round, and the ids of its authority."""

    says: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WagerWords:
    """The result of a wager, as the cells of a table and as a sentence."""

    wagered: str
    logged: str
    expected: str
    difference: str
    sentence: str


@dataclass(frozen=True, slots=True)
class WagerExplanation:
    """One wager or one result of a seat: as logged, as expected in cents, and why."""

    place: str
    key: str
    wagered: int | None
    steps: tuple[Step, ...]
    logged: int | None
    expected: int | None
    """None if the rules can't decide, or the round is not audited."""
    is_in_sum: bool = False
    """Whether a maximum aggregate applies, so that only a sum that includes this is audited."""
    is_audited: bool = True
    name: str = field(init=False)
    words: WagerWords = field(init=False)

    def __post_init__(self) -> None:
        """Put the amounts into words."""
        object.__setattr__(self, "name", describe_name(self.key))
        object.__setattr__(self, "words", _describe_wager(self))

    @property
    def difference(self) -> int:
        """Return the cents overpaid to the player, negative if underpaid; 0 if not audited."""
        if self.logged is None or self.expected is None or self.is_in_sum:
            return 0
        return self.logged - self.expected


def _describe_wager(wager: WagerExplanation) -> WagerWords:
    wagered = "–" if wager.wagered is None else in_dollars(wager.wagered)
    logged = "none" if wager.logged is None else result_in_words(wager.logged)
    if not wager.is_audited:
        return WagerWords(wagered, logged, "–", "not audited", f"Logged {logged}.")
    if wager.expected is None:
        sentence = f"Logged {logged}. The rules do not determine a result."
        return WagerWords(wagered, logged, "not determined", "–", sentence)
    expected = result_in_words(wager.expected)
    compared = f"Logged {logged}, expected {expected}"
    if wager.is_in_sum:
        sentence = f"{compared}. Only the sum of these wagers is audited."
        return WagerWords(wagered, logged, expected, "audited as a sum", sentence)
    difference = difference_in_words(wager.difference)
    sentence = f"{compared}: {difference}." if wager.difference else f"{compared}."
    return WagerWords(wagered, logged, expected, difference, sentence)


@dataclass(frozen=True, slots=True)
class Section:
    """The steps about the dealer, one seat, or two players who are compared."""

    title: str
    steps: tuple[Step, ...] = ()
    wagers: tuple[WagerExplanation, ...] = ()
    seat: int | None = None
    """The seat that the wagers belong to; None for the house or if there are none."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards that lie together, in log spelling."""

    label: str
    cards: tuple[str, ...]
    is_wrong: bool = False
    """Whether the rules require other cards there."""
    is_part: bool = False
    """Whether the cards are among those drawn before them, so that they need no drawing."""


@dataclass(frozen=True, slots=True)
class Place:
    """The dealer or a seat, with its hands as logged and as required where that differs."""

    title: str
    details: str
    """The player, the decision, and whether the seat banks; empty if nothing is logged."""
    hands: tuple[Hand, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """The text behind an id that a step or a finding cites."""

    id: str
    says: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """An open question of the rules, and how the round was audited on it."""

    id: str
    asks: str
    says: str
    chosen_by: str


@dataclass(frozen=True, slots=True)
class RoundExplanation:
    """One round, explained."""

    title: str
    round: str
    game_name: str
    table: str
    began: str
    """When the first wager was placed; empty if the log does not say."""
    ended: str
    dealt: str
    void: str
    """A sentence; empty if the round counts."""
    verdict: RoundVerdict
    status: str
    """`ok`, `flagged` or `irregular`; empty if the round is not audited."""
    places: tuple[Place, ...]
    about: tuple[Step, ...]
    sections: tuple[Section, ...]
    findings: tuple[FindingExplanation, ...]
    clauses: tuple[Clause, ...]
    """Every id that the explanation cites, with its text."""
    interpretations: tuple[Interpretation, ...]
    """The open questions among them."""

    @property
    def wagers(self) -> tuple[WagerExplanation, ...]:
        """Return every wager, in the order of the sections."""
        return tuple(wager for section in self.sections for wager in section.wagers)
