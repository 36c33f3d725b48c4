"""A definition under terms, as numbers: what the settlement of the family runs on.

Outcomes and pay tables are those of the family `stud`; the first fact is whether the hand is
fouled. Hands are the player's parts, the dealer's or banker's, and whole hands.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import combinations
from typing import TYPE_CHECKING, Final

from games.definition.model import Part
from games.definition.set_check import sets_of
from games.definition.set_form import PLACES_OF_LOW_STRAIGHT, WILD
from games.families.stud.program import DEFAULTS, Program
from games.families.stud.program import compile_program as compile_outcomes
from games.families.stud.strength import PLACE_SHIFT, bounds_of, codes_of, place_of_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition.model import Definition, HouseRule, Ranking, Sets
    from games.families.stud.program import Numbers, Terms

HIGHEST: Final = 1 << PLACE_SHIFT + 8


@dataclass(frozen=True)
class SetProgram(Program):
    """A definition under terms, as numbers."""

    sets: Sets
    wild: int
    parts: tuple[Numbers, ...]
    """By part: see `house_way.FIRST` and the following."""
    part_names: tuple[Numbers, ...]
    """By part: the codes of its names, best first, all of one length."""
    common: tuple[Numbers, ...]
    """By part and place of a name in its ranking: the place in that of the highest part."""
    ways: tuple[Numbers, ...]
    """Every way to lay the cards of a hand into parts."""
    house_rules: tuple[HouseRule, ...]
    """Those that the readings in use leave."""
    rules: tuple[Numbers, ...]
    """The same as numbers: see `house_way`."""
    whole: tuple[tuple[str, Numbers], ...]
    """Hands of all cards: whose, and the numbers and names of the hand."""


def compile_program(definition: Definition, terms: Terms = DEFAULTS) -> SetProgram:
    """Return the program of a definition under terms."""
    sets = sets_of(definition)
    outcomes = compile_outcomes(definition, terms)
    sizes = [part.ranking.cards for part in sets.parts]
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    names = max(len(part.ranking.order) for part in sets.parts)
    rules = tuple(each for each in sets.house_way if _applies(definition, terms, each))
    last = sets.parts[-1].ranking
    return SetProgram(
        **{each.name: getattr(outcomes, each.name) for each in fields(Program)},
        sets=sets,
        wild=int(sets.joker is not None and sets.joker.use == WILD),
        parts=tuple(
            _numbers(definition, terms, part.ranking, end - size, end)
            for part, size, end in zip(sets.parts, sizes, ends, strict=True)
        ),
        part_names=tuple(
            codes_of(part.ranking) + (0,) * (names - len(part.ranking.order)) for part in sets.parts
        ),
        common=tuple(_common(part.ranking, last, names) for part in sets.parts),
        ways=tuple(ways_to_set(tuple(range(ends[-1])), tuple(sizes))),
        house_rules=rules,
        rules=tuple(_rule(sets, each) for each in rules),
        whole=tuple(
            (hand.parts[0].of, _numbers(definition, terms, hand.ranking, 0, hand.size))
            for hand in list(definition.hands.values())[2 * len(sizes) :]
        ),
    )


def _reading(definition: Definition, terms: Terms, id_: str) -> str:
    return terms.readings.get(id_, definition.interpretations[id_].default)


def _applies(definition: Definition, terms: Terms, rule: HouseRule) -> bool:
    return all(
        _reading(definition, terms, id_) in readings for id_, readings in rule.readings.items()
    )


def _numbers(
    definition: Definition, terms: Terms, ranking: Ranking, first: int, end: int
) -> Numbers:
    place = ranking.low_straight
    if place not in PLACES_OF_LOW_STRAIGHT:
        place = _reading(definition, terms, place)
    return first, end, ranking.cards, PLACES_OF_LOW_STRAIGHT.index(place), len(ranking.order)


def _common(ranking: Ranking, last: Ranking, width: int) -> Numbers:
    names = reversed(ranking.order)
    places = (0, *(place_of_name(last, name) for name in names))
    return places + (0,) * (width + 1 - len(places))


def ways_to_set(places: Numbers, sizes: Numbers) -> Iterator[Numbers]:
    """Yield every way to choose cards for parts of these sizes, the parts one after another."""
    if not sizes:
        yield ()
        return
    for chosen in combinations(places, sizes[0]):
        rest = tuple(place for place in places if place not in chosen)
        for others in ways_to_set(rest, sizes[1:]):
            yield chosen + others


def _rule(sets: Sets, rule: HouseRule) -> Numbers:
    numbers: list[int] = []
    whole = Part("", sets.parts[-1].ranking)
    for part in (*sets.parts, whole):
        low, high = 0, HIGHEST
        bounds = rule.best if part is whole else rule.parts.get(part.id)
        if bounds is not None and bounds.at_least is not None:
            low = bounds_of(part.ranking, bounds.at_least)[0]
        if bounds is not None and bounds.at_most is not None:
            high = bounds_of(part.ranking, bounds.at_most)[1]
        numbers += (low, high)
    ids = [part.id for part in sets.parts]
    order = [ids.index(id_) for id_ in dict.fromkeys(rule.prefer)]
    order += [place for place in range(len(ids)) if place not in order]
    return (*numbers, *order)
