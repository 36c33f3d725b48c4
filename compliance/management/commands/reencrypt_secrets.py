"""Re-encrypt stored secrets after a key rotation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from compliance.access.scope import without_access_scope
from compliance.encryption import SECOND_FACTOR, WEBHOOK, sealed_again
from compliance.events.actor import SYSTEM
from compliance.events.events import REENCRYPTED
from compliance.events.record import record
from compliance.notifications.models import Webhook

ENCRYPTED = ("secret", "seed", "migrated_codes")
"""The parts of an authenticator's data that django-allauth encrypts."""


@dataclass
class Reencrypted:
    """How many rows were re-encrypted, and which ones no key decrypts."""

    second_factors: int = 0
    webhooks: int = 0
    unreadable: tuple[str, ...] = ()


@transaction.atomic
def reencrypt_secrets() -> Reencrypted:
    """Re-encrypt everything that was encrypted with an older key, or nothing.

    A row that no key decrypts is not changed, and is reported. Rows are locked, because a recovery
    code that is used meanwhile is marked in the same row.
    """
    done = Reencrypted()
    for row in Authenticator.objects.select_for_update().order_by("pk"):
        try:
            data = {name: _again(name, value) for name, value in row.data.items()}
        except InvalidToken:
            done.unreadable += (f"{row} of {row.user.email}",)
            continue
        if data != row.data:
            row.data = data
            row.save(update_fields=["data"])
            done.second_factors += 1
    with without_access_scope():
        for webhook in Webhook.objects.select_for_update().order_by("pk"):
            try:
                secret = sealed_again(webhook.secret, WEBHOOK)
            except InvalidToken:
                done.unreadable += (f"webhook {webhook.uuid}",)
                continue
            if secret != webhook.secret:
                Webhook.objects.filter(pk=webhook.pk).update(secret=secret)
                done.webhooks += 1
    if done.second_factors or done.webhooks:
        counts = {"second_factors": done.second_factors, "webhooks": done.webhooks}
        record(REENCRYPTED, by=SYSTEM, carries=counts)
    return done


def _again(name: str, value: Any) -> Any:
    if name not in ENCRYPTED:
        return value
    if isinstance(value, list):
        return [sealed_again(each, SECOND_FACTOR) for each in value]
    return sealed_again(value, SECOND_FACTOR)


class Command(BaseCommand):
    """`manage.py reencrypt_secrets`."""

    help = (
        "Re-encrypts the secrets of second factors and webhooks with the first key of "
        "SECOND_FACTOR_KEYS and WEBHOOK_KEYS."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        """Re-encrypt, print how many, and name those that no key decrypts."""
        done = reencrypt_secrets()
        self.stdout.write(
            f"Re-encrypted the secrets of {done.second_factors:,} second factors and "
            f"{done.webhooks:,} webhooks."
        )
        if done.unreadable:
            names = "\n  ".join(done.unreadable)
            msg = (
                f"No configured key decrypts these, so they were left unchanged:\n  {names}\n"
                "Add the key that encrypted them to the end of SECOND_FACTOR_KEYS or WEBHOOK_KEYS, "
                "and run this again. If the key is lost, the person must set up a new second "
                "factor, or the party a new webhook."
            )
            raise CommandError(msg)
