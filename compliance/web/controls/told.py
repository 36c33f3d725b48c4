"""Internal controls as people read them: section by section, in lines that can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compliance.controls.content import DAYS, TEXTS, read_content, time_in_words
from compliance.controls.parts import GAME, is_part
from compliance.papers.compare import Beside, side_by_side
from compliance.web.lists import dollars
from compliance.web.sections import Compared, Section, compare_sections
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from compliance.controls.content import Content, GameControls, Problem

HEADINGS = {
    **TEXTS,
    "hours": "Hours",
    "cut_off": "Cut-off of the gambling day",
    "hand_in_hours": "Hand-in of the round log",
    "void_reasons": "Reasons to void a round",
    "games": "Games, tables and limits",
}


@dataclass(frozen=True)
class Lack:
    """A problem as people read it: the part of the draft in which it is mended, and where there."""

    part: str
    heading: str
    where: str
    says: str
    cites: str


def lacks(problems: Iterable[Problem]) -> list[Lack]:
    """Problems by the part they lie in; one of no part has no heading."""
    return [_lack(each) for each in problems]


def _lack(problem: Problem) -> Lack:
    names = problem.place.split(".")
    part = problem.place if is_part(problem.place) else names[0]
    if names[0] in {"texts", "games"}:
        part = names[1] if names[0] == "texts" else ".".join(names[:2])
    if not is_part(part):
        return Lack("", "", "", problem.says, problem.cites)
    return Lack(part, heading_of(part), _where(names[2:]), problem.says, problem.cites)


def _where(names: list[str]) -> str:
    """A table of a game and its wager; of anything else, what is wrong says it."""
    if names[:1] != ["tables"]:
        return ""
    return ", ".join(
        [f"table {each}" for each in names[1:2]] + [_said(each) for each in names[2:3]]
    )


def heading_of(part: str) -> str:
    """What a part of a draft is called: its section, or the game."""
    return rule_set(part.removeprefix(GAME)).name if part.startswith(GAME) else HEADINGS[part]


def part_beside(before: Any, after: Any, part: str) -> list[Beside]:
    """One part of two controls beside each other, line by line."""
    sides = []
    for data in (before, after):
        content, _ = read_content(data)
        game = content.games.get(part.removeprefix(GAME)) if part.startswith(GAME) else None
        lines = (
            tuple(_game(game)) if game else () if part.startswith(GAME) else _lines(part, content)
        )
        sides.append(["\n".join(lines)])
    return side_by_side(*sides)


def usual_of(part: str) -> tuple[str, ...]:
    """What applies of a section of which nothing was written."""
    return () if part.startswith(GAME) else _lines(part, read_content({})[0])


def sections_of(data: Any) -> list[Section]:
    """Every section of controls, in the order of the form; one that is not written is empty."""
    content, _ = read_content(data)
    return [Section(key, heading, _lines(key, content)) for key, heading in HEADINGS.items()]


def compared(before: Any, after: Any) -> list[Compared]:
    """Two versions, section by section."""
    return compare_sections(sections_of(before), sections_of(after))


def _lines(key: str, content: Content) -> tuple[str, ...]:
    if key in TEXTS:
        return tuple(content.texts.get(key, "").splitlines())
    if key == "hours":
        return tuple(f"{day.capitalize()}: {_hours(content, day)}" for day in DAYS)
    if key == "cut_off":
        return (time_in_words(content.cut_off),)
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
    return (
        "round the clock"
        if opens == closes
        else f"{time_in_words(opens)} to {time_in_words(closes)}"
    )


def _game(game: GameControls) -> Iterator[str]:
    rules = rule_set(game.game) if game.game in SLUGS else None
    name = rules.name if rules else game.game
    questions = list(rules.interpretations) if rules else []
    # What was chosen is told in the order in which it is asked, in whichever order it was written.
    chosen = sorted(
        game.interpretations.items(),
        key=lambda each: (questions.index(each[0]) if each[0] in questions else -1, each[0]),
    )
    for table, limits in game.tables.items():
        for wager, (low, high) in limits.items():
            yield f"{name}, table {table}, {_said(wager)}: {dollars(low)} to {dollars(high)}"
    yield from (f"{name}, {id_}: {_said(each)}" for id_, each in chosen)
    if game.aggregate.per_hand is not None:
        yield f"{name}, maximum aggregate of each hand: {dollars(game.aggregate.per_hand)}"
    yield from _amounts(f"{name}, maximum aggregate", game.aggregate.per_deal)
    yield from _amounts(f"{name}, least of a banker", game.banker_min)
    chinese = game.chinese
    if chinese is None:
        return
    yield f"{name}, scoring: {', '.join(map(_said, chinese.scoring))}"
    yield from (f"{name}, bonus {_said(each)}: {_points(n)}" for each, n in chinese.bonuses.items())
    yield from (
        f"{name}, natural {_said(each)}: {_points(n)}" for each, n in chinese.naturals.items()
    )
    if chinese.surrender is not None:
        yield f"{name}, surrender: {_points(chinese.surrender)}"
    if chinese.largest_unit is not None:
        yield f"{name}, largest unit: {dollars(chinese.largest_unit)}"


def _amounts(of: str, amounts: Mapping[str, int]) -> Iterator[str]:
    yield from (f"{of}, {_said(each)}: {dollars(cents)}" for each, cents in sorted(amounts.items()))


def _said(word: str) -> str:
    return word.replace("_", " ")


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"
