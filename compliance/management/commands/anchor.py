from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from compliance.events.actor import at_the_console
from compliance.verification.anchoring import anchor_rows


class Command(BaseCommand):
    """Bind rows that no event has recorded, as they are now."""

    help = "Binds rows that no event has recorded, with a reason that the event log keeps."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the reason."""
        parser.add_argument("--reason", required=True, help="why no event recorded these rows")

    def handle(self, **options: Any) -> None:
        """Bind the rows, and say how many of which tables."""
        anchored = anchor_rows(by=at_the_console(), reason=options["reason"])
        for table, count in sorted(anchored.items()):
            self.stdout.write(f"{table}: {count:,} anchored")
        if not anchored:
            self.stdout.write("An event has recorded every row.")
