"""Hands set into parts: how the house sets them, and what a hand's wagers come to."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from games.families.set.house_way import (
    END,
    FIRST,
    LOW_SECOND,
    NAMES,
    NO_WAY,
    SIZE,
    choose_way,
    is_in_order,
    rate_part,
)
from games.families.set.strength import set_strength
from games.families.stud.hand import DealtHand
from games.families.stud.strength import codes_of

if TYPE_CHECKING:
    from games.cards import Cards
    from games.definition.model import HouseRule
    from games.families.set.program import SetProgram

Parts = tuple["Cards", ...]


def part_strengths(program: SetProgram, parts: Parts) -> tuple[int, ...]:
    """Return how strong each part is."""
    return tuple(
        set_strength(
            cards, 0, len(cards), numbers[SIZE], names[: numbers[NAMES]], numbers[LOW_SECOND],
            program.wild,
        )
        for cards, numbers, names in zip(parts, program.parts, program.part_names, strict=True)
    )  # fmt: skip


def is_fouled(program: SetProgram, strengths: tuple[int, ...]) -> bool:
    """Return whether parts are out of order."""
    return not is_in_order(strengths, program.common)


def is_of(program: SetProgram, parts: Parts, cards: Cards) -> bool:
    """Return whether parts are exactly a hand's cards, each part with as many as it must have."""
    sizes = [numbers[END] - numbers[FIRST] for numbers in program.parts]
    return [len(part) for part in parts] == sizes and sorted(b"".join(parts)) == sorted(cards)


class HouseSet:
    """How the house way sets a hand."""

    def __init__(self, program: SetProgram, cards: Cards) -> None:
        self._program: Final = program
        laid = bytearray(len(cards))
        last, names_of_last = program.parts[-1], program.part_names[-1]
        best = set_strength(
            cards, 0, len(cards), last[SIZE], names_of_last[: last[NAMES]], last[LOW_SECOND],
            program.wild,
        )  # fmt: skip
        self._rated = tuple(
            (
                *(
                    rate_part(cards, way, numbers, names, program.wild, laid)
                    for numbers, names in zip(program.parts, program.part_names, strict=True)
                ),
                best,
            )
            for way in program.ways
        )
        self.cards: Final = cards
        self._way = choose_way(self._rated, program.common, program.rules)

    @classmethod
    def of_banker(cls, program: SetProgram, cards: Cards, parts: Parts) -> HouseSet | None:
        """Return how a banker's hand is set again, or None if it isn't fouled."""
        if is_fouled(program, part_strengths(program, parts)):
            return cls(program, cards)
        return None

    @property
    def parts(self) -> Parts:
        """Return the parts, lowest first."""
        way = self._program.ways[self._way]
        return tuple(
            bytes(self.cards[place] for place in way[numbers[FIRST] : numbers[END]])
            for numbers in self._program.parts
        )

    @property
    def strengths(self) -> tuple[int, ...]:
        """Return how strong each part is."""
        return self._rated[self._way][:-1]

    @cached_property
    def rule(self) -> HouseRule:
        """Return the rule that applies."""
        program = self._program
        for rule, numbers in zip(program.house_rules, program.rules, strict=True):
            if choose_way(self._rated, program.common, (numbers,)) != NO_WAY:
                return rule
        raise AssertionError


class SetHand(DealtHand):
    """A player's hand against the parts of the dealer or banker."""

    given_up = "The hand is fouled."
    kept = "The hand is not fouled."
    has_parts = True
    program: SetProgram

    def __init__(
        self,
        program: SetProgram,
        cards: Cards,
        strengths: tuple[int, ...],
        dealers: Cards,
        theirs: tuple[int, ...],
    ) -> None:
        self.program = program
        self.choices = {}
        self.table = cards
        self.fouled = is_fouled(program, strengths)
        hands = list(program.definition.hands.values())[len(strengths) + len(theirs) :]
        whole = [
            set_strength(
                cards if owner == "player" else dealers, numbers[FIRST], numbers[END],
                numbers[SIZE], codes_of(hand.ranking), numbers[LOW_SECOND], program.wild,
            )
            for hand, (owner, numbers) in zip(hands, program.whole, strict=True)
        ]  # fmt: skip
        self.strengths = [*strengths, *theirs, *whole]
        self.facts = [int(self.fouled), *self._card_facts()]
