"""Own disclosures: what an operator reports before anybody asks, and the case it goes into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from audits.event_types import disclosures as events
from audits.models import CaseItem, Disclosure, DisclosurePaper
from audits.services.cases import Gathered, gather
from audits.services.own_papers import filed_by_operator
from compliance import clock
from compliance.choices import OPERATOR_KINDS
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from audits.models import Case
    from compliance.actor import Asker
    from compliance.models import Party, Person
    from compliance.services.documents import Paper


@transaction.atomic
def disclose(
    *,
    party: Party,
    day: date,
    facts: str,
    by: Asker,
    table: str = "",
    round: str = "",  # noqa: A002 - what the regulation calls it
    done: str = "",
    papers: Sequence[Paper] = (),
) -> Disclosure:
    """Report an irregularity. It stays as it is written: what is learnt later is reported anew.

    Refuses: a day to come, no facts, the very same again, and what `file_document` refuses.
    """
    require(by, Action.DISCLOSE, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} operates no tables."
        raise RefusedError(msg)
    if day > clock.today():
        msg = f"{day} is still to come."
        raise RefusedError(msg)
    if not facts.strip():
        msg = "Say what happened."
        raise RefusedError(msg)
    same = {"party": party, "day": day, "table": table.strip(), "facts": facts.strip()}
    with without_walls():
        if Disclosure.objects.filter(**same).exists():
            msg = "You reported this in the same words already: it is on file."
            raise RefusedError(msg)
    made = Disclosure(**same, round=round.strip(), done=done.strip(), by=by.uuid, at=clock.now())
    made.save()
    title = f"Own disclosure of {day:%B %-d, %Y}"
    for place, paper in enumerate(
        filed_by_operator(
            party=party, title=title, papers=papers, day=day, by=by, action=Action.DISCLOSE
        )
    ):
        DisclosurePaper(comment=made, paper=paper, place=place).save()
    record(events.DISCLOSED, by=by, party=party, about=made, carries={"day": str(day)})
    return made


def put_into_case(*, disclosure: Disclosure, case: Case, by: Person) -> CaseItem:
    """Put a disclosure into an open case of its operator. Refuses what `gather` refuses."""
    require(by, Action.KEEP_CASES, disclosure.party)
    if case.party_id != disclosure.party_id:
        msg = f"{case} is on {case.party}, this disclosure is of {disclosure.party}."
        raise RefusedError(msg)
    where = f", table {disclosure.table}" if disclosure.table else ""
    said = [f"Of {disclosure.day}{where}, reported {disclosure.at:%Y-%m-%d}.", disclosure.facts]
    if disclosure.done:
        said.append(f"Done about it: {disclosure.done}")
    attached = disclosure.papers.select_related("paper").first()
    what = Gathered(
        kind=CaseItem.Kind.DISCLOSURE,
        text="\n".join(said),
        round=disclosure.round,
        paper=attached.paper if attached else None,
    )
    return gather(case=case, what=what, by=by)
