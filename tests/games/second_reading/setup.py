"""SETUP: an operator's approvals. Anything unknown in it is an error that names it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

# The first interpretation is the default. Questions with one interpretation can't be chosen.
READINGS = {
    "PP-I1": ("push", "dealer_wins"),
    "PP-I8": ("odds_only", "per_deal", "all_wagers", "per_player", "per_table"),
    "PP-I10": ("stakes", "max_payout"),
    "PP-I11": ("yes", "no"),
    "PP-I13": ("list", "split_at_four"),
    "P2-I1": ("ante_wins", "both_win", "both_push"),
    "P2-I4": ("best_three", "set_three"),
    "P2-I5": ("bonus_lost", "bonus_stands"),
    "P2-I9": ("suited", "any_suits"),
    "P2-I10": ("bonus_3_5", "bonus_5"),
    "CP-I1": ("foul", "equal_allowed"),
    "CP-I6": ("any_hand", "winning_hand_only"),
    "CV-I1": ("ace_two", "ace_one"),
    "CV-I2": ("no_suits", "suits"),
    "CV-I3": ("one_point", "as_four", "as_six"),
    "SD-I1": ("chart", "multiples"),
}

PAY_TABLES: dict[str, dict[str, dict[str, int]]] = {
    "pyramid-poker": {
        "three_card": {  # PP-28
            "ace_king_queen_suited": 50,
            "straight_flush": 30,
            "three_of_a_kind": 20,
            "straight": 5,
            "flush": 2,
            "one_pair": 1,
        },
        "six_card": {  # PP-29
            "six_of_a_kind": 1000,
            "royal_flush": 200,
            "straight_flush": 75,
            "five_of_a_kind": 50,
            "four_of_a_kind": 10,
            "full_house": 7,
            "flush": 6,
            "straight": 5,
            "three_of_a_kind": 2,
            "two_pairs": 1,
        },
    },
    "pick-2-poker": {
        "bonus_3_5_five": {  # P2-17
            "royal_flush": 500,
            "straight_flush": 100,
            "four_of_a_kind": 25,
            "full_house": 12,
            "flush": 10,
            "straight": 4,
            "three_of_a_kind": 1,
        },
        "bonus_3_5_three": {
            "ace_king_queen_suited": 10,
            "straight_flush": 3,
            "three_of_a_kind": 1,
        },  # P2-17
        "bonus_5": {  # P2-18
            "royal_flush": 500,
            "straight_flush": 100,
            "four_of_a_kind": 40,
            "full_house": 15,
            "flush": 8,
            "straight": 6,
            "three_of_a_kind": 4,
            "two_pairs": 3,
            "pair_of_sixes_or_better": 1,
        },
    },
}

LIMITED_WAGERS = (
    "main",
    "three_card",
    "six_card",
    "ante",
    "bonus_3_5",
    "bonus_5",
    "play",
    "buy_in",
)
ODDS_WAGERS = {
    "pyramid-poker": ("three_card", "six_card"),
    "pick-2-poker": ("bonus_3_5", "bonus_5"),
}
SCORINGS = ("unit", "2-4", "1-6")
BONUSES = ("straight_flush", "four_of_a_kind", "full_house_middle", "trips_front")
NATURALS = ("three-straights", "three-flushes", "six-pairs", "dragon")
MOST_PAID = 100_000


class SetupError(ValueError):
    """Something in SETUP that the contract doesn't define; the text names it."""


@dataclass(frozen=True)
class Setup:
    readings: dict[str, str]
    limits: dict[str, dict[str, list[int]]]
    cap: int | None
    players: int | None
    most_as_read: int | None  # per hand, player or table, as PP-I8 says
    most_per_deal: dict[str, dict[str, int]]
    banker_least: dict[str, int]
    scorings: tuple[str, ...]
    bonuses: dict[str, int]
    naturals: dict[str, int]
    surrender: int | None
    void_reasons: tuple[str, ...]
    pay_tables: dict[str, dict[str, dict[str, int]]]


def read_setup(given: dict[str, Any] | None) -> Setup:
    given = given or {}
    parts = (
        "interpretations",
        "limits",
        "cap",
        "players",
        "max_aggregate",
        "banker",
        "chinese",
        "void_reasons",
        "pay_tables",
    )
    only(given, parts, "SETUP")
    most = given.get("max_aggregate")
    if isinstance(most, dict):
        only(most, tuple(ODDS_WAGERS), "max_aggregate")
        for game, wagers in most.items():
            only(wagers, ODDS_WAGERS[game], f"max_aggregate.{game}")
            for wager, amount in wagers.items():
                whole(amount, f"max_aggregate.{game}.{wager}")
    elif most is not None:
        whole(most, "max_aggregate")
        if given.get("interpretations", {}).get("PP-I8") == "per_deal":
            raise SetupError("max_aggregate: a number is per hand, PP-I8 says per_deal")
    banker = only(given.get("banker", {}), ("min",), "banker")
    chinese = read_chinese(given.get("chinese", {}))
    return Setup(
        readings=read_readings(given.get("interpretations", {})),
        limits=read_limits(given.get("limits", {})),
        cap=None if given.get("cap") is None else whole(given["cap"], "cap"),
        players=None if given.get("players") is None else whole(given["players"], "players"),
        most_as_read=most if isinstance(most, int) else None,
        most_per_deal=most if isinstance(most, dict) else {},
        banker_least=amounts(banker.get("min", {}), ("three_card", "six_card"), "banker.min"),
        scorings=tuple(chinese.get("scoring", SCORINGS)),
        bonuses=chinese.get("bonuses", {}),
        naturals=chinese.get("naturals", {}),
        surrender=chinese.get("surrender"),
        void_reasons=tuple(given.get("void_reasons", ())),
        pay_tables=read_pay_tables(given.get("pay_tables", {})),
    )


def only(given: Any, known: tuple[str, ...], where: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise SetupError(f"{where}: an object is wanted")
    for key in given:
        if key not in known:
            raise SetupError(f"{where}.{key} is unknown")
    return given


def whole(value: Any, where: str, least: int = 0, most: int | None = None) -> int:
    if type(value) is not int or value < least or (most is not None and value > most):
        raise SetupError(f"{where}: {value!r} is no amount")
    return value


def amounts(given: Any, known: tuple[str, ...], where: str) -> dict[str, int]:
    return {key: whole(value, f"{where}.{key}") for key, value in only(given, known, where).items()}


def read_readings(given: Any) -> dict[str, str]:
    chosen = {question: readings[0] for question, readings in READINGS.items()}
    for question, reading in only(given, tuple(READINGS), "interpretations").items():
        if reading not in READINGS[question]:
            raise SetupError(f"interpretations.{question}: {reading!r} is no reading")
        chosen[question] = reading
    return chosen


def read_limits(given: Any) -> dict[str, dict[str, list[int]]]:
    for table, wagers in given.items():
        for wager, bounds in only(wagers, LIMITED_WAGERS, f"limits.{table}").items():
            if not isinstance(bounds, list) or len(bounds) != 2:
                raise SetupError(f"limits.{table}.{wager}: two amounts are wanted")
            for bound in bounds:
                whole(bound, f"limits.{table}.{wager}")
    return dict(given)


def read_chinese(given: Any) -> dict[str, Any]:
    only(given, ("scoring", "bonuses", "naturals", "surrender"), "chinese")
    for scoring in given.get("scoring", ()):
        if scoring not in SCORINGS:
            raise SetupError(f"chinese.scoring: {scoring!r} is unknown")
    amounts(given.get("bonuses", {}), BONUSES, "chinese.bonuses")
    amounts(given.get("naturals", {}), NATURALS, "chinese.naturals")
    if "surrender" in given:
        whole(given["surrender"], "chinese.surrender")
    return dict(given)


def read_pay_tables(given: Any) -> dict[str, dict[str, dict[str, int]]]:
    """Return the rules' pay tables, with single lines replaced."""
    tables = deepcopy(PAY_TABLES)
    for game, replaced in only(given, tuple(PAY_TABLES), "pay_tables").items():
        for table, lines in only(replaced, tuple(PAY_TABLES[game]), f"pay_tables.{game}").items():
            for line, pays in only(
                lines, tuple(PAY_TABLES[game][table]), f"pay_tables.{game}.{table}"
            ).items():
                tables[game][table][line] = whole(pays, f"{table}.{line}", most=MOST_PAID)
    return tables
