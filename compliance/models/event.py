from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar
from uuid import uuid4

from django.db import models

from compliance.models.kinds import Current, History

FORMAT = 1


class ActorKind(models.TextChoices):
    """Who can do something."""

    PERSON = "person", "A person"
    KEY = "key", "A program with a key"
    SYSTEM = "system", "The system itself"
    ANYONE = "anyone", "Somebody not signed in"


class Event(History):
    """Something that happened: who did what, to what, why. Written by `services.record` alone.

    People, parties and objects are named by their UUID and not by a foreign key: the log stands
    alone, and checking a leaf reads one row.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    at = models.DateTimeField(db_index=True)
    type = models.CharField(max_length=60, db_index=True)
    actor_kind = models.CharField(max_length=8, choices=ActorKind)
    actor = models.UUIDField(null=True, db_index=True)
    party = models.UUIDField(null=True, db_index=True)
    object_type = models.CharField(max_length=60, blank=True)
    object = models.UUIDField(null=True, db_index=True)
    reason = models.TextField(blank=True)
    before = models.CharField(max_length=64, blank=True)
    after = models.CharField(max_length=64, blank=True)
    payload = models.JSONField(default=dict)
    personal_digest = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.type} {self.uuid}"

    def content(self) -> dict[str, Any]:
        """Tell what is recorded, in the shape that is sealed, hashed and exported."""
        return {
            "version": FORMAT,
            "id": str(self.uuid),
            "at": timestamp(self.at),
            "type": self.type,
            "actor": {"kind": self.actor_kind, "id": self.actor and str(self.actor)},
            "party": self.party and str(self.party),
            "object": self._object(),
            "reason": self.reason,
            "before": self.before or None,
            "after": self.after or None,
            "payload": self.payload,
            "personal": self.personal_digest or None,
        }

    def _object(self) -> dict[str, str | None] | None:
        if not self.object_type and self.object is None:
            return None
        return {"type": self.object_type, "id": str(self.object) if self.object else None}

    def leaf(self) -> dict[str, Any]:
        """Tell what the log's leaf holds: the content and the number the database gave it."""
        return self.content() | {"number": self.pk}


class PersonalData(History):
    """The part of an event that is about people, apart from it so that it can be removed one day.

    The event holds its salted digest; once salt and data are gone the digest tells nothing.
    """

    erasable_fields: ClassVar[tuple[str, ...]] = ("salt", "data")

    event = models.OneToOneField(
        Event, on_delete=models.PROTECT, primary_key=True, related_name="personal"
    )
    salt = models.BinaryField(max_length=32, null=True)
    data = models.JSONField(null=True)

    class Meta:
        verbose_name_plural = "personal data"

    def __str__(self) -> str:
        return f"personal data of event {self.event_id}"


class Waiting(Current):
    """An event without a leaf: written with the event, taken away when it gets its place.

    So what commits late waits here as soon as it can be seen, and is never skipped. `seal` is a MAC
    made when the event is written; it keeps the event honest until a signed checkpoint covers it.
    `refused` is set when the seal does not fit: this system did not write it, it gets no place.
    """

    event = models.OneToOneField(
        Event, on_delete=models.PROTECT, primary_key=True, related_name="waiting"
    )
    seal = models.BinaryField(max_length=32)
    refused = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "waiting"

    def __str__(self) -> str:
        return f"event {self.event_id} waits for its leaf"


def timestamp(at: datetime) -> str:
    """Write an instant in the one way the log uses: UTC, microseconds."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
