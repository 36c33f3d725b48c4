"""What a definition may say, and how each problem in one is reported."""

import time
from fractions import Fraction
from pathlib import Path

import pytest

from games.definition import DefinitionError, read_definition

GAMES = Path(__file__).parents[3] / "games"
TEXT = (GAMES / "three_card_poker" / "definition.toml").read_text("utf-8")


def problems_of(text):
    with pytest.raises(DefinitionError) as raised:
        read_definition(text)
    return {problem.where: problem.what for problem in raised.value.problems}


def changed(*changes):
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def test_definition_has_what_its_approval_binds():
    definition = read_definition(TEXT)
    assert definition.slug == "three-card-poker"
    assert definition.mandatory_wagers == ("ante",)
    lines = definition.pay_tables["pair_plus"]["standard"].lines
    assert [(line.id, line.pays) for line in lines][:2] == [
        ("straight_flush", Fraction(40)),
        ("three_of_a_kind", Fraction(30)),
    ]


def test_digest_ignores_layout_but_not_meaning():
    digest = read_definition(TEXT).digest
    assert read_definition("# A comment.\n\n" + TEXT).digest == digest
    assert read_definition(changed(("straight = 6", "straight = 5"))).digest != digest


def test_every_problem_is_reported_at_once():
    text = changed(
        ('slug = "three-card-poker"', 'slug = "Three Card"'),
        ("players = 7", "players = 0"),
        ("mandatory = true", 'mandatory = "yes"'),
    )
    assert list(problems_of(text)) == ["game.slug", "game.players", "wager.ante.mandatory"]


@pytest.mark.parametrize(
    ("change", "where", "what"),
    [
        (("straight = 6", "full_house = 6"), "pay_table.pair_plus.standard.lines.full_house",
         "never `full_house`"),
        (("pair = 1 }", "pair = 1, flush_again = { hand = \"flush\", pays = 2 } }"),
         "pay_table.pair_plus.standard.lines.flush_again", "fits a line above"),
        (("straight = 6", 'straight = "13/2"'), "pay_table.pair_plus.standard.lines.straight",
         "Write `rounding`"),
        (("straight = 6", "straight = 1000000000000000000000000000000"),
         "pay_table.pair_plus.standard.lines.straight", "Odds are from -1"),
        (("straight = 6", "straight = 6.5"), "pay_table.pair_plus.standard.lines.straight",
         "Expected odds"),
        (('ranks = "Q"', 'ranks = "X"'), "test.dealer_qualifies.at_least.ranks", "ranks"),
        (('id = "TC-3"', 'id = "TC-1"'), "clause[2].id", "two clauses `TC-1`"),
        (('of = "ante" },\n]', 'of = "bet" },\n]'), "decision[0].choices[1].of",
         "There is no wager `bet`"),
        (('default = "push"', 'default = "split"'), "interpretation.TC-I1.default",
         "There is no reading `split`"),
        (('[hand.six]\nfrom = ["player", "dealer"]', '[hand.six]\nfrom = ["player 1-4"]'),
         "hand.six.from", "not among the 3 cards"),
        (('from = "player"\nranking', 'from = ["player", "player 1"]\nranking'),
         "hand.player.from", "appears twice"),
        (("players = 7", "players = 20"), "deal", "20 hands take 63 cards"),
        (("jokers = 0", "jokers = 1"), "game.deck.jokers", "no jokers"),
        (("decks = 1", "decks = 6"), "hand.player.ranking", "one deck only"),
        (('family = "stud"', 'family = "dice"'), "game.family", "`stud`"),
        (('"three-card-poker"', f'"{"a" * 41}"'), "game.slug", "at most 40 characters"),
        (('round = { house', 'round = { x_on = 2025-07-12, house'), "example[0].round.x_on",
         "can't be in a line"),
        (('round = { house', 'round = { x_a = [{ b = nan }], house'), "example[0].round.x_a[0].b",
         "can't be in a line"),
        (('times = 1, of = "ante" }', 'times = 1, of = "ante",'
          ' when = { test = { dealer_qualifies = true } } }'),
         "decision[0].choices[1].when.test", "a card of the dealer that the player doesn't see"),
        (("[wager.ante]", '[strategy.peek]\nsays = "Peeks."\nrules = [{ decision = "play", when = {'
          ' compare = { dealer = "win" } }, choose = "raise" },'
          ' { decision = "play", choose = "fold" }]\n\n[wager.ante]'),
         "strategy.peek.rules[0].when.compare", "a card of the dealer that the player doesn't see"),
        (('says = "A wager that', 'equals = "pair_plus"\nsays = "A wager that'),
         "wager.pair_plus.equals", "circle"),
    ],
)  # fmt: skip
def test_problem_has_place_and_sentence(change, where, what):
    found = problems_of(changed(change))
    assert where in found
    assert what in found[where]
    assert found[where].endswith(".")


def test_endless_decisions_are_rejected():
    decision = TEXT[TEXT.index("[[decision]]") : TEXT.index("[wager.ante]")]
    more = "".join(
        decision.replace('id = "play"', f'id = "again_{n}"').replace("folds = true", "ends = false")
        for n in range(7)
    )
    found = problems_of(TEXT.replace("[wager.ante]", f"{more}[wager.ante]"))
    assert found == {"decision": "These decisions can be combined in 129 ways; 100 is the limit."}


def test_outcome_after_the_last_is_a_problem():
    found = problems_of(
        changed(('outcomes = [{ result = "table", clause = "TC-9" }]',
                 'outcomes = [{ result = "table", clause = "TC-9" }, { result = "lose" }]'))
    )  # fmt: skip
    assert "already applies" in found["wager.pair_plus.outcomes[1]"]


HOSTILE = {
    "nothing": "",
    "a null": "\0",
    "brackets": "[" * 2_400,
    "a deep list": "a = " + "[" * 2_400,
    "a deep list in lines": "a = [\n" * 4_000,
    "a long key": ".".join("a" * 1_200) + " = 1",
    "long keys": "\n".join(".".join("a" * 1_200) + f".b{n} = 1" for n in range(100)),
    "a long number": "a = " + "9" * 2_400,
    "a million lines": "x = 1\n" * 1_000_000,
    "one long line": "x" * 10_000_000,
    "empty clauses": "[[clause]]\n" * 7_999,
    "pay tables": "\n".join(f"[pay_table.a{n}.b]" for n in range(7_999)),
    "unknown keys": "\n".join(f"k{n} = {n}" for n in range(7_999)),
    "no such day": "t = 1979-99-99",
    "a table twice": "[game]\n" * 2,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_rejected_at_once(text):
    began = time.monotonic()
    found = problems_of(text)
    assert found
    assert len(found) <= 201
    assert time.monotonic() - began < 5
