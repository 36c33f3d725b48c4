"""Blackjack and Spanish 21: settlement against a second reading, and findings by hand."""

import json
import random

import pytest

from games.definition import DefinitionError, read_definition
from games.families.filed import FiledGames
from games.log.form import Rejection
from games.setup import read_setup
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
        """Return hands in order of creation: (cards, doublings, ending, origin, actions)."""
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
