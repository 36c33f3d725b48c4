"""wager.relation: a wager that must equal or double another and does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.findings import Finding, Severity, cites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.log.round import Round, Seat
    from games.planting import Fault, Scene
    from games.setup import Setup
    from games.terms import Terms

CODE: Final = "wager.relation"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "Wager does not match another wager as the rules require"

TIMES_ANTE: Final = {"three": 2, "five": 1, "fold": 0}
"""What `play` is in Pick 2, in antes (P2-4); a fold has none."""


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for each wager that isn't what another one demands."""
    related = _RELATED.get(round_.game)
    if related is not None:
        for seat in round_.seats:
            yield from related(seat, terms.setup)


def _pick_2(seat: Seat, setup: Setup) -> Iterator[Finding]:
    """Check the bonus that equals the ante (P2-3, P2-I10), and `play` (P2-4)."""
    ante = seat.wagers["ante"]
    equal = setup.reading("P2-I10")
    if seat.wagers[equal] != ante and not (equal == "bonus_5" and seat.wagers[equal] == 0):
        yield _finding(seat, equal, ante, "P2-3", "P2-I10")
    if seat.play is not None and seat.wagers["play"] != TIMES_ANTE[seat.play] * ante:
        yield _finding(seat, "play", TIMES_ANTE[seat.play] * ante, "P2-4")


def _finding(seat: Seat, key: str, expected: int, *ids: str) -> Finding:
    return Finding(CODE, seat.seat, key, str(seat.wagers[key]), str(expected), cites=cites(*ids))


def _casino(seat: Seat, _setup: Setup) -> Iterator[Finding]:
    """Check that the buy-in, or the match on a fold, equals the ante (CV-3, CV-I9)."""
    ante, buy_in = seat.wagers["ante"], seat.wagers["buy_in"]
    if buy_in != ante:
        yield Finding(CODE, seat.seat, "buy_in", buy_in, ante, cites=cites("CV-3", "CV-I9"))


_RELATED: Final[dict[str, Callable[[Seat, Setup], Iterator[Finding]]]] = {
    "pick-2-poker": _pick_2,
    "casino-version": _casino,
}


def plant(scene: Scene) -> Fault | None:
    """Make a wager another multiple of the ante than the rules require."""
    if scene.game == "casino-version":
        return _buy_in_doubled(scene)
    if scene.game == "pick-2-poker":
        ways = [_play_unrelated, _bonus_unrelated]
        scene.chance.shuffle(ways)
        return ways[0](scene) or ways[1](scene)
    return None


def _play_unrelated(scene: Scene) -> Fault | None:
    """Make play twice the ante where it must equal it, or the other way round (P2-4)."""
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        if seat["play"] != "fold":
            ante = seat["wagers"]["ante"]
            seat["wagers"]["play"] = ante if seat["play"] == "three" else 2 * ante
            what = f"seat {seat['seat']} played {seat['play']} for the wrong multiple of the ante"
            return scene.fault(scene.settled(line), what, (CODE, seat["seat"], "play"))
    return None


def _bonus_unrelated(scene: Scene) -> Fault | None:
    """Make the bonus differ that equals the ante (P2-3, P2-I10)."""
    key = scene.setup.reading("P2-I10")
    least, most = scene.bounds(key)
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        wagers = seat["wagers"]
        if wagers[key] and most >= wagers["ante"] > least:
            wagers[key] = least
            what = f"seat {seat['seat']} placed a bonus that does not equal the ante"
            return scene.fault(scene.settled(line), what, (CODE, seat["seat"], key))
    return None


def _buy_in_doubled(scene: Scene) -> Fault | None:
    """Make the buy-in twice the ante (CV-I9)."""
    _, most = scene.bounds("buy_in")
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        if 2 * seat["wagers"]["ante"] <= most:
            seat["wagers"]["buy_in"] *= 2
            what = f"seat {seat['seat']} bought in for twice the ante"
            return scene.fault(scene.settled(line), what, (CODE, seat["seat"], "buy_in"))
    return None
