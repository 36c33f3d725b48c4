"""A player's bank: is it covered, is it that player's turn, what may the house wager against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.judge.finding import Finding, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.judge.sequence import Before
    from games.round_log.round import Round, Seat
    from games.setup import Setup

ODDS_WAGERS = ("three_card", "six_card")


def bank(round_: Round, setup: Setup, before: Before) -> Iterator[Finding]:
    """Every `bank.*` finding of a player-banked round that was played."""
    if round_.banker is None or before.after_rejection:
        return
    yield from _cover(round_, setup)
    yield from _turn(before)
    yield from _house_wager(round_, before)
    yield from _wagers(_banker(round_), round_.table, setup)


def _banker(round_: Round) -> Seat:
    return next(seat for seat in round_.seats if seat.seat == round_.banker)


def _cover(round_: Round, setup: Setup) -> Iterator[Finding]:
    """The bank covers every main wager against it, the house's among them (PP-24, PP-I10)."""
    against = round_.house.wager + sum(
        seat.wagers["main"] for seat in round_.seats if seat.seat != round_.banker
    )
    if setup.reading("PP-I10") == "max_payout":
        against *= 3
    if round_.bank < against:
        yield Finding(
            "bank.cover", logged=round_.bank, expected=against, cites=cites("PP-24", "PP-I10")
        )


def _turn(before: Before) -> Iterator[Finding]:
    """Two player-banked rounds never follow each other (PP-22)."""
    if before.played is not None and before.played.banked:
        yield Finding("bank.turn", cites=cites("PP-22", "PP-I16"))


def _house_wager(round_: Round, before: Before) -> Iterator[Finding]:
    """The house wagers at most what the banker wagered against it the round before (PP-25)."""
    player = _banker(round_).player
    if player is None or before.played is None or before.played.banked:
        return  # PP-I16: nothing to judge it on
    most = before.played.main_by_player.get(player, 0)  # PP-I12
    if round_.house.wager > most:
        yield Finding(
            "bank.house_wager",
            logged=round_.house.wager,
            expected=most,
            cites=cites("PP-25", "PP-I12", "PP-I16"),
        )


def _wagers(banker: Seat, table: str, setup: Setup) -> Iterator[Finding]:
    """The banker has no main wager, and at least the minimum on the other two (PP-26)."""
    if banker.wagers["main"] != 0:
        yield Finding(
            "bank.wager", banker.seat, "main", banker.wagers["main"], 0, cites=cites("PP-26")
        )
    for key in ODDS_WAGERS:
        least = least_of_a_banker(table, key, setup)
        if least is not None and banker.wagers[key] < least:
            yield Finding(
                "bank.wager", banker.seat, key, banker.wagers[key], least, cites=cites("PP-26")
            )


def least_of_a_banker(table: str, key: str, setup: Setup) -> int | None:
    """The banker's own minimum of a wager, or the table's, or none."""
    if key in setup.banker_min:
        return setup.banker_min[key]
    limits = setup.limits.get(table, {}).get(key)
    return None if limits is None else limits[0]
