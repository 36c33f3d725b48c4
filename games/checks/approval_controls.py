"""approval.controls: played in a way that the approved controls or the law don't allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import games.chinese_poker.play as chinese_poker
from games.chinese_poker.reasons import NATURALS
from games.findings import Finding, Severity, cites
from games.log.field_types import ABSENT
from games.log.schema import V1_SCORINGS
from games.settlement.outcomes import forbidden_maximum, forbidden_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnTerms, Terms

CODE: Final = "approval.controls"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "Play not covered by the approved internal controls"


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield one finding for everything that isn't allowed: scoring, naturals, the maximum."""
    says: list[str] = []
    ids: list[str] = []
    if round_.game == chinese_poker.GAME:
        says, ids = chinese_poker.unapproved(round_, terms.setup)
    law = forbidden_maximum(round_, terms.setup)
    if law is not None:
        says.append(f"a maximum aggregate payout by `{law.used}`, which the law did not allow")
        ids += law.cites
    if says:
        yield Finding(CODE, logged=", ".join(dict.fromkeys(says)), cites=cites(*ids))


def screen(columns: Columns, terms: ColumnTerms, certain: Certain) -> None:
    """Keep certain only rounds with an approved scoring and naturals, and a lawful maximum."""
    if columns.game == chinese_poker.GAME:
        _screen_chinese(columns, terms, certain)
    for span in forbidden_spans(columns.game, terms.setup):
        since, at = columns.rounds.numbers["from"], columns.rounds.numbers["at"]
        legal = at.copy()
        legal[since != ABSENT] = since[since != ABSENT]
        within = legal >= span.begin
        if span.end is not None:
            within &= legal < span.end
        certain[within] = 0


def _screen_chinese(columns: Columns, terms: ColumnTerms, certain: Certain) -> None:
    import numpy as np  # takes long, and a single round doesn't need it

    chinese = terms.setup.chinese
    if chinese.scoring is not None:
        codes = [place for place, name in enumerate(V1_SCORINGS, 1) if name in chinese.scoring]
        certain[~np.isin(columns.rounds.numbers["scoring"], codes)] = 0
    codes = [place for place, name in enumerate(NATURALS, 1) if name not in chinese.naturals]
    seats = np.flatnonzero(np.isin(columns.seats.numbers["natural"], codes))
    certain[np.searchsorted(columns.first_seat, seats, "right") - 1] = 0


def plant(scene: Scene) -> Fault | None:
    """Score in a way that the controls don't name."""
    approved = scene.setup.chinese.scoring
    scorings = scene.setup.rules(scene.game).scorings
    others = [name for name in scorings if approved is not None and name not in approved]
    if not others:
        return None
    line = scene.altered()
    line["scoring"] = scene.chance.choice(others)
    what = f"scored {line['scoring']}, which is not approved"
    return scene.fault(scene.settled(line), what, (CODE, None, None))
