"""Licences of parties, and the compacts by which tribes' tables are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from compliance import clock
from compliance.choices import PartyKind
from compliance.event_types import licences as events
from compliance.law.values import Grade
from compliance.models import Compact, CompactValue, Licence, LicenceChange
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError

if TYPE_CHECKING:
    from datetime import date

    from compliance.models import Party, Person
    from compliance.models.licence import LicenceClass


@transaction.atomic
def grant_licence(
    *,
    holder: Party,
    kind: LicenceClass,
    number: str,
    issuer: Party,
    from_date: date,
    by: Person,
    to_date: date | None = None,
) -> Licence:
    """Put a licence on file. Refuses: one that ends before it begins, one that is on file."""
    require(by, Action.KEEP_LICENCES, holder)
    if to_date is not None and to_date <= from_date:
        msg = "A licence ends after it begins."
        raise RefusedError(msg)
    if holder.licences.filter(kind=kind, number=number).exists():
        msg = f"The licence {number} of {holder} is on file."
        raise RefusedError(msg)
    licence = Licence(
        holder=holder,
        kind=kind,
        number=number,
        issuer=issuer,
        from_date=from_date,
        to_date=to_date,
        at=clock.now(),
    )
    licence.clean_fields()
    licence.save()
    record(
        events.GRANTED,
        by=by,
        party=holder,
        about=licence,
        carries={"number": number, "kind": kind.label, "from_date": from_date.isoformat()},
    )
    return licence


@transaction.atomic
def change_licence(
    *, licence: Licence, effect: LicenceChange.Effect, from_date: date, reason: str, by: Person
) -> LicenceChange:
    """Suspend, restore, revoke or end a licence from a day on. Refuses a change without reason."""
    require(by, Action.KEEP_LICENCES, licence.holder)
    if not reason.strip():
        msg = "Say why."
        raise RefusedError(msg)
    change = LicenceChange(
        licence=licence, effect=effect, from_date=from_date, reason=reason, at=clock.now()
    )
    change.save()
    record(
        events.CHANGED,
        by=by,
        party=licence.holder,
        about=change,
        reason=reason,
        carries={"effect": effect.label, "from_date": from_date.isoformat()},
    )
    return change


@transaction.atomic
def enter_compact(
    *, agency: Party, title: str, from_date: date, source: str, by: Person
) -> Compact:
    """Enter a compact or an amendment of a tribe. Refuses a party that is no tribe's agency."""
    require(by, Action.KEEP_LICENCES, agency)
    if agency.kind != PartyKind.TRIBAL_AGENCY:
        msg = f"{agency} is no tribal gaming agency."
        raise RefusedError(msg)
    compact = Compact(
        agency=agency, title=title, from_date=from_date, source=source, at=clock.now()
    )
    compact.clean_fields()
    compact.save()
    record(events.COMPACT_ENTERED, by=by, party=agency, about=compact, carries={"title": title})
    return compact


@transaction.atomic
def add_compact_value(
    *,
    compact: Compact,
    rule: CompactValue.Rule,
    from_date: date,
    value: int | None,
    grade: Grade,
    citation: str,
    by: Person,
) -> CompactValue:
    """Add a value of a compact; it ends the one before. An unknown value is left out."""
    require(by, Action.KEEP_LICENCES, compact.agency)
    if (grade == Grade.UNKNOWN) != (value is None):
        msg = "A value that nobody has read has the grade unknown, and no other has."
        raise RefusedError(msg)
    if from_date < compact.from_date:
        msg = f"{compact} holds from {compact.from_date}."
        raise RefusedError(msg)
    added = CompactValue(
        compact=compact,
        rule=rule,
        from_date=from_date,
        value=value,
        grade=grade.value,
        citation=citation,
        at=clock.now(),
    )
    added.clean_fields()
    added.save()
    record(
        events.COMPACT_VALUE_ADDED,
        by=by,
        party=compact.agency,
        about=added,
        carries={"rule": rule.label, "value": value, "from_date": from_date.isoformat()},
    )
    return added
