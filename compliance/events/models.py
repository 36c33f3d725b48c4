from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar
from uuid import uuid4

from django.db import models

from compliance.events.canonical import digest
from compliance.history import Current, History

FORMAT = 1


class ActorKind(models.TextChoices):
    """The types of actors."""

    PERSON = "person", "A person"
    KEY = "key", "A program with a key"
    SYSTEM = "system", "The system itself"
    ANYONE = "anyone", "Not signed in"


class Event(History):
    """An action: who did what, to what, and why. Written only by `record`.

    People, parties and objects are identified by UUID and not by a foreign key: the log is
    independent of other tables, and checking a leaf reads one row.
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
    states = models.JSONField(
        null=True, help_text="Digests of the rows that changed with it, by table and key; salted."
    )
    signature = models.JSONField(
        null=True, help_text="The actor's personal signature, or why there is none."
    )

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.type} {self.uuid}"

    def content(self) -> dict[str, Any]:
        """Return the recorded content, in the shape that is sealed, hashed and exported."""
        more: dict[str, Any] = {} if self.states is None else {"states": digest(self.states)}
        if self.signature is not None:
            more["signature"] = self.signature
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
            **more,
        }

    def _object(self) -> dict[str, str | None] | None:
        if not self.object_type and self.object is None:
            return None
        return {"type": self.object_type, "id": str(self.object) if self.object else None}

    def leaf(self) -> dict[str, Any]:
        """Return the content of the log's leaf: the event and the number from the database."""
        return self.content() | {"number": self.pk}


class PersonalData(History):
    """The personal data of an event, stored separately so that it can be removed one day.

    The event contains its salted digest; once salt and data are gone the digest reveals nothing.
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
    """An event without a leaf: added with the event, removed when the event is in the log.

    So an event that commits late waits here as soon as it is visible, and is never skipped. `seal`
    is a MAC made when the event is written; it protects the event until a signed checkpoint covers
    it. `refused` is set when the seal does not match: this system did not write the event, and it
    is not added to the log.
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
    """Format an instant in the log's only format: UTC, microseconds."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
