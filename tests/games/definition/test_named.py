"""A definition of a game that its family settles by name: what it may change, and what it can't."""

import pytest

from games.definition import DefinitionError, read_definition
from games.families.filed import FiledGames
from games.setup import SetupError, read_setup
from tests.games.families.filed_games import TEXTS, line

TEXT = TEXTS["pick-2-poker"]
NO_EXAMPLES = TEXT[: TEXT.index("[[example]]")]


def problems_of(text):
    with pytest.raises(DefinitionError) as found:
        read_definition(text)
    return {each.where: each.what for each in found.value.problems}


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ('family = "versus"', 'family = "set"', "game.family", "Write `versus`."),
        ('family = "versus"', 'family = "dice"', "game.family", "`versus`"),
        ('slug = "pick-2-poker"', 'slug = "pick-3-poker"', "game.slug", "`pick-2-poker`"),
        ("decks = 1", "decks = 2", "game.deck.decks", "1 deck at most"),
        ("jokers = 0", "jokers = 2", "game.deck.jokers", "0 jokers"),
        ('id = "P2-9"', 'id = "TP-9"', "clause", "cite `P2-9`. Add this clause."),
        ("[wager.bonus_5]", "[wager.bonus_6]", "wager", "needs the wager `bonus_5`"),
        ('out."\n', 'out."\nmandatory = true\n', "wager.bonus_5.mandatory", "optional only"),
        ("two_pairs = 3", "two_pear = 3", "pay_table.bonus_5.standard.lines.two_pear", "no line"),
        ("two_pairs = 3", 'two_pairs = "3/2"', "pay_table.bonus_5.standard.lines.two_pairs",
         "Write `rounding`"),
        ("two_pairs = 3", "two_pairs = -1", "pay_table.bonus_5.standard.lines.two_pairs",
         "from 0 to 100,000"),
        ("two_pairs = 3, pair_of_sixes_or_better = 1",
         'two_pairs = "1/37", pair_of_sixes_or_better = "1/31"', "pay_table", "common parts"),
        ("[pay_table.bonus_3_5_three.standard]", "[pay_table.bonus_3_5_three.high]",
         "pay_table.bonus_3_5_three", "the names standard"),
        ("[layout.bonus_3_5_five]", "[layout.ante]", "layout.ante", "no pay table `ante`"),
        ("set_three =", "any_three =", "interpretation.P2-I4.readings", "no reading `any_three`"),
        ('by_rank = "By', 'by_suit = "By suit."\nby_rank = "By', "interpretation.P2-I7.readings",
         "Leave one reading"),
        ('default = "ante_wins"', 'default = "ante_loses"', "interpretation.P2-I1.default",
         "no reading `ante_loses`"),
        ('clause = "P2-18"', 'clause = "TP-9"', "pay_table.bonus_5.standard.clause",
         "no clause `TP-9`"),
    ],
)  # fmt: skip
def test_what_its_code_cannot_settle_is_a_sentence(old, new, where, what):
    assert old in TEXT
    found = problems_of(TEXT.replace(old, new, 1))
    assert what in found[where]
    assert found[where].endswith(".")


def verdict(text, seat, setup="{}", dealer="Ad Kh 7c 5s 2d"):
    definition = read_definition(text)
    filed = {"pick-2-poker": definition}
    games = FiledGames(filed)
    run = games.run(read_setup(setup, filed))
    house = {"cards": dealer}
    try:
        round_ = games.read_line(line("pick-2-poker", [seat], house=house, shuffler=False))
        return run.verdict(round_)
    finally:
        run.close()


def seat(cards, **result):
    wagers = {"ante": 500, "bonus_3_5": 500, "bonus_5": 100, "play": 500}
    return {"seat": 1, "cards": cards, "play": "five", "wagers": wagers, "result": result}


TWO_PAIRS = seat("8s 8d 4c 4h Qs", ante=500, bonus_3_5=-500, bonus_5=300, play=500)
"""Beats A-K-7-5-2; 3 to 1 on 100."""


def expected(found):
    return dict(found.seats[0][1])


def test_line_that_is_removed_no_longer_pays():
    assert verdict(NO_EXAMPLES, TWO_PAIRS).status == "ok"
    found = verdict(NO_EXAMPLES.replace("two_pairs = 3, ", ""), TWO_PAIRS)
    # two pairs of eights and fours contain a pair of sixes or better: 1 to 1
    assert expected(found)["bonus_5"] == 100
    assert [(each.code, each.delta) for each in found.findings] == [("settlement.bonus_5", 200)]


def test_controls_choose_one_of_several_named_tables():
    lines = "lines = { four_of_a_kind = 50, two_pairs = 4 }"
    high = f'\n[pay_table.bonus_5.high]\nclause = "P2-18"\n{lines}\n'
    text = NO_EXAMPLES.replace("\n[layout.bonus_3_5_five]", f"{high}\n[layout.bonus_3_5_five]", 1)
    assert verdict(text, TWO_PAIRS).status == "ok"
    chosen = '{"pay_tables": {"pick-2-poker": {"bonus_5": "high"}}}'
    assert expected(verdict(text, TWO_PAIRS, chosen))["bonus_5"] == 400
    with pytest.raises(SetupError, match="`low` is no pay table of it; it has standard, high"):
        verdict(text, TWO_PAIRS, chosen.replace("high", "low"))


def test_default_of_the_definition_decides_an_open_question():
    text = NO_EXAMPLES.replace('default = "ante_wins"', 'default = "both_push"')
    assert expected(verdict(text, TWO_PAIRS, dealer="Qd Jh 7c 5s 2d"))["ante"] == 0
    assert expected(verdict(NO_EXAMPLES, TWO_PAIRS, dealer="Qd Jh 7c 5s 2d"))["ante"] == 500
    assert read_definition(text).digest != read_definition(NO_EXAMPLES).digest


def test_line_that_is_added_pays():
    # on the 3-5 bonus, two pairs pay 2 to 1 of five cards and a pair pays 1 to 1 of the best three
    text = NO_EXAMPLES.replace("three_of_a_kind = 1 }", "three_of_a_kind = 1, two_pairs = 2 }", 1)
    assert expected(verdict(text, TWO_PAIRS))["bonus_3_5"] == 1000
    start = text.index("[pay_table.bonus_3_5_three.standard]")
    both = text[:start] + text[start:].replace(
        "of_a_kind = 1 }", "of_a_kind = 1, one_pair = 1 }", 1
    )
    assert expected(verdict(both, TWO_PAIRS))["bonus_3_5"] == 1500


@pytest.mark.parametrize(
    ("cards", "line"),
    [("Js 9s 4s Kd 2h", "flush"), ("7s 6d 5h Kd 2h", "straight"), ("7s 7d 5h Kd 2h", "one_pair")],
)
def test_line_that_is_added_for_three_cards_pays(cards, line):
    start = NO_EXAMPLES.index("[pay_table.bonus_3_5_three.standard]")
    added = NO_EXAMPLES[start:].replace("of_a_kind = 1 }", f"of_a_kind = 1, {line} = 2 }}", 1)
    hand = seat(cards, ante=500, bonus_3_5=-500, bonus_5=-100, play=500)
    assert expected(verdict(NO_EXAMPLES, hand))["bonus_3_5"] == -500
    assert expected(verdict(NO_EXAMPLES[:start] + added, hand))["bonus_3_5"] == 1000
