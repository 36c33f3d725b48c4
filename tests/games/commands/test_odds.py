"""`odds GAME` on the command line: shoes, set-ups, games without odds, invalid arguments."""

import json
from fractions import Fraction

import pytest

from games.commands import odds
from games.commands.odds import odds_lines, percent
from games.odds.wagers import Outcome, WagerOdds


def text(capsys, *call):
    assert odds.run(list(call)) == 0
    return " ".join(capsys.readouterr().out.split())


def test_published_edges_are_printed_as_fraction_and_percent(capsys):
    page = text(capsys, "pick-2-poker")
    assert "House edge 2047/2652 = +77.187 %" in page
    assert "House edge 1203/30940 = +3.888 %" in page


def test_the_layouts_line_turns_the_edge_to_the_player(capsys):
    page = text(capsys, "pyramid-poker")
    assert "House edge 18568/626665 = +2.963 %" in page
    assert "straight_flush 50, not 30 (as the layout drawing prints, PP-30, not approved)" in page
    assert "House edge -5192/626665 = -0.829 %: of each 100 wagered the player gains" in page


def test_a_game_without_a_pay_table_says_so_in_a_sentence(capsys):
    assert "has no wager that pays by a table" in text(capsys, "showdown")
    assert json.loads(text(capsys, "showdown", "--json")) == []


def test_estimated_odds_state_strategy_and_error(capsys):
    page = text(capsys, "casino-version")
    assert "The player never folds." in page
    assert "The player folds seven cards without an ace, joker or pair." in page
    assert "standard error 0.28" in page


def test_disallowed_shoe_is_counted_and_named(capsys):
    page = text(capsys, "pick-2-poker", "--decks", "2")
    assert "2 decks, 104 cards" in page
    assert "The rules do not allow this shoe" in page


def test_a_setup_replaces_lines_and_readings(capsys, tmp_path):
    setup = tmp_path / "setup.json"
    tables = {"pick-2-poker": {"bonus_5": {"two_pairs": 2}}}
    setup.write_text(json.dumps({"interpretations": {"P2-I9": "any_suits"}, "pay_tables": tables}))
    data = json.loads(text(capsys, "pick-2-poker", "--setup", str(setup), "--json"))
    bonus_5 = next(each for each in data if each["wager"] == "bonus_5")
    assert bonus_5["terms"][0] == "Paid by P2-18, but two_pairs 2, not 3."
    # the 123,552 hands of two pairs win one unit less
    edge = Fraction(1203, 30940) + Fraction(123_552, 2_598_960)
    assert Fraction(bonus_5["exact"]) == edge
    assert "A-K-Q by `any_suits` (P2-I9)" in data[0]["terms"][1]


def test_maximum_aggregate_is_not_counted_and_says_so(capsys, tmp_path):
    setup = tmp_path / "setup.json"
    setup.write_text(json.dumps({"max_aggregate": {"pick-2-poker": {"bonus_5": 100}}}))
    text_about_it = "The set-up's maximum aggregate payout is not counted in."
    assert text_about_it in text(capsys, "pick-2-poker", "--setup", str(setup))
    assert text_about_it not in text(capsys, "pick-2-poker")


@pytest.mark.parametrize("decks", ["0", "101", "six", "-1", "1.5"])
def test_no_shoe_holds_so_many_decks(capsys, decks):
    with pytest.raises(SystemExit) as refused:
        odds.run(["pyramid-poker", "--decks", decks])
    assert refused.value.code == 2
    assert "1 to 100 decks" in capsys.readouterr().err


def test_a_setup_that_cannot_be_read_is_refused(capsys, tmp_path):
    assert odds.run(["pick-2-poker", "--setup", str(tmp_path / "none.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_narrow_window_puts_fractions_below_outcome():
    sure = Fraction(999_999_999, 1_000_000_000)
    answer = WagerOdds("ante", ("Told.",), (Outcome("won", 1, sure), Outcome("lost", -1, 1 - sure)))
    lines = list(odds_lines(answer, 40))
    assert "      999999999/1000000000" in lines
    assert max(map(len, lines)) <= 40


def test_a_rare_outcome_keeps_three_figures():
    assert percent(Fraction(437, 304_858_061)) == "0.000143 %"
    assert percent(Fraction(18_568, 626_665), signed=True) == "+2.963 %"
    assert percent(Fraction(-5_192, 626_665), signed=True) == "-0.829 %"
    assert percent(Fraction()) == "0.000 %"


def test_odds_that_do_not_add_up_are_refused():
    with pytest.raises(ValueError, match="1/2 of all deals"):
        WagerOdds("ante", (), (Outcome("won", 1, Fraction(1, 2)),))
