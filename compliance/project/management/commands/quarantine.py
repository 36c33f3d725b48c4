from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from compliance.project.messages import MOST_BYTES
from compliance.project.models import RefusedMessage
from compliance.project.operations import quarantine


class Command(BaseCommand):
    """Show the messages that were set aside because this system did not send them."""

    help = "Shows messages in the broker that this system did not send; --clear deletes them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add `--clear`."""
        parser.add_argument("--clear", action="store_true", help="delete them and end the alarm")

    def handle(self, *, clear: bool, **_: Any) -> None:
        """Print the count for each reason, and the first messages in readable form."""
        if clear:
            self.stdout.write(f"Deleted: {quarantine.clear():,}.")
            return
        counts = quarantine.refused()
        if not counts:
            self.stdout.write("No messages were set aside.")
            return
        for each in counts:
            self.stdout.write(f"{each.count:>12,}  {each.reason}, last {each.last_at:%F %T %Z}")
        for one in RefusedMessage.objects.iterator():
            content = ascii(bytes(one.content))[2:-1]
            cut = f" (the first {MOST_BYTES:,} bytes)" if one.size > MOST_BYTES else ""
            self.stdout.write(
                f"{one.number}. {one.at:%F %T %Z}, {one.reason}, {one.size:,} bytes{cut}: {content}"
            )
