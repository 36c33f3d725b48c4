"""A fictional commission, card rooms, a tribe's operation and agency, suppliers, and their people.

For a demonstration only: every login has a random password and a random second factor, kept in a
file that only the owner of `VAR` can read.
"""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from django.conf import settings
from django.db import transaction

from compliance.access.models import Party, Person
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.people.events import PASSWORD_CHANGED
from compliance.people.writes import give_role, register_party

PARTIES = (
    (PartyKind.COMMISSION_UNIT, "field", "Field Operations", None),
    (PartyKind.COMMISSION_UNIT, "licensing", "Licensing Operations", None),
    (PartyKind.CARD_ROOM, "cedar", "Cedar Ridge Card Room", None),
    (PartyKind.CARD_ROOM, "harbor", "Harbor Lights Casino", None),
    (PartyKind.TRIBAL_AGENCY, "twin-rivers-agency", "Twin Rivers Gaming Agency", None),
    (PartyKind.TRIBAL_OPERATION, "twin-rivers", "Twin Rivers Casino", "twin-rivers-agency"),
    (PartyKind.SUPPLIER, "northlight", "Northlight Table Games", None),
    (PartyKind.SUPPLIER, "evergreen", "Evergreen Gaming Design", None),
    (PartyKind.SUPPLIER, "sound", "Sound Layouts and Shufflers", None),
    (PartyKind.CARD_ROOM, "westfork", "Westfork Card Room", None),
)
PEOPLE = (
    ("Ada Moreno", "field", Role.AGENT),
    ("Ben Okafor", "field", Role.AGENT),
    ("Carla Jensen", "field", Role.SUPERVISOR),
    ("Dana Whitfield", "licensing", Role.LICENSING),
    ("Elias Brandt", "licensing", Role.FINANCIAL_INVESTIGATIONS),
    ("Frances Lindqvist", "field", Role.DIRECTOR),
    ("George Adeyemi", "field", Role.AUDITOR),
    ("Hana Suzuki", "field", Role.ADMINISTRATOR),
    ("Irene Castillo", "cedar", Role.OPERATOR_MANAGER),
    ("Jon Petersen", "cedar", Role.OPERATOR_CLERK),
    ("Kim Tran", "harbor", Role.OPERATOR_MANAGER),
    ("Lars Holm", "harbor", Role.OPERATOR_CLERK),
    ("Mary Strong", "twin-rivers", Role.OPERATOR_MANAGER),
    ("Nathan Reed", "twin-rivers-agency", Role.AGENCY_REVIEWER),
    ("Olga Weiss", "northlight", Role.SUPPLIER),
    ("Paul Dubois", "evergreen", Role.SUPPLIER),
    ("Quinn Harper", "sound", Role.SUPPLIER),
    ("Rosa Delgado", "westfork", Role.OPERATOR_MANAGER),
    ("Sam Whitaker", "westfork", Role.OPERATOR_CLERK),
)


class Login(NamedTuple):
    """A demonstration login."""

    name: str
    email: str
    role: str
    party: str
    password: str
    secret: str


def logins_file() -> Path:
    """Return the file with the demonstration's logins."""
    return Path(settings.VAR) / "demonstration" / "logins.json"


def load_people() -> list[Login]:
    """Create the demonstration's parties and people once; later calls return the same ones."""
    with transaction.atomic():
        parties = _parties()
        known = {login.email: login for login in read_logins()}
        logins = [_login(name, parties[code], role, known) for name, code, role in PEOPLE]
        # Written before the commit: otherwise the passwords could be lost.
        _write(logins)
    return logins


def read_logins() -> list[Login]:
    """Return the demonstration's logins; none before it was loaded."""
    try:
        rows: list[dict[str, Any]] = json.loads(logins_file().read_text())
    except FileNotFoundError:
        return []
    return [Login(**row) for row in rows]


def _parties() -> dict[str, Party]:
    made: dict[str, Party] = {}
    for kind, code, name, agency in PARTIES:
        with without_access_scope():
            party = Party.objects.filter(code=code).first()
        made[code] = party or register_party(
            kind=kind, code=code, name=name, agency=made[agency] if agency else None, by=None
        )
    return made


def _login(name: str, party: Party, role: Role, known: dict[str, Login]) -> Login:
    email = f"{name.lower().replace(' ', '.')}@{party.code}.example"
    person = Person.objects.filter(email=email).first()
    if person is not None and email in known:
        return known[email]
    login = Login(
        name=name,
        email=email,
        role=role.value,
        party=party.code,
        password=secrets.token_urlsafe(15),
        secret=generate_totp_secret(),
    )
    new = person is None
    person = person or Person(email=email, name=name)
    person.set_password(login.password)
    person.save()
    EmailAddress.objects.get_or_create(
        user=person, email=email, defaults={"verified": True, "primary": True}
    )
    Authenticator.objects.update_or_create(
        user=person,
        type=Authenticator.Type.TOTP,
        defaults={"data": {"secret": get_adapter().encrypt(login.secret)}},
    )
    if new:
        give_role(person=person, party=party, role=role, by=None)
    else:
        came_from = {"address": "", "browser": ""}
        record(PASSWORD_CHANGED, by=SYSTEM, about=person, personal=came_from)
    return login


def _write(logins: list[Login]) -> None:
    path = logins_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".new")
    aside.touch(mode=0o600)
    aside.write_text(json.dumps([login._asdict() for login in logins], indent=2))
    aside.replace(path)
