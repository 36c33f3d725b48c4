"""void.missing: a round that was played although something happened that voids it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.checks.void_reason import NAMED_BY_RULES, authority_of, voids
from games.findings import Finding, Severity, cites
from games.strict_json import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.setup import Setup
    from games.terms import Terms

CODE: Final = "void.missing"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "Round played although the rules void it"

WRONG_NUMBER: Final = "wrong number of cards"
CARDS: Final = 5
"""Cards of each hand, the dealer's too, in the game whose rules void a wrong number (P2-4)."""


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for a round that should have been void."""
    if round_.played and (reason := _reason(round_, terms.setup)) is not None:
        yield Finding(
            CODE,
            logged=visible(reason),
            expected="a void round",
            cites=cites(*authority_of(round_.game, reason)),
        )


def _reason(round_: Round, setup: Setup) -> str | None:
    """Return what voids the round, if anything does: dealt wrong, or logged as an irregularity."""
    if round_.shuffler and round_.game in NAMED_BY_RULES:
        hands = (round_.house.cards, *(seat.cards for seat in round_.seats))
        if any(len(cards) != CARDS for cards in hands):
            return WRONG_NUMBER
    return next((each for each in round_.irregularities if voids(each, round_, setup)), None)


def plant(scene: Scene) -> Fault | None:
    """Play a round although something is logged that voids it."""
    reasons = sorted(scene.setup.void_reasons)
    if scene.dealt.get("shuffler"):
        reasons += sorted(NAMED_BY_RULES.get(scene.game, ()))
    if not reasons:
        return None
    line = scene.altered()
    reason = scene.chance.choice(reasons)
    line |= {"v": 2, "irregularities": [reason]}
    found: list[tuple[str, int | None, str | None, int]] = [(CODE, None, None, 0)]
    if won := line.get("house", {}).get("result", 0):
        found.append(("settlement.main", None, "house", won))
    for seat in line["seats"]:
        for key, amount in seat["result"].items():
            if amount:
                found.append((f"settlement.{key}", seat["seat"], key, amount))
    return scene.fault(line, f"played in spite of: {reason}", *found)
