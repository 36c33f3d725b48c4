"""void.result: a void round in which something was won or lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.checks.void_reason import NAMED_BY_RULES, NO_REASON, authority_of
from games.findings import Finding, Severity, cites

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
    if round_.void is None:
        return
    ids = cites(*authority_of(round_.game, round_.void))
    if round_.house.result:
        yield _finding(None, "house", round_.house.result, ids)
    for seat in round_.seats:
        for key, amount in seat.result.items():
            if amount:
                yield _finding(seat.seat, key, amount, ids)


def _finding(seat: int | None, key: str, amount: int, ids: tuple[str, ...]) -> Finding:
    return Finding(CODE, seat, key, str(amount), "0", amount, ids)


def plant(scene: Scene) -> Fault | None:
    """Void a round, but pay a player anyway."""
    if scene.bank_next:
        return None
    reasons = sorted(scene.setup.void_reasons)
    if scene.dealt.get("shuffler"):
        reasons += sorted(NAMED_BY_RULES.get(scene.game, ()))
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
