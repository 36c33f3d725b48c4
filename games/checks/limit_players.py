"""limit.players: more players or hands, or fewer, than the game or the WAC allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.findings import Finding, Severity, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Line, Scene
    from games.terms import ColumnTerms, Terms

CODE: Final = "limit.players"
SEVERITY: Final = Severity.MONEY
TITLE: Final = "Number of players not allowed at the table"

HANDS: Final = {
    "chinese-poker": (2, 4, "CP-1"),
    "showdown": (2, None, "SD-1"),
    "casino-version": (1, 6, "CV-1"),
}
"""The least and most hands, where the rules of play state them."""


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for fewer or more hands than the game has, or for too many players."""
    if round_.game not in HANDS:
        yield from _too_many_players(round_, terms.setup.players)
        return
    hands = len(round_.seats)
    least, most, clause = HANDS[round_.game]
    if hands < least or (most is not None and hands > most):
        allowed = f"{least} to {most} players" if most is not None else f"{least} players or more"
        yield Finding(CODE, logged=f"{hands} players", expected=allowed, cites=cites(clause))


def _too_many_players(round_: Round, most: int | None) -> Iterator[Finding]:
    """Check a house-banked table, where one player may have several hands (PP-19).

    A hand whose player isn't named counts as a player. Without a number nothing is checked.
    """
    if most is None or len(round_.seats) <= most:
        return
    named = {seat.player for seat in round_.seats if seat.player is not None}
    players = len(named) + sum(seat.player is None for seat in round_.seats)
    if players > most:
        yield Finding(
            CODE,
            logged=f"{players} players",
            expected=f"at most {most}",
            cites=cites("WAC 230-15-055(1)"),
        )


def screen(columns: Columns, terms: ColumnTerms, certain: Certain) -> None:
    """Keep certain only rounds without too few or too many hands."""
    hands = columns.first_seat[1:] - columns.first_seat[:-1]
    least, most, _ = HANDS.get(columns.game, (1, terms.setup.players, ""))
    certain[hands < least] = 0
    if most is not None:
        certain[hands > most] = 0


def plant(scene: Scene) -> Fault | None:
    """Deal in more players than allowed, or one alone where players play each other."""
    if scene.game in ("chinese-poker", "showdown"):
        return _one_alone(scene)
    _, most, _ = HANDS.get(scene.game, (1, scene.setup.players, ""))
    if most is None or scene.bank_next or scene.banker is not None:
        return None
    players = {seat["player"] for seat in scene.dealt["seats"]}
    counted = len(scene.dealt["seats"]) if scene.game in HANDS else len(players)
    line = scene.altered()
    if not _add_seats(scene, line, most + 1 - counted):
        return None
    what = f"more than {most} players were dealt in"
    return scene.fault(scene.settled(line), what, (CODE, None, None))


def _add_seats(scene: Scene, line: Line, wanted: int) -> bool:
    """Add so many players; return whether the shoe has cards for them."""
    if scene.game == "pick-2-poker" and 5 * (len(line["seats"]) + wanted + 1) > 52:
        return False
    pattern = next((seat for seat in line["seats"] if seat.get("play") in (None, "fold")), None)
    if pattern is None:
        return False
    number = max(seat["seat"] for seat in line["seats"])
    for more in range(1, wanted + 1):
        hand = scene.unused(line, len(pattern["cards"].split()))
        seat = {**pattern, "seat": number + more, "player": f"p-extra-{more}"}
        seat["cards"] = " ".join(hand)
        if "low" in seat:
            seat["low"] = sorted(hand, key=lambda card: "23456789TJQKA".index(card[0]))[1]
        seat["wagers"], seat["result"] = dict(pattern["wagers"]), dict(pattern["result"])
        line["seats"].append(seat)
    return True


def _one_alone(scene: Scene) -> Fault:
    line = scene.altered()
    del line["seats"][1:]
    if "dealer" in line:
        line["dealer"] = line["seats"][0]["seat"]
    line["seats"][0]["result"] = dict.fromkeys(line["seats"][0]["result"], 0)
    what = "one player alone was dealt in"
    return scene.fault(line, what, ("irregular", None, None), (CODE, None, None))
