"""Builds the model of a definition of the family `set` from values whose form was checked."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from games.definition.build import (
    BUILT_IN,
    build_envies,
    build_rounding,
    build_spec,
    common_parts,
    each_of,
)
from games.definition.model import (
    Bank,
    CardsOf,
    Comparison,
    Deal,
    Definition,
    Hand,
    HouseRule,
    Joker,
    Part,
    PartBounds,
    Ranking,
    Sets,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.definition.problems import Problems

Values = dict[str, Any]

DEALERS = "dealer_"
"""What the names of the dealer's parts begin with."""


def build_sets(read: Values, problems: Problems) -> Definition:
    """Build the model; its hands and comparisons follow from the parts."""
    rankings = _rankings(read["ranking"], problems)
    parts = tuple(_parts(read["part"], rankings, problems))
    cards = read["deal"]["cards"]
    return Definition(
        **common_parts(read, problems),
        deal=Deal(cards, cards, 0, (), (), read["deal"]["clause"]),
        hands=_hands(read["hand"], parts, cards, rankings, problems),
        comparisons=MappingProxyType(
            {
                part.id: Comparison(part.id, part.id, DEALERS + part.id, read["setting"]["clause"])
                for part in parts
            }
        ),
        decisions=(),
        strategies=MappingProxyType({}),
        own=Sets(
            parts=parts,
            joker=None
            if read["joker"] is None
            else Joker(read["joker"]["use"], read["joker"]["clause"]),
            cites=read["setting"]["clause"],
            house_way=tuple(map(_house_rule, read["setting"]["house_way"])),
            bank=_bank(read["bank"]),
            envies=build_envies(read["envy"]),
        ),
    )


def _rankings(tables: Mapping[str, Values], problems: Problems) -> dict[str, Ranking]:
    known = {id_: each for id_, each in BUILT_IN.items() if not id_.endswith("_length")}
    for id_, of in tables.items():
        if id_ in BUILT_IN:
            problems.add(f"ranking.{id_}", "This ranking is built in. Use another name.")
        known[id_] = Ranking(id_, of["cards"], of["order"], of["clause"], of["low_straight"])
    return known


def _ranking(
    name: str, where: str, known: Mapping[str, Ranking], problems: Problems
) -> Ranking | None:
    if name not in known:
        names = ", ".join(f"`{each}`" for each in known)
        problems.add(where, f"There is no ranking `{name}`; there are {names}.")
    return known.get(name)


def _parts(
    items: tuple[Values, ...], rankings: Mapping[str, Ranking], problems: Problems
) -> list[Part]:
    parts: list[Part] = []
    for place, of in enumerate(items):
        if any(of["id"] == part.id for part in parts):
            problems.add(f"part[{place}].id", f"There are two parts `{of['id']}`.")
        ranking = _ranking(of["ranking"], f"part[{place}].ranking", rankings, problems)
        if ranking is not None:
            parts.append(Part(of["id"], ranking))
    return parts


def _hands(
    tables: Mapping[str, Values],
    parts: tuple[Part, ...],
    cards: int,
    rankings: Mapping[str, Ranking],
    problems: Problems,
) -> Mapping[str, Hand]:
    hands = {}
    for owner, begin in (("player", ""), ("dealer", DEALERS)):
        for part in parts:
            cards_of = (CardsOf(owner, 0, part.ranking.cards),)
            hands[begin + part.id] = Hand(begin + part.id, cards_of, part.ranking)
    for id_, of in tables.items():
        if id_ in hands:
            problems.add(f"hand.{id_}", "A part has this name. Use another name.")
        ranking = _ranking(of["ranking"], f"hand.{id_}.ranking", rankings, problems)
        if ranking is not None:
            hands[id_] = Hand(id_, (CardsOf(of["from"], 0, cards),), ranking)
    return MappingProxyType(hands)


def _house_rule(of: Values) -> HouseRule:
    return HouseRule(
        says=of["says"],
        parts=each_of(of["parts"], lambda _, bounds: _bounds(bounds)),
        best=_bounds(of["best"] or {"at_least": None, "at_most": None}),
        prefer=of["prefer"],
        readings=MappingProxyType(of["reading"]),
        cites=of["clause"],
    )


def _bounds(of: Values) -> PartBounds:
    return PartBounds(build_spec(of["at_least"]), build_spec(of["at_most"]))


def _bank(of: Values | None) -> Bank | None:
    if of is None:
        return None
    commission = Fraction(0) if of["commission"] is None else of["commission"]
    return Bank(commission, build_rounding(of["rounding"]), of["takes_turns"], of["clause"])
