"""approval.controls: played in a way that the approved controls or the law don't allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.findings import Finding, Severity, cites
from games.log.field_types import ABSENT
from games.log.schema import V1_SCORINGS
from games.maximums import forbidden_maximum, forbidden_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.setup import Setup
    from games.terms import ColumnTerms, Terms

CODE: Final = "approval.controls"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "Play not covered by the approved internal controls"


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield one finding for a scoring and a maximum that aren't allowed."""
    says: list[str] = []
    ids: list[str] = []
    if round_.scoring is not None and not is_approved_scoring(round_.scoring, terms.setup):
        says.append(f"scoring {round_.scoring}")
        ids.append("CP-14")
    law = forbidden_maximum(round_, terms.setup)
    if law is not None:
        says.append(f"a maximum aggregate payout by `{law.used}`, which the law did not allow")
        ids += law.cites
    if says:
        yield Finding(CODE, logged=", ".join(dict.fromkeys(says)), cites=cites(*ids))


def is_approved_scoring(scoring: str, setup: Setup) -> bool:
    """Return whether the definition has a scoring, and the controls allow it."""
    approved = setup.chinese.scoring
    has = scoring in setup.rules("chinese-poker").scorings
    return has and (approved is None or scoring in approved)


def screen(columns: Columns, terms: ColumnTerms, certain: Certain) -> None:
    """Keep certain only rounds with an approved scoring and a lawful maximum."""
    scoring = columns.rounds.numbers.get("scoring")
    if scoring is not None:
        for place, name in enumerate(V1_SCORINGS, 1):
            if not is_approved_scoring(name, terms.setup):
                certain[scoring == place] = 0
    for span in forbidden_spans(columns.game, terms.setup):
        since, at = columns.rounds.numbers["from"], columns.rounds.numbers["at"]
        legal = at.copy()
        legal[since != ABSENT] = since[since != ABSENT]
        within = legal >= span.begin
        if span.end is not None:
            within &= legal < span.end
        certain[within] = 0


def plant(scene: Scene) -> Fault | None:
    """Score in a way that the controls don't name."""
    approved = scene.setup.chinese.scoring
    scorings = scene.setup.rules(scene.game).scorings
    others = [name for name in scorings if approved is not None and name not in approved]
    if not others:
        return None
    line = scene.altered()
    line |= {"v": 2, "scoring": scene.chance.choice(others)}
    what = f"scored {line['scoring']}, which is not approved"
    return scene.fault(scene.settled(line), what, (CODE, None, None))
