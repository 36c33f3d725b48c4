"""A told round: sections of sentences, each with the clauses and readings that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.judge.finding import Finding
    from games.judge.settlement import Settlement
    from games.round_log.round import Round
    from games.setup import Setup


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something said of the round, and the ids of what it rests on."""

    says: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """What one wager, or one result of a seat, came to: why, as logged, as expected."""

    key: str
    wagered: int | None
    sentences: tuple[Sentence, ...]
    logged: int | None
    expected: int | None
    """None where the rules cannot tell."""
    by_sum: bool = False
    """Whether a maximum aggregate binds, and only a sum that this is part of is judged."""


@dataclass(frozen=True, slots=True)
class Section:
    """The dealer, one seat, or two players who meet."""

    title: str
    sentences: tuple[Sentence, ...] = ()
    accounts: tuple[Account, ...] = ()
    seat: int | None = None
    """The seat that the accounts are of; None for the house, or where there are none."""


@dataclass(frozen=True, slots=True)
class Story:
    """One round."""

    title: str
    about: tuple[Sentence, ...]
    sections: tuple[Section, ...]
    status: str
    findings: tuple[Finding, ...]
    cited: Mapping[str, str]
    """Every id that the story rests on, with its text and the reading in force."""


class Teller(Protocol):
    """What tells the rounds of one game: the module `games/story/<game>.py`."""

    @staticmethod
    def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
        """The round's hands and comparisons, in the order in which a dealer goes through them."""
