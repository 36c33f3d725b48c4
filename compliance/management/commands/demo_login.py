"""Print how to sign in as a person of the demonstration."""

from typing import Any

from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.access.permissions import Role
from compliance.people.demonstration import Login, read_logins


class Command(BaseCommand):
    """`manage.py demo_login ROLE`: name, password and the current code."""

    help = "Print name, password and the current code of a demonstration login."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the role; without one, list them."""
        parser.add_argument("role", nargs="?", choices=[*Role.values], metavar="ROLE")

    def handle(self, *_: Any, **options: Any) -> None:
        """Reject in production; else print."""
        if settings.PRODUCTION:
            msg = "There are no demonstration logins in production. People come by invitation."
            raise CommandError(msg)
        logins = read_logins()
        if not logins:
            msg = "The demonstration is not loaded yet: run `make audit` once."
            raise CommandError(msg)
        if options["role"] is None:
            for login in logins:
                self.stdout.write(f"{login.role:<24} {login.name:<20} {login.party}")
            return
        for login in logins:
            if login.role == options["role"]:
                self._print(login)

    def _print(self, login: Login) -> None:
        code = format_hotp_value(hotp_value(login.secret, next(yield_hotp_counters_from_time())))
        self.stdout.write(f"{login.name}, {Role(login.role).label} ({login.party})")
        self.stdout.write(f"  email address {login.email}")
        self.stdout.write(f"  password      {login.password}")
        self.stdout.write(f"  code          {code}   (of this half minute)\n")
