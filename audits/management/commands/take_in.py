"""Read the logs that were handed in, until none waits."""

from typing import Any

from django.core.management.base import BaseCommand

from audits.services.take_in import take_in_what_waits
from compliance.end_with_parent import end_with_parent


class Command(BaseCommand):
    """`manage.py take_in`: what a worker starts; by hand it does the same once."""

    help = "Read the logs that were handed in, until none waits; ends with who started it."

    def handle(self, *_: Any, **__: Any) -> None:
        """Read them, one after the other."""
        end_with_parent()
        read = take_in_what_waits()
        self.stdout.write(f"{read} logs read")
