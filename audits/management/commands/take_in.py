"""Ingest the submitted logs until none is pending."""

from typing import Any

from django.core.management.base import BaseCommand

from audits.intake.ingestion import take_in_what_waits
from compliance.files.sandbox import end_with_parent


class Command(BaseCommand):
    """`manage.py take_in`: started by a worker; run by hand, it does the same once."""

    help = "Read the logs that were submitted, until none waits; ends with who started it."

    def handle(self, *_: Any, **__: Any) -> None:
        """Ingest them one by one."""
        end_with_parent()
        read = take_in_what_waits()
        self.stdout.write(f"{read} logs read")
