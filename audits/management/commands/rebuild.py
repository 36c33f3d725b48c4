from typing import Any

from django.core.management.base import BaseCommand

from audits.review.derived import rebuild
from compliance.events.actor import at_the_console


class Command(BaseCommand):
    """Write derived rows again, as the findings files have them."""

    help = "Rebuilds the rows that `verify all` names as not what the findings files give."

    def handle(self, **_: Any) -> None:
        """Rebuild, and say how many rows of which tables were wrong."""
        rebuilt = rebuild(at_the_console())
        for table, count in sorted(rebuilt.items()):
            self.stdout.write(f"{table}: {count:,} rebuilt")
        if not rebuilt:
            self.stdout.write("Every derived row is what the findings files give.")
