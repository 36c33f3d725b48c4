"""Make own disclosures, and add them to cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from audits.review import events
from audits.review.cases.models import CaseItem
from audits.review.cases.writes import Gathered, gather
from audits.review.disclosures.models import Disclosure, DisclosurePaper
from audits.review.operator_documents import file_operator_documents
from compliance import clock
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from audits.review.cases.models import Case
    from compliance.access.models import Party, Person
    from compliance.access.scope import Asker
    from compliance.filings.documents.writes import ReceivedFile


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
    papers: Sequence[ReceivedFile] = (),
) -> Disclosure:
    """Report an irregularity. The report never changes; later facts need a new report.

    Refuses: a future day; missing facts; an identical report; and what `file_document` refuses.
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
    with without_access_scope():
        if Disclosure.objects.filter(**same).exists():
            msg = "You reported this in the same words already: it is on file."
            raise RefusedError(msg)
    made = Disclosure(**same, round=round.strip(), done=done.strip(), by=by.uuid, at=clock.now())
    made.save()
    title = f"Own disclosure of {day:%B %-d, %Y}"
    for place, paper in enumerate(
        file_operator_documents(
            party=party, title=title, papers=papers, day=day, by=by, action=Action.DISCLOSE
        )
    ):
        DisclosurePaper(comment=made, paper=paper, place=place).save()
    record(events.DISCLOSED, by=by, party=party, about=made, carries={"day": str(day)})
    return made


def add_to_case(*, disclosure: Disclosure, case: Case, by: Person) -> CaseItem:
    """Add a disclosure to an open case of its operator. Refuses what `gather` refuses."""
    require(by, Action.KEEP_CASES, disclosure.party)
    if case.party_id != disclosure.party_id:
        msg = f"{case} is on {case.party}, this disclosure is of {disclosure.party}."
        raise RefusedError(msg)
    where = f", table {disclosure.table}" if disclosure.table else ""
    lines = [f"Of {disclosure.day}{where}, reported {disclosure.at:%Y-%m-%d}.", disclosure.facts]
    if disclosure.done:
        lines.append(f"Done about it: {disclosure.done}")
    attached = disclosure.papers.select_related("paper").first()
    what = Gathered(
        kind=CaseItem.Kind.DISCLOSURE,
        text="\n".join(lines),
        round=disclosure.round,
        paper=attached.paper if attached else None,
    )
    return gather(case=case, what=what, by=by)
