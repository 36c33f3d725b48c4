"""Retry everything that failed: reports that were not made and deliveries that were not sent."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from reports.schedules.deliveries import send_failed_again
from reports.schedules.models import Delivery
from reports.schedules.orders import retry_failed_orders


class Command(BaseCommand):
    """`manage.py retry_failed`."""

    help = "Retries every report that failed and every delivery that could not be sent."

    def handle(self, *_: Any, **__: Any) -> None:
        """Make them due again; the workers do the rest."""
        with without_access_scope():
            made = retry_failed_orders(by=SYSTEM)
            sent = send_failed_again(among=Delivery.objects.all(), by=SYSTEM)
        self.stdout.write(f"Reports being retried: {made:,}. Deliveries being retried: {sent:,}.")
