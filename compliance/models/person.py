from typing import ClassVar
from uuid import uuid4

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower

from compliance.models.kinds import Current


class PersonManager(BaseUserManager["Person"]):
    """Finds people by the address they sign in with, whatever its case."""

    def get_by_natural_key(self, username: str | None) -> "Person":
        """The person of an address; case does not count."""
        return self.get(email__iexact=username)


class Person(AbstractBaseUser, Current):
    """Somebody who signs in. What a person may do follows from roles held in parties alone.

    People are never deleted: one who leaves is made inactive, so that what they did keeps a name.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    since = models.DateTimeField(auto_now_add=True)

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
