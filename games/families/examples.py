"""A definition's worked examples: each is read as a line of a log and settled."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from games.explanation.rounds import explain_round
from games.families.filed import readers_of, with_definition
from games.findings import cites
from games.log.form import Rejection, read_line
from games.settlement.verdict import settle_round
from games.setup import Setup
from games.terms import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition import Definition
    from games.definition.model import Example
    from games.findings import Finding
    from games.log.round import Round
    from games.settlement.verdict import Verdict

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
    return [_check(definition, example) for example in definition.examples]


def _check(definition: Definition, example: Example) -> ExampleResult:
    slug = definition.slug
    line = json.dumps({**LINE, "game": slug, **example.round})
    read = read_line(line.encode(), readers_of([definition]))
    if isinstance(read, Rejection):
        where = f"`{read.field}`: " if read.field else ""
        return ExampleResult(example.name, ok=False, why=f"{where}{read.reason}.")
    chosen = Setup(interpretations=example.interpretations, named_tables={slug: example.pay_tables})
    setup = with_definition(chosen, definition)
    verdict = settle_round(read, setup, NOTHING)
    wrong = [_in_words(finding) for finding in verdict.findings]
    steps = tuple(explained_steps(read, setup, verdict))
    return ExampleResult(example.name, ok=not wrong, why=" ".join(wrong), steps=steps)


def explained_steps(played: Round, setup: Setup, verdict: Verdict) -> Iterator[str]:
    """Yield how each wager of each seat comes to its result, with the clauses."""
    for section in explain_round(played, setup, verdict, findings=()).sections:
        for wager in section.wagers:
            if wager.wagered != 0 and wager.steps:
                words = " ".join(step.says for step in wager.steps)
                ids = cites(*(id_ for step in wager.steps for id_ in step.cites))
                yield f"{wager.place}, {wager.key}: {words} [{', '.join(ids)}]"


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
