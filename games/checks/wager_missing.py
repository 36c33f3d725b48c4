"""wager.missing: a mandatory wager of 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.checks.bank_wager import ODDS_WAGERS, bankers_minimum
from games.findings import Finding, Severity, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.round import Round, Seat
    from games.planting import Fault, Scene
    from games.rule_set import RuleSet
    from games.terms import Terms

CODE: Final = "wager.missing"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "Mandatory wager missing"

_CLAUSE: Final = {"pyramid-poker": "PP-2", "pick-2-poker": "P2-2", "casino-version": "CV-2"}


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for each mandatory wager of 0.

    On a banker's odds wagers, 0 is reported as `bank.wager` if there is a minimum.
    """
    for seat in round_.seats:
        for key in terms.rules.wagers:
            if seat.wagers[key] != 0 or _may_be_zero(round_, seat, key, terms.rules):
                continue
            of_banker = seat.seat == round_.banker and key in ODDS_WAGERS
            if not of_banker or bankers_minimum(round_.table, key, terms.setup) is None:
                yield Finding(CODE, seat.seat, key, cites=cites(_CLAUSE[round_.game]))


def _may_be_zero(round_: Round, seat: Seat, key: str, rules: RuleSet) -> bool:
    """Return if a wager may be left out: an optional one, `play` on a fold, a banker's main."""
    if not rules.wagers[key].mandatory:
        return True
    if key == "play":
        return seat.play in (None, "fold")  # a void round may not say how the hand was played
    return key == "main" and seat.seat == round_.banker


def plant(scene: Scene) -> Fault | None:
    """Leave out a mandatory wager."""
    if scene.game == "pick-2-poker" and scene.setup.reading("P2-I10") == "bonus_3_5":
        return _with_its_relation(scene)
    for place, key in scene.free_wagers():
        number = scene.dealt["seats"][place]["seat"]
        what = f"seat {number} was dealt in without a wager on {key}"
        if scene.game == "casino-version":
            line = scene.altered()
            line["seats"][place]["wagers"]["buy_in"] = 0
            found = ((CODE, number, "buy_in"), ("wager.relation", number, "buy_in"))
            return scene.fault(scene.settled(line), what, *found)
        return scene.fault(scene.restaked(place, key, 0), what, (CODE, number, key))
    return None


def _with_its_relation(scene: Scene) -> Fault | None:
    """Leave out the bonus that equals the ante, which breaks that relation too (P2-I10)."""
    for place in scene.others:
        number = scene.dealt["seats"][place]["seat"]
        what = f"seat {number} was dealt in without a wager on bonus_3_5"
        found = ((CODE, number, "bonus_3_5"), ("wager.relation", number, "bonus_3_5"))
        return scene.fault(scene.restaked(place, "bonus_3_5", 0), what, *found)
    return None
