"""Random set-ups: every interpretation, limits that clean rounds keep, amounts that often apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.games.second_reading.setup import (
    BONUSES,
    NATURALS,
    ODDS_WAGERS,
    PAY_TABLES,
    READINGS,
    SCORINGS,
)

from .money import LEAST, MOST

if TYPE_CHECKING:
    from random import Random

GAMES_OF = {
    "PP": "pyramid-poker",
    "P2": "pick-2-poker",
    "CP": "chinese-poker",
    "CV": "casino-version",
    "SD": "showdown",
}
PLACED = ("main", "three_card", "six_card", "ante", "bonus_3_5", "bonus_5")
DOUBLED = ("play", "buy_in")


def random_setup(rng: Random, game: str, tables: list[str]) -> dict[str, Any]:
    setup: dict[str, Any] = {"interpretations": readings(rng, game)}
    if rng.random() < 0.7:
        setup["limits"] = {table: limits(rng) for table in tables if rng.random() < 0.8}
    if rng.random() < 0.6:
        setup["cap"] = 2 * MOST + rng.choice((0, 5000))
    if rng.random() < 0.3:
        setup["players"] = 9
    if rng.random() < 0.5:
        setup["void_reasons"] = ["power failure", "fire alarm"]
    if game == "pyramid-poker":
        if rng.random() < 0.5:
            least = {"three_card": LEAST, "six_card": rng.randint(1, LEAST)}
            setup["banker"] = {"min": {key: least[key] for key in least if rng.random() < 0.8}}
        pyramids_maximum(rng, setup)
    if game == "pick-2-poker" and rng.random() < 0.5:
        setup["max_aggregate"] = {game: per_deal(rng, game)}
    if game == "chinese-poker" and rng.random() < 0.85:
        setup["chinese"] = chinese(rng)
    if game in PAY_TABLES and rng.random() < 0.5:
        setup["pay_tables"] = {game: pay_tables(rng, game)}
    return setup


def readings(rng: Random, game: str) -> dict[str, str]:
    return {
        question: rng.choice(choices)
        for question, choices in READINGS.items()
        if GAMES_OF[question[:2]] == game and rng.random() < 0.7
    }


def limits(rng: Random) -> dict[str, list[int]]:
    bounds = {wager: [LEAST, MOST] for wager in PLACED}
    bounds |= {wager: [LEAST, 2 * MOST] for wager in DOUBLED}
    return {wager: bound for wager, bound in bounds.items() if rng.random() < 0.8}


def pyramids_maximum(rng: Random, setup: dict[str, Any]) -> None:
    reading = setup["interpretations"].get("PP-I8", "odds_only")
    if rng.random() < 0.3:
        return
    if reading == "per_deal":
        setup["max_aggregate"] = {"pyramid-poker": per_deal(rng, "pyramid-poker")}
    else:
        setup["max_aggregate"] = rng.choice((0, 20_000, 100_000, 500_000, rng.randint(0, 60_000)))


def per_deal(rng: Random, game: str) -> dict[str, int]:
    return {
        wager: rng.choice((0, 30_000, rng.randint(0, 200_000)))
        for wager in ODDS_WAGERS[game]
        if rng.random() < 0.8
    }


def chinese(rng: Random) -> dict[str, Any]:
    controls: dict[str, Any] = {}
    if rng.random() < 0.4:
        controls["scoring"] = rng.sample(SCORINGS, rng.randint(1, 3))
    if rng.random() < 0.8:
        controls["bonuses"] = {name: rng.randint(1, 5) for name in BONUSES if rng.random() < 0.8}
    if rng.random() < 0.8:
        controls["naturals"] = {name: rng.randint(1, 6) for name in NATURALS if rng.random() < 0.8}
    if rng.random() < 0.8:
        controls["surrender"] = rng.randint(1, 3)
    return controls


def pay_tables(rng: Random, game: str) -> dict[str, dict[str, int]]:
    """Replace single lines, some so that the lines change their order."""
    return {
        table: {
            line: rng.choice((pays, pays + 1, 0, rng.randint(0, 100), 100_000))
            for line, pays in lines.items()
            if rng.random() < 0.3
        }
        for table, lines in PAY_TABLES[game].items()
        if rng.random() < 0.7
    }
