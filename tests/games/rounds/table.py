"""Consecutive rounds of one table, logged as the second reading settles them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from tests.games.second_reading import judge_lines
from tests.games.second_reading.setup import Setup, read_setup

from . import casino, chinese, pick_2, pyramid, showdown

if TYPE_CHECKING:
    from random import Random

Round = dict[str, Any]
Deal = Callable[["Random", "Table", Setup], Round]

GAMES: dict[str, Deal] = {
    "pyramid-poker": pyramid.deal,
    "chinese-poker": chinese.deal,
    "pick-2-poker": pick_2.deal,
    "showdown": showdown.deal,
    "casino-version": casino.deal,
}
OPENING = datetime(2019, 5, 4, 18, 0, tzinfo=timezone(timedelta(hours=-7)))


class Table:
    """What a table remembers between its rounds."""

    def __init__(self, rng: Random, name: str) -> None:
        self.rng = rng
        self.name = name
        self.time = OPENING
        self.rounds: list[Round] = []
        self.shuffler = rng.random() < 0.5
        self.decks = rng.choice(([], ["red"], ["red", "blue"], ["red", "blue"]))

    def player(self, number: int) -> dict[str, str]:
        """Return a seat's player: at times unknown, at times one who has two seats."""
        if self.rng.random() < 0.1:
            return {}
        return {"player": f"p-{number // 2 if self.rng.random() < 0.2 else number}"}

    def numbers(self, how_many: int) -> list[int]:
        """Return seats in dealing order, which need not be the order of their numbers."""
        numbers = self.rng.sample(range(1, how_many + 3), how_many)
        return numbers if self.rng.random() < 0.3 else sorted(numbers)

    def bank_may_pass(self) -> bool:
        return not self.rounds or "banker" not in self.rounds[-1]

    def staked_on_main(self, player: str | None) -> int | None:
        """Return the player's stake against the house in the round before; None if not needed."""
        if not self.rounds or player is None or not self.bank_may_pass():
            return None
        seats = self.rounds[-1]["seats"]
        staked: int = sum(seat["wagers"]["main"] for seat in seats if seat.get("player") == player)
        return staked

    def next_deck(self) -> dict[str, Any]:
        """Alternate the two decks of a shuffling machine; by hand, replace the one deck (P2-1)."""
        fields: dict[str, Any] = {"shuffler": True} if self.shuffler else {}
        if self.decks:
            turn = len(self.rounds)
            place = turn % len(self.decks) if self.shuffler else min(turn, len(self.decks) - 1)
            fields["deck"] = self.decks[place]
        return fields

    def add(self, game: str, setup: Setup) -> None:
        round_ = GAMES[game](self.rng, self, setup)
        self.time += timedelta(seconds=self.rng.choice((0, 40, 75, 3600)))
        head: Round = {
            "v": 1,
            "round": f"{self.name}-{game}-{len(self.rounds):05}",
            "game": game,
            "table": self.name,
            "at": self.spelled_time(),
        }
        self.rounds.append(head | round_)

    def spelled_time(self) -> str:
        """Return the same instant as different clocks write it."""
        zone = self.rng.choice((-7, -7, -7, 0, 5.5))
        text = self.time.astimezone(timezone(timedelta(hours=zone))).isoformat()
        return text.replace("+00:00", "Z") if self.rng.random() < 0.5 else text


def deal_table(
    rng: Random, game: str, name: str, how_many: int, setup: dict[str, Any]
) -> list[Round]:
    """Return a table's rounds, each result the one that the second reading expects."""
    table = Table(rng, name)
    rules = read_setup(setup)
    for _ in range(how_many):
        table.add(game, rules)
    settle(table.rounds, setup)
    return table.rounds


def settle(rounds: list[Round], setup: dict[str, Any]) -> None:
    """Write the expected results into the rounds, if there are any."""
    for round_, answer in zip(rounds, judge_lines(map(as_line, rounds), setup), strict=True):
        for seat, judged in zip(round_["seats"], answer.get("seats", ()), strict=False):
            if judged["expected"] is not None:
                seat["result"] = judged["expected"]
        if "house" in answer:
            round_["house"]["result"] = answer["house"]["expected"]["main"]


def as_line(round_: Round) -> bytes:
    return json.dumps(round_, ensure_ascii=False).encode() + b"\n"
