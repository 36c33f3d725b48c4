"""void.reason: a void round without a reason that the rules or the approved controls name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.findings import CONTROLS, Finding, Severity, cites
from games.strict_json import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.setup import Setup
    from games.terms import Terms

CODE: Final = "void.reason"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "Void round without an approved reason"

NAMED_BY_RULES: Final = {
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

_LEFT_TO_CONTROLS: Final = {"chinese-poker": ("CP-13",)}
"""Clauses that leave irregularities to the controls."""
_CLAUSES: Final = {"pick-2-poker": ("P2-15",), **_LEFT_TO_CONTROLS}
"""Clauses on what happens to a round in which something went wrong."""


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for an unknown reason."""
    if round_.void is not None and not voids(round_.void, round_, terms.setup):
        ids = {CONTROLS, *_CLAUSES.get(round_.game, ())}
        yield Finding(CODE, logged=visible(round_.void[:140]), cites=cites(*ids))


def voids(reason: str, round_: Round, setup: Setup) -> bool:
    """Return whether the rules or the approved controls void a round for a reason."""
    if reason in setup.void_reasons:
        return True
    return round_.shuffler and reason in NAMED_BY_RULES.get(round_.game, ())


def authority_of(game: str, reason: str) -> tuple[str, ...]:
    """Return what makes a round void for a reason: a clause, or the controls that name it."""
    if reason in NAMED_BY_RULES.get(game, ()):
        return _CLAUSES[game]
    return (CONTROLS, *_LEFT_TO_CONTROLS.get(game, ()))


NO_REASON: Final = "player asked for it"


def plant(scene: Scene) -> Fault | None:
    """Void a round for a reason that neither rules nor controls name."""
    if scene.bank_next:
        return None
    return scene.fault(scene.voided(NO_REASON), f"void because a {NO_REASON}", (CODE, None, None))
