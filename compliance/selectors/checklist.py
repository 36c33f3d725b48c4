"""What a compact asks of a filing, and what the tribe's agency found of it in a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.models import CompactItem, CompactTick, GameRequest

if TYPE_CHECKING:
    from compliance.models import CompactItem as Item


@dataclass(frozen=True)
class Checked:
    """One line of the checklist, and the last that was said of it; None where nothing was."""

    item: Item
    tick: CompactTick | None


def checklist_of(request: GameRequest) -> list[Checked]:
    """The lines that the compacts of the asker's tribe have; none on the commercial path."""
    if request.path != GameRequest.Path.TRIBAL or request.asked_by.agency_id is None:
        return []
    items = CompactItem.objects.filter(compact__agency=request.asked_by.agency_id)
    last = {each.item_id: each for each in CompactTick.objects.filter(request=request)}
    return [Checked(item, last.get(item.pk)) for item in items.select_related("compact")]
