"""The fields that a mapping can fill: by name, and how the value of each is read.

Fields of filed games have the names that their lines use; which of them a game has, its approved
definition says (`filed_games.py`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from games.log.field_types import Choice, DealtCards, Id, SetHands, TextList, WholeNumber
from games.log.schema import (
    AMOUNT,
    GAME,
    HOUSE,
    RECORD_KEY,
    RECORDS,
    RESULT,
    ROUND,
    SEAT,
    SEAT_NUMBER,
    SEAT_SINCE_VERSION_2,
    SINCE_VERSION_2,
    Field,
    form_of,
)
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Mapping

BET: Final = ("bet.wager", "bet.amount", "bet.result")
ACTION: Final = ("action.street", "action.act", "action.to")
IN_EVERY_ROUND: Final = ("round", GAME.key, "table", "at")

_NUMBERED: Final = re.compile(r"seat([1-9][0-9]?)\.(.+)")
_WORD: Final = Choice(())
_WORDS: Final = TextList(64)
_PLACE: Final = WholeNumber("a place", 0, 39)
_ID: Final = "[a-z0-9][a-z0-9_-]{0,63}"

LATER_FIELDS: Final = {
    **{field.key: field for field in SINCE_VERSION_2 if field.key != "meters"},
    **{f"seat.{field.key}": field for field in SEAT_SINCE_VERSION_2},
}
"""Fields that only lines of version 2 have, of any game."""

_OF_FILED: Final = (
    ("community", DealtCards(0, 52), "the community cards, in order"),
    ("hands.player", DealtCards(0, 52), "the cards of the player hand, in order"),
    ("hands.banker", DealtCards(0, 52), "the cards of the banker hand, in order"),
    ("house.cards", DealtCards(0, 52), "the dealer's cards"),
    ("house.parts", SetHands(1, 52), "the dealer's hand as set, lowest part first"),
    ("house.wager", AMOUNT, "the house's own wager against the bank"),
    ("house.result", RESULT, "what the house won from the bank"),
    ("button", SEAT_NUMBER, "the seat with the button"),
    ("fees.rake", AMOUNT, "the rake"),
    ("fees.jackpot", AMOUNT, "what went into a jackpot"),
    ("seat.cards", DealtCards(0, 52), "the hand's cards"),
    ("seat.parts", SetHands(1, 52), "the parts as set, lowest part first"),
    ("seat.stack", AMOUNT, "what the player could wager, before the round"),
    ("seat.hands.cards", DealtCards(0, 52), "a hand's cards in order"),
    ("seat.hands.wager", AMOUNT, "a hand's wager as it was in the end"),
    ("seat.hands.split_from", _PLACE, "the place of the hand it was split from, from 0"),
    ("seat.hands.actions", _WORDS, "the actions of a hand, in order"),
    ("seat.hands.result", RESULT, "what a hand won or lost"),
)
_BY_PATTERN: Final = (
    (rf"meters\.{_ID}", AMOUNT, "what a meter showed before the round"),
    (rf"seat\.wagers\.{_ID}", AMOUNT, "a wager"),
    (rf"seat\.result\.{_ID}", RESULT, "a result"),
    (rf"seat\.choices\.{_ID}", _WORD, "what the player chose"),
    (rf"seat\.carried\.{_ID}\.since", Id(64), "the round in which a running wager was placed"),
    (rf"seat\.carried\.{_ID}\.choice", _WORD, "what the player chose for a running wager"),
    (rf"seat\.carried\.{_ID}\.amount", AMOUNT, "the amount of a running wager"),
)
"""Fields whose names end with the definition's own."""


@cache
def targets() -> dict[str, Field]:
    """Return every field with a fixed name that a mapping can fill, by its name in mappings."""
    found: dict[str, Field] = {}
    for field in ROUND[1:]:
        found[field.key] = field
    for slug in SLUGS:
        form = form_of(slug)
        found |= {each.key: each for each in form.round if each.key not in found}
        found |= {f"{HOUSE.key}.{each.key}": each for each in form.house}
        found |= {f"seat.{each.key}": each for each in (*SEAT, *form.seat)}
        found |= {f"seat.wagers.{each.key}": each for each in form.wagers}
        found |= {f"seat.result.{each.key}": each for each in form.results}
    filed = {name: Field(name, type_, says) for name, type_, says in _OF_FILED}
    return {**LATER_FIELDS, **filed, **found}


def field_of(target: str) -> Field | None:
    """Return a field by its name in mappings; None if no round has such a field."""
    if target in targets():
        return targets()[target]
    for pattern, type_, says in _BY_PATTERN:
        if re.fullmatch(pattern, target):
            return Field(target, type_, says)
    return None


@cache
def cash_targets() -> Mapping[str, Field]:
    """Return every field of a table's cash; `day` stands for `from` and `to` together."""
    fields = {each.key: each for each in RECORDS["table_cash"] if each.key not in {"v", RECORD_KEY}}
    return fields | {each.key: each for each in RECORDS["table_closed"] if each.key == "day"}


def base_of(target: str) -> tuple[str, int | None]:
    """Return a target without the number of its seat, and that number."""
    found = _NUMBERED.fullmatch(target)
    return (f"seat.{found[2]}", int(found[1])) if found else (target, None)
