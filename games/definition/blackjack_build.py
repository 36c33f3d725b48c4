"""Builds the model of a definition of the family `blackjack` from values whose form was checked."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from games.definition.blackjack_form import MAIN, NO, TESTS
from games.definition.blackjack_model import (
    Blackjack,
    BonusStep,
    CardPattern,
    HandBonus,
    Insurance,
)
from games.definition.build import build_condition, common_parts, each_of
from games.definition.model import Comparison, Deal, Definition, Test

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.definition.problems import Problems

Values = dict[str, Any]

SECTIONS: Final = ("dealer", "double", "split", "surrender")
ABSENT: Final[Mapping[str, Values]] = {
    "double": {"on": "never", "cards": "two", "after_split": NO, "rescue": NO, "again": "never"},
    "split": {"of": "never", "aces_again": NO, "aces_draw": "one_card", "hands": 1},
    "surrender": {"when": "never"},
}
"""What a section that a definition doesn't have says."""


def build_blackjack(read: Values, problems: Problems) -> Definition:
    """Build the model; its tests are its patterns and what every hand is asked."""
    for tables in read["pay_table"].values():
        for table in tables.values():
            for id_, line in table["lines"].items():
                line["hand"] = line["hand"] or id_
    rules = {key: read[key] or {**ABSENT[key], "clause": ()} for key in SECTIONS}
    patterns = each_of(read["pattern"], _pattern)
    cites = read["deal"]["clause"]
    common = common_parts({**read, "test": {}, "result": {}}, problems)
    deck = read["game"]["deck"]
    tests = {id_: Test(id_, "", None, None, cites) for id_ in TESTS}
    tests |= {id_: Test(id_, "", None, None, each.cites) for id_, each in patterns.items()}
    return Definition(
        **{
            **common,
            "base": read["game"]["base"] or MAIN,
            "tests": MappingProxyType(tests),
            "decks": replace(common["decks"], others=deck["or"], without=deck["without"]),
        },
        deal=Deal(2, 2, 1, (), (), cites),
        hands=MappingProxyType({}),
        comparisons=MappingProxyType({"dealer": Comparison("dealer", "", "", cites)}),
        decisions=(),
        strategies=MappingProxyType({}),
        own=Blackjack(
            patterns=patterns,
            options=MappingProxyType(
                {
                    f"{section}.{key}": value
                    for section, of in rules.items()
                    for key, value in of.items()
                    if key not in {"clause", "hands"}
                }
            ),
            most_hands=rules["split"]["hands"],
            cites=MappingProxyType({section: of["clause"] for section, of in rules.items()}),
            insurance=_insurance(read["insurance"]),
            bonuses=tuple(_bonus(id_, of) for id_, of in read["bonus"].items()),
        ),
    )


def _pattern(id_: str, of: Values) -> CardPattern:
    return CardPattern(
        id=id_,
        of=of["of"],
        number=of["number"],
        total=of["total"],
        ranks=of["ranks"],
        suits=of["suits"],
        cards=of["cards"],
        matches=MappingProxyType(of["matches"]),
        cites=of["clause"],
    )


def _insurance(of: Values | None) -> Insurance | None:
    return None if of is None else Insurance(of["wager"], Fraction(of["most"]), of["clause"])


def _bonus(id_: str, of: Values) -> HandBonus:
    return HandBonus(
        id=id_,
        says=of["says"],
        when=build_condition(of["when"]),
        steps=tuple(BonusStep(each["least"], each["pays"]) for each in of["pays"]),
        envy=of["envy"],
        envy_pays=of["envy_pays"] or 0,
        cites=of["clause"],
    )
