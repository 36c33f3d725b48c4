"""Licenses of parties, and the compacts that govern tribes' tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from compliance import clock
from compliance.access.permissions import Action, PartyKind
from compliance.access.reads import require
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.filings.licenses import events
from compliance.filings.licenses.models import (
    Compact,
    CompactItem,
    CompactValue,
    License,
    LicenseChange,
)
from compliance.law.values import Grade

if TYPE_CHECKING:
    from datetime import date

    from compliance.access.models import Party, Person
    from compliance.filings.licenses.models import LicenseClass


@transaction.atomic
def grant_license(
    *,
    holder: Party,
    kind: LicenseClass,
    number: str,
    issuer: Party,
    from_date: date,
    by: Person,
    to_date: date | None = None,
) -> License:
    """Add a license. Rejects one that ends before it begins, and one already on file."""
    require(by, Action.KEEP_LICENSES, holder)
    if to_date is not None and to_date <= from_date:
        msg = "A license ends after it begins."
        raise RefusedError(msg)
    if holder.licenses.filter(kind=kind, number=number).exists():
        msg = f"The license {number} of {holder} is already on file."
        raise RefusedError(msg)
    license = License(
        holder=holder,
        kind=kind,
        number=number,
        issuer=issuer,
        from_date=from_date,
        to_date=to_date,
        at=clock.now(),
    )
    license.clean_fields()
    license.save()
    record(
        events.GRANTED,
        by=by,
        party=holder,
        about=license,
        carries={"number": number, "kind": kind.label, "from_date": from_date.isoformat()},
    )
    return license


@transaction.atomic
def change_license(
    *, license: License, effect: LicenseChange.Effect, from_date: date, reason: str, by: Person
) -> LicenseChange:
    """Suspend, restore, revoke or end a license from a day on; a reason is required."""
    require(by, Action.KEEP_LICENSES, license.holder)
    if not reason.strip():
        msg = "Say why."
        raise RefusedError(msg)
    change = LicenseChange(
        license=license, effect=effect, from_date=from_date, reason=reason, at=clock.now()
    )
    change.save()
    record(
        events.CHANGED,
        by=by,
        party=license.holder,
        about=change,
        reason=reason,
        carries={"effect": effect.label, "from_date": from_date.isoformat()},
    )
    return change


@transaction.atomic
def enter_compact(
    *, agency: Party, title: str, from_date: date, source: str, by: Person
) -> Compact:
    """Enter a tribe's compact or amendment. Rejects a party that is not a tribal agency."""
    require(by, Action.KEEP_LICENSES, agency)
    if agency.kind != PartyKind.TRIBAL_AGENCY:
        msg = f"{agency} is not a tribal gaming agency."
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
    """Add a compact value; it ends the previous one. `value` is None if it is unknown."""
    require(by, Action.KEEP_LICENSES, compact.agency)
    if (grade == Grade.UNKNOWN) != (value is None):
        msg = "Leave the value empty exactly if its grade is unknown."
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


@transaction.atomic
def add_compact_item(*, compact: Compact, asks: str, citation: str, by: Person) -> CompactItem:
    """Add a line to a compact's checklist, in the compact's words. Rejects an empty line."""
    require(by, Action.KEEP_LICENSES, compact.agency)
    if not asks.strip():
        msg = "Say what the compact asks for."
        raise RefusedError(msg)
    item = CompactItem(compact=compact, asks=asks, citation=citation, at=clock.now())
    item.clean_fields()
    item.save()
    record(
        events.COMPACT_ITEM_ADDED,
        by=by,
        party=compact.agency,
        about=item,
        carries={"asks": asks, "citation": citation},
    )
    return item
