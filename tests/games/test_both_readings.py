"""Engine and second reading, written separately, give the same answer for every line."""

from __future__ import annotations

import gzip
import itertools
import json
import subprocess
import sys
from random import Random
from typing import Any

import pytest

from tests.games.both_readings import (
    ROOT,
    assert_agreement,
    compared,
    engine_answers,
    settled,
)
from tests.games.rounds.batches import MIXED, Batch, deal_batch
from tests.games.rounds.emptied import emptied_batch
from tests.games.rounds.mutilation import mutilated_batch
from tests.games.rounds.table import GAMES, deal_table
from tests.games.second_reading import SetupError, judge_lines

ROUNDS = 150
SEEDS = ("first", "second", "third")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", [*GAMES, MIXED])
def test_both_readings_agree_on_every_line(game, seed, tmp_path):
    """Clean rounds, planted faults and damaged lines, under a set-up of any interpretations."""
    assert_agreement(deal_batch(game, seed, ROUNDS, fault_rate=0.4), tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_both_readings_agree_on_mutilated_lines(game, tmp_path):
    assert_agreement(mutilated_batch(game, "tests", 600), tmp_path)


def at_the_edge(round_: dict[str, Any]) -> dict[str, bytes]:
    """Return lines that are barely valid in form, or barely invalid."""
    text = json.dumps(round_)
    head, seat = text[:-1], round_["seats"][0]
    full = 1024 * 1024 - len(head) - len(', "x_": ""}')
    return {
        "a line of 1 MiB": f'{head}, "x_": "{"x" * full}"}}'.encode(),
        "a line of 1 MiB and one byte": f'{head}, "x_": "{"x" * (full + 1)}"}}'.encode(),
        "as deep as 8": f'{head}, "x_": {"[" * 7}{"]" * 7}}}'.encode(),
        "as deep as 9": f'{head}, "x_": {"[" * 8}{"]" * 8}}}'.encode(),
        "braces in a string": f'{head}, "x_": "{"[{" * 20}\\"{"[" * 20}"}}'.encode(),
        "a key written with an escape": text.replace('"v"', '"\\u0076"').encode(),
        "a key twice, once with an escape": f'{head}, "\\u0076": 1}}'.encode(),
        "two keys that only differ in case": f'{head}, "x_a": 1, "x_A": 1}}'.encode(),
        "blanks between": text.replace(": ", " :\t").replace(", ", " , ").encode(),
        "signs of other scripts": f'{head}, "x_": "日本 é \\ud83c\\udca1"}}'.encode(),
        "a number of many digits, unread": f'{head}, "x_": {"9" * 5000}}}'.encode(),
        "a number of no size": f'{head}, "x_": [1e400, -1E-5, 0.5]}}'.encode(),
        "minus nothing": text.replace('"v": 1', '"v": 1, "x_": -0').encode(),
        "an id of 64 signs": json.dumps(round_ | {"round": "a.b:c-d_" * 8}).encode(),
        "an id of 65 signs": json.dumps(round_ | {"round": "a" * 65}).encode(),
        "a table of 32 signs": json.dumps(round_ | {"table": "a" * 32}).encode(),
        "a table of 33 signs": json.dumps(round_ | {"table": "a" * 33}).encode(),
        "an id that ends in a line feed": json.dumps(round_ | {"round": "a\n"}).encode(),
        "digits of other scripts": json.dumps(round_ | {"round": "r-١"}).encode(),
        "T and z in lower case": json.dumps(round_ | {"at": "2019-05-04t20:15:03z"}).encode(),
        "a fraction": json.dumps(round_ | {"at": "2019-05-04T20:15:03.123456789Z"}).encode(),
        "a blank for the T": json.dumps(round_ | {"at": "2019-05-04 20:15:03Z"}).encode(),
        "a leap day": json.dumps(round_ | {"at": "2020-02-29T20:15:03+05:30"}).encode(),
        "a time of other digits": json.dumps(round_ | {"at": "2019-05-0٤T20:15:03Z"}).encode(),
        "from": json.dumps(round_ | {"from": "2019-05-04T20:14:03-07:00"}).encode(),
        "void is null": json.dumps(round_ | {"void": None}).encode(),
        "an empty deck": json.dumps(round_ | {"deck": ""}).encode(),
        "a player of 64": json.dumps(round_ | {"seats": [seat | {"player": "p" * 64}]}).encode(),
        "a seat far away": json.dumps(round_ | {"seats": [seat | {"seat": 10**9}]}).encode(),
    }


@pytest.mark.parametrize("game", ["pyramid-poker", "pick-2-poker", "casino-version"])
def test_both_readings_agree_at_the_edges_of_the_form(game, tmp_path):
    round_ = deal_table(Random("edges"), game, "T1", 1, {})[0]
    edges = at_the_edge(round_)
    lines = [line + b"\n" for line in edges.values()]
    assert_agreement(Batch(game, {}, lines, dict(enumerate(edges))), tmp_path)


def void_of(round_: dict[str, Any]) -> dict[str, Any]:
    """Return the round as a void one with the minimum: nothing of how it was played."""
    seats = [
        {
            **{key: seat[key] for key in ("seat", "wagers") if key in seat},
            "result": dict.fromkeys(seat["result"], 0),
        }
        for seat in round_["seats"]
    ]
    kept = {key: value for key, value in round_.items() if key != "house"}
    return {**kept, "void": "power failure", "seats": seats}


@pytest.mark.parametrize("game", GAMES)
def test_both_readings_accept_an_empty_hand(game, tmp_path):
    """By "wrong numbers of cards are findings", none is such a number, and spells none wrongly."""
    batch = emptied_batch(game)
    assert_agreement(batch, tmp_path)
    assert not [one for one in engine_answers(batch, tmp_path) if one["status"] == "rejected"]


@pytest.mark.parametrize("game", ["pyramid-poker", "pick-2-poker", "casino-version"])
def test_both_readings_miss_same_wagers_of_a_void_round(game, tmp_path):
    void = void_of(deal_table(Random("void"), game, "T1", 1, {})[0])
    spots = list(void["seats"][0]["wagers"])
    lines = []
    for placed in itertools.product((0, 500, 1000), repeat=len(spots)):
        wagers = dict(zip(spots, placed, strict=True))
        lines.append(
            json.dumps(void | {"seats": [void["seats"][0] | {"wagers": wagers}]}).encode() + b"\n"
        )
    assert_agreement(Batch(game, {}, lines, {}), tmp_path)


def test_the_course_of_the_tables_runs_on_from_log_to_log(tmp_path):
    """Each answer names its log and counts its lines; the round before may be in another log."""
    batch = deal_batch("pyramid-poker", "several logs", 120, fault_rate=0.3)
    lines = [line.rstrip(b"\r\n") + b"\n" for line in batch.lines]
    logs = {"first.jsonl": lines[:47], "second.jsonl": lines[47:90], "third.jsonl": lines[90:]}
    for name, part in logs.items():
        (tmp_path / name).write_bytes(b"".join(part))
    setup = tmp_path / "setup.json"
    setup.write_text(json.dumps(batch.setup))
    answers = settled("--setup", str(setup), *(str(tmp_path / name) for name in logs))
    places = [(str(tmp_path / name), n + 1) for name in logs for n in range(len(logs[name]))]
    assert [(answer.pop("log"), answer["line"]) for answer in answers] == places
    second = judge_lines(lines, batch.setup)
    for answer, other in zip(answers, second, strict=True):
        assert compared(answer) == compared(other) | {"line": answer["line"]}


def test_standard_input_and_compressed_logs_read_alike(tmp_path):
    batch = deal_batch("pick-2-poker", "standard input", 60, fault_rate=0.3)
    log = tmp_path / "log.jsonl.gz"
    log.write_bytes(gzip.compress(b"".join(batch.lines)))
    second = [compared(answer) for answer in judge_lines(batch.lines)]
    assert [compared(answer) for answer in settled(given=b"".join(batch.lines))] == second
    assert [compared(answer) for answer in settled(str(log))] == second


UNKNOWN = [
    ({"interpretations": {"PP-I99": "push"}}, "PP-I99"),
    ({"interpretations": {"PP-I2": "queen_and_ten"}}, "PP-I2"),
    ({"interpretations": {"PP-I1": "bank_wins"}}, "bank_wins"),
    ({"interpretation": {}}, "interpretation"),
    ({"limits": {"T1": {"straddle": [1, 2]}}}, "straddle"),
    ({"banker": {"max": {}}}, "max"),
    ({"banker": {"min": {"main": 100}}}, "main"),
    ({"max_aggregate": {"showdown": {}}}, "showdown"),
    ({"max_aggregate": 5, "interpretations": {"PP-I8": "per_deal"}}, "per_deal"),
    ({"max_aggregate": {"pyramid-poker": {"main": 1}}}, "main"),
    ({"chinese": {"scoring": ["3-5"]}}, "3-5"),
    ({"chinese": {"bonuses": {"royal_flush": 5}}}, "royal_flush"),
    ({"chinese": {"naturals": {"thirteen": 3}}}, "thirteen"),
    ({"pay_tables": {"pyramid-poker": {"three_card": {"blaze": 1}}}}, "blaze"),
    ({"pay_tables": {"pyramid-poker": {"three_card": {"flush": 100_001}}}}, "flush"),
    ({"pay_tables": {"showdown": {}}}, "showdown"),
]


@pytest.mark.parametrize(("setup", "named"), UNKNOWN, ids=lambda one: str(one)[:40])
def test_both_readings_name_unknown_words_of_a_setup(setup, named, tmp_path):
    with pytest.raises(SetupError, match=named):
        judge_lines([], setup)
    path = tmp_path / "setup.json"
    path.write_text(json.dumps(setup))
    call = [sys.executable, "-m", "games", "settle", "--setup", str(path)]
    done = subprocess.run(call, cwd=ROOT, input=b"", capture_output=True, check=False)
    assert done.returncode == 2
    assert named in done.stderr.decode()
