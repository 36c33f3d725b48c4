"""Load the demonstration's fictional parties, people and filings, once."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from compliance.filings.demonstration import load_filings
from compliance.people.demonstration import load_people, logins_file


class Command(BaseCommand):
    """`manage.py load_demonstration`; a second call changes nothing."""

    help = "Load the demonstration's invented parties, people and filings, once."

    def handle(self, *_: Any, **__: Any) -> None:
        """Reject in production; else load."""
        if settings.PRODUCTION:
            msg = "Production holds no invented parties. Register real ones instead."
            raise CommandError(msg)
        logins = load_people()
        load_filings()
        self.stdout.write(
            f"{len(logins)} people of the demonstration can sign in; "
            f"`manage.py demo_login ROLE` tells how ({logins_file()})."
        )
