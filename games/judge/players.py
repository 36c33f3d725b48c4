"""How many players there are, and that among players what one wins others lose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.judge.finding import Finding, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.round_log.round import Round


def seats_allowed(played: Round, least: int, most: int | None, clause: str) -> Iterator[Finding]:
    """`limit.players`: fewer or more hands than the game has."""
    seats = len(played.seats)
    if seats < least or (most is not None and seats > most):
        allowed = f"{least} to {most} players" if most is not None else f"{least} players or more"
        yield Finding(
            "limit.players", logged=f"{seats} players", expected=allowed, cites=cites(clause)
        )


def distinct_players(played: Round, most: int | None) -> Iterator[Finding]:
    """`limit.players` of a house-banked table, where one player may hold several hands.

    A hand whose player is not named counts as a player. Without a number nothing is judged.
    """
    named = {seat.player for seat in played.seats if seat.player is not None}
    players = len(named) + sum(seat.player is None for seat in played.seats)
    if most is not None and players > most:
        yield Finding(
            "limit.players",
            logged=f"{players} players",
            expected=f"at most {most}",
            cites=cites("WAC 230-15-055(1)"),
        )


def balance(played: Round, key: str, clause: str) -> Iterator[Finding]:
    """`settlement.balance`: the logged results of one key do not sum to zero.

    The house's own wager against a player's bank counts with the seats.
    """
    total = sum(seat.result[key] for seat in played.seats) + played.house.result
    if total:
        yield Finding(
            "settlement.balance",
            wager=key,
            logged=total,
            expected=0,
            delta=total,
            cites=cites(clause),
        )
