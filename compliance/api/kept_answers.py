"""Responses kept under their idempotency keys, for as long as a request may be retried."""

from __future__ import annotations

from datetime import timedelta

from django.db import models

from compliance import clock
from compliance.access.managers import Scoped
from compliance.access.models import ApiKey
from compliance.access.scope import without_access_scope
from compliance.history import Current


class _OfKeysParty(Scoped["KeptAnswer"]):
    lookup = "key__party"


class KeptAnswer(Current):
    """The response to a request with an idempotency key, so that a retry has no further effect."""

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


ANSWERS_KEPT = timedelta(days=7)


def forget_answers() -> None:
    """Remove expired responses."""
    with without_access_scope():
        KeptAnswer.objects.filter(at__lt=clock.now() - ANSWERS_KEPT).delete()
