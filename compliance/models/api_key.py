from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models

from compliance.models.kinds import Current
from compliance.models.party import Party
from compliance.models.walled import Walled
from compliance.permissions import KeyScope


class _OfParty(Walled["ApiKey"]):
    pass


class ApiKey(Current):
    """A program of a party that asks by itself. It is revoked or expires, and is never removed.

    Of its secret only the SHA-256 is kept: 256 random bits need no slow digest.
    """

    personal_fields: ClassVar[tuple[str, ...]] = ("last_address", "secret_sha256")

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="api_keys")
    name = models.CharField(max_length=60)
    begins = models.CharField(max_length=12, help_text="How the secret begins, to tell keys apart.")
    secret_sha256 = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(help_text="What it is good for.")
    networks = models.JSONField(help_text="Addresses it may come from (CIDR); empty for any.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made = models.DateTimeField()
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True)
    last_used = models.DateTimeField(null=True)
    last_address = models.CharField(max_length=45, blank=True)
    due = models.BigIntegerField(
        default=0, help_text="Microseconds: up to when its allowance of requests is used up."
    )

    objects = _OfParty()

    class Meta:
        ordering = ("-made", "-id")

    def __str__(self) -> str:
        return self.name

    @property
    def scopes_in_words(self) -> list[str]:
        """What it is good for, as people read it."""
        return [KeyScope(each).label for each in self.scopes]


class _OfKeysParty(Walled["KeptAnswer"]):
    lookup = "key__party"


class KeptAnswer(Current):
    """What a request under an idempotency key was answered, so that sent again it does no more."""

    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="kept_answers")
    name = models.CharField(max_length=100, help_text="The idempotency key.")
    request = models.CharField(max_length=64, help_text="SHA-256 of method, address and body.")
    status = models.PositiveSmallIntegerField(default=0)
    location = models.CharField(max_length=200, blank=True)
    body = models.JSONField(null=True)
    at = models.DateTimeField()

    objects = _OfKeysParty()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("key", "name"), name="a_request_is_answered_once"),
        )
        indexes = (models.Index(fields=("key", "at"), name="answers_kept_for_a_key"),)

    def __str__(self) -> str:
        return f"answer to {self.name} of {self.key}"
