"""A filed definition for people to read and compare: its parts, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from compliance.filings.games.named_tables import odds_in_words
from compliance.ui.comparison import Section
from games.families.examples import check_examples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition import Definition

DEFINITION: Final = "definition."
PARTS: Final = {
    "game": "Definition: the game",
    "clauses": "Definition: clauses",
    "wagers": "Definition: wagers",
    "decisions": "Definition: decisions",
    "pay_tables": "Definition: pay tables",
    "interpretations": "Definition: open questions",
    "examples": "Definition: worked examples",
}
"""The parts of a definition, and their headings."""


def definition_keys() -> list[str]:
    """Return the sections of a definition that comments name."""
    return [f"{DEFINITION}{part}" for part in PARTS]


def present_definition(definition: Definition) -> list[Section]:
    """Return the parts of a definition as sections."""
    lines = {
        "game": _game(definition),
        "clauses": (f"{each.id}: {each.says}" for each in definition.clauses.values()),
        "wagers": _wagers(definition),
        "decisions": _decisions(definition),
        "pay_tables": _pay_tables(definition),
        "interpretations": _questions(definition),
        "examples": (
            f"{each.name}: {'settles as written' if each.ok else each.why}"
            for each in check_examples(definition)
        ),
    }
    return [
        Section(f"{DEFINITION}{part}", heading, tuple(lines[part]))
        for part, heading in PARTS.items()
    ]


def _game(definition: Definition) -> Iterator[str]:
    decks, players = definition.decks, definition.players
    yield f"Family: {definition.family}"
    yield f"Decks: {decks.number}, jokers: {decks.jokers}"
    if players is not None:
        yield f"At most {players} hands"
    for source in definition.sources.values():
        yield f"Source: {source.title}, {source.digest}"


def _wagers(definition: Definition) -> Iterator[str]:
    for wager in definition.payouts.values():
        must = "mandatory" if wager.mandatory else "optional"
        yield f"{_in_words(wager.id)} ({must}): {wager.says} ({', '.join(wager.cites)})"


def _decisions(definition: Definition) -> Iterator[str]:
    for decision in definition.decisions:
        choices = ", ".join(_in_words(each.id) for each in decision.choices)
        yield f"{_in_words(decision.id)}: {decision.says} Choices: {choices}."


def _pay_tables(definition: Definition) -> Iterator[str]:
    for wager, names in definition.pay_tables.items():
        for name, table in names.items():
            for line in table.lines:
                pays = odds_in_words(line.pays)
                yield f"{_in_words(wager)}, {name}, {_in_words(line.id)}: {pays}"


def _questions(definition: Definition) -> Iterator[str]:
    for each in definition.interpretations.values():
        readings = "; ".join(f"{_in_words(name)}: {says}" for name, says in each.readings.items())
        yield f"{each.id}: {each.asks} {readings}"


def _in_words(name: str) -> str:
    return name.replace("_", " ")
