"""`python -m games settle` as another program calls it: answers, exit status, standard error."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from games.commands import settle
from tests.games.written_rounds import as_line, pick_2_seat, pyramid_seat, round_of

ROOT = Path(__file__).parents[3]
FOLDED = pick_2_seat("Kd Jh 8c 5s 2d", "fold")


def call(*arguments, data=b"", **options):
    command = [sys.executable, "-m", "games", "settle", *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, input=data, capture_output=True, check=False, timeout=60, **options
    )


def answers(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def pyramid(name="R-1", **fields):
    seat = pyramid_seat("As Jd 9c", "Jd")
    return as_line(
        round_of("pyramid-poker", [seat],
                 **{"round": name, "house": {"cards": "Kd Ts 8c", "low": "Ts"}, **fields})
    )  # fmt: skip


def pick_2(name, deck):
    house = {"cards": "As Kd 9c 5h 3s"}
    return as_line(
        round_of("pick-2-poker", [FOLDED], round=name, house=house, shuffler=True, deck=deck)
    )


def test_the_contracts_example_is_answered_as_the_rules_say():
    # kings with a seven are split (PP-15); queens over a nine against K low, K-7: one each; a pair
    # on three cards; two pairs on six
    example = (
        b'{"v":1,"round":"T3-000123","game":"pyramid-poker","table":"T3",'
        b'"at":"2026-11-17T20:15:03-08:00","decks":6,"house":{"cards":"Kd Ks 7c","low":"7c"},'
        b'"seats":[{"seat":1,"player":"p-118","cards":"Qs Qd 9c","low":"9c",'
        b'"wagers":{"main":2500,"three_card":500,"six_card":500},'
        b'"result":{"main":0,"three_card":500,"six_card":500}}]}\n'
    )
    done = call(data=example)
    assert (done.returncode, done.stderr) == (0, b"")
    (answer,) = answers(done)
    assert {key: value for key, value in answer.items() if key != "findings"} == {
        "line": 1,
        "round": "T3-000123",
        "status": "flagged",
        "seats": [{"seat": 1, "expected": {"main": 0, "three_card": 500, "six_card": 500}}],
    }
    (finding,) = answer["findings"]
    assert set(finding) == {"code", "seat", "wager", "logged", "expected", "delta", "cites"}
    assert (finding["code"], finding["seat"], finding["delta"]) == ("setting.dealer", None, 0)
    assert "PP-15" in finding["cites"]


def test_a_call_within_a_program_answers_alike(tmp_path, capfdbinary):
    log, setup = tmp_path / "a.jsonl", tmp_path / "setup.json"
    log.write_bytes(pick_2("a", "red") + pick_2("b", "red") + b"{\n" + pick_2("c", "blue"))
    setup.write_text('{"players": 0}')
    call_ = ["--setup", str(setup), str(log)]
    assert settle.run(call_) == 1
    within = capfdbinary.readouterr()
    assert (within.out, within.err) == (call(*call_).stdout, b"")
    assert settle.run([str(tmp_path / "none.jsonl")]) == 2
    assert b"no such file" in capfdbinary.readouterr().err
    assert settle.run([str(log), str(log)]) == 1
    assert {json.loads(line)["log"] for line in capfdbinary.readouterr().out.splitlines()} == {
        str(log)
    }


def test_flagged_rounds_are_no_reason_for_a_status():
    assert call(data=pyramid()).returncode == 0


def test_a_rejected_line_gives_status_1_and_the_others_go_on():
    done = call(data=pyramid("a") + b"{\n" + pyramid("b", v=3) + pyramid("c"))
    assert done.returncode == 1
    assert [answer["status"] for answer in answers(done)] == [
        "flagged", "rejected", "rejected", "flagged",
    ]  # fmt: skip
    assert answers(done)[1]["round"] is None
    assert answers(done)[2] == {
        "line": 3,
        "round": "b",
        "status": "rejected",
        "error": {
            "field": "v",
            "reason": "the version of this format is a whole number from 1 to 2; this line has 3",
        },
    }


def test_nothing_in_nothing_out():
    done = call()
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_several_logs_are_named_and_count_their_own_lines(tmp_path):
    first, second = tmp_path / "a.jsonl", tmp_path / "b.gz"
    first.write_bytes(pyramid("a") + pyramid("b"))
    second.write_bytes(gzip.compress(pyramid("c") + pyramid("a")))
    done = call(first, second)
    text = [(answer["log"], answer["line"], answer["round"]) for answer in answers(done)]
    assert text == [
        (str(first), 1, "a"), (str(first), 2, "b"), (str(second), 1, "c"), (str(second), 2, "a"),
    ]  # fmt: skip
    # the id was in the first log: one call, one sequence
    assert "log.sequence" in str(answers(done)[3]["findings"])


def test_one_log_is_not_named(tmp_path):
    log = tmp_path / "a.jsonl"
    log.write_bytes(pyramid())
    assert "log" not in answers(call(log))[0]


def test_which_decks_are_in_use_is_each_logs_matter(tmp_path):
    # P2-I8: red twice in the first log, which has no other deck; blue appears in the second
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_bytes(pick_2("a", "red") + pick_2("b", "red"))
    second.write_bytes(pick_2("c", "blue") + pick_2("d", "blue") + pick_2("e", "red"))
    found = [
        "deal.alternation" in str(answer["findings"]) for answer in answers(call(first, second))
    ]
    assert found == [False, False, False, True, False]


def test_answers_waiting_for_second_deck_keep_line_order():
    lines = [pick_2("a", "red"), pick_2("b", "red"), pyramid("c"), b"{\n", pick_2("d", "blue")]
    done = call(data=b"".join(lines))
    assert [answer["line"] for answer in answers(done)] == [1, 2, 3, 4, 5]
    assert "deal.alternation" in str(answers(done)[1]["findings"])
    alone = call(data=b"".join(lines[:4]))
    assert "deal.alternation" not in str(answers(alone)[1]["findings"])


def test_a_set_up_chooses_among_acceptable_readings(tmp_path):
    copied = pyramid_seat("Ks Td 8d", "Td")
    log = as_line(round_of("pyramid-poker", [copied], house={"cards": "Kd Ts 8c", "low": "Ts"}))
    setup = tmp_path / "setup.json"
    setup.write_text('{"interpretations": {"PP-I1": "dealer_wins"}}')
    (answer,) = answers(call("--setup", setup, data=log))
    assert answer["seats"][0]["expected"]["main"] == -100


@pytest.mark.parametrize(
    ("setup", "named"),
    [
        ('{"limit": {}}', "limit"),
        ('{"interpretations": {"PP-I99": "push"}}', "PP-I99"),
        ('{"interpretations": {"PP-I1": "copy"}}', "copy"),
        ("{", "not JSON"),
        ("\xe9", "not UTF-8"),
    ],
)
def test_a_set_up_that_cannot_be_used_is_refused_with_a_name(tmp_path, setup, named):
    file = tmp_path / "setup.json"
    file.write_text(setup, encoding="latin-1")
    done = call("--setup", file, data=pyramid())
    assert (done.returncode, done.stdout) == (2, b"")
    assert named in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_unreadable_log_is_rejected_before_any_answer(tmp_path):
    good = tmp_path / "good.jsonl"
    good.write_bytes(pyramid())
    for bad, why in ((tmp_path / "none.jsonl", b"no such file"), (tmp_path, b"folder")):
        done = call(good, bad)
        assert (done.returncode, done.stdout) == (2, b"")
        assert why in done.stderr
    done = call("--setup", tmp_path / "none.json", good)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize("arguments", [["--set", "x"], ["--setup"], ["--what"]])
def test_a_call_with_unknown_options_is_refused(arguments):
    done = call(*arguments)
    assert done.returncode == 2
    assert b"usage" in done.stderr


def test_a_log_cut_off_is_answered_as_far_as_it_goes(tmp_path):
    log = tmp_path / "a.jsonl.gz"
    whole = gzip.compress(b"".join(pyramid(str(place)) for place in range(500)))
    log.write_bytes(whole[: len(whole) // 2])
    done = call(log)
    assert done.returncode == 1
    *audited, last = answers(done)
    assert [answer["line"] for answer in audited] == list(range(1, len(audited) + 1))
    assert last["status"] == "rejected"
    assert "cut off" in last["error"]["reason"]


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path):
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"".join(pyramid(str(place)) for place in range(3000)))
    with subprocess.Popen(
        [sys.executable, "-m", "games", "settle", str(log)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        program.stdout.readline()
        program.stdout.close()
        text = program.stderr.read()
    assert text == b""


def test_answers_come_while_lines_still_come():
    with subprocess.Popen(
        [sys.executable, "-m", "games", "settle"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as program:
        first = []
        listener = threading.Thread(target=lambda: first.append(program.stdout.readline()))
        listener.start()
        place = 0
        while listener.is_alive() and place < 600:
            program.stdin.write(pyramid(str(place)))
            program.stdin.flush()
            listener.join(0.05)
            place += 1
        came_early = not listener.is_alive()
        program.stdin.close()
        program.stdout.read()
        listener.join()
    assert came_early
    assert json.loads(first[0])["round"] == "0"


@pytest.mark.parametrize(
    ("redirected", "status", "says"),
    [
        (">/dev/full", 2, b"no answers can be written: no space left on device"),
        (">&-", 2, b"no standard output"),
        ("<&-", 2, b"no standard input"),
        ("2>&- none.jsonl", 2, b""),
        ("2>/dev/full none.jsonl", 2, b""),
    ],
)
def test_call_without_input_or_output_has_its_status(tmp_path, redirected, status, says):
    log = tmp_path / "a.jsonl"
    log.write_bytes(pyramid())
    given = "" if "<" in redirected or "none" in redirected else f"< {log}"
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m games settle {given} {redirected}"],
        cwd=ROOT, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == status
    assert says in done.stderr
    assert b"Traceback" not in done.stderr


def test_lines_end_with_crlf_or_not_at_all():
    data = pyramid("a").rstrip(b"\n") + b"\r\n" + pyramid("b").rstrip(b"\n")
    assert [answer["round"] for answer in answers(call(data=data))] == ["a", "b"]


def test_numba_is_not_loaded_for_a_log():
    script = (
        "import sys; from games.__main__ import main; main(['settle']);"
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, input=pyramid(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
