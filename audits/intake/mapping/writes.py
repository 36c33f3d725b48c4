"""Save mappings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from audits.intake.events import MAPPING_SAVED
from audits.intake.mapping.definition import read_definition
from audits.intake.mapping.errors import MappingError
from audits.intake.mapping.models import LogMapping
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import Actor
from compliance.events.record import record

if TYPE_CHECKING:
    from compliance.access.scope import Asker


@transaction.atomic
def save_mapping(*, party: Party, content: Any, by: Asker | Actor) -> LogMapping:
    """Save a mapping as the next version of its name; the same content again changes nothing.

    Refuses a caller without permission, a party that deals no rounds, and an invalid mapping.
    """
    if not isinstance(by, Actor):
        require(by, Action.SUBMIT_ROUNDS, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} deals no rounds: only card rooms and tribal operations submit logs."
        raise RefusedError(msg)
    try:
        definition = read_definition(content)
    except MappingError as wrong:
        msg = f"The mapping cannot be used. {wrong}"
        raise RefusedError(msg) from None
    with without_access_scope():
        Party.objects.select_for_update().get(pk=party.pk)  # versions have no gaps
        newest = LogMapping.objects.filter(party=party, name=definition.name).first()
        if newest is not None and newest.content == definition.as_json():
            return newest
        saved = LogMapping(
            party=party,
            name=definition.name,
            version=newest.version + 1 if newest else 1,
            content=definition.as_json(),
            by=None if isinstance(by, Actor) else by.uuid,
            at=clock.now(),
        )
        saved.save()
    carries = {"name": saved.name, "version": saved.version}
    record(MAPPING_SAVED, by=by, party=party, about=saved, carries=carries)
    return saved
