"""Blackjack and Spanish 21: settlement against a second reading, and findings by hand."""

import json
import random
from datetime import datetime
from fractions import Fraction
from itertools import islice

import pytest

from games.definition import DefinitionError, read_definition
from games.families.filed import FiledGame, FiledGames
from games.log.form import Rejection
from games.setup import read_setup
from games.simulator.night import deal_night
from games.simulator.plan import FaultPlan, Plan
from games.terms import NOTHING
from tests.games.families import blackjack_reading as second
from tests.games.families.filed_games import TEXTS, audit, definition_of, line

BJ, SP = "blackjack", "spanish-21"
DECK = [rank + suit for rank in second.RANKS for suit in second.SUITS]
SPANISH_DECK = [card for card in DECK if card[0] != "T"]
NINE = dict.fromkeys(("suited_three", "straight_flush", "three", "straight", "flush"), 9)
SUITED = {"suited_three": 100, "straight_flush": 40, "three": 30, "straight": 10, "flush": 5}
STAKES = (500, 525, 1000, 2510)


class Table:
    """Deals rounds at random: splits, doubles, long hands, and dealers who draw wrongly."""

    def __init__(self, chance, game):
        self.chance = chance
        self.spanish = game == SP
        self.soft = chance.random() < 0.5
        self.six_to_five = chance.random() < 0.5
        self.suited = chance.random() < 0.5
        cards = SPANISH_DECK if self.spanish else DECK
        few = [card for card in cards if card[0] in chance.choice(("678", "A2345", "78QKA", "QA"))]
        self.shoe = (few * 3 if few and chance.random() < 0.5 else []) + cards * 6
        chance.shuffle(self.shoe)
        self.wrong_draw = False

    def seat(self):
        """Return hands as they were created: (cards, doublings, ending, origin, actions)."""
        chance, shoe = self.chance, self.shoe
        if chance.random() < 0.4:
            shoe.append(shoe[-1][0] + chance.choice("cdhs"))
        hands = [[[shoe.pop(), shoe.pop()], 0, "", None, []]]
        self.opening = tuple(hands[0][0])
        place = 0
        while place < len(hands):
            hand = hands[place]
            while len(hands) < 4 and self.is_pair(hand[0]) and chance.random() < 0.7:
                hands.append([[hand[0][1], shoe.pop()], 0, "", place, []])
                hand[0][1] = shoe.pop()
                hand[4].append("split")
            self.play(hand, is_split=len(hands) > 1)
            place += 1
        return hands

    def is_pair(self, cards):
        return second.worth(cards[0][0]) == second.worth(cards[1][0])

    def play(self, hand, *, is_split):
        cards, chance = hand[0], self.chance
        if not is_split and chance.random() < 0.1:
            hand[2] = "surrender"
            hand[4].append("surrender")
            return
        while second.total(cards) < 21:
            drawn = chance.random()
            if drawn < 0.15:
                hand[1] += 1
                hand[4].append("double")
                cards.append(self.shoe.pop())
                if self.spanish and second.total(cards) < 21 and chance.random() < 0.3:
                    hand[2] = "rescue"
                    hand[4].append("rescue")
                return
            if drawn < 0.4:
                hand[4].append("stand")
                return
            hand[4].append("hit")
            cards.append(self.shoe.pop())

    def dealer(self, is_open):
        cards = [self.shoe.pop(), self.shoe.pop()]
        while second.has_to_draw(cards, self.soft):
            if self.chance.random() < 0.05:
                self.wrong_draw = is_open(cards)
                return cards
            cards.append(self.shoe.pop())
        if self.chance.random() < 0.05:
            cards.append(self.shoe.pop())
            self.wrong_draw = True
        return cards


def is_open(table, hands, dealer):
    """Return whether the dealer's further cards matter to a seat."""
    for cards, _, ending, _, _ in hands:
        own = second.total(cards)
        done = ending or own > 21 or (table.spanish and own == 21)
        if not done and not (len(hands) == 1 and second.natural(cards)):
            return True
    return False


def made_round(chance, game, number):
    table = Table(chance, game)
    seats = []
    for _ in range(chance.randint(1, 3)):
        hands = table.seat()
        seats.append((hands, table.opening))
    dealer = table.dealer(lambda cards: any(is_open(table, hands, cards) for hands, _ in seats))
    logged, bonuses = [], []
    for place, (hands, opening) in enumerate(seats):
        main = chance.choice(STAKES)
        side = chance.choice((0, 500))
        insured = 250 if dealer[0][0] == "A" and chance.random() < 0.5 else 0
        split = len(hands) > 1
        result = {"insurance": insured * (2 if second.natural(dealer[:2]) else -1)}
        wagers = {"main": main, "insurance": insured}
        if table.spanish:
            result["main"] = sum(
                second.hand_of_spanish(hand[:3], main, dealer, split) for hand in hands
            )
            bonuses.append(sum(second.super_bonus(hand[:3], main, dealer, split) for hand in hands))
            sides = {"match_the_dealer": second.match_the_dealer(opening, dealer[0], 9, 4)}
        else:
            result["main"] = sum(
                second.hand_of_blackjack(hand[:3], main, dealer, split, table.six_to_five)
                for hand in hands
            )
            paid = SUITED if table.suited else NINE
            sides = {
                "twenty_one_plus_three": second.twenty_one_plus_three((*opening, dealer[0]), paid),
                "match_the_dealer": second.match_the_dealer(opening, dealer[0], 11, 4),
                "lucky_ladies": second.lucky_ladies(opening, dealer, (200, 25, 10, 4)),
            }
        wagers |= dict.fromkeys(sides, side)
        result |= {key: odds * side for key, odds in sides.items()}
        logged.append({
            "seat": place + 1, "wagers": wagers, "result": result,
            "hands": [{"cards": " ".join(cards), "wager": main * 2**doublings,
                       "split_from": origin, "actions": actions}
                      for cards, doublings, _, origin, actions in hands],
        })  # fmt: skip
    for place, seat in enumerate(logged if table.spanish else ()):
        others = sum(won > 0 for other, won in enumerate(bonuses) if other != place)
        seat["result"] |= {"super_bonus": bonuses[place], "envy": 5000 * others}
    house = {"cards": " ".join(dealer)}
    text = line(game, logged, house=house, round=f"r-{number}", table=f"T{number}")
    return text, table


def setup_of(table):
    names = {"SP-I1": "hit" if table.soft else "stand"}
    tables = {}
    if not table.spanish:
        names = {"BJ-I1": "hit" if table.soft else "stand", "BJ-I2": "late"}
        tables = {"main": "six_to_five" if table.six_to_five else "three_to_two",
                  "twenty_one_plus_three": "suited" if table.suited else "nine"}  # fmt: skip
    return {"interpretations": names}, tables


def differences(game, seed, rounds):
    chance = random.Random(seed)
    filed = {game: definition_of(game)}
    games = FiledGames(filed)
    found, seen = [], {"split": 0, "double": 0, "play.draw": 0}
    for number in range(rounds):
        text, table = made_round(chance, game, number)
        names, tables = setup_of(table)
        setup = {**names, "pay_tables": {game: tables}} if tables else names
        run = games.run(read_setup(json.dumps(setup), filed))
        read = games.read_line(text)
        assert not isinstance(read, Rejection), (read, text)
        codes = [each.code for each in run.verdict(read).findings]
        run.close()
        if any(code.startswith("settlement.") for code in codes):
            found.append((codes, text))
        if ("play.draw" in codes) != table.wrong_draw:
            found.append((codes, table.wrong_draw, text))
        seen["play.draw"] += table.wrong_draw
        seen["split"] += text.count(b'"split"')
        seen["double"] += text.count(b'"double"')
    assert min(seen.values()) > rounds // 50
    return found


@pytest.mark.parametrize("game", [BJ, SP])
def test_second_reading_settles_blackjack_alike(game):
    assert differences(game, 20_251_120, 300) == []


@pytest.mark.deep
@pytest.mark.parametrize("game", [BJ, SP])
def test_second_reading_settles_many_hands_alike(game):
    assert differences(game, 7, 50_000) == []


NO_SIDES = {"insurance": 0, "twenty_one_plus_three": 0, "match_the_dealer": 0, "lucky_ladies": 0}


def hand(cards, *actions, wager=1000, split_from=None):
    return {"cards": cards, "wager": wager, "split_from": split_from, "actions": list(actions)}


def findings(dealer, *hands, main=1000, won=0, setup="{}", house=None, **wagers):
    """Return the findings of a seat as (code, wager, logged, expected)."""
    placed = {**NO_SIDES, "main": main, **{key: cents for key, (cents, _) in wagers.items()}}
    result = {
        **dict.fromkeys(placed, 0),
        "main": won,
        **{key: of for key, (_, of) in wagers.items()},
    }
    seat = {"seat": 1, "hands": list(hands), "wagers": placed, "result": result}
    verdict = audit(line(BJ, [seat], house=house or {"cards": dealer}), BJ, setup=setup)
    assert all(each.cites for each in verdict.findings)
    return [(each.code, each.wager, each.logged, each.expected) for each in verdict.findings]


def test_dealer_who_draws_to_17_or_stands_on_16():
    stands = hand("Ts 9c", "stand")
    assert findings("Th 7d 5c", stands, won=1000) == [
        ("play.draw", None, "a card drawn to hard 17", "no card")
    ]
    assert findings("Th 6d", stands, won=1000) == [
        ("play.draw", None, "no card drawn to hard 16", "a card")
    ]
    assert findings("Ah 6d 5c Kd", stands, won=1000)[0][0] == "play.draw"  # soft 17 stands
    chosen = '{"interpretations": {"BJ-I1": "hit"}}'
    assert findings("Ah 6d 5c Kd", stands, won=1000, setup=chosen) == []
    assert findings("Th 6d", hand("Ts 6c Kc", "hit"), won=-1000) == []  # nothing is open


@pytest.mark.parametrize(
    ("hands", "won", "setup"),
    [
        ([hand("Ts 6c", "surrender")], -500, "{}"),  # BJ-I2
        ([hand("Ts 6c 2d", "hit", "surrender")], -500, '{"interpretations": {"BJ-I2": "late"}}'),
        ([hand("5s 2c 2d Tc", "hit", "double", wager=2000)], 2000, "{}"),  # three cards
        ([hand("9s 3c Tc", "stand", "hit")], -1000, "{}"),
        ([hand("Ts Ac 5d", "hit")], -1000, "{}"),  # a blackjack is 21
        ([hand("As 5c Kd", "split", "hit"), hand("Ad Kc", split_from=0)], 0, "{}"),  # BJ-9
        ([hand("9s 8c", "split", "stand"), hand("8d Kc", "stand", split_from=0)], -1000, "{}"),
    ],
)
def test_choice_that_the_rules_do_not_allow(hands, won, setup):
    found = findings("Th 8d", *hands, won=won, setup=setup)
    assert [each[0] for each in found] == ["play.choice"]


def test_nothing_is_played_against_a_blackjack():
    found = findings("Ah Kd", hand("5s 4c 2d", "hit"), won=-1000)
    assert found == [("play.choice", None, "hit of hard 9, hand 1", "not allowed")]


def test_split_hands_are_counted_up_to_four():
    hands = [
        hand("8s Tc", *["split"] * 4, "stand"),
        *(hand(f"8{suit} Td", "stand", split_from=0) for suit in "cdhs"),
    ]
    found = findings("Th 8d", *hands, won=0)
    assert found == [("play.choice", None, "split of hard 16, hand 1", "not allowed")]


def test_insurance_needs_an_ace_and_half_the_wager():
    stands = hand("Ts 9c", "stand")
    assert findings("Ah 8d", stands, insurance=(600, -600))[0] == (
        "wager.relation", "insurance", "600", "at most 500"
    )  # fmt: skip
    assert findings("Th 9d", stands, insurance=(500, -500)) == [
        ("play.choice", None, "insurance", "only against an ace")
    ]


def test_cards_and_wagers_follow_from_what_was_done():
    short = findings("Th 8d", hand("5s 6c", "double", wager=2000), won=2000)
    assert short == [("deal.count", None, "2 cards", "3 cards")]  # the seat can't be settled
    small = findings("Th 8d", hand("5s 6c Kc", "double"), won=1000)
    assert small == [("wager.relation", "main", "1000 on hand 1", "2000")]
    assert findings("Th", hand("5s 6c"))[0][0] == "deal.count"


def test_shoe_has_two_or_six_decks_and_no_spanish_tens():
    stands = [{"seat": 1, "hands": [hand("9s 9c", "stand")],
               "wagers": {"main": 1000, **NO_SIDES},
               "result": {"main": 0, **NO_SIDES}}]  # fmt: skip
    for decks, codes in ((2, []), (6, []), (4, ["deal.shoe"])):
        verdict = audit(line(BJ, stands, house={"cards": "Kh 8d"}, decks=decks), BJ)
        assert [each.code for each in verdict.findings] == codes
    sides = {"insurance": 0, "match_the_dealer": 0}
    spanish = [{"seat": 1, "hands": [hand("9s 9c", "stand")],
                "wagers": {"main": 1000, **sides},
                "result": {"main": 0, **sides, "super_bonus": 0, "envy": 0}}]  # fmt: skip
    verdict = audit(line(SP, spanish, house={"cards": "Th 8d"}), SP)
    assert [(each.code, each.logged) for each in verdict.findings] == [("deal.duplicate", "1 x Th")]


def test_hand_from_a_later_hand_is_rejected():
    hands = [hand("8s Tc", "split", "stand"), hand("8d Kc", "stand", split_from=1)]
    seat = {"seat": 1, "hands": hands, "wagers": {"main": 1000, **NO_SIDES},
            "result": {"main": 0, **NO_SIDES}}  # fmt: skip
    games = FiledGames({BJ: definition_of(BJ)})
    read = games.read_line(line(BJ, [seat], house={"cards": "Th 8d"}))
    assert isinstance(read, Rejection)
    assert (read.field, read.reason) == (
        "seats[0].hands[1].split_from",
        "seat 1: expected a place from 0 to 0, where the hand came from",
    )


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ('soft_17 = "BJ-I1"', 'soft_17 = "sometimes"', "dealer.soft_17", "Write `stand`, `hit`"),
        ("[wager.main]", "[wager.wager]", "wager", "Name the wager of each hand `main`"),
        ('ranks = "run"', 'ranks = "row"', "pattern.straight_flush.ranks", "Expected `same`"),
        ("any_20 = 4", "any_21 = 4", "pay_table.lucky_ladies.two_hundred.lines.any_21",
         "There is no pattern `any_21`"),
        ("queens_of_hearts = true, ", "busted = true, ", "wager.lucky_ladies.outcomes[0].when",
         "Only `main` and bonuses can ask for `busted`"),
        ('most = "1/2"', "most = 2", "insurance.most", "Write a part of the opening wager"),
    ],
)  # fmt: skip
def test_definition_of_blackjack_says_what_is_wrong(old, new, where, what):
    with pytest.raises(DefinitionError) as raised:
        read_definition(TEXTS[BJ].replace(old, new, 1))
    assert any(of.where == where and what in of.what for of in raised.value.problems), str(
        raised.value
    )


def test_dealt_rounds_are_right_and_planted_draws_found():
    faults = (FaultPlan(name="draw", rate=Fraction(1, 3)),)
    opening = datetime.fromisoformat("2025-07-12T18:00:00-07:00")
    for game in (BJ, SP):
        definition = definition_of(game)
        filed = FiledGame(definition)
        games = FiledGames({game: definition})
        setup = filed.under(read_setup("{}", {game: definition}))
        plan = Plan(game=game, tables=("T1",), opening=opening, setup=setup, faults=faults)
        planted = 0
        for dealt in islice(deal_night(plan), 150):
            codes = [each.code for each in dealt.planted]
            verdict = filed.settle(games.read_line(dealt.line), setup, NOTHING)
            assert [each.code for each in verdict.findings] == codes
            planted += len(codes)
        assert planted > 10
