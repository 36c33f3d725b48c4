"""Invite the first administrator of a new system."""

from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.timezone import localtime

from compliance.errors import RefusedError
from compliance.mail import why
from compliance.people.writes import invite_first_administrator


class Command(BaseCommand):
    """`manage.py create_administrator NAME ADDRESS`."""

    help = (
        "Invite the first administrator: print and mail a link that works once, for 24 hours. "
        "The person sets a password and a second factor there, then invites everyone else."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the name and address."""
        parser.add_argument("name", metavar="NAME", help='full name, as "Dana Reyes"')
        parser.add_argument("email", metavar="ADDRESS", help="email address to sign in with")

    def handle(self, *_: Any, **options: Any) -> None:
        """Invite, then print and email the link; it is printed even if the email fails."""
        try:
            invitation, secret = invite_first_administrator(
                name=options["name"], email=options["email"]
            )
        except RefusedError as refused:
            raise CommandError(str(refused)) from None
        except ValidationError as invalid:
            raise CommandError(" ".join(invalid.messages)) from None
        link = f"{settings.SITE_URL}{reverse('accept_invitation', args=[secret])}"
        until = localtime(invitation.expires)
        self.stdout.write(
            f"{invitation.name} can become the administrator until "
            f"{until:%B %-d, %Y, %-I:%M %p %Z}.\n"
            "The link works once. Anyone who has it can take the role, so give it to them in "
            f"person or by another safe channel:\n\n{link}\n"
        )
        context = {
            "agency": settings.AGENCY_NAME,
            "invitation": invitation,
            "link": link,
            "second_factor": True,
        }
        try:
            send_mail(
                f"{settings.AGENCY_NAME}: you are invited to {invitation.party.name}",
                render_to_string("people/invitation.txt", context),
                None,
                [invitation.email],
            )
        except (OSError, SMTPException) as failure:
            self.stderr.write(f"The email to {invitation.email} was not sent: {why(failure)}")
        else:
            self.stdout.write(f"\nThe same link was emailed to {invitation.email}.")
