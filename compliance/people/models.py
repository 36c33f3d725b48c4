"""Invitations, access changes, known devices and limits on sign-ins."""

from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from compliance.access.managers import Scoped
from compliance.access.models import Party
from compliance.access.permissions import Role
from compliance.history import Current


class Invitation(Current):
    """An invitation by email to a role in a party. There is no other way in.

    The email contains a secret of which only the SHA-256 is kept. It can be used once, until it
    expires.
    """

    personal_fields: ClassVar[tuple[str, ...]] = ("email", "name", "secret_sha256")

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=24, choices=Role)
    email = models.EmailField(max_length=254)
    name = models.CharField(max_length=120, blank=True, help_text="Suggested to the person.")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="None for the first administrator, invited from the command line.",
    )
    secret_sha256 = models.CharField(max_length=64, unique=True)
    made = models.DateTimeField()
    expires = models.DateTimeField()
    accepted = models.DateTimeField(null=True, blank=True)
    withdrawn = models.DateTimeField(null=True, blank=True)

    objects = Scoped["Invitation"]()

    class Meta:
        ordering = ("-made",)
        constraints = (
            models.CheckConstraint(name="invited_role_is_known", condition=Q(role__in=Role.values)),
            models.CheckConstraint(
                name="an_invitation_ends_one_way",
                condition=Q(accepted__isnull=True) | Q(withdrawn__isnull=True),
            ),
        )

    def __str__(self) -> str:
        return f"{self.email} to {self.party}"


class AccessChange(Current):
    """A change to a person's access that takes two people: one proposes it, another confirms it.

    `person` is the person whose role ends or whose second factor is reset; `email` is who is
    invited.
    """

    class What(models.TextChoices):
        """The changes that take two people."""

        INVITE = "invite", "Invitation"
        END_ROLE = "end_role", "End of a role"
        RESET = "reset_second_factor", "Reset of a second factor"

    class State(models.TextChoices):
        """The state of a change; after `expires` a proposal cannot be confirmed."""

        PROPOSED = "proposed", "Proposed"
        DONE_ALONE = "done_alone", "Done alone"
        CONFIRMED = "confirmed", "Confirmed"
        WITHDRAWN = "withdrawn", "Withdrawn"
        REVERSED = "reversed", "Reversed"

    personal_fields: ClassVar[tuple[str, ...]] = ("email",)

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    what = models.CharField(max_length=20, choices=What)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="access_changes")
    role = models.CharField(max_length=24, choices=Role, blank=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    email = models.EmailField(max_length=254, blank=True)
    reason = models.TextField()
    state = models.CharField(max_length=10, choices=State, default=State.PROPOSED)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed = models.DateTimeField()
    expires = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided = models.DateTimeField(null=True)
    decision_reason = models.TextField(blank=True)
    invitation = models.OneToOneField(
        Invitation, on_delete=models.PROTECT, null=True, related_name="access_change"
    )

    objects = Scoped["AccessChange"]()

    class Meta:
        ordering = ("-proposed", "-id")
        indexes = (
            models.Index(
                fields=("proposed",),
                name="access_changes_to_decide",
                condition=Q(decided__isnull=True),
            ),
        )
        constraints = (
            models.CheckConstraint(
                name="only_a_withdrawal_takes_one_person",
                condition=Q(state__in=("proposed", "done_alone", "withdrawn"))
                | ~Q(decided_by=F("proposed_by")),
            ),
            models.CheckConstraint(
                name="an_access_change_is_decided_by_someone",
                condition=Q(state__in=("proposed", "done_alone"), decided_by=None, decided=None)
                | Q(
                    state__in=("confirmed", "withdrawn", "reversed"),
                    decided_by__isnull=False,
                    decided__isnull=False,
                ),
            ),
        )

    def __str__(self) -> str:
        if self.what == self.What.INVITE:
            return f"Invite {self.email} to {self.party} as {self.get_role_display()}"
        if self.what == self.What.END_ROLE:
            return f"End {self.person}’s role in {self.party}: {self.get_role_display()}"
        return f"Reset {self.person}’s second factor"


class KnownDevice(Current):
    """A browser in which a person has fully signed in.

    It has a random token in a cookie, of which only the SHA-256 is stored here. People who share a
    computer each have a row with the same token.
    """

    personal_fields: ClassVar[tuple[str, ...]] = ("browser", "token_sha256")

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="known_devices"
    )
    token_sha256 = models.CharField(max_length=64)
    browser = models.CharField(max_length=200, help_text="What it calls itself.")
    since = models.DateTimeField()
    last_used = models.DateTimeField(help_text="The last sign-in.")

    class Meta:
        ordering = ("-last_used",)
        constraints = (
            models.UniqueConstraint(
                fields=("token_sha256", "person"), name="a_device_is_known_once_to_a_person"
            ),
        )

    def __str__(self) -> str:
        return f"device known since {self.since:%Y-%m-%d}"


class SignInLimit(Current):
    """Wrong passwords and codes from one network address, known device, or for one account.

    `key` is a keyed digest: the table contains no addresses or people.
    """

    key = models.CharField(max_length=64, unique=True)
    failures = models.PositiveIntegerField(default=0)
    last_attempt = models.DateTimeField()
    wait_until = models.DateTimeField(null=True, help_text="No attempt is checked before this.")

    class Meta:
        indexes = (models.Index(fields=("last_attempt",), name="sign_in_limits_by_age"),)

    def __str__(self) -> str:
        return f"{self.failures} failures"
