"""A run over columns gives every line the scalar verdict, with the screen and without it."""

from __future__ import annotations

import io
import random
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from games.log.form import Rejection
from games.log.lines import read_rounds
from games.log.reader import BLOCK, ColumnReader
from games.log.round import Round
from games.screens.run import ColumnRun
from games.settlement.verdict import Run
from games.setup import Chinese, Setup
from tests.bench.simulated import GAMES, rounds
from tests.games.round_log.logs import damaged

if TYPE_CHECKING:
    from games.settlement.verdict import Verdict

SETUPS = {
    "defaults": Setup(),
    "other readings": Setup(
        interpretations={
            "PP-I1": "dealer_wins", "PP-I8": "all_wagers", "PP-I10": "max_payout", "PP-I11": "no",
            "PP-I13": "split_at_four", "P2-I1": "both_push", "P2-I4": "set_three",
            "P2-I5": "bonus_stands", "P2-I9": "any_suits", "P2-I10": "bonus_3_5",
            "CP-I1": "equal_allowed", "CP-I6": "winning_hand_only", "SD-I1": "multiples",
            "CV-I1": "ace_one", "CV-I2": "suits", "CV-I3": "as_six",
        },
        max_aggregate=9_000,
        banker_min={"six_card": 600},
        chinese=Chinese(
            scoring=frozenset({"unit", "2-4"}),
            bonuses={"full_house_middle": 1, "trips_front": 2, "four_of_a_kind": 3},
            naturals={"six-pairs": 3, "dragon": 5},
            surrender=2,
        ),
        pay_tables={"pyramid-poker": {"three_card": {"straight_flush": 50}}},
    ),
    "limits": Setup(
        limits={"T1": {"main": (500, 3000), "ante": (1000, 9000)}, "T2": {"bonus_5": (500, 2000)}},
        cap=4000,
        players=4,
        void_reasons=frozenset({"power failure"}),
        max_per_deal={"pyramid-poker": {"six_card": 5000}, "pick-2-poker": {"bonus_3_5": 2000}},
    ),
}  # fmt: skip


@cache
def clean(game: str) -> list[dict[str, Any]]:
    return list(rounds(game, 250, 3))


def log(seed: int, faults: float) -> list[dict[str, Any]]:
    """Return rounds of all games at a few tables in turn, some with faults."""
    chance = random.Random(seed)
    lines = []
    for number in range(1000):
        game = chance.choice([*GAMES])
        line = orjson.loads(orjson.dumps(chance.choice(clean(game))))
        line |= {
            "round": f"R-{number}",
            "table": f"T{chance.randint(1, 3)}",
            "at": f"2026-11-17T{number // 60 + 1:02}:{number % 60:02}:00Z",
        }
        if chance.random() < faults:
            chance.choice(FAULTS)(line, chance)
        lines.append(line)
    return lines


def other_result(line: dict[str, Any], chance: random.Random) -> None:
    result = chance.choice(line["seats"])["result"]
    result[chance.choice([*result])] += chance.choice([-500, 1, 500])


def other_wager(line: dict[str, Any], chance: random.Random) -> None:
    wagers = chance.choice(line["seats"]).get("wagers", {"": 0})
    wagers[chance.choice([*wagers])] = chance.choice([0, 1, 500, 10_000])


def other_card(line: dict[str, Any], chance: random.Random) -> None:
    seat = chance.choice([*line["seats"], *([line["house"]] if "house" in line else ())])
    key = chance.choice(
        [key for key in seat if key in {"cards", "low", "three", "front"}] or ["x_"]
    )
    cards = seat.get(key, "As").split(" ")
    cards[chance.randrange(len(cards))] = chance.choice(["As", "2c", "Kd", "Jo", "7h"])
    seat[key] = " ".join(cards[: chance.choice([99, 99, 99, len(cards) - 1])])


def other_field(line: dict[str, Any], chance: random.Random) -> None:
    line |= chance.choice(
        [
            {"at": "2026-11-17T00:30:00Z"},
            {"round": "R-1"},
            {"decks": chance.choice([1, 2, 3, 5, 6, 8])},
            {"void": chance.choice(["power failure", "", "card face up"])},
            {"unit": 2000} if line["game"] == "chinese-poker" else {"x_unit": 1},
            {"seats": line["seats"][:1]},
            {"v": 2},
        ]
    )


def other_deck(line: dict[str, Any], chance: random.Random) -> None:
    line |= {"shuffler": True, "deck": chance.choice(["red", "blue", "red", "blue", "green"])}


def house_bets(line: dict[str, Any], chance: random.Random) -> None:
    if "banker" in line:
        line["house"]["wager"] = chance.choice([500, 5000])
    elif line["game"] == "pyramid-poker":
        line |= {"banker": 1, "bank": 1000, "house": {**line["house"], "wager": 0, "result": 0}}


def other_declaration(line: dict[str, Any], chance: random.Random) -> None:
    seat = chance.choice(line["seats"])
    if line["game"] == "chinese-poker":
        seat["natural"] = chance.choice(["six-pairs", "dragon", "three-flushes"])
        line["scoring"] = chance.choice(["unit", "2-4", "1-6"])
    elif line["game"] == "showdown":
        seat |= {"play": "surrender-20", "cards": seat["cards"][:59]}
        seat.pop("hands", None)
    elif "play" in seat:
        seat["play"] = "fold"


FAULTS = (
    other_result, other_wager, other_card, other_field, other_deck, house_bets, other_declaration,
)  # fmt: skip


def as_log(lines: list[dict[str, Any]], chance: random.Random, broken: float) -> bytes:
    written = [orjson.dumps(line) for line in lines]
    return b"\n".join(
        damaged(line, chance) if chance.random() < broken else line for line in written
    )


def compare(
    logs: list[bytes], setup: Setup, *, screen: bool = True, brief_voids: bool = False
) -> int:
    """Compare both runs over the same logs; return the number of certain rounds and brief voids."""
    run, fast = Run(setup), ColumnRun(setup, screen=screen, brief_voids=brief_voids)
    certain = 0
    for content in logs:
        run.new_log()
        fast.new_log()
        text: dict[int, tuple[Round | Rejection, Verdict | None, bool]] = {}
        for line, read in enumerate(read_rounds(io.BytesIO(content)), 1):
            if isinstance(read, Rejection):
                run.reject(read)
                text[line] = (read, None, False)
            else:
                text[line] = (read, run.verdict(read), run.two_decks(read))
        for block in ColumnReader(io.BytesIO(content)).blocks():
            verdicts = fast.settle(block)
            for columns, sure in zip(block.columns, verdicts.certain, strict=True):
                for row in sure.nonzero()[0].tolist():
                    read, verdict, _ = text.pop(int(columns.lines[row]))
                    assert_nothing_to_find(read, verdict)
                    certain += 1
            for line_verdict in verdicts.line_verdicts:
                read, verdict, two_decks = text.pop(line_verdict.line)
                if brief_voids and line_verdict.verdict is None and isinstance(read, Round):
                    assert line_verdict.read == read
                    assert not read.played
                    assert_nothing_to_find(read, verdict)
                    certain += 1
                else:
                    assert (read, verdict, two_decks) == (
                        line_verdict.read,
                        line_verdict.verdict,
                        line_verdict.two_decks,
                    )
        assert not text
    run.close()
    fast.close()
    return certain


def assert_nothing_to_find(read: Round | Rejection, verdict: Verdict | None) -> None:
    assert not isinstance(read, Rejection)
    assert verdict is not None
    assert (verdict.status, verdict.findings, verdict.if_two_decks) == ("ok", (), None)
    assert verdict.seats == tuple((seat.seat, seat.result) for seat in read.seats)
    house = None if read.banker is None else {"main": read.house.result}
    assert verdict.house == house


@pytest.mark.parametrize("name", SETUPS)
def test_faulty_rounds_match_the_scalar_engine(name: str) -> None:
    chance = random.Random(1)
    logs = [as_log(log(seed, 0.3), chance, broken=0.03) for seed in (1, 2)]
    assert compare(logs, SETUPS[name]) > 50


def test_the_screen_off_changes_nothing() -> None:
    content = as_log(log(4, 0.3), random.Random(4), broken=0.05)
    assert compare([content], Setup(), screen=False) == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_clean_log_is_certain_from_end_to_end(game: str) -> None:
    lines = [
        {**line, "round": f"R-{number}", "table": "T1", "at": "2026-11-17T20:15:03Z"}
        for number, line in enumerate(clean(game))
    ]
    assert compare([b"\n".join(map(orjson.dumps, lines))], Setup()) == len(lines)


def test_a_void_round_disturbs_nothing_but_the_order_in_time() -> None:
    def rounds(*times: str) -> bytes:
        return b"\n".join(
            orjson.dumps(
                {
                    **clean("casino-version")[place],
                    **({"void": "power failure"} if time.startswith("void ") else {}),
                    "round": f"R-{time[-5:].replace(':', '-')}",
                    "table": "T1",
                    "at": f"2026-11-17T{time[-5:]}:00Z",
                }
            )
            for place, time in enumerate(times)
        )

    backward = rounds("10:00", "void 10:10", "10:05", "void 10:06", "10:20", "void 10:40")
    behind_the_end = rounds("10:30", "void 10:50", "void 10:45", "10:46")
    assert compare([backward, behind_the_end], Setup()) == 3, "10:00, 10:20 and 10:46"


@pytest.mark.parametrize("name", SETUPS)
def test_screened_void_rounds_match_the_scalar_engine(
    name: str,
) -> None:
    setup = replace(SETUPS[name], void_reasons=frozenset({"power failure", ""}))
    chance = random.Random(7)
    lines = log(7, 0.1)
    for line in lines:
        if chance.random() < 0.5:
            line |= {"void": chance.choice(["power failure", "", "a cat"])}
        if "void" in line and chance.random() < 0.8:
            for seat in line["seats"]:
                seat["result"] = dict.fromkeys(seat["result"], 0)
            if "result" in line.get("house", {}):
                line["house"]["result"] = 0
    logs = [as_log(lines, chance, broken=0.03)]
    passed_over = compare(logs, setup, brief_voids=True) - compare(logs, setup)
    assert passed_over > 50


def test_forgetting_tables_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.screens.tables.TABLES_IN_MEMORY", 2)
    chance = random.Random(6)
    logs = [as_log(log(seed, 0.2), chance, broken=0.03) * 5 for seed in (5, 6)]
    assert compare([part for whole in logs for part in (whole, whole[: BLOCK // 2])], Setup()) > 50


@pytest.mark.deep
@pytest.mark.parametrize("name", SETUPS)
def test_many_faulty_logs_match_the_scalar_engine(name: str) -> None:
    for seed in range(100, 150):
        chance = random.Random(seed)
        logs = [as_log(log(seed, chance.choice([0.02, 0.3])), chance, broken=0.02)]
        compare(logs, SETUPS[name])
