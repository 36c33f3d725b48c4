"""Queries for mappings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.intake.mapping.models import LogMapping
from compliance.access.scope import without_access_scope

if TYPE_CHECKING:
    from compliance.access.models import Party


def find_mapping(party: Party, name: str) -> LogMapping | None:
    """Return an operator's mapping: its newest version, or the one that `name@3` asks for."""
    name, _, version = name.partition("@")
    with without_access_scope():
        found = LogMapping.objects.filter(party=party, name=name)
        if version:
            found = found.filter(version=int(version) if version.isdigit() else 0)
        return found.order_by("-version").first()


def newest_mappings(party: Party) -> list[LogMapping]:
    """Return the newest version of each of an operator's mappings, by name."""
    newest: dict[str, LogMapping] = {}
    for each in LogMapping.objects.filter(party=party).order_by("name", "-version"):
        newest.setdefault(each.name, each)
    return list(newest.values())
