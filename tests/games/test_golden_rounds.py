"""Rounds settled by hand, game by game, that the engine's command line must agree with.

The expectations in `golden/*.toml` were worked out from the rule documents, never by running the
engine; each case names the clause that decides it.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent / "golden"
KEYS = {
    "pyramid-poker": ["main", "three_card", "six_card"],
    "pick-2-poker": ["ante", "bonus_3_5", "bonus_5", "play"],
    "chinese-poker": ["total"],
    "casino-version": ["ante", "buy_in", "points"],
    "showdown": ["pot", "showdown", "surrender"],
}


@dataclass(frozen=True)
class Case:
    game: str
    data: dict[str, Any]

    def lines(self) -> list[dict[str, Any]]:
        return [
            {
                "v": 1,
                "round": f"R{number}",
                "game": self.game,
                "table": "T1",
                "at": f"2026-01-02T20:{number:02d}:00-08:00",
                **json.loads(text),
            }
            for number, text in enumerate(self.data["rounds"])
        ]

    def per_round(self, key: str, default: Any) -> list[Any]:
        value = self.data.get(key, default)
        return value if isinstance(value, list) else [value] * len(self.data["rounds"])


def cases() -> Iterator[Any]:
    for path in sorted(GOLDEN.glob("*.toml")):
        for data in tomllib.loads(path.read_text())["case"]:
            yield pytest.param(Case(path.stem, data), id=f"{path.stem}: {data['title']}")


def settle(tmp_path: Path, case: Case) -> list[dict[str, Any]]:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in case.lines()))
    setup = tmp_path / "setup.json"
    setup.write_text(case.data.get("setup", "{}"))
    done = subprocess.run(
        [sys.executable, "-m", "games", "settle", "--setup", str(setup), str(log)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("case", list(cases()))
def test_a_round_settled_by_hand_is_settled_alike(tmp_path: Path, case: Case) -> None:
    answers = settle(tmp_path, case)
    several = len(case.data["rounds"]) > 1
    expected = case.data.get("expected", [])
    findings = case.data.get("findings", [])
    houses = case.per_round("house", -1)
    for number, answer in enumerate(answers):
        found = [
            [f["code"], f["seat"] or 0, f["wager"] or "", f["delta"]] for f in answer["findings"]
        ]
        wanted = (findings[number] if findings else []) if several else findings
        assert found == wanted, answer
        if case.data.get("irregular"):
            assert answer["status"] == "irregular"
            assert "seats" not in answer
            continue
        assert answer["status"] == ("flagged" if wanted else "ok")
        settled = [
            [seat["expected"][key] for key in KEYS[case.game]] if seat["expected"] else []
            for seat in answer["seats"]
        ]
        assert settled == (expected[number] if several else expected)
        house = houses[number]
        assert answer.get("house") == ({"expected": {"main": house}} if house != -1 else None)
