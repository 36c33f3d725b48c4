"""Internal controls in words: their state and next step, section by section, and compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compliance.access.permissions import Action
from compliance.filings.controls.content import (
    DAYS,
    GAME,
    TEXTS,
    Choice,
    is_part,
    read_content,
    time_in_words,
)
from compliance.filings.controls.models import ControlsFiling
from compliance.filings.requests.presentation import Filing, NextStep
from compliance.filings.requests.reads import rules_of
from compliance.ui.comparison import Compared, LinePair, Section, compare_sections, side_by_side
from compliance.ui.lists import dollars
from games.cents import in_dollars
from games.explanation.words import name_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from compliance.filings.controls.content import Content, GameControls, Problem
    from compliance.filings.controls.models import ControlsVersion


State = ControlsFiling.State

CONTROLS_STEPS: dict[str, NextStep] = {
    State.SUBMITTED: NextStep("The commission reviews it and decides", Action.REVIEW_CONTROLS),
    State.RETURNED: NextStep(
        "{party} answers the comments",
        Action.WRITE_CONTROLS,
        "Fix version {number} of your internal controls: it was returned with comments",
    ),
    State.APPROVED_VERBALLY: NextStep(
        "The commission approves it in writing", Action.REVIEW_CONTROLS
    ),
}
CONTROLS_OVERDUE = NextStep(
    "The commission decides how to go on: {party} did not answer in time", Action.REVIEW_CONTROLS
)
MARKS: dict[str, str] = {State.APPROVED: "working", State.RETURNED: "attention"}


def describe_controls(version: ControlsVersion, today: date | None = None) -> Filing:
    """Describe a version of controls; with `today`, as overdue if its due date has passed."""
    filing = version.filing
    step = CONTROLS_STEPS.get(filing.state)
    if step and today and filing.due and filing.due < today:
        step = CONTROLS_OVERDUE
    words = {"party": version.operator, "number": version.number}
    name = str(version)
    return Filing(
        uuid=version.uuid,
        kind="controls",
        title=f"Internal controls, version {version.number}",
        name=name[:1].upper() + name[1:],
        party=version.operator,
        state=filing.get_state_display(),
        mark=MARKS.get(filing.state, "waiting"),
        since=version.at,
        due=filing.due,
        next_step=step.says.format(**words) if step else "",
        action=step.action if step else None,
        task=step.task.format(**words) if step else "",
        url_name="controls_version",
        url_args=(str(version.uuid),),
    )


HEADINGS = {
    **TEXTS,
    "hours": "Hours",
    "cut_off": "Cut-off of the gambling day",
    "submission_hours": "Submission of the round log",
    "cash_tolerance": "Tolerance between a table’s cash and its rounds",
    "void_reasons": "Reasons to void a round",
    "games": "Games, tables and limits",
}


@dataclass(frozen=True)
class DraftProblem:
    """A problem for people to read: the part of the draft to fix, and where in it."""

    part: str
    heading: str
    where: str
    says: str
    cites: str


def describe_problems(problems: Iterable[Problem]) -> list[DraftProblem]:
    """Return problems with the part they belong to; those without a part have no heading."""
    return [_lack(each) for each in problems]


def _lack(problem: Problem) -> DraftProblem:
    names = problem.place.split(".")
    part = problem.place if is_part(problem.place) else names[0]
    if names[0] in {"texts", "games"}:
        part = names[1] if names[0] == "texts" else ".".join(names[:2])
    if not is_part(part):
        return DraftProblem("", "", "", problem.says, problem.cites)
    return DraftProblem(part, heading_of(part), _where(names[2:]), problem.says, problem.cites)


def _where(names: list[str]) -> str:
    """Return the table of a game and its wager; other problems say where they are."""
    if names[:1] != ["tables"]:
        return ""
    return ", ".join(
        [f"table {each}" for each in names[1:2]] + [_in_words(each) for each in names[2:3]]
    )


def heading_of(part: str) -> str:
    """Return the title of a part of a draft: its section, or the game."""
    if not part.startswith(GAME):
        return HEADINGS[part]
    slug = part.removeprefix(GAME)
    rules = rules_of(slug)
    return slug if rules is None else rules.name


def compare_part(before: Any, after: Any, part: str) -> list[LinePair]:
    """Compare one part of two controls, line by line."""
    sides = []
    for data in (before, after):
        content, _ = read_content(data)
        game = content.games.get(part.removeprefix(GAME)) if part.startswith(GAME) else None
        lines = (
            tuple(_game(game)) if game else () if part.startswith(GAME) else _lines(part, content)
        )
        sides.append(["\n".join(lines)])
    return side_by_side(*sides)


def usual_text(part: str) -> tuple[str, ...]:
    """Return the default for a section that is empty."""
    return () if part.startswith(GAME) else _lines(part, read_content({})[0])


def present_controls(data: Any) -> list[Section]:
    """Return every section of controls, in the order of the form; empty ones too."""
    content, _ = read_content(data)
    return [Section(key, heading, _lines(key, content)) for key, heading in HEADINGS.items()]


def compare_controls(before: Any, after: Any) -> list[Compared]:
    """Compare two versions, section by section."""
    return compare_sections(present_controls(before), present_controls(after))


def _lines(key: str, content: Content) -> tuple[str, ...]:
    if key in TEXTS:
        return tuple(content.texts.get(key, "").splitlines())
    if key == "hours":
        return tuple(f"{day.capitalize()}: {_hours(content, day)}" for day in DAYS)
    if key == "cut_off":
        return (time_in_words(content.cut_off),)
    if key == "submission_hours":
        return (f"Within {content.submission_hours} hours after the cut-off",)
    if key == "cash_tolerance":
        cents = content.cash_tolerance
        return () if cents is None else (in_dollars(cents),)
    if key == "void_reasons":
        return content.void_reasons
    return tuple(line for game in content.games.values() for line in _game(game))


def _hours(content: Content, day: str) -> str:
    span = content.hours[day]
    if span is None:
        return "closed"
    opens, closes = span
    return "24 hours" if opens == closes else f"{time_in_words(opens)} to {time_in_words(closes)}"


def _game(game: GameControls) -> Iterator[str]:
    rules = rules_of(game.game)
    name = rules.name if rules else game.game
    questions = list(rules.interpretations) if rules else []
    # Choices appear in the order in which the form asks for them, whatever their order in the data.
    chosen = sorted(
        game.interpretations.items(),
        key=lambda each: (questions.index(each[0]) if each[0] in questions else -1, each[0]),
    )
    for table, limits in game.tables.items():
        for wager, (low, high) in limits.items():
            yield f"{name}, table {table}, {_in_words(wager)}: {dollars(low)} to {dollars(high)}"
        if called := game.names.get(table):
            yield f"{name}, table {table}: also called {called}"
    yield from _choice(name, Choice(version=game.version, pay_tables=game.pay_tables))
    yield from (f"{name}, {id_}: {_in_words(each)}" for id_, each in chosen)
    for table, own in game.by_table.items():
        yield from _choice(f"{name}, table {table}", own)
    if game.aggregate.per_hand is not None:
        yield f"{name}, maximum aggregate of each hand: {dollars(game.aggregate.per_hand)}"
    yield from _amounts(f"{name}, maximum aggregate", game.aggregate.per_deal)
    yield from _amounts(f"{name}, minimum of a banker", game.banker_min)
    chinese = game.chinese
    if chinese is None:
        return
    yield f"{name}, scoring: {', '.join(map(_in_words, chinese.scoring))}"
    yield from (
        f"{name}, bonus {_in_words(each)}: {_points(n)}" for each, n in chinese.bonuses.items()
    )
    yield from (
        f"{name}, natural {_in_words(each)}: {_points(n)}" for each, n in chinese.naturals.items()
    )
    if chinese.surrender is not None:
        yield f"{name}, surrender: {_points(chinese.surrender)}"
    if chinese.largest_unit is not None:
        yield f"{name}, maximum unit: {dollars(chinese.largest_unit)}"


def _choice(of: str, choice: Choice) -> Iterator[str]:
    if choice.version is not None:
        yield f"{of}: rules of play, version {choice.version}"
    for wager, name in sorted(choice.pay_tables.items()):
        yield f"{of}, {_in_words(wager)}: pay table {name}"
    for id_, reading in sorted(choice.interpretations.items()):
        yield f"{of}, {id_}: {_in_words(reading)}"


def _amounts(of: str, amounts: Mapping[str, int]) -> Iterator[str]:
    yield from (
        f"{of}, {_in_words(each)}: {dollars(cents)}" for each, cents in sorted(amounts.items())
    )


def _in_words(word: str) -> str:
    return name_in_words(word)


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"
