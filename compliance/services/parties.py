"""Parties: who takes part, and to whom each is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from compliance.actor import SYSTEM
from compliance.choices import PartyKind
from compliance.event_types import people
from compliance.models import Party, PartyVisibility
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from compliance.models import Person


@transaction.atomic
def register_party(
    *, kind: PartyKind, code: str, name: str, agency: Party | None = None, by: Person | None
) -> Party:
    """Register a party and show it to itself, and to the agency of its tribe.

    `by` is nobody only while the system is set up, before anybody can sign in.
    Refuses: a code that is taken; a tribal operation without its agency; an agency elsewhere.
    """
    if by is not None:
        require(by, Action.REGISTER_PARTY)
    if (kind == PartyKind.TRIBAL_OPERATION) != (agency is not None):
        msg = "A tribal operation names the gaming agency of its tribe; no other party names one."
        raise RefusedError(msg)
    if agency is not None and agency.kind != PartyKind.TRIBAL_AGENCY:
        msg = f"{agency.name} is not a tribal gaming agency."
        raise RefusedError(msg)
    with without_walls():
        if Party.objects.filter(code=code).exists():
            msg = f"The code {code!r} belongs to another party. Choose one that is free."
            raise RefusedError(msg)
        party = Party(kind=kind, code=code, name=name, agency=agency)
        party.full_clean()
        party.save()
    PartyVisibility.objects.bulk_create(
        PartyVisibility(shown=party, party=viewer)
        for viewer in [party, *([agency] if agency else [])]
    )
    record(
        people.PARTY_REGISTERED,
        by=by or SYSTEM,
        party=party,
        about=party,
        carries={"code": code, "kind": kind.label},
    )
    return party
