"""Rooms that break no rule in any single round, dealt here card by card: what the watch says."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta

import pytest

from audits.watch.filed import known_chances
from audits.watch.gather import gather_statistics
from audits.watch.streams import streams_of
from tests.audits.auditing.segments import made_segment
from tests.audits.replay.nights import WEST

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
SEATS, ROUNDS_OF_A_SHOE = 6, 12
ODDS = (0.356, 0.288, 0.356)
"""How often the main wager wins, pushes and loses, rounded (`python -m games odds`)."""
USUAL = [500, 1_000, 2_500, 10_000]


def strength(cards):
    ranks = [RANKS.index(card[0]) for card in cards]
    return 100 * (len(ranks) - len(set(ranks))) + sum(ranks)


class Room:
    """One table of Pyramid Poker; every round from six decks shuffled before it, or from a shoe."""

    def __init__(self, seed, *, names=None, in_shoes=False):
        self.chance = random.Random(seed)
        self.names = names or [f"p-{seat}" for seat in range(SEATS)]
        self.in_shoes = in_shoes
        self.cards, self.low_cards = [], 0

    def deal(self, rounds, *, wager=None, swap=0.0, repair=None, stack=None):
        """Return rounds; the dealer swaps hands now and then, and `repair` changes the result.

        `stack` changes the order of a shuffled shoe.
        """
        self.stack = stack
        return [self.round(number, wager, swap, repair) for number in range(rounds)]

    def round(self, number, wager, swap, repair):
        if not self.in_shoes or number % ROUNDS_OF_A_SHOE == 0:
            self.cards, self.low_cards = DECK * 6, 0
            self.chance.shuffle(self.cards)
            if self.stack is not None:
                self.cards = self.stack(self.chance, self.cards)
        hands = [[self.cards.pop() for _ in range(3)] for _ in range(SEATS + 1)]
        amounts = [self.chance.choice(USUAL) for _ in range(SEATS)]
        amounts[2] = 2_500 if wager is None else wager(self.low_cards)
        self.low_cards += sum(
            1 if card[0] in RANKS[:8] else -1.6 for each in hands for card in each
        )
        if self.chance.random() < swap:
            hands[-1] = max(hands[-1], [self.cards.pop() for _ in range(3)], key=strength)
        results = [amount * self.chance.choices((1, 0, -1), ODDS)[0] for amount in amounts]
        if repair is not None:
            amounts[2], results[2] = repair(self.chance, amounts[2], results[2])
        at = datetime(2025, 7, 12, 10, tzinfo=WEST) + timedelta(seconds=80 * number)
        shoe = {"shoe": f"s-{number // ROUNDS_OF_A_SHOE}"} if self.in_shoes else {}
        return {
            "v": 2, "round": f"r-{number}", "game": "pyramid-poker", "table": "T1", **shoe,
            "at": at.isoformat(), "decks": 6,
            "house": {"cards": " ".join(hands[-1]), "low": hands[-1][0]},
            "seats": [
                {"seat": seat + 1, "player": name, "cards": " ".join(hand), "low": hand[0],
                 "wagers": {"main": amount, "three_card": 0, "six_card": 0},
                 "result": {"main": result, "three_card": 0, "six_card": 0}}
                for seat, (name, hand, amount, result)
                in enumerate(zip(self.names, hands, amounts, results, strict=False))
            ],
        }  # fmt: skip


def watched(tmp_path, rounds):
    """Return the evidence of each stream by what it is about."""
    lines = [json.dumps(each).encode() + b"\n" for each in rounds]
    game = rounds[0]["game"]
    found = gather_statistics(made_segment(tmp_path / "segment", lines, game))
    return {
        each.title: each.figures.evidence for each in streams_of(game, found, {}, known_chances)
    }


def alarms(found):
    return {title for title, evidence in found.items() if evidence >= 9}


def raise_a_third_of_wins(chance, amount, result):
    raised = 3 if result > 0 and chance.random() < 0.35 else 1
    return raised * amount, raised * result


def test_past_posting_is_found_under_a_name_of_many_players(tmp_path):
    room = Room(4, names=["guest"] * SEATS)
    found = watched(tmp_path, room.deal(1_500, repair=raise_a_third_of_wins))
    raised = "results weighted by how far the wager is above what was usual at the seat"
    assert f"Seat 3 at table T1: Main, {raised}" in alarms(found)
    assert all(each.startswith("Seat 3 ") for each in alarms(found))


def test_wagers_that_grow_when_high_cards_are_left_are_found(tmp_path):
    room = Room(5, in_shoes=True)
    rounds = room.deal(1_800, wager=lambda low: 10_000 if low > 6 else 2_500)
    about = "wagers and the shoe, wagers raised when high cards are left in the shoe"
    assert alarms(watched(tmp_path, rounds)) == {
        f"Player p-2: {about}",
        f"Seat 3 at table T1: {about}",
    }


def test_dealer_who_takes_the_better_of_two_hands_is_found(tmp_path):
    found = watched(tmp_path, Room(6).deal(1_500, swap=0.4))
    about = "dealer's hands, strength beside hands drawn from the cards that no player was dealt"
    assert alarms(found) == {f"Table T1: {about}", f"Operator: {about}"}


def test_wager_capped_after_a_win_is_found(tmp_path):
    def cap(chance, amount, result):
        more = 1_000 if result > 0 and chance.random() < 0.4 else 0
        return amount + more, result + more

    found = alarms(watched(tmp_path, Room(14).deal(900, repair=cap)))
    assert (
        "Player p-2: Main, results weighted by how wagers of this amount came out before" in found
    )
    assert {each.partition(":")[0] for each in found} == {"Player p-2", "Seat 3 at table T1"}


def test_cards_prepared_for_the_first_round_of_shoes_are_found(tmp_path):
    def prepare(_, cards):
        aces = [card for card in cards if card[0] == "A"][:2]
        for card in aces:
            cards.remove(card)
        return [*cards, *aces]

    found = alarms(watched(tmp_path, Room(15, in_shoes=True).deal(720, stack=prepare)))
    assert "First rounds of shoes at seat 1 at table T1: players' cards, aces" in found


def test_shuffle_that_keeps_cards_together_is_found(tmp_path):
    kept = []

    def shuffle_badly(chance, cards):
        for card in kept:
            cards.remove(card)
        place = 21 * chance.randrange(2, 8)
        cards[place:place] = kept
        kept[:] = cards[-84:-42]
        return cards

    found = watched(tmp_path, Room(16, in_shoes=True).deal(720, stack=shuffle_badly))
    about = "order of hands, cards of the hand that came next the last time"
    assert f"Table T1: {about}" in alarms(found)


def voided(line):
    seats = [{**seat, "result": dict.fromkeys(seat["result"], 0)} for seat in line["seats"]]
    return {**line, "void": "misdeal", "seats": seats}


@pytest.mark.parametrize("by_hand", [True, False], ids=["when the dealer is weak", "at random"])
def test_rounds_voided_when_the_dealer_is_weak_are_found(tmp_path, by_hand):
    rounds = Room(17).deal(900)
    chance = random.Random(18)
    for number, each in enumerate(rounds):
        is_weak = strength(each["house"]["cards"].split(" ")) < 18
        if chance.random() < 0.3 and (is_weak or not by_hand):
            rounds[number] = voided(each)
    found = {each.partition(",")[0] for each in alarms(watched(tmp_path, rounds))}
    assert found == ({"Voided rounds at table T1: dealer's hands"} if by_hand else set())


@pytest.mark.parametrize("in_shoes", [False, True], ids=["shuffled each round", "in shoes"])
def test_fair_room_has_no_alarm_with_losers_who_double(tmp_path, in_shoes):
    # nine wins and 38 losses in sixty rounds: one player in some 10,000 has it worse
    room, wins = Room(7, in_shoes=in_shoes), iter([1] * 9 + [0] * 13 + [-1] * 38)
    unlucky = room.deal(60, repair=lambda _, amount, __: (amount, amount * next(wins)))
    assert not alarms(watched(tmp_path, unlucky))
    losing = Room(9, in_shoes=in_shoes)
    last = [1_000]

    def double(_low):
        last[0] = min(2 * last[0], 64_000) if losing.chance.random() < 0.5 else 1_000
        return last[0]

    assert not alarms(watched(tmp_path, losing.deal(1_000, wager=double)))
