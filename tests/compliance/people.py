"""Parties and people for tests, created through the services."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, generate_totp_secret, hotp_value

from compliance.access.models import Party, Person
from compliance.access.permissions import ROLES_OF_KIND, PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.people.writes import give_role, register_party

if TYPE_CHECKING:
    from django.test import Client

PASSWORD = "a long enough pass phrase"


def made_party(kind: PartyKind, code: str, agency: Party | None = None) -> Party:
    if kind == PartyKind.TRIBAL_OPERATION and agency is None:
        agency = made_party(PartyKind.TRIBAL_AGENCY, f"{code}-agency")
    return register_party(kind=kind, code=code, name=f"The {code}", agency=agency, by=None)


def made_person(name: str, party: Party | None = None, role: Role | None = None) -> Person:
    email = f"{name}@example.org"
    person = Person(email=email, name=name.title())
    person.set_password(PASSWORD)
    person.save()
    EmailAddress.objects.create(user=person, email=email, verified=True, primary=True)
    if party is not None and role is not None:
        give_role(person=person, party=party, role=role, by=None)
    return person


def party_for(role: Role, code: str | None = None) -> Party:
    """Return a party in which the role exists; the same one for the same code."""
    kind = next(kind for kind, roles in ROLES_OF_KIND.items() if role in roles)
    code = code or kind.value.replace("_", "-")
    with without_access_scope():
        found = Party.objects.filter(code=code).first()
    return found or made_party(kind, code)


def person_as(role: Role, code: str | None = None) -> Person:
    return made_person(f"{role.value}-{code or 'one'}", party_for(role, code), role)


def with_second_factor(person: Person) -> str:
    """Give a person an authenticator app; return its secret."""
    secret = generate_totp_secret()
    Authenticator.objects.create(
        user=person,
        type=Authenticator.Type.TOTP,
        data={"secret": get_adapter().encrypt(secret)},
    )
    return secret


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def signed_in(client: Client, person: Person) -> Client:
    """Sign a person in with all their factors."""
    client.force_login(person)
    session = client.session
    session["account_authentication_methods"] = [{"method": "mfa", "at": time.time()}]
    session["account_authentication_methods_user"] = str(person.pk)
    session.save()
    return client
