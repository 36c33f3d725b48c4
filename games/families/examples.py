"""A definition's worked examples: each is read as a line of a log and settled."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from games.families.filed import FiledGame
from games.families.stud.explain import explain_settled
from games.families.stud.hand import DealtHand
from games.families.stud.round import StudRound
from games.findings import cites
from games.log.form import Rejection, read_line
from games.setup import Setup
from games.terms import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition import Definition
    from games.definition.model import Example
    from games.families.stud.program import Program
    from games.findings import Finding
    from games.log.round import Round

LINE: Final = {"v": 2, "round": "example", "table": "example", "at": "2025-01-01T00:00:00Z"}
"""What every line has; an example may leave it out."""


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """Whether an example settles as it says, and if not, why."""

    name: str
    ok: bool
    why: str
    steps: tuple[str, ...] = ()
    """How each wager of each seat comes to its result, with the clauses."""


def check_examples(definition: Definition) -> list[ExampleResult]:
    """Settle every example; it is right if the audit finds nothing in it."""
    game = FiledGame(definition)
    return [_check(game, example) for example in definition.examples]


def _check(game: FiledGame, example: Example) -> ExampleResult:
    slug = game.definition.slug
    try:
        line = json.dumps({**LINE, "game": slug, **example.round}, allow_nan=False)
    except (TypeError, ValueError):
        return ExampleResult(example.name, ok=False, why="A date or a number here is not JSON.")
    read = read_line(line.encode(), {slug: game.read})
    if isinstance(read, Rejection):
        where = f"`{read.field}`: " if read.field else ""
        return ExampleResult(example.name, ok=False, why=f"{where}{read.reason}.")
    setup = Setup(interpretations=example.interpretations, named_tables={slug: example.pay_tables})
    verdict = game.settle(read, setup, NOTHING)
    wrong = [_in_words(finding) for finding in verdict.findings]
    steps = tuple(_explained(game.program(setup), read)) if read.played else ()
    return ExampleResult(example.name, ok=not wrong, why=" ".join(wrong), steps=steps)


def _explained(program: Program, played: Round) -> Iterator[str]:
    if not isinstance(played, StudRound):
        return
    for seat in played.seats:
        hand = DealtHand(program, seat.cards, played.house.cards, played.community, seat.choices)
        for key, steps in explain_settled(hand, hand.settle(seat.wagers)).items():
            if seat.wagers.get(key, 1):
                words = " ".join(step.says for step in steps)
                ids = cites(*(id_ for step in steps for id_ in step.cites))
                yield f"Seat {seat.seat}, {key}: {words} [{', '.join(ids)}]"


def _in_words(finding: Finding) -> str:
    place: list[Any] = [finding.code]
    if finding.seat is not None:
        place.append(f"seat {finding.seat}")
    if finding.wager is not None:
        place.append(f"`{finding.wager}`")
    ids = ", ".join(finding.cites)
    return (
        f"{', '.join(map(str, place))}: the example has {finding.logged}, the rules give"
        f" {finding.expected} ({ids})."
    )
