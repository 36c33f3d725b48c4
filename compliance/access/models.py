"""Parties, people, their roles, and API keys."""

from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from compliance.access.managers import Scoped
from compliance.access.permissions import KeyScope, PartyKind, Role
from compliance.changes import CurrentManager, CurrentQuerySet
from compliance.history import Current


class _ShownParties(Scoped["Party"]):
    lookup = "shown_to__party"
    shared = True


class Party(Current):
    """A participant: a commission unit, a card room, a tribe's operation or agency, or a supplier.

    `code` is its name in other programs (`--operator CODE`) and never changes.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=20, choices=PartyKind)
    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=120)
    agency = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="operations",
        help_text="Of a tribal operation: the gaming agency of its tribe.",
    )

    objects = _ShownParties()

    class Meta:
        ordering = ("name",)
        verbose_name_plural = "parties"
        constraints = (
            models.CheckConstraint(
                name="party_kind_is_known", condition=Q(kind__in=PartyKind.values)
            ),
            models.CheckConstraint(
                name="only_a_tribal_operation_has_an_agency",
                condition=Q(agency__isnull=True) | Q(kind=PartyKind.TRIBAL_OPERATION),
            ),
        )

    def __str__(self) -> str:
        return self.name


class PersonManager(BaseUserManager["Person"]):
    """Find people by their sign-in address, ignoring case."""

    _queryset_class = CurrentQuerySet

    def get_by_natural_key(self, username: str | None) -> "Person":
        """Return the person with this address, ignoring case."""
        return self.get(email__iexact=username)


class Person(AbstractBaseUser, Current):
    """A person who signs in; what they may do depends only on their roles in parties.

    People are never deleted: when one leaves, they are made inactive, so their actions keep a name.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    since = models.DateTimeField(auto_now_add=True)
    needs_second_factor = models.BooleanField(
        default=False, help_text="Set by a reset: signs in with a second factor whatever the role."
    )

    personal_fields: ClassVar[tuple[str, ...]] = ("email", "name", "password", "last_login")

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    objects = PersonManager()

    class Meta:
        ordering = ("name",)
        verbose_name_plural = "people"
        constraints = (
            models.UniqueConstraint(Lower("email"), name="an_address_belongs_to_one_person"),
        )

    def __str__(self) -> str:
        return self.name


class Membership(Current):
    """A role that a person has or had in a party. It is ended, never removed."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="memberships")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships"
    )
    role = models.CharField(max_length=24, choices=Role)
    since = models.DateTimeField()
    ended = models.DateTimeField(null=True, blank=True)

    objects = Scoped["Membership"]()

    class Meta:
        ordering = ("person__name", "role")
        constraints = (
            models.CheckConstraint(name="role_is_known", condition=Q(role__in=Role.values)),
            models.UniqueConstraint(
                fields=("party", "person", "role"),
                condition=Q(ended__isnull=True),
                name="a_role_is_held_once_at_a_time",
            ),
        )

    def __str__(self) -> str:
        return f"{self.person}, {self.get_role_display()} of {self.party}"


class Visibility(Current):
    """A party that can see a shared object; a subclass names the object.

    Everything visible to more than one party goes through such rows, which only services write.
    """

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")

    class Meta:
        abstract = True


class PartyVisibility(Visibility):
    """Who can see a party: itself, and a tribe's agency sees the operations it regulates."""

    shown = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="shown_to")

    objects = CurrentManager["PartyVisibility"]()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("shown", "party"), name="a_party_is_shown_once"),
        )

    def __str__(self) -> str:
        return f"{self.shown} to {self.party}"


class _OfParty(Scoped["ApiKey"]):
    pass


class ApiKey(Current):
    """A key for a party's program. It is revoked or expires, and is never removed.

    Only the SHA-256 of its secret is kept: 256 random bits need no slow hash.
    """

    personal_fields: ClassVar[tuple[str, ...]] = ("last_address", "secret_sha256")

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="api_keys")
    name = models.CharField(max_length=60)
    begins = models.CharField(
        max_length=12, help_text="The first characters of the secret, to recognize the key."
    )
    secret_sha256 = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(help_text="What it allows.")
    networks = models.JSONField(help_text="Addresses it may come from (CIDR); empty for any.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made = models.DateTimeField()
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True)
    last_used = models.DateTimeField(null=True)
    last_address = models.CharField(max_length=45, blank=True)
    due = models.BigIntegerField(
        default=0, help_text="Microseconds: up to when its allowance of requests is used up."
    )

    objects = _OfParty()

    class Meta:
        ordering = ("-made", "-id")

    def __str__(self) -> str:
        return self.name

    @property
    def scopes_in_words(self) -> list[str]:
        """Return the key's scopes in words."""
        return [KeyScope(each).label for each in self.scopes]

    @property
    def a_minute(self) -> int:
        """Return how many requests it may make in a minute."""
        rate: int = settings.API_RATE
        return rate
