"""void.result: a void round in which something was won or lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.checks.void_reason import NO_REASON, WITH_A_SHUFFLER
from games.findings import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import Terms

CODE: Final = "void.result"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "Money won or lost in a void round"


def check(round_: Round, _terms: Terms) -> Iterator[Finding]:
    """Yield a finding for each result that isn't 0."""
    if round_.played:
        return
    if round_.house.result:
        yield _finding(None, "house", round_.house.result)
    for seat in round_.seats:
        for key, amount in seat.result.items():
            if amount:
                yield _finding(seat.seat, key, amount)


def _finding(seat: int | None, key: str, amount: int) -> Finding:
    return Finding(CODE, seat, key, str(amount), "0", amount)


def plant(scene: Scene) -> Fault | None:
    """Void a round, but pay a player anyway."""
    if scene.bank_next:
        return None
    reasons = sorted(scene.setup.void_reasons)
    if scene.dealt.get("shuffler"):
        reasons += sorted(WITH_A_SHUFFLER.get(scene.game, ()))
    for place in scene.others:
        for key, amount in scene.dealt["seats"][place]["result"].items():
            if amount:
                line = scene.voided(scene.chance.choice(reasons or [NO_REASON]))
                seat = line["seats"][place]
                seat["result"][key] = amount
                what = f"void, and seat {seat['seat']} was still settled on {key}"
                found = [(CODE, seat["seat"], key, amount)]
                if not reasons:
                    found.append(("void.reason", None, None, 0))
                return scene.fault(line, what, *found)
    return None
