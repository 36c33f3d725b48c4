"""Visits as they stand: each item with the newest look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.models import Look, VisitItem

if TYPE_CHECKING:
    from audits.models import Visit


def items_with_looks(visit: Visit) -> list[tuple[VisitItem, Look | None]]:
    """Every item of a visit in order, with the newest look at it."""
    newest = {each.item_id: each for each in Look.objects.filter(item__visit=visit).order_by("pk")}
    items = VisitItem.objects.filter(visit=visit).select_related("visit__party", "swap__operator")
    return [(each, newest.get(each.pk)) for each in items]
