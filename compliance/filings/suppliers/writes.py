"""Report interests, file equipment, and record where it is delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from compliance import clock
from compliance.access.permissions import OPERATOR_KINDS, Action, PartyKind
from compliance.access.reads import require
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.filings.documents.writes import require_citable
from compliance.filings.suppliers import events
from compliance.filings.suppliers.models import Delivery, Equipment, Interest
from compliance.filings.suppliers.reads import WHOLE, find_license_problems, interests_on

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from compliance.access.models import Party
    from compliance.access.scope import Asker
    from compliance.filings.documents.models import DocumentVersion
    from compliance.filings.games.models import Game


MOST_LICENSES = 50


@transaction.atomic
def report_interest(
    *,
    supplier: Party,
    holder: str,
    basis: Interest.Basis,
    portion: int,
    from_date: date,
    by: Asker,
    document: DocumentVersion | None = None,
) -> Interest:
    """Report a substantial interest from a day on; `portion` is in hundredths of a percent.

    Rejects a party that is no supplier; a day to come; shares of more than the whole; an end of
    what was never reported; another party's document.
    """
    require(by, Action.FILE_DOCUMENTS, supplier)
    _require_supplier(supplier)
    if from_date > clock.today():
        msg = "Report an interest on the day it begins or later, not before."
        raise RefusedError(msg)
    ended = basis == Interest.Basis.ENDED
    others = {each.holder.casefold(): each for each in interests_on(supplier, clock.today())}
    known = others.pop(holder.casefold().strip(), None)
    if ended and known is None:
        msg = f"No interest of {holder} is on file that could end. Check the name."
        raise RefusedError(msg)
    portion = 0 if ended else portion
    total = portion + sum(each.portion for each in others.values())
    if total > WHOLE:
        msg = f"With this, the shares on file would come to {total / 100:g}%. Correct them first."
        raise RefusedError(msg)
    require_citable([document] if document else [], of=[supplier], by=by)
    made = Interest(
        supplier=supplier,
        holder=holder.strip(),
        basis=basis,
        portion=portion,
        from_date=from_date,
        document=document,
        by=by.uuid,
        at=clock.now(),
    )
    made.save()
    carries = {"basis": made.get_basis_display(), "portion": made.percent}
    record(
        events.INTEREST_REPORTED,
        by=by,
        party=supplier,
        about=made,
        carries={**carries, "from_date": from_date.isoformat()},
    )
    return made


@transaction.atomic
def file_equipment(
    *,
    supplier: Party,
    kind: Equipment.Kind,
    maker: str,
    model: str,
    license_numbers: Sequence[str],
    by: Asker,
    game: Game | None = None,
) -> Equipment:
    """File a model of equipment. Rejects equipment without a license number."""
    require(by, Action.FILE_DOCUMENTS, supplier)
    _require_supplier(supplier)
    numbers = list(dict.fromkeys(filter(None, (each.strip() for each in license_numbers))))
    if not 1 <= len(numbers) <= MOST_LICENSES:
        msg = f"Give 1 to {MOST_LICENSES} license or certification numbers, one per line."
        raise RefusedError(msg)
    made = Equipment(
        supplier=supplier,
        game=game,
        kind=kind,
        maker=maker,
        model=model,
        license_numbers=numbers,
        by=by.uuid,
        at=clock.now(),
    )
    made.clean_fields()
    made.save()
    carries = {"equipment": str(made), "licenses": numbers}
    record(events.EQUIPMENT_FILED, by=by, party=supplier, about=made, carries=carries)
    return made


@transaction.atomic
def record_delivery(
    *, equipment: Equipment, operator: Party, from_date: date, by: Asker
) -> Delivery:
    """Record that equipment goes to an operator.

    Rejects equipment whose maker or distributor isn't licensed there on that day: a condition of
    the commission's approvals. Rejects a party that is no operator, and the same delivery again.
    """
    require(by, Action.FILE_DOCUMENTS, equipment.supplier)
    if operator.kind not in OPERATOR_KINDS:
        msg = f"{operator} is no card room and no tribal operation."
        raise RefusedError(msg)
    if problems := find_license_problems(equipment, from_date, operator):
        raise RefusedError(" ".join(problems))
    made = Delivery(
        equipment=equipment, operator=operator, from_date=from_date, by=by.uuid, at=clock.now()
    )
    try:
        with transaction.atomic():
            made.save()
    except IntegrityError as twice:
        msg = "This delivery is already on file."
        raise RefusedError(msg) from twice
    record(
        events.EQUIPMENT_DELIVERED,
        by=by,
        party=equipment.supplier,
        about=made,
        carries={
            "equipment": str(equipment),
            "operator": str(operator),
            "from_date": from_date.isoformat(),
        },
    )
    return made


def _require_supplier(party: Party) -> None:
    if party.kind != PartyKind.SUPPLIER:
        msg = f"{party} is not a supplier."
        raise RefusedError(msg)
