"""Round logs for the benchmarks: realistic hands of all five games from a seed, set sensibly.

Some thousands of rounds are dealt, and settled by the engine; a log of any length repeats them
under new ids and times, as the same table goes on through the night.
"""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import orjson

from games.judge.sequence import NOTHING
from games.judge.verdict import judge
from games.round_log.form import read_line
from games.round_log.round import Round
from games.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]
BEGIN = datetime(2025, 7, 12, 18, 0, tzinfo=UTC)

Line = dict[str, Any]
PLACE = {"round": "R-1", "table": "T1", "at": "2025-07-12T18:00:00Z"}


def rounds(game: str, count: int, seed: int) -> Iterator[Line]:
    """Rounds of a game without settlement: every result is 0."""
    chance = random.Random(f"{game} {seed}")
    for _ in range(count):
        played = GAMES[game](chance)
        yield {"v": 1, "round": "-", "game": game, "table": "-", "at": "-", **played}


def settled(game: str, count: int, seed: int) -> list[Line]:
    """Rounds of a game in which the judge finds nothing."""
    clean: list[Line] = []
    for line in rounds(game, count, seed):
        played = read_line(orjson.dumps({**line, **PLACE}))
        assert isinstance(played, Round)
        verdict = judge(played, Setup(), NOTHING)
        if verdict.status == "irregular":
            continue
        if verdict.house is not None:
            line["house"]["result"] = verdict.house["main"]
        for seat, (_, expected) in zip(line["seats"], verdict.seats, strict=True):
            seat["result"] = dict(expected or seat["result"])
        again = read_line(orjson.dumps({**line, **PLACE}))
        assert isinstance(again, Round)
        two_banks = "banker" in line and (not clean or "banker" in clean[-1])
        if judge(again, Setup(), NOTHING).status == "ok" and not two_banks:
            clean.append(line)
    return clean


def write_log(path: Path, settled: list[Line], count: int, tables: int = 12) -> None:
    """A log of `count` rounds: settled rounds over and over, table by table in order of play."""
    heads, tails = [], []
    for line in settled:
        rest = {
            key: value
            for key, value in line.items()
            if key not in ("v", "round", "game", "table", "at")
        }
        heads.append(f'","game":"{line["game"]}","table":"')
        tails.append(orjson.dumps(rest)[1:].decode() + "\n")
    with path.open("w", encoding="ascii", newline="\n") as log:
        for number in range(count):
            table = f"T{number * tables // count + 1}"
            place = number % len(settled)
            at = (BEGIN + timedelta(seconds=number % 30_000)).isoformat()
            if number * tables // count != (number - 1) * tables // count:
                began = number
            at = (BEGIN + timedelta(milliseconds=400 * (number - began))).isoformat(
                timespec="seconds"
            )
            log.write(
                f'{{"v":1,"round":"{table}-{number:07d}{heads[place]}{table}","at":"{at}",{tails[place]}'
            )


def _hands(chance: random.Random, decks: int, jokers: int, sizes: list[int]) -> list[list[str]]:
    shoe = chance.sample(range(52 * decks + jokers), sum(sizes))
    cards = ["Jo" if card >= 52 * decks else DECK[card % 52] for card in shoe]
    hands = []
    for size in sizes:
        hands.append(cards[:size])
        cards = cards[size:]
    return hands


def _rank(card: str) -> int:
    return RANKS.index(card[0])


def _seats(chance: random.Random, low: int, high: int) -> list[Line]:
    seats = chance.randint(low, high)
    return [{"seat": seat + 1, "player": f"p-{chance.randint(100, 999)}"} for seat in range(seats)]


def _wagers(**wagers: int) -> Line:
    return {"wagers": wagers, "result": dict.fromkeys(wagers, 0)}


def _house_way(hand: list[str]) -> str:
    ranks = Counter(_rank(card) for card in hand)
    ordered = sorted(hand, key=_rank)
    if len(ranks) != 2:
        return ordered[1]
    pair = next(rank for rank, copies in ranks.items() if copies == 2)
    third = next(rank for rank, copies in ranks.items() if copies == 1)
    low = third if pair < 9 or third >= pair - 4 else pair
    return next(card for card in hand if _rank(card) == low)


def _banked(chance: random.Random, line: Line) -> Line:
    """A player banks: no main wager there, the bank covers all, the house wagers nothing."""
    banker = chance.choice(line["seats"])
    banker["wagers"]["main"] = 0
    house = {**line["house"], "wager": 0, "result": 0}
    return {**line, "house": house, "banker": banker["seat"], "bank": 1_000_000}


def _pyramid(chance: random.Random) -> Line:
    seats = _seats(chance, 1, 6)
    house, *hands = _hands(chance, 6, 0, [3] * (len(seats) + 1))
    for seat, hand in zip(seats, hands, strict=True):
        stake = 500 * chance.randint(1, 10)
        seat |= {"cards": " ".join(hand), "low": _house_way(hand)}
        seat |= _wagers(main=stake, three_card=500, six_card=500 * chance.randint(1, 2))
    line = {
        "decks": 6,
        "house": {"cards": " ".join(house), "low": _house_way(house)},
        "seats": seats,
    }
    return _banked(chance, line) if len(seats) > 1 and chance.random() < 0.2 else line


def _pick_2(chance: random.Random) -> Line:
    seats = _seats(chance, 1, 6)
    house, *hands = _hands(chance, 1, 0, [5] * (len(seats) + 1))
    for seat, hand in zip(seats, hands, strict=True):
        ante = 500 * chance.randint(1, 10)
        play = chance.choice(["three", "five", "fold"])
        seat |= {"cards": " ".join(hand), "play": play}
        if play == "three":
            seat["three"] = " ".join(sorted(hand, key=_rank)[2:])
        twice = {"three": 2 * ante, "five": ante, "fold": 0}[play]
        seat |= _wagers(ante=ante, bonus_3_5=500, bonus_5=chance.choice([0, ante]), play=twice)
    return {"house": {"cards": " ".join(house)}, "seats": seats}


def _chinese(chance: random.Random) -> Line:
    seats = _seats(chance, 2, 4)
    for seat, hand in zip(seats, _hands(chance, 1, 0, [13] * len(seats)), strict=True):
        ordered = sorted(hand, key=_weight(hand))
        seat["front"], seat["middle"], seat["back"] = (
            " ".join(cards) for cards in (ordered[:3], ordered[3:8], ordered[8:])
        )
        seat["result"] = {"total": 0}
    return {"unit": 500, "scoring": "unit", "seats": seats}


def _weight(hand: list[str]) -> Any:
    copies = Counter(_rank(card) for card in hand if card != "Jo")
    return lambda card: (copies[_rank(card)], _rank(card)) if card != "Jo" else (0, 0)


def _named(cards: list[str]) -> str:
    return " ".join("Jo=As" if card == "Jo" else card for card in cards)


def _showdown(chance: random.Random) -> Line:
    seats = _seats(chance, 6, 6)
    for seat, hand in zip(seats, _hands(chance, 3, 4, [25] * 6), strict=True):
        ordered = sorted(hand, key=_weight(hand))[5:]
        bounds = ((0, 1), (1, 4), (4, 7), (7, 10), (10, 15), (15, 20))
        seat |= {"cards": " ".join(hand), "play": "showdown"}
        seat["hands"] = [_named(ordered[first:end]) for first, end in bounds]
        seat["result"] = {"showdown": 0, "surrender": 0, "pot": 0}
    return {"chip": 100, "dealer": chance.randint(1, 6), "seats": seats}


def _casino(chance: random.Random) -> Line:
    seats = _seats(chance, 1, 6)
    house, *hands = _hands(chance, 2, 2, [9] * (len(seats) + 1))
    for seat, hand in zip(seats, hands, strict=True):
        ante = 500 * chance.randint(1, 4)
        if chance.random() < 0.2:
            seat |= {"cards": " ".join(hand[:7]), "play": "fold"}
        else:
            seat |= {"cards": " ".join(hand), "play": "play", "hands": _three_hands(hand)}
        seat |= {"wagers": {"ante": ante, "buy_in": ante}}
        seat |= {"result": {"points": 0, "ante": 0, "buy_in": 0}}
    return {"house": {"cards": " ".join(house), "hands": _three_hands(house)}, "seats": seats}


def _three_hands(hand: list[str]) -> list[str]:
    ordered = sorted(hand, key=_weight(hand))
    return [_named(cards) for cards in (ordered[:1], ordered[1:4], ordered[4:])]


GAMES = {
    "pyramid-poker": _pyramid,
    "chinese-poker": _chinese,
    "pick-2-poker": _pick_2,
    "showdown": _showdown,
    "casino-version": _casino,
}
