"""Compares the answers of the engine's command line and the second reading on a batch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.games.second_reading import judge_lines

if TYPE_CHECKING:
    from tests.games.rounds.batches import Batch

ROOT = Path(__file__).parents[2]
# Codes whose `logged` and `expected` are cents; in other codes no program depends on them.
IN_CENTS = (
    "settlement.",
    "limit.table_",
    "limit.wac",
    "bank.cover",
    "bank.house_wager",
    "bank.wager",
)
SHOWN = 5

Answer = dict[str, Any]


def engine_answers(batch: Batch, folder: Path) -> list[Answer]:
    """Return the answers of `python -m games settle`, called once for the batch."""
    setup, log = folder / "setup.json", folder / "log.jsonl"
    setup.write_text(json.dumps(batch.setup))
    log.write_bytes(b"".join(batch.lines))
    return settled("--setup", str(setup), str(log))


def settled(*arguments: str, given: bytes = b"") -> list[Answer]:
    """Return the filter's answers to these arguments, and to `given` on standard input."""
    call = [sys.executable, "-m", "games", "settle", *arguments]
    done = subprocess.run(call, cwd=ROOT, input=given, capture_output=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    rejected = any(answer["status"] == "rejected" for answer in answers)
    uncited = [
        one["code"] for answer in answers for one in answer.get("findings", ()) if not one["cites"]
    ]
    assert not uncited, f"without a clause, interpretation or law: {uncited[:5]}"
    assert done.returncode == (1 if rejected else 0), done.stderr.decode()[-2000:]
    return answers


def compared(answer: Answer) -> Answer:
    """Return the part of an answer that both readings must agree on, in the contract's order."""
    return {
        "line": answer["line"],
        "round": answer["round"],
        "status": answer["status"],
        "house": answer.get("house"),
        "seats": answer.get("seats"),
        "findings": [finding_compared(finding) for finding in answer.get("findings", ())],
    }


def finding_compared(finding: Answer) -> tuple[Any, ...]:
    money = (finding["logged"], finding["expected"]) if finding["code"].startswith(IN_CENTS) else ()
    return finding["seat"], finding["wager"], finding["code"], finding["delta"], *money


def disagreements(batch: Batch, folder: Path) -> list[str]:
    """Return each line on which the readings differ: what was planted, the round, both answers."""
    engine = engine_answers(batch, folder)
    second = judge_lines(batch.lines, batch.setup)
    assert len(engine) == len(second), (batch.game, len(engine), len(second))
    told = []
    for place, (one, other) in enumerate(zip(engine, second, strict=True)):
        if compared(one) != compared(other):
            told.append(tell(batch, place, one, other))
    return told


def tell(batch: Batch, place: int, engine: Answer, second: Answer) -> str:
    ones, others = compared(engine), compared(second)
    differing = [key for key in ones if ones[key] != others[key]]
    line = batch.lines[place]
    return "\n".join(
        [
            f"{batch.game}, line {place + 1}: {batch.planted.get(place)}; differ: {differing}",
            f"round:  {line[:3000].decode(errors='replace').rstrip()}",
            f"engine: {json.dumps(engine)}",
            f"second: {json.dumps(second)}",
            f"setup:  {json.dumps(batch.setup)}",
        ]
    )


def assert_agreement(batch: Batch, folder: Path) -> None:
    told = disagreements(batch, folder)
    shown = "\n\n".join(told[:SHOWN])
    assert not told, f"{len(told)} of {len(batch.lines)} lines differ:\n\n{shown}"
