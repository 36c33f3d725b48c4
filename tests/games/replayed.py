"""Lines settled one after another, as the filter answers them, without files or processes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from games.commands.settle import settled_answer, unsettled_answer
from games.log.form import Rejection, read_line
from games.settlement.verdict import Run
from games.setup import read_setup
from tests.games.written_rounds import as_line

if TYPE_CHECKING:
    from collections.abc import Iterable

Answer = dict[str, Any]


def replayed(*lines: dict[str, Any] | bytes, setup: dict[str, Any] | None = None) -> list[Answer]:
    """Return the filter's answers to the lines of one log."""
    run = Run(read_setup(json.dumps(setup or {})))
    read = [read_line(line if isinstance(line, bytes) else as_line(line)[:-1]) for line in lines]
    verdicts = []
    for item in read:
        if isinstance(item, Rejection):
            run.reject(item)
            verdicts.append(None)
        else:
            verdicts.append(run.verdict(item))
    answers = []
    for number, (item, verdict) in enumerate(zip(read, verdicts, strict=True), 1):
        head = {"line": number}
        if isinstance(item, Rejection):
            answers.append(unsettled_answer(head, item))
        else:
            assert verdict is not None
            if run.two_decks(item):
                verdict = verdict.with_two_decks()
            answers.append(settled_answer(head, item, verdict))
    run.close()
    return json.loads(json.dumps(answers))


def replayed_alone(line: dict[str, Any] | bytes, setup: dict[str, Any] | None = None) -> Answer:
    """Return the answer to a single line."""
    (answer,) = replayed(line, setup=setup)
    return answer


def found(answer: Answer) -> list[tuple[str, int | None, str | None]]:
    """Return the findings' code, seat and wager, in the order reported."""
    return [(one["code"], one["seat"], one["wager"]) for one in answer["findings"]]


def codes(answers: Iterable[Answer]) -> list[list[str]]:
    """Return the codes found per line."""
    return [[one["code"] for one in answer.get("findings", ())] for answer in answers]


def the(answer: Answer, code: str) -> Answer:
    """Return the one finding with a code."""
    (one,) = [one for one in answer["findings"] if one["code"] == code]
    return one


def expected(answer: Answer, seat: int = 1) -> dict[str, int] | None:
    """Return what a seat should have won."""
    return {one["seat"]: one["expected"] for one in answer["seats"]}[seat]
