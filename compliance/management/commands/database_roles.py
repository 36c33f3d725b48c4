"""Give the database roles of the running system and of a verifier what they need."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.errors import RefusedError
from compliance.verification.roles import grant_roles


class Command(BaseCommand):
    """`manage.py database_roles --runtime ROLE [--verifier ROLE]`, as the owner of the tables."""

    help = "Lets the system run as a database role that cannot remove what guards history."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the two roles."""
        parser.add_argument("--runtime", required=True, metavar="ROLE", help="of `serve`")
        parser.add_argument("--verifier", default="", metavar="ROLE", help="of `verify all`")

    def handle(self, **options: Any) -> None:
        """Grant and revoke, and say on how many tables."""
        try:
            tables = grant_roles(runtime=options["runtime"], verifier=options["verifier"])
        except RefusedError as refused:
            raise CommandError(str(refused), returncode=2) from None
        self.stdout.write(f"{tables:,} tables: granted to {options['runtime']}.")
