"""`manage.py deal`, as other programs call it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.log.form import read_line
from games.log.round import Round
from games.rule_set import SLUGS

ROOT = Path(__file__).parents[2]


def deal(*arguments, **more):
    call = [sys.executable, "manage.py", "deal", *map(str, arguments)]
    return subprocess.run(call, cwd=ROOT, capture_output=True, check=False, **more)


def dealt_here(*arguments):
    out = StringIO()
    call_command("deal", *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("game", SLUGS)
def test_so_many_lines_of_the_game_come(game):
    lines = dealt_here("--game", game, "--rounds", 40, "--seed", 7).encode().splitlines()
    assert len(lines) == 40
    rounds = [read_line(line) for line in lines]
    assert all(isinstance(read, Round) and read.game == game for read in rounds)
    assert len({read.round for read in rounds}) == 40


def test_the_same_call_deals_the_same_in_every_process():
    done = deal("--game", "showdown", "--rounds", 40, "--seed", 7)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == dealt_here("--game", "showdown", "--rounds", 40, "--seed", 7)


def test_planted_faults_are_written_with_the_log(tmp_path):
    planted = tmp_path / "planted.jsonl"
    call = ("--game", "pyramid-poker", "--rounds", 400, "--seed", "s", "--faults", "1/20")
    done = deal(*call, "--planted", planted)
    assert done.returncode == 0, done.stderr.decode()
    rows = [json.loads(line) for line in planted.read_bytes().splitlines()]
    assert set(rows[0]) == {"round", "code", "seat", "wager", "delta", "fault", "what"}
    log = tmp_path / "log.jsonl"
    log.write_bytes(done.stdout)
    settle = [sys.executable, "-m", "games", "settle", str(log)]
    audited = subprocess.run(settle, cwd=ROOT, capture_output=True, check=True)
    found = [
        (answer["round"], each["code"], each["seat"], each["wager"], each["delta"])
        for answer in map(json.loads, audited.stdout.splitlines())
        for each in answer["findings"]
    ]
    keys = ("round", "code", "seat", "wager", "delta")
    assert found == [tuple(row[key] for key in keys) for row in rows]
    assert len({row["round"] for row in rows}) > 5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--game", "bridge", "--rounds", 1, "--seed", 1), "invalid choice: 'bridge'"),
        (("--game", "showdown", "--rounds", -1, "--seed", 1), "--rounds -1: a number of rounds"),
        (("--game", "showdown", "--rounds", 1), "--seed"),
        (
            ("--game", "showdown", "--rounds", 1, "--seed", 1, "--setup", "none.json"),
            "none.json cannot be read",
        ),
        (
            ("--game", "showdown", "--rounds", 1, "--seed", 1, "--faults", "1.5"),
            "--faults 1.5: a rate from 0 to 1",
        ),
        (
            ("--game", "showdown", "--rounds", 1, "--seed", 1, "--planted", "none/planted"),
            "--planted none/planted cannot be written",
        ),
    ],
)
def test_unacceptable_call_gives_its_reason(arguments, says):
    with pytest.raises(CommandError, match=re.escape(says)):
        dealt_here(*arguments)


def test_a_refused_call_exits_with_2_and_deals_nothing():
    done = deal("--game", "showdown", "--rounds", -1, "--seed", 1)
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_reader_that_goes_away_ends_it_quietly():
    call = [sys.executable, "manage.py", "deal", "--game", "pick-2-poker", "--rounds", "20000"]
    with subprocess.Popen(
        [*call, "--seed", "1"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as simulation:
        assert simulation.stdout.readline().startswith(b'{"v":1')
        simulation.stdout.close()
        assert simulation.stderr.read() == b""
        assert simulation.wait() == 0
