"""Lines judged one after the other, as the filter answers them, without files or processes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from games.commands.settle import judged, rejected
from games.judge.run import Run
from games.round_log.form import Rejection, read_line
from games.setup_file import read_setup
from tests.games.written_rounds import as_line

if TYPE_CHECKING:
    from collections.abc import Iterable

Answer = dict[str, Any]


def replayed(*lines: dict[str, Any] | bytes, setup: dict[str, Any] | None = None) -> list[Answer]:
    """The filter's answers to the lines of one log."""
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
            answers.append(rejected(head, item))
        else:
            assert verdict is not None
            if run.two_decks(item):
                verdict = verdict.with_two_decks()
            answers.append(judged(head, item, verdict))
    run.close()
    return json.loads(json.dumps(answers))


def replayed_alone(line: dict[str, Any] | bytes, setup: dict[str, Any] | None = None) -> Answer:
    """The answer to a line that stands alone."""
    (answer,) = replayed(line, setup=setup)
    return answer


def found(answer: Answer) -> list[tuple[str, int | None, str | None]]:
    """What was found: code, seat, wager, in the order reported."""
    return [(one["code"], one["seat"], one["wager"]) for one in answer["findings"]]


def codes(answers: Iterable[Answer]) -> list[list[str]]:
    """The codes found per line."""
    return [[one["code"] for one in answer.get("findings", ())] for answer in answers]


def the(answer: Answer, code: str) -> Answer:
    """The one finding with a code."""
    (one,) = [one for one in answer["findings"] if one["code"] == code]
    return one


def expected(answer: Answer, seat: int = 1) -> dict[str, int] | None:
    """What a seat should have won."""
    return {one["seat"]: one["expected"] for one in answer["seats"]}[seat]
