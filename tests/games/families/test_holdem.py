"""Texas Hold'em: rounds worked by hand, with what an audit finds in them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from games.cards import dealt
from games.definition import DefinitionError, read_definition
from games.families.filed import FiledGames
from games.families.versus.program import compile_program
from games.law import LawFileError, PokerLaw, read_poker_law
from games.setup import read_setup
from tests.games.families.filed_games import TEXTS, audit, definition_of, line, read

SLUG = "texas-holdem"
LAW = Path("compliance/law")
STREETS = ("preflop", "flop", "turn", "river")
BOARD = "Ks 8d 2c 8h 5s"


def actions(text):
    """Return the actions of `1 post 100, 2 post 200, 1 fold | 2 bet 500`, street by street."""
    return [
        {"seat": int(seat), "street": STREETS[place], "act": act, "to": int(*to) if to else 0}
        for place, street in enumerate(text.split("|"))
        for seat, act, *to in (each.split() for each in street.split(","))
    ]


def played(text, *, pots, results, cards=(), stacks=20_000, rake=0, jackpot=0, **fields):
    """Return a line in which the highest seat has the button."""
    stacks = stacks if isinstance(stacks, dict) else dict.fromkeys(results, stacks)
    shown = dict(cards)
    seats = [
        {"seat": seat, "stack": stacks[seat], "cards": shown.get(seat), "result": {"pot": result}}
        for seat, result in results.items()
    ]
    logged = [
        {"amount": amount, "seats": list(inside), "won": {str(seat): won}}
        for amount, inside, seat, won in pots
    ]
    rest = {"button": max(results), "fees": {"rake": rake, "jackpot": jackpot}, **fields}
    return line(SLUG, seats, actions=actions(text), pots=logged, **{"community": "", **rest})


def found(text, **setup):
    verdict = audit(text, SLUG, setup=json.dumps(setup))
    return {(each.code, each.seat, each.wager) for each in verdict.findings}


STOLEN = "1 post 100, 2 post 200, 3 raise {}, 1 fold, 2 fold"


def stolen(to=600, **fields):
    """Return a round that the button wins by a raise: the blinds are $3 and $2 go back or more."""
    results = {1: -100, 2: -200, 3: 300 - fields.get("rake", 0) - fields.get("jackpot", 0)}
    fees = fields.get("rake", 0) + fields.get("jackpot", 0)
    return played(STOLEN.format(to), pots=[(500, [3], 3, 500 - fees)], results=results, **fields)


def test_raise_that_nobody_calls_wins_the_blinds():
    verdict = audit(stolen(), SLUG)
    assert verdict.status == "ok"
    assert dict(verdict.seats)[3] == {"pot": 300}


def test_wager_returned_may_be_logged_in_the_last_pot():
    results = {1: -100, 2: -200, 3: 300}
    text = STOLEN.format(600)
    assert not found(played(text, pots=[(900, [3], 3, 900)], results=results))
    both = [(500, [3], 3, 500), (400, [3], 3, 400)]
    assert not found(played(text, pots=both, results=results))
    assert found(played(text, pots=[(700, [3], 3, 700)], results=results)) == {
        ("settlement.pot", None, "pot")
    }


NOT_ALLOWED = {
    "check against a wager": ("1 post 100, 2 post 200, 3 check, 1 fold, 2 check", 3),
    "raise below the least": (STOLEN.format(300), 3),
    "bet where a blind is a wager": ("1 post 100, 2 post 200, 3 bet 600, 1 fold, 2 fold", 3),
    "call of the wrong amount": ("1 post 100, 2 post 200, 3 call 150, 1 fold, 2 check", 3),
    "more than the stack": (STOLEN.format(30_000), 3),
    "out of turn": ("1 post 100, 2 post 200, 1 fold, 3 raise 600, 2 fold", 1),
    "after folding": ("1 post 100, 2 post 200, 3 fold, 1 call 200, 2 check | 3 bet 200", 3),
    "no big blind": ("1 post 100, 3 raise 600, 1 fold", 2),
    "a street left out": ("1 post 100, 2 post 200, 3 fold, 1 call 200, 2 check | 1 check", 2),
    "a total that a check changes": (
        "1 post 100, 2 post 200, 3 fold, 1 call 200, 2 check 300", 2
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", NOT_ALLOWED)
def test_action_that_is_not_allowed_is_a_finding(what):
    text, seat = NOT_ALLOWED[what]
    line_ = played(text, pots=[], results={1: 0, 2: 0, 3: 0}, community="Ks 8d 2c")
    assert ("play.choice", seat, None) in found(line_)


@pytest.mark.parametrize(
    ("reading", "allowed"), [("total", False), ("each", False), ("half", True), ("any", True)]
)
def test_short_all_in_reopens_only_under_some_readings(reading, allowed):
    """The small blind is all in for $8: $2 over $6, where a full raise is $4."""
    text = "1 post 100, 2 post 200, 3 raise 600, 1 raise 800, 2 call 800, 3 raise 1600, 2 fold"
    results = {1: -800, 2: -800, 3: 1600}
    line_ = played(
        text,
        pots=[(2400, [1, 3], 3, 2400)],
        results=results,
        cards={1: "Qc Jd", 3: "Kd Kh"},
        stacks={1: 800, 2: 20_000, 3: 20_000},
        community=BOARD,
    )
    refused = {("play.choice", 3, None)} if not allowed else set()
    assert found(line_, interpretations={"TH-I3": reading}) == refused


def test_short_all_ins_that_come_to_a_raise_reopen():
    """$6 is raised to $8 and then to $10, all in both: together a full raise of $4 (TH-I3)."""
    text = "1 post 100, 2 post 200, 3 raise 600, 1 raise 800, 2 raise 1000, 3 raise 2000"
    line_ = played(
        text,
        pots=[(2400, [1, 2, 3], 3, 2400), (400, [2, 3], 3, 400)],
        results={1: -800, 2: -1000, 3: 1800},
        cards={1: "Qc Jd", 2: "Qd Jh", 3: "Kd Kh"},
        stacks={1: 800, 2: 1000, 3: 20_000},
        community=BOARD,
    )
    assert not found(line_, interpretations={"TH-I3": "total"})
    refused = {("play.choice", 3, None)}
    assert found(line_, interpretations={"TH-I3": "each"}) == refused


FOUR_RAISES = (
    "1 post 100, 2 post 200, 3 raise 400, 1 raise 600, 2 raise 800, 3 raise 1000, 1 fold, 2 fold"
)


def test_fourth_raise_after_the_blind_is_one_too_many():
    line_ = played(FOUR_RAISES, pots=[(2200, [3], 3, 2200)], results={1: -600, 2: -800, 3: 1400})
    verdict = audit(line_, SLUG)
    (finding,) = verdict.findings
    assert (finding.code, finding.seat) == ("limit.raises", 3)
    assert finding.logged == "raise 4 on the preflop"
    assert finding.cites == ("TH-11", "TH-12", "TH-I3", "TH-I4")
    assert not found(line_, interpretations={"TH-I4": "bet"})


def with_law(line_, **setup):
    """Audit a line with the law of its date."""
    definitions = {SLUG: definition_of(SLUG)}
    games = FiledGames(definitions)
    terms = read_setup(json.dumps(setup), definitions)
    run = games.run(replace(terms, poker=read_poker_law(LAW)))
    return run.verdict(games.read_line(line_)).findings


IN_2015, IN_2025 = "2015-07-12T20:00:00-07:00", "2025-07-12T20:00:00-07:00"


@pytest.mark.parametrize(
    ("to", "at", "codes"),
    [
        (4_200, IN_2025, []),  # raised by $40 over the big blind of $2
        (4_300, IN_2025, ["limit.unverified"]),  # allowed in house-banked and Class F rooms
        (30_200, IN_2025, ["limit.unverified"]),
        (30_300, IN_2025, ["limit.wac"]),
        (10_300, IN_2015, ["limit.wac"]),
        (600, "2016-10-15T20:00:00-07:00", 3 * ["limit.unverified"]),  # not known: all wagers
    ],
)
def test_single_wager_is_limited_by_the_law_of_the_day(to, at, codes):
    findings = with_law(stolen(to, at=at, stacks=50_000))
    assert [each.code for each in findings] == codes
    for each in findings:
        assert "WAC 230-15-135(1)(c)" in each.cites


def test_raise_may_count_as_the_whole_wager():
    findings = with_law(stolen(4_100), interpretations={"TH-I5": "total"})
    assert [each.code for each in findings] == ["limit.unverified"]
    assert "TH-I5" in findings[0].cites


def called(rake, at=IN_2025):
    """Return a round with $80 in the pot: two players put in $39, and the small blind $2."""
    text = "1 post 200, 2 post 400, 3 raise 3900, 1 fold, 2 call 3900 | 2 bet 1000, 3 fold"
    results = {1: -200, 2: 4100 - rake, 3: -3900}
    pots = [(8000, [2], 2, 8000 - rake)]
    return played(text, pots=pots, results=results, rake=rake, community="Ks 8d 2c", at=at)


def test_rake_is_limited_by_the_rules_and_by_the_law_of_the_day():
    """A tenth of $80, and until December 22, 2016 no more than $5."""
    assert not with_law(called(800))
    (finding,) = with_law(called(801))
    assert (finding.code, finding.wager, finding.expected) == ("fee.rake", "rake", 800)
    assert finding.delta == -1
    assert finding.cites == ("TH-22", "TH-I7", "WAC 230-15-080(3)")
    (finding,) = with_law(called(501, IN_2015))
    assert (finding.expected, finding.cites) == (500, ("WAC 230-15-080(3)",))
    assert not with_law(called(500, IN_2015))
    assert not with_law(called(501, "2016-12-23T00:00:00-08:00"))


def test_rake_on_all_wagers_counts_those_returned():
    assert not found(called(900), interpretations={"TH-I7": "all"})
    assert found(called(901), interpretations={"TH-I7": "all"}) == {("fee.rake", None, "rake")}


def test_jackpot_fee_above_the_plan_is_a_finding():
    assert not found(stolen(jackpot=200))
    assert found(stolen(jackpot=250)) == {("fee.rake", None, "jackpot")}


@pytest.mark.parametrize(
    ("limits", "codes"),
    [([200, 400], []), ([500, 900], ["limit.table_min"]), ([200, 300], ["limit.table_max"])],
)
def test_table_limits_hold_for_each_bet_and_raise(limits, codes):
    findings = audit(stolen(), SLUG, setup=json.dumps({"limits": {"T1": {"bet": limits}}}))
    assert [(each.code, each.seat) for each in findings.findings] == [(code, 3) for code in codes]


def test_fixed_table_has_one_amount_on_each_street():
    setup = {"interpretations": {"TH-I1": "fixed"}, "limits": {"T1": {"bet": [200, 400]}}}
    assert not found(stolen(400), **setup)
    assert found(stolen(600), **setup) == {("play.choice", 3, None)}


SHOWDOWN = (
    "1 post 100, 2 post 200, 3 fold, 1 call 200, 2 check | 1 check, 2 check | 1 check, 2 check"
    " | 1 check, 2 check, 2 {}, 1 {}"
)


def shown_down(first, second, **fields):
    text = SHOWDOWN.format(first, second)
    return played(text, **{"community": BOARD, **fields})


def test_hand_given_up_wins_nothing():
    """Seat 2 mucks the better hand; its cards, seen by a camera, change nothing."""
    line_ = shown_down(
        "muck", "show", pots=[(400, [1, 2], 1, 400)], results={1: 200, 2: -200, 3: 0},
        cards={1: "Qc Jd", 2: "Kd Kh"},
    )  # fmt: skip
    assert not found(line_)


def test_cards_speak_for_themselves():
    line_ = shown_down(
        "show", "show", pots=[(400, [1, 2], 1, 400)], results={1: 200, 2: -200, 3: 0},
        cards={1: "Qc Jd", 2: "Kd Kh"},
    )  # fmt: skip
    assert found(line_) == {
        ("settlement.pot", None, "pot"),
        ("settlement.pot", 1, "pot"),
        ("settlement.pot", 2, "pot"),
    }


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"cards": {}}, None),
        ({"cards": {1: "Qc Jd", 2: "Kd"}}, ("deal.count", 2, None)),
        ({"community": "Ks 8d 2c 8h"}, ("deal.count", None, None)),
        ({"cards": {1: "Qc Jo", 2: "Kd Kh"}}, ("deal.duplicate", None, None)),
    ],
)
def test_showdown_that_cannot_be_decided_is_irregular(fields, code):
    given = {"cards": {1: "Qc Jd", 2: "Kd Kh"}, **fields}
    results = {1: -200, 2: 200, 3: 0}
    line_ = shown_down("show", "show", pots=[(400, [1, 2], 2, 400)], results=results, **given)
    verdict = audit(line_, SLUG)
    codes = {(each.code, each.seat, each.wager) for each in verdict.findings}
    assert verdict.status == "irregular"
    assert codes == {("irregular", None, None), *([code] if code else [])}


def test_money_that_nobody_lost_is_no_balance():
    line_ = played(
        STOLEN.format(600), pots=[(500, [3], 3, 500)], results={1: -100, 2: -150, 3: 300}
    )
    assert found(line_) == {("settlement.pot", 2, "pot"), ("settlement.balance", None, "pot")}


def test_ante_of_one_player_is_dead_money():
    """The big blind antes $2 and is all in for $1 more: it can win $1 of each, and the ante."""
    line_ = played(
        "2 ante 200, 1 post 100, 2 post 100, 3 call 200, 1 call 200 | 1 bet 300, 3 fold",
        pots=[(500, [1, 2], 2, 500), (200, [1], 1, 200)],
        results={1: 0, 2: 200, 3: -200},
        stacks={1: 20_000, 2: 300, 3: 20_000},
        cards={1: "Qc Jd", 2: "Kd Kh"},
        community=BOARD,
    )
    assert not found(line_)


def test_deck_that_was_fouled_must_be_void():
    assert ("void.missing", None, None) in found(stolen(irregularities=["fouled deck"]))
    void = line(SLUG, [{"seat": 1, "result": {"pot": 0}}], void="fouled deck")
    assert not found(void)


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"actions": [{"seat": 1, "street": "flop", "act": "rase", "to": 1}]},
         "actions[0].act", "expected one of `post`"),
        ({"actions": [{"seat": 9, "street": "flop", "act": "fold"}]},
         "actions[0].seat", "seat 9 is not one of the seats"),
        ({"actions": [{"seat": 1, "street": "flop", "act": "bet"}]},
         "actions[0].to", "the player's total after the bet"),
        ({"pots": [{"amount": 1, "seats": [1], "won": {"one": 1}}]},
         "pots[0].won.one", "is not the number of a seat"),
        ({"pots": [{"amount": 1.5, "seats": [1], "won": {}}]}, "pots[0].amount", "whole number"),
        ({"fees": {"rake": 1}}, "fees.jackpot", "`jackpot` is missing"),
        ({"button": None}, "button", "a seat is a whole number"),
    ],
)  # fmt: skip
def test_line_that_has_another_form_is_rejected(change, field, reason):
    given = {**json.loads(stolen()), **change}
    rejection = read(json.dumps(given).encode(), SLUG)
    assert rejection.field == field
    assert reason in rejection.reason


@pytest.mark.parametrize(
    ("old", "new", "where", "says"),
    [
        ('chip = "TH-I6"', 'chip = "penny"', "pot.chip", "no way or interpretation `penny`"),
        ('odd_chips = "TH-I2"', 'odd_chips = "TH-I6"', "pot.odd_chips", "Write one of `first`"),
        ("deck = { decks = 1 }", "deck = { decks = 2 }", "game.deck", "one deck"),
        ('id = "turn"', 'id = "flop"', "street[2].id", "two streets"),
        ('clause = "TH-22"', 'clause = "TH-99"', "fee.rake.clause", "no clause `TH-99`"),
        ("cards = 2\n", "cards = 5\n", "deal", "take 55 cards"),
    ],
)
def test_definition_that_cannot_be_settled_says_where(old, new, where, says):
    text = TEXTS[SLUG]
    assert old in text
    with pytest.raises(DefinitionError) as caught:
        read_definition(text.replace(old, new))
    assert where in [each.where for each in caught.value.problems]
    assert says in str(caught.value)


def test_omaha_hand_has_two_cards_of_the_players_own():
    """Four spades on the board are no flush for a player with one spade."""
    text = TEXTS[SLUG].replace('ranking = "five_card"', 'ranking = "five_card"\nown = 2', 1)
    text = text.replace("cards = 2\n", "cards = 4\n", 1)
    program = compile_program(read_definition(text))
    board = dealt("As Ks 9s 4s 2d")
    one_spade, two_spades = dealt("Qs Jd Jh 3c"), dealt("6s 5s 7d 7h")
    assert program.strength(two_spades, board) > program.strength(one_spade, board)
    assert program.strength(dealt("Ad Ah 7c 7d"), board) > program.strength(one_spade, board)


def test_law_that_is_no_number_is_refused(tmp_path):
    assert read_poker_law(tmp_path) == PokerLaw()
    value = 'from = 2008-01-01\nvalue = "ten"\ncitation = "WAC"\n'
    (tmp_path / "poker.toml").write_text(f"[[rule.rake_percent.value]]\n{value}")
    with pytest.raises(LawFileError, match="not 'ten'"):
        read_poker_law(tmp_path)
