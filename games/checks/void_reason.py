"""void.reason: a void round without a reason that the rules or the approved controls name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.findings import Finding, Severity, cites
from games.strict_json import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import Terms

CODE: Final = "void.reason"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "Void round without an approved reason"

WITH_A_SHUFFLER: Final = {
    "pick-2-poker": frozenset(
        {
            "card face up",
            "wrong number of cards",
            "dealer card exposed",
            "shuffler fault",
        }
    )
}
"""Reasons that the rules themselves name, if a shuffling machine is used (P2-15)."""


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for an unknown reason."""
    if round_.void is None or round_.void in terms.setup.void_reasons:
        return
    named = WITH_A_SHUFFLER.get(round_.game, frozenset())
    if not round_.shuffler or round_.void not in named:
        yield Finding(
            CODE, logged=visible(round_.void[:140]), cites=cites("P2-15") if named else ()
        )


NO_REASON: Final = "player asked for it"


def plant(scene: Scene) -> Fault | None:
    """Void a round for a reason that neither rules nor controls name."""
    if scene.bank_next:
        return None
    return scene.fault(scene.voided(NO_REASON), f"void because a {NO_REASON}", (CODE, None, None))
