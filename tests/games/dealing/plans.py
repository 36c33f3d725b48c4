"""Set-ups to simulate under, and what the engine and the planter say about the rounds."""

from __future__ import annotations

import io
import itertools
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from games.log.reader import ColumnReader
from games.screens.run import ColumnRun
from games.setup import read_setup
from games.simulator.night import deal_night
from games.simulator.plan import Dealt, Plan

if TYPE_CHECKING:
    from collections.abc import Iterable

OPENING = datetime(2025, 7, 12, 17, tzinfo=UTC)
TABLES = ("T1", "T2", "T3")
LIMITS = {
    "main": [500, 20_000], "three_card": [100, 10_000], "six_card": [100, 10_000],
    "ante": [500, 10_000], "bonus_3_5": [500, 10_000], "bonus_5": [500, 10_000],
    "play": [500, 20_000], "buy_in": [500, 10_000],
}  # fmt: skip
APPROVED = {
    "limits": dict.fromkeys(TABLES, LIMITS),
    "cap": 40_000,
    "players": 6,
    "max_aggregate": 500_000,
    "banker": {"min": {"three_card": 100, "six_card": 100}},
    "chinese": {
        "scoring": ["unit", "2-4"],
        "bonuses": {
            "straight_flush": 4, "four_of_a_kind": 3, "full_house_middle": 1, "trips_front": 2,
        },
        "naturals": {"three-straights": 3, "three-flushes": 3, "six-pairs": 3, "dragon": 3},
        "surrender": 2,
    },
    "void_reasons": ["power failure", "card exposed by the dealer"],
}  # fmt: skip
READINGS = {
    "interpretations": {
        "PP-I1": "dealer_wins", "PP-I8": "per_deal", "PP-I10": "max_payout", "PP-I11": "no",
        "PP-I13": "split_at_four", "P2-I1": "both_push", "P2-I4": "set_three",
        "P2-I5": "bonus_stands", "P2-I9": "any_suits", "P2-I10": "bonus_3_5",
        "CP-I1": "equal_allowed", "CP-I6": "winning_hand_only", "SD-I1": "multiples",
        "CV-I1": "ace_one", "CV-I2": "suits", "CV-I3": "as_six",
    },
    "max_aggregate": {
        "pyramid-poker": {"three_card": 100_000, "six_card": 100_000},
        "pick-2-poker": {"bonus_3_5": 50_000},
    },
    "pay_tables": {"pyramid-poker": {"three_card": {"straight_flush": 50}}},
}  # fmt: skip
SETUPS = {"rules": {}, "approved": APPROVED, "readings": READINGS}


def plan_of(game, setup, **more) -> Plan:
    return Plan(
        **{
            "game": game, "tables": TABLES, "opening": OPENING,
            "setup": read_setup(json.dumps(setup)), **more,
        }
    )  # fmt: skip


def dealt(game, rounds, setup, **more) -> list[Dealt]:
    return list(itertools.islice(deal_night(plan_of(game, setup, **more)), rounds))


def log_of(rounds: Iterable[Dealt]) -> bytes:
    return b"".join(one.line + b"\n" for one in rounds)


def must_be_found(rounds: Iterable[Dealt]) -> dict[str, list[tuple[object, ...]]]:
    """Return what was planted, by round: code, seat, wager, delta."""
    return {
        one.planted[0].round: [(p.code, p.seat, p.wager, p.delta) for p in one.planted]
        for one in rounds
        if one.planted
    }


def found(rounds: Iterable[Dealt], setup) -> dict[str, list[tuple[object, ...]]]:
    """Return what the engine finds, by round, block by block as in a night's replay."""
    run = ColumnRun(read_setup(json.dumps(setup)))
    run.new_log()
    answer = []
    two_decks = set()
    for block in ColumnReader(io.BytesIO(log_of(rounds))).blocks():
        for each in run.settle(block).line_verdicts:
            answer.append(each)
            if each.two_decks:
                two_decks.add(each.read.table)
    run.close()
    answers = {}
    for each in answer:
        assert each.verdict is not None, each.read
        late = each.read.table in two_decks
        verdict = each.verdict.with_two_decks() if late else each.verdict
        if verdict.findings:
            answers[each.read.round] = [
                (finding.code, finding.seat, finding.wager, finding.delta)
                for finding in verdict.findings
            ]
    return answers
