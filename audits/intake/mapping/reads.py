"""Queries for mappings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef

from audits.intake.mapping.models import LogMapping
from compliance.access.scope import without_access_scope

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from compliance.access.models import Party


def find_mapping(party: Party, name: str) -> LogMapping | None:
    """Return an operator's mapping: its newest version, or the one that `name@3` asks for."""
    name, _, version = name.partition("@")
    with without_access_scope():
        found = LogMapping.objects.filter(party=party, name=name)
        if version:
            found = found.filter(version=int(version) if version.isdigit() else 0)
        return found.order_by("-version").first()


def newest_of_visible() -> QuerySet[LogMapping]:
    """Return the newest version of each mapping in the access scope, by name."""
    newer = LogMapping.objects.filter(
        party=OuterRef("party"), name=OuterRef("name"), version__gt=OuterRef("version")
    )
    found = LogMapping.objects.filter(~Exists(newer)).select_related("party")
    return found.order_by("name", "party__name")
