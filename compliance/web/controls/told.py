"""Internal controls as people read them: section by section, in lines that can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compliance.controls.content import DAYS, TEXTS, read_content
from compliance.papers.compare import Beside, side_by_side
from compliance.web.lists import dollars
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from compliance.controls.content import Content, GameControls

HEADINGS = {
    **TEXTS,
    "hours": "Hours",
    "cut_off": "Cut-off of the gambling day",
    "hand_in_hours": "Hand-in of the round log",
    "void_reasons": "Reasons to void a round",
    "games": "Games, tables and limits",
}


@dataclass(frozen=True)
class Section:
    """One section: its key, as comments name it, its heading, and what it says."""

    key: str
    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Compared:
    """One section of two versions beside each other."""

    section: Section
    rows: tuple[Beside, ...]

    @property
    def changed(self) -> bool:
        """Whether anything in it differs."""
        return any(row.changed for row in self.rows)


def sections_of(data: Any) -> list[Section]:
    """Every section of controls, in the order of the form; one that is not written is empty."""
    content, _ = read_content(data)
    return [Section(key, heading, _lines(key, content)) for key, heading in HEADINGS.items()]


def compared(before: Any, after: Any) -> list[Compared]:
    """Two versions, section by section."""
    return [
        Compared(new, tuple(side_by_side(["\n".join(old.lines)], ["\n".join(new.lines)])))
        for old, new in zip(sections_of(before), sections_of(after), strict=True)
    ]


def _lines(key: str, content: Content) -> tuple[str, ...]:
    if key in TEXTS:
        return tuple(content.texts.get(key, "").splitlines())
    if key == "hours":
        return tuple(f"{day.capitalize()}: {_hours(content, day)}" for day in DAYS)
    if key == "cut_off":
        return (f"{content.cut_off:%H:%M}",)
    if key == "hand_in_hours":
        return (f"Within {content.hand_in_hours} hours after the cut-off",)
    if key == "void_reasons":
        return content.void_reasons
    return tuple(line for game in content.games.values() for line in _game(game))


def _hours(content: Content, day: str) -> str:
    span = content.hours[day]
    if span is None:
        return "closed"
    opens, closes = span
    return "round the clock" if opens == closes else f"{opens:%H:%M} to {closes:%H:%M}"


def _game(game: GameControls) -> Iterator[str]:
    name = rule_set(game.game).name if game.game in SLUGS else game.game
    for table, limits in game.tables.items():
        for wager, (low, high) in limits.items():
            yield f"{name}, table {table}, {_said(wager)}: {dollars(low)} to {dollars(high)}"
    yield from (f"{name}, {id_}: {_said(each)}" for id_, each in game.interpretations.items())
    if game.aggregate.per_hand is not None:
        yield f"{name}, maximum aggregate of each hand: {dollars(game.aggregate.per_hand)}"
    yield from _amounts(f"{name}, maximum aggregate", game.aggregate.per_deal)
    yield from _amounts(f"{name}, least of a banker", game.banker_min)
    chinese = game.chinese
    if chinese is None:
        return
    yield f"{name}, scoring: {', '.join(map(_said, chinese.scoring))}"
    yield from (f"{name}, bonus {_said(each)}: {n} points" for each, n in chinese.bonuses.items())
    yield from (
        f"{name}, natural {_said(each)}: {n} points" for each, n in chinese.naturals.items()
    )
    if chinese.surrender is not None:
        yield f"{name}, surrender: {chinese.surrender} points"
    if chinese.largest_unit is not None:
        yield f"{name}, largest unit: {dollars(chinese.largest_unit)}"


def _amounts(of: str, amounts: Mapping[str, int]) -> Iterator[str]:
    yield from (f"{of}, {_said(each)}: {dollars(cents)}" for each, cents in amounts.items())


def _said(word: str) -> str:
    return word.replace("_", " ")
