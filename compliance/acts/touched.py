"""What an act touches, as far as higher packages know it: rounds on file, and letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import date

    from compliance.access.models import Party


@dataclass(frozen=True)
class RoundsOnFile:
    """Rounds of one operator that are on file."""

    operator: str
    rounds: int


@dataclass(frozen=True)
class TablesOfGame:
    """An operator's tables at which a game may be dealt under its controls in effect."""

    operator: Party
    tables: tuple[str, ...]


@dataclass(frozen=True)
class Letter:
    """A letter as it will read."""

    title: str
    html: str


if TYPE_CHECKING:
    RoundCounter = Callable[..., list[RoundsOnFile]]
    LetterWriter = Callable[[Any], Letter | None]
    TableFinder = Callable[[str], list[TablesOfGame]]

_counters: list[RoundCounter] = []
_writers: list[LetterWriter] = []
_finders: list[TableFinder] = []


def register_rounds(counter: RoundCounter) -> None:
    """Register what counts rounds on file."""
    if counter not in _counters:
        _counters.append(counter)


def register_letters(writer: LetterWriter) -> None:
    """Register what writes the letter about a decision; None if none is written."""
    if writer not in _writers:
        _writers.append(writer)


def register_tables(finder: TableFinder) -> None:
    """Register what finds the tables at which a game is dealt."""
    if finder not in _finders:
        _finders.append(finder)


def tables_of_game(game: str) -> list[TablesOfGame]:
    """Return the tables at which a game is dealt now, by operator."""
    return [each for finder in _finders for each in finder(game)]


def describe_tables(found: list[TablesOfGame], name: str) -> str:
    """Say at which tables a game is dealt now."""
    if not found:
        return f"No internal controls that you may see name {name} now."
    each = "; ".join(f"{one.operator} {', '.join(one.tables)}" for one in found)
    return f"Tables that deal {name} now: {each}."


def rounds_on_file(
    *, since: date, game: str = "", operators: Collection[Party] | None = None
) -> list[RoundsOnFile]:
    """Return the rounds on file from a gambling day on, by operator."""
    return [
        each
        for counter in _counters
        for each in counter(since=since, game=game, operators=operators)
    ]


def letters_about(decision: Any) -> tuple[Letter, ...]:
    """Return the letters about a decision, as they will read."""
    return tuple(letter for writer in _writers if (letter := writer(decision)) is not None)


def describe_rounds(found: list[RoundsOnFile], day: str) -> str:
    """Say how many rounds on file an act concerns, from a day on."""
    if not found:
        return f"No rounds on file were dealt on or after {day}."
    each = ", ".join(f"{one.operator} {one.rounds:,}" for one in found)
    total = sum(one.rounds for one in found)
    noun = "round" if total == 1 else "rounds"
    return f"{total:,} {noun} on file from {day} on: {each}."
