"""`settle --definitions`, `check`, `odds` and `schema` on the command line."""

import json

import pytest

from games.commands import check, explain, odds, schema, settle
from games.log.reference import EXAMPLE
from tests.games.families.filed_games import SEEDS, TEXTS, line

TCP = "three-card-poker"
SEAT = {
    "seat": 1,
    "cards": "Ks 8d 2c",
    "choices": {"play": "raise"},
    "wagers": {"ante": 500, "play": 500, "pair_plus": 0, "six_card": 0},
    "result": {"ante": 500, "play": 500, "pair_plus": 0, "six_card": 0},
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / f"{TCP}.toml").write_text(TEXTS[TCP])
    (tmp_path / "let-it-ride.toml").write_text("[game]\n")
    (tmp_path / "casino-war.toml").write_text(TEXTS["mississippi-stud"])
    return tmp_path


def test_filter_settles_filed_and_built_in_games(folder, capfd):
    log = folder / "night.jsonl"
    lines = [
        EXAMPLE.encode(),
        line(TCP, [SEAT], house={"cards": "Jh 9d 4c"}),
        line("let-it-ride", [SEAT]),
        line("casino-war", [SEAT]),
        line("baccarat", [SEAT]),
    ]
    log.write_bytes(b"\n".join(lines) + b"\n")
    assert settle.run(["--definitions", str(folder), str(log)]) == 1
    answers = [json.loads(each) for each in capfd.readouterr().out.splitlines()]
    statuses = [each["status"] for each in answers]
    assert statuses == ["ok", "flagged", "rejected", "rejected", "rejected"]
    assert answers[1]["findings"] == [
        {"code": "settlement.play", "seat": 1, "wager": "play", "logged": 500, "expected": 0,
         "delta": 500, "cites": ["TC-5"]}
    ]  # fmt: skip
    reasons = [each["error"]["reason"] for each in answers[2:]]
    assert "let-it-ride.toml can't be used: game.slug: This is missing" in reasons[0]
    assert "name the file mississippi-stud.toml" in reasons[1]


@pytest.mark.parametrize("columns", [False, True])
def test_games_of_the_engine_need_no_folder(tmp_path, capfd, monkeypatch, columns):
    monkeypatch.setattr(settle, "worth_it", lambda _logs: columns)
    setup, log = tmp_path / "setup.json", tmp_path / "night.jsonl"
    setup.write_text('{"limits": {"T1": {"pair_plus": [500, 10000]}}}')
    side = SEAT | {"wagers": SEAT["wagers"] | {"pair_plus": 100},
                   "result": SEAT["result"] | {"play": 0, "pair_plus": -100}}  # fmt: skip
    lines = [
        EXAMPLE.encode(),
        line(TCP, [SEAT], house={"cards": "Jh 9d 4c"}),
        line(TCP, [side], house={"cards": "Jh 9d 4c"}, round="r-2"),
    ]
    log.write_bytes(b"\n".join(lines) + b"\n")
    for options, found in (
        ((), [[], ["settlement.play"], []]),
        (("--setup", str(setup)), [[], ["settlement.play"], ["limit.table_min"]]),
    ):
        assert settle.run([*options, str(log)]) == 0
        answers = [json.loads(each) for each in capfd.readouterr().out.splitlines()]
        assert [[each["code"] for each in one["findings"]] for one in answers] == found


def test_round_of_a_filed_game_is_explained(folder, capfd):
    log = folder / "night.jsonl"
    log.write_bytes(line(TCP, [SEAT], house={"cards": "Jh 9d 4c"}) + b"\n")
    assert explain.run(["--definitions", str(folder), str(log), "r-1"]) == 0
    page = " ".join(capfd.readouterr().out.split())
    assert "Round r-1: Three Card Poker, table T1" in page
    assert "Logged +$5.00, expected $0.00: $5.00 overpaid." in page
    assert "TC-5" in page


def test_setup_may_not_choose_what_is_not_filed(folder, capfd):
    setup = folder / "setup.json"
    setup.write_text('{"pay_tables": {"three-card-poker": {"pair_plus": "best"}}}')
    assert settle.run(["--definitions", str(folder), "--setup", str(setup)]) == 2
    assert "`best` is no pay table of it; it has standard, flush_3" in capfd.readouterr().err


def test_check_lists_problems_and_wrong_examples(folder, capfd):
    path = folder / "three-card-poker.toml"
    path.write_text(TEXTS[TCP].replace("pair_plus = 3000", "pair_plus = 1"))
    assert check.run([str(path), "--json", "--no-odds"]) == 1
    answer = json.loads(capfd.readouterr().out)
    assert [each["ok"] for each in answer["examples"]].count(False) == 1
    assert answer["problems"][0]["where"] == "example[1]"
    assert check.run([str(folder / "let-it-ride.toml"), "--json"]) == 1
    answer = json.loads(capfd.readouterr().out)
    assert answer["digest"] is None
    assert answer["problems"][0]["where"] == "game.slug"


def test_odds_of_a_definition_take_tables_and_readings(capfd):
    path = str(SEEDS["casino-war"])
    assert odds.run([path, "--json", "--decks", "1"]) == 0
    ante, tie = json.loads(capfd.readouterr().out)
    assert (ante["wager"], ante["per"], ante["strategy"]) == ("ante", "ante", "optimal")
    assert tie["exact"] == "6/17"  # 1 - 11 * 3/51
    assert odds.run([path, "--table", "tie=second"]) == 2
    assert "no pay table tie=second" in capfd.readouterr().err


def test_game_between_players_has_no_odds_to_state(capfd):
    assert odds.run(["texas-holdem"]) == 0
    assert "Players play each other, so the house has no edge." in capfd.readouterr().out
    assert odds.run(["texas-holdem", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == []


def test_schema_is_of_a_built_in_or_a_filed_game(capfd):
    for game, title in (("showdown", "Showdown Version"), ("casino-war", "Casino War")):
        assert schema.run([game]) == 0
        assert title in json.loads(capfd.readouterr().out)["title"]
