"""Who decided, and when by the agency's clock, as reports say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from compliance.models import Person

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID


def name_of(uuid: UUID) -> str:
    """The name of a person; empty where it was removed."""
    person = Person.objects.filter(uuid=uuid).first()
    return person.name if person else ""


def local(at: datetime) -> str:
    """An instant to the second, by the agency's clock."""
    return timezone.localtime(at).replace(microsecond=0).isoformat()
