"""The checklist of a compact: its lines as licensing reads them, its ticks as the agency finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from compliance import clock
from compliance.event_types import licences as events
from compliance.models import CompactItem, CompactTick, GameRequest
from compliance.permissions import Action
from compliance.selectors.checklist import checklist_of
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import NotAllowedError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.models import Compact, Person

BEFORE_THE_AGENCY = frozenset({GameRequest.State.SUBMITTED, GameRequest.State.AGENCY_APPROVED})


@transaction.atomic
def add_compact_item(*, compact: Compact, asks: str, citation: str, by: Person) -> CompactItem:
    """Add a line to a compact's checklist, as its text has it. Refuses a line that says nothing."""
    require(by, Action.KEEP_LICENCES, compact.agency)
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


@transaction.atomic
def tick_checklist(
    *, request: GameRequest, there: Collection[CompactItem], by: Person, note: str = ""
) -> list[CompactTick]:
    """Say which lines of the checklist a request answers; what was said before is not said again.

    Refuses: anybody but the tribe's agency; a line of another compact; a request that is no longer
    before the agency.
    """
    agency = request.asked_by.agency
    if agency is None:
        msg = "Only a tribe's agency ticks what its compact asks for."
        raise NotAllowedError(msg)
    require(by, Action.DECIDE_AS_AGENCY, agency)
    if request.state not in BEFORE_THE_AGENCY:
        msg = f"The request is {request.get_state_display().lower()}: its checklist is closed."
        raise RefusedError(msg)
    lines = checklist_of(request)
    found = {each.pk for each in there}
    if not found <= {each.item.pk for each in lines}:
        msg = "The checklist holds the lines of the tribe's own compact. Choose from the list."
        raise RefusedError(msg)
    made = []
    for each in lines:
        is_there = each.item.pk in found
        if each.tick is not None and each.tick.there == is_there:
            continue
        tick = CompactTick(
            request=request,
            item=each.item,
            there=is_there,
            note=note,
            by=by.uuid,
            at=clock.now(),
        )
        tick.save()
        made.append(tick)
        record(
            events.CHECKLIST_TICKED,
            by=by,
            party=request.asked_by,
            about=tick,
            carries={"asks": each.item.asks, "there": "there" if is_there else "not there"},
        )
    return made
