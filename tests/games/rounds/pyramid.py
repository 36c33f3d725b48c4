"""Pyramid Poker rounds, house-banked and player-banked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.games.second_reading import cards as reading_cards
from tests.games.second_reading import pyramid as reading

from .money import stake
from .shoe import Shoe, spelled

if TYPE_CHECKING:
    from random import Random

    from tests.games.second_reading.setup import Setup

    from .table import Table

WAGERS = ("main", "three_card", "six_card")


def deal(rng: Random, table: Table, setup: Setup) -> dict[str, Any]:
    decks = rng.choice((6, 6, 7, 8))
    shoe = Shoe(rng, decks)
    dealer = shoe.group(3)
    hands = [
        shoe.like(dealer) if rng.random() < 0.2 else shoe.group(3) for _ in range(rng.randint(1, 7))
    ]
    hand_of_trips(rng, shoe, dealer, hands)
    seats = [
        {
            "seat": number,
            **table.player(number),
            "cards": spelled(hand),
            "low": low_card(rng, hand, setup),
            "wagers": {wager: stake(rng) for wager in WAGERS},
            "result": dict.fromkeys(WAGERS, 0),
        }
        for number, hand in zip(table.numbers(len(hands)), hands, strict=True)
    ]
    round_: dict[str, Any] = {
        "house": {"cards": spelled(dealer), "low": house_low(dealer, setup)},
        "seats": seats,
    }
    if decks != 6 or rng.random() < 0.5:
        round_["decks"] = decks
    if table.bank_may_pass() and len(seats) > 1 and rng.random() < 0.6:
        pass_the_bank(rng, table, setup, round_)
    return round_


def hand_of_trips(rng: Random, shoe: Shoe, dealer: list[str], hands: list[list[str]]) -> None:
    """Deal a hand of the dealer's own rank at times, for five and six of a kind."""
    if rng.random() < 0.3:
        ranks = [card[0] for card in dealer]
        rank = max(ranks, key=ranks.count)
        same = [shoe.take(card) for card in shoe.kind(rank, 3)]
        if len(same) == 3:
            hands.append(same)


def ranks_of(cards: list[str]) -> list[int]:
    return reading.ranks_of(reading_cards.dealt(spelled(cards)))


def house_low(cards: list[str], setup: Setup) -> str:
    low = reading.house_way(ranks_of(cards), setup).low
    return next(card for card in cards if reading_cards.RANKS[card[0]] == low)


def low_card(rng: Random, cards: list[str], setup: Setup) -> str:
    return rng.choice(cards) if rng.random() < 0.4 else house_low(cards, setup)


def pass_the_bank(rng: Random, table: Table, setup: Setup, round_: dict[str, Any]) -> None:
    banker = rng.choice(round_["seats"])
    cards = banker["cards"].split(" ")
    lows = [
        card
        for card in cards
        if not reading.Set(ranks_of(cards), reading_cards.RANKS[card[0]]).fouls
    ]
    banker["low"] = rng.choice(lows)
    banker["wagers"]["main"] = 0
    most = table.staked_on_main(banker.get("player"))
    wager = stake(rng) if most is None else rng.choice((0, most, rng.randint(0, most)))
    against = wager + sum(seat["wagers"]["main"] for seat in round_["seats"])
    times = 3 if setup.readings["PP-I10"] == "max_payout" else 1
    round_["banker"] = banker["seat"]
    round_["bank"] = times * against + rng.choice((0, 0, 5000))
    round_["house"] |= {"wager": wager, "result": 0}
