"""Void rounds: for a reason that nobody named, or with money moved all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.dealing.faults.scene import Must, Scene, Wrong
from games.judge.void import WITH_A_SHUFFLER

if TYPE_CHECKING:
    from games.dealing.call import Line

NO_REASON: Final = "player asked for it"


def without_reason(scene: Scene) -> Wrong | None:
    """A round is void for a reason that neither rules nor controls name."""
    if scene.bank_next:
        return None
    line = _void(scene, NO_REASON)
    what = f"void because a {NO_REASON}"
    return Wrong(line, [Must("void.reason", None, None, 0, what)])


def but_paid(scene: Scene) -> Wrong | None:
    """A round is void, and yet a player was paid."""
    if scene.bank_next:
        return None
    reasons = sorted(scene.setup.void_reasons)
    if scene.dealt.get("shuffler"):
        reasons += sorted(WITH_A_SHUFFLER.get(scene.game, ()))
    for place in scene.others:
        won = scene.dealt["seats"][place]["result"]
        for key, amount in won.items():
            if amount:
                line = _void(scene, scene.chance.choice(reasons) if reasons else NO_REASON)
                seat = line["seats"][place]
                seat["result"][key] = amount
                what = f"void, and seat {seat['seat']} was still settled on {key}"
                found = [Must("void.result", seat["seat"], key, amount, what)]
                if not reasons:
                    found.insert(0, Must("void.reason", None, None, 0, what))
                return Wrong(line, found)
    return None


def _void(scene: Scene, reason: str) -> Line:
    line = scene.altered()
    line["void"] = reason
    if "result" in line.get("house", {}):
        line["house"]["result"] = 0
    for seat in line["seats"]:
        seat["result"] = dict.fromkeys(seat["result"], 0)
    return line
