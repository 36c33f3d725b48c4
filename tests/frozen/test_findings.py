"""The filter's answers for 3,000 recorded rounds: each finding and each expected amount."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest

from tests.frozen.facts import HERE, as_fact, require_unchanged, unpacked
from tests.installation import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROUNDS = HERE / "rounds"
TERMS = ("rules", "approved", "readings")
A_BLOCK = 10
"""The number of rounds that share one digest of their expected amounts."""


@pytest.fixture(params=TERMS)
def answers(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, list[dict[str, Any]]]:
    """Return the filter's answers to every game's log, under one set of terms."""
    terms: str = request.param
    for log in sorted(ROUNDS.glob(f"*.{terms}.jsonl.zst")):
        (tmp_path / log.name.partition(".")[0]).write_bytes(unpacked(log))
    settled = subprocess.run(
        [sys.executable, "-m", "games", "settle", "--setup", ROUNDS / f"{terms}.json",
         *sorted(path.name for path in tmp_path.iterdir())],
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert settled.returncode == 0, settled.stderr
    return terms, [json.loads(line) for line in settled.stdout.splitlines()]


def findings_of(answers: list[dict[str, Any]]) -> Iterator[str]:
    for answer in answers:
        for found in answer["findings"]:
            parts = ("seat", "wager", "code", "logged", "expected", "delta", "cites")
            yield as_fact(answer["log"], answer["round"], *(found[part] for part in parts))


def amounts_of(answers: list[dict[str, Any]]) -> Iterator[str]:
    for first in range(0, len(answers), A_BLOCK):
        block = answers[first : first + A_BLOCK]
        amounts = [(each["status"], each.get("house"), each.get("seats")) for each in block]
        digest = hashlib.sha256(json.dumps(amounts, sort_keys=True).encode()).hexdigest()
        yield as_fact(block[0]["log"], block[0]["line"], block[-1]["line"], digest[:16])


def test_kept_rounds_keep_findings_and_amounts(answers: tuple[str, list[dict[str, Any]]]) -> None:
    terms, given = answers
    assert len(given) == 1000
    require_unchanged({f"settle-{terms}": chain(findings_of(given), amounts_of(given))})
