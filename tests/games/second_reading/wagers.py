"""Wagers as placed, checked against the rules and the limits of SETUP, void rounds included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .findings import Finding, Judgment, Round, Seat

if TYPE_CHECKING:
    from .setup import Setup

MOST_PER_UNIT = 1000  # CP-3: $10


def judge_wagers(round_: Round, setup: Setup, judged: Judgment) -> None:
    """Check `wager.*`, `limit.*` and `bank.wager`, which need only a round's amounts and seats."""
    for seat in round_["seats"]:
        if "wagers" in seat:
            for wager, amount in seat["wagers"].items():
                if wager.startswith("x_"):
                    continue
                judge_amount(round_, seat, wager, amount, setup, judged)
            judge_relations(round_["game"], seat, setup, judged)
    judge_players(round_, setup, judged)
    if round_["game"] == "chinese-poker" and round_["unit"] > MOST_PER_UNIT:
        judged.findings.append(
            Finding("limit.unit", logged=round_["unit"], expected=MOST_PER_UNIT, cites=("CP-3",))
        )


def may_be_nothing(seat: Seat, wager: str) -> bool:
    """Return whether the wager may be 0: `bonus_5` is optional (P2-2), a fold plays nothing (P2-4).

    A void round may not say whether it was a fold.
    """
    return wager == "bonus_5" or (wager == "play" and seat.get("play") in (None, "fold"))


def judge_amount(
    round_: Round, seat: Seat, wager: str, amount: int, setup: Setup, judged: Judgment
) -> None:
    least, most = setup.limits.get(round_["table"], {}).get(wager, (None, None))
    number = seat["seat"]
    if number == round_.get("banker"):
        judge_bankers_amount(round_, number, wager, amount, least, setup, judged)
    elif amount == 0:
        if not may_be_nothing(seat, wager):
            judged.add("wager.missing", number, wager)
    elif least is not None and amount < least:
        judged.findings.append(Finding("limit.table_min", number, wager, amount, least))
    if most is not None and amount > most:
        judged.findings.append(Finding("limit.table_max", number, wager, amount, most))
    if setup.cap is not None and amount > setup.cap:
        judged.findings.append(Finding("limit.wac", number, wager, amount, setup.cap))


def judge_bankers_amount(
    round_: Round,
    number: int,
    wager: str,
    amount: int,
    least: int | None,
    setup: Setup,
    judged: Judgment,
) -> None:
    """Check for no main wager and the minimum on the others (PP-26).

    Too little there is `bank.wager` alone.
    """
    minimum = setup.banker_least.get(wager, least)
    if wager == "main":
        wanted: int | None = 0
        is_wrong = amount != 0
        if is_wrong and least is not None and amount < least:
            judged.findings.append(Finding("limit.table_min", number, wager, amount, least))
    else:
        wanted = minimum
        is_wrong = minimum is not None and amount < minimum
        if minimum is None and amount == 0:
            judged.add("wager.missing", number, wager, "PP-2", "PP-26")
    if is_wrong and round_.get("void") is None:
        judged.findings.append(
            Finding("bank.wager", number, wager, amount, wanted, cites=("PP-26",))
        )


def judge_relations(game: str, seat: Seat, setup: Setup, judged: Judgment) -> None:
    """Check wagers that must equal or double the ante (P2-3, P2-4, CV-3)."""
    wagers = seat["wagers"]
    if game == "pick-2-poker":
        bonus = setup.readings["P2-I10"]
        unplaced = bonus == "bonus_5" and wagers[bonus] == 0
        if wagers[bonus] != wagers["ante"] and not unplaced:
            judged.add("wager.relation", seat["seat"], bonus, "P2-3", "P2-I10")
        times = {"three": 2, "five": 1, "fold": 0}
        if "play" in seat and wagers["play"] != times[seat["play"]] * wagers["ante"]:
            judged.add("wager.relation", seat["seat"], "play", "P2-4")
    if game == "casino-version" and wagers["buy_in"] != wagers["ante"]:
        judged.add("wager.relation", seat["seat"], "buy_in", "CV-3", "CV-I9")


def judge_players(round_: Round, setup: Setup, judged: Judgment) -> None:
    seats = round_["seats"]
    named = {seat["player"] for seat in seats if "player" in seat}
    persons = len(named) + sum("player" not in seat for seat in seats)
    too_many = {
        "casino-version": len(seats) > 6,  # CV-1
        "chinese-poker": not 2 <= len(seats) <= 4,  # CP-1
        "showdown": len(seats) < 2,  # SD-1
    }.get(round_["game"], setup.players is not None and persons > setup.players)
    if too_many:
        judged.add("limit.players", None, None)
