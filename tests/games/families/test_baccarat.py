"""Baccarat: settlement against a second reading, published odds, and findings worked by hand."""

import json
import random
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from itertools import islice

import pytest

from games.definition import DefinitionError, read_definition
from games.explanation.rounds import explain_round
from games.families.baccarat.odds import count_classes, find_odds
from games.families.baccarat.program import compile_program
from games.families.filed import FiledGames, with_definition
from games.families.stud.program import Terms
from games.log.form import Rejection
from games.settlement.verdict import settle_round
from games.setup import read_setup
from games.simulator.night import deal_night
from games.simulator.plan import FaultPlan, Plan
from games.terms import NOTHING
from tests.games.families import baccarat_reading as second
from tests.games.families.filed_games import TEXTS, audit, definition_of, line, read

MINI, EASY = "mini-baccarat", "ez-baccarat"
KEYS = {MINI: ("player", "banker", "tie", "player_pair", "banker_pair", "streak"),
        EASY: ("player", "banker", "tie", "dragon_7", "panda_8")}  # fmt: skip
STAKES = (0, 100, 251, 500, 2535)


def seat(game=MINI, number=1, carried=None, results=None, **wagers):
    """Return a seat: wagers and results that aren't named are 0."""
    nothing = dict.fromkeys(KEYS[game], 0)
    more = {} if carried is None else {"carried": {"streak": carried}}
    return {"seat": number, "wagers": {**nothing, **wagers},
            "result": {**nothing, **(results or {})}, **more}  # fmt: skip


def codes(verdict):
    return [(found.code, found.wager) for found in verdict.findings]


# The second reading


def rich_hands(chance):
    """Return hands with many ties, pairs and low totals; one round in five is drawn wrong."""
    values = chance.choice(("A23456789TJQK", "A2345", "34567", "TJQK89", "67TA"))
    cards = [card for card in second.DECK if card[0] in values] * 8
    chance.shuffle(cards)
    player, banker = [cards.pop(), cards.pop()], [cards.pop(), cards.pop()]
    if chance.random() < 0.2:
        return player + cards[: chance.randrange(2)], banker + cards[5 : 5 + chance.randrange(2)]
    two = second.total(player), second.total(banker)
    third = None
    if second.player_takes(*two):
        player.append(cards.pop())
        third = second.value(player[2])
    if second.banker_takes(*two, third):
        banker.append(cards.pop())
    return player, banker


class Table:
    """Rounds of one table as the second reading settles them, streak wagers included."""

    def __init__(self, chance):
        self.chance = chance
        self.ids = []
        self.rounds = []
        self.running = {}

    def play(self, half_on_six, ties_pay):
        """Return a line of Mini-Baccarat, and whether its hands were drawn right."""
        chance = self.chance
        hands = None if chance.random() < 0.05 else rich_hands(chance)
        self.ids.append(f"r{len(self.ids)}")
        self.rounds.append(hands)
        seats = [self._seat(number, hands, half_on_six, ties_pay) for number in (1, 2)]
        more = {"void": "power failure"} if hands is None else {
            "hands": dict(zip(("player", "banker"), map(" ".join, hands), strict=True))
        }  # fmt: skip
        text = line(MINI, seats, round=self.ids[-1], decks=8, **more)
        return text, hands is None or second.is_drawn_right(*hands)

    def _seat(self, number, hands, half_on_six, ties_pay):
        wagers = {key: self.chance.choice(STAKES) for key in KEYS[MINI][:-1]} | {"streak": 0}
        if number not in self.running and self.chance.random() < 0.4 and hands is not None:
            choice = self.chance.choice(("player", "banker"))
            self.running[number] = (len(self.ids) - 1, choice, 500)
            wagers["streak"] = 500
        due = dict.fromkeys(KEYS[MINI], 0)
        if hands is not None:
            due |= second.mini(wagers, *hands, half_on_six, ties_pay)
        more = {}
        if number in self.running:
            since, choice, amount = self.running[number]
            more = {"carried": {"streak": {"since": self.ids[since], "choice": choice,
                                           "amount": amount}}}  # fmt: skip
            due["streak"] = second.streak(choice, amount, self.rounds[since:])
            if due["streak"]:
                del self.running[number]
        return {"seat": number, "wagers": wagers, "result": due, **more}


@pytest.mark.parametrize("reading", ["commission", "half_on_six"])
@pytest.mark.parametrize(("ties", "pays"), [("standard", 8), ("nine", 9)])
def test_second_reading_settles_mini_alike(reading, ties, pays):
    """2,500 rounds each, with wrong draws, void rounds and streak wagers: no difference."""
    filed = {MINI: definition_of(MINI)}
    games = FiledGames(filed)
    asked = {"interpretations": {"MB-I1": reading}, "void_reasons": ["power failure"]}
    setup = replace(read_setup(json.dumps(asked), filed), named_tables={MINI: {"tie": ties}})
    run = games.run(setup)
    table = Table(random.Random(f"{reading} {ties}"))
    wrong, draws = [], 0
    for _ in range(2_500):
        text, is_right = table.play(reading == "half_on_six", pays)
        verdict = run.verdict(games.read_line(text))
        expected = [] if is_right else [("play.draw", None)]
        draws += not is_right
        if codes(verdict) != expected:
            wrong.append((text, verdict.findings))
    run.close()
    assert wrong == []
    assert draws > 100


def test_second_reading_settles_easy_alike():
    filed = {EASY: definition_of(EASY)}
    games = FiledGames(filed)
    run = games.run(read_setup("{}", filed))
    chance = random.Random(7)
    wrong, prizes = [], 0
    for number in range(5_000):
        hands = rich_hands(chance)
        wagers = {key: chance.choice(STAKES) for key in KEYS[EASY]}
        due = second.easy(wagers, *hands, 8)
        prizes += due["dragon_7"] > 0 or due["panda_8"] > 0
        text = line(EASY, [{"seat": 1, "wagers": wagers, "result": due}], round=f"r{number}",
                    hands={"player": " ".join(hands[0]), "banker": " ".join(hands[1])})  # fmt: skip
        expected = [] if second.is_drawn_right(*hands) else [("play.draw", None)]
        verdict = run.verdict(games.read_line(text))
        if codes(verdict) != expected:
            wrong.append((text, verdict.findings))
    run.close()
    assert wrong == []
    assert prizes > 100


# Odds


def figures(slug, **terms):
    return {each.wager: each for each in find_odds(definition_of(slug), Terms(**terms))}


def test_mini_baccarat_has_its_published_edges():
    """Eight decks: banker 1.0579 %, player 1.2351 %, tie 14.3596 %, pairs 10.3614 %."""
    edges = {key: round(100 * each.edge, 4) for key, each in figures(MINI).items()}
    assert edges["banker"] == 1.0579
    assert edges["player"] == 1.2351
    assert edges["tie"] == 14.3596
    assert edges["player_pair"] == edges["banker_pair"] == 10.3614


def test_half_on_six_has_its_published_edge():
    """No commission, half on a banker hand that wins with 6: 1.46 %; a tie at 9 to 1: 4.844 %."""
    found = figures(MINI, readings={"MB-I1": "half_on_six"}, pay_tables={"tie": "nine"})
    assert round(100 * found["banker"].edge, 2) == 1.46
    assert round(100 * found["tie"].edge, 3) == 4.844


def test_ez_baccarat_has_its_published_edges():
    """Banker 1.0183 % and Dragon 7 7.6113 %; both prizes as the second reading counts them."""
    found = figures(EASY)
    assert round(100 * found["banker"].edge, 4) == 1.0183
    assert round(100 * found["dragon_7"].edge, 4) == 7.6113
    for wager, hand, points, pays in (("dragon_7", "banker", 7, 40), ("panda_8", "player", 8, 25)):
        chance = second.chance_of_three_card_win(hand, points, 8)
        assert found[wager].exact == 1 - (pays + 1) * chance
        assert isinstance(found[wager].exact, Fraction)


def test_suited_pairs_are_counted_by_suit():
    """A second card repeats the first one in 7 cases of 415.

    Both hands do: of 414 x 413 ordered pairs, six times five are of the same card, and eight times
    seven of each of the 51 others.
    """
    text = (
        TEXTS[MINI]
        .replace(
            "when = { player_pair = true }",
            "when = [{ player_suited_pair = true }, { banker_suited_pair = true }]",
        )
        .replace(
            "when = { banker_pair = true }",
            "when = { player_suited_pair = true, banker_suited_pair = true }",
        )
        .replace("lines = { player_pair = 11 }", "lines = { banker_pair = 200, player_pair = 25 }")
    )
    found = {each.wager: each for each in find_odds(read_definition(text))}
    one = Fraction(7, 415)
    both = one * Fraction(6 * 5 + 51 * 8 * 7, 414 * 413)
    any_of_two = 2 * one - both
    assert found["player_pair"].exact == 1 - 201 * both - 26 * (any_of_two - both)


def test_more_decks_than_fit_are_counted_exactly():
    """Plain numbers count as the compiled kernel does, and every order of cards is counted."""
    draw = compile_program(definition_of(MINI)).draw
    for decks in (8, 28):
        cards = 52 * decks
        orders = 1
        for place in range(6):
            orders *= cards - place
        assert sum(count_classes(draw, decks)) == orders


# Findings by hand


def test_wrong_draw_is_settled_as_dealt():
    """The banker hand must stand on 3 against an eight; its third card counts all the same."""
    text = line(
        MINI,
        [seat(banker=1000, results={"banker": 950})],
        hands={"player": "2c 3d 8s", "banker": "Jh 3s 5h"},
    )
    (found,) = audit(text, MINI).findings
    assert (found.code, found.seat, found.delta) == ("play.draw", None, 0)
    assert found.logged == "player draws on 5, banker draws on 3"
    assert found.expected == "player draws on 5, banker stands on 3"
    assert "MB-12" in found.cites


def test_commission_left_out_is_a_finding():
    text = line(
        MINI,
        [seat(banker=1000, results={"banker": 1000})],
        hands={"player": "Kd 7c", "banker": "4h 5s"},
    )
    fee, paid = audit(text, MINI).findings
    assert (fee.code, fee.logged, fee.expected, fee.delta) == ("fee.commission", 0, 50, 0)
    assert (paid.code, paid.delta) == ("settlement.banker", 50)
    assert "MB-15" in fee.cites


def test_banker_paid_on_dragon_is_a_finding():
    text = line(
        EASY,
        [seat(EASY, banker=1000, results={"banker": 1000})],
        hands={"player": "2c 3d Ts", "banker": "2h Ks 5d"},
    )
    (found,) = audit(text, EASY).findings
    assert (found.code, found.expected, found.delta) == ("settlement.banker", 0, 1000)
    assert "EZ-14" in found.cites


@pytest.mark.parametrize(
    ("player", "banker", "code"),
    [
        ("2c", "4h 5s", "deal.count"),
        ("2c 3c 4c 5c", "4h 5s", "deal.count"),
        ("Jo 3c", "4h 5s", "deal.duplicate"),
    ],
)
def test_hands_without_a_settlement(player, banker, code):
    hands = {"player": player, "banker": banker}
    verdict = audit(line(MINI, [seat(banker=500)], hands=hands), MINI)
    assert verdict.status == "irregular"
    assert codes(verdict) == [(code, None), ("irregular", None)]


def test_ninth_copy_of_a_card_is_a_finding():
    """Eight decks have eight of each card; with one deck logged, two are too many."""
    hands = {"player": "9c 9c", "banker": "4h 5s"}
    verdict = audit(line(MINI, [], hands=hands, decks=1), MINI)
    assert codes(verdict) == [("deal.shoe", None), ("deal.duplicate", None)] or codes(verdict) == [
        ("deal.duplicate", None), ("deal.shoe", None)
    ]  # fmt: skip


def streaks(*rounds, setup="{}"):
    """Return the verdicts on rounds of one seat's streak wager on the player hand, since `r-1`."""
    filed = {MINI: definition_of(MINI)}
    games = FiledGames(filed)
    run = games.run(read_setup(setup, filed))
    carried = {"since": "r-1", "choice": "player", "amount": 500}
    verdicts = []
    for number, (hands, result) in enumerate(rounds, 1):
        placed = 500 if number == 1 else 0
        one = seat(carried=carried, streak=placed, results={"streak": result})
        more = {"hands": dict(zip(("player", "banker"), hands, strict=True))}
        played = games.read_line(line(MINI, [one], round=f"r-{number}", **more))
        assert not isinstance(played, Rejection), played
        verdicts.append(run.verdict(played))
    run.close()
    return verdicts


WINS, LOSES, TIES = ("Kd 9c", "4h 3s"), ("Kd 7c", "4h 4s"), ("Kd 7c", "4h 3s")


def test_streak_is_paid_in_its_third_round():
    """A tie does not count: the wager is paid 7 to 1 in the fourth round."""
    verdicts = streaks((WINS, 0), (TIES, 0), (WINS, 0), (WINS, 3500))
    assert [codes(each) for each in verdicts] == [[], [], [], []]


def test_streak_paid_early_is_a_finding():
    verdicts = streaks((WINS, 0), (WINS, 3500))
    (found,) = verdicts[1].findings
    assert (found.code, found.delta) == ("settlement.streak", 3500)
    assert "MB-19" in found.cites


def test_streak_that_goes_on_after_its_end_is_a_finding():
    verdicts = streaks((LOSES, -500), (WINS, 0))
    (found,) = verdicts[1].findings
    assert (found.code, found.expected) == ("wager.relation", "decided in an earlier round")


def test_streak_since_an_unknown_round_is_paid_unseen():
    """Without the round in which it was placed, a win can't be settled, and a loss can."""
    carried = {"since": "r-0", "choice": "player", "amount": 500}
    for hands, result, expected in (
        (WINS, 3500, []),
        (LOSES, 0, [("settlement.streak", "streak")]),
    ):
        one = seat(carried=carried, results={"streak": result})
        more = {"hands": dict(zip(("player", "banker"), hands, strict=True))}
        assert codes(audit(line(MINI, [one], **more), MINI)) == expected


# The form of a line


@pytest.mark.parametrize(
    ("seats", "fields", "where", "says"),
    [
        ([], {}, "hands", "`hands` is missing"),
        ([], {"hands": {"player": "Kd 9c"}}, "hands.banker", "`banker` is missing"),
        ([seat(streak=500)], {"hands": {"player": "Kd 9c", "banker": "4h 3s"}},
         "seats[0].carried.streak", "seat 1: `streak` runs over several rounds"),
        ([seat(carried={"since": "r-1", "choice": "tie", "amount": 500})],
         {"hands": {"player": "Kd 9c", "banker": "4h 3s"}},
         "seats[0].carried.streak.choice", "seat 1: expected one of `player`, `banker`"),
    ],
)  # fmt: skip
def test_wrong_form_is_rejected_with_its_place(seats, fields, where, says):
    found = read(line(MINI, seats, **fields), MINI)
    assert isinstance(found, Rejection)
    assert found.field == where
    assert found.reason.startswith(says)


# Definitions


@pytest.mark.parametrize(
    ("change", "where", "says"),
    [
        (("natural = [8, 9]", "natural = [5, 8, 9]"), "draw.player", "No hand draws on 5"),
        (("winner = \"banker\", banker_total = 6", "winner = \"banker\", banker_total = 0"),
         "test.banker_wins_with_six", "No round of this game passes this test"),
        (("lines = { tie = 9 }", "lines = { tie = 9, again = { pays = 8, test = \"tie\" } }"),
         "pay_table.tie.nine.lines.again", "Every round that fits this line fits a line above"),
        (("skips = \"tie\"", "skips = \"ties\""), "wager.streak.runs.skips", "There is no test"),
        (("lines = { tie = 8 }", "lines = { draw = 8 }"),
         "pay_table.tie.standard.lines.draw", "There is no test `draw`"),
        (("deck = { decks = 8 }", "deck = { decks = 8, jokers = 1 }"),
         "game.deck.jokers", "no jokers"),
    ],
)  # fmt: skip
def test_unusable_definition_says_where(change, where, says):
    assert change[0] in TEXTS[MINI]
    with pytest.raises(DefinitionError) as caught:
        read_definition(TEXTS[MINI].replace(*change, 1))
    assert any(each.where == where and says in each.what for each in caught.value.problems)


# Explanations and simulated nights


def explained(text):
    """Return the steps of each section and wager of a round's explanation."""
    definition = definition_of(MINI)
    setup = with_definition(read_setup("{}", {MINI: definition}), definition)
    played = read(text, MINI)
    verdict = settle_round(played, setup, NOTHING)
    return {
        (section.title, wager.key if wager else None): [
            (step.says, step.cites) for step in (wager.steps if wager else section.steps)
        ]
        for section in explain_round(played, setup, verdict, findings=()).sections
        for wager in (None, *section.wagers)
    }


def test_explanation_gives_draws_and_clauses():
    seats = [seat(banker=1000, results={"banker": 950}, tie=500)]
    found = explained(line(MINI, seats, hands={"player": "2c 3d 8s", "banker": "Jh 3s 5h"}))
    says = [says for says, _ in found["Hands", None]]
    assert says[1].startswith("By the drawing rules, the player hand draws a third card")
    assert says[3].startswith("By the drawing rules, the banker hand stands; as dealt, it draws")
    assert says[4] == "Player 3, banker 8. The banker hand wins."
    assert found["Seat 1", "banker"][-2:] == [
        ("The house keeps a commission of $0.50.", ("MB-15",)),
        ("It wins $9.50.", ()),
    ]
    assert found["Seat 1", "tie"][0] == (
        "The round fits no line of the pay table standard. The wager loses.", ("MB-17",)
    )  # fmt: skip


def test_simulated_faults_are_found():
    """Rounds are settled right, except where a rule of drawing or a commission was left out."""
    definition = definition_of(MINI)
    setup = with_definition(read_setup("{}", {MINI: definition}), definition)
    faults = (
        FaultPlan(name="draw", rate=Fraction(1, 5)),
        FaultPlan(name="line_pays banker ahead 1", rate=Fraction(1, 2)),
    )
    opening = datetime(2025, 7, 12, 20, tzinfo=UTC)
    plan = Plan(game=MINI, tables=("T1",), opening=opening, setup=setup, faults=faults)
    planted = set()
    for dealt in islice(deal_night(plan), 300):
        verdict = settle_round(read(dealt.line, MINI), setup, NOTHING)
        found = {(each.code, each.seat, each.delta) for each in verdict.findings}
        expected = {(each.code, each.seat, each.delta) for each in dealt.planted}
        assert {each for each in found if each[0] != "fee.commission"} == expected
        planted |= {each.code for each in dealt.planted}
    assert planted == {"play.draw", "settlement.banker"}
