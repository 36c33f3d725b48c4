"""Programs with keys, for tests: made through the service, asking as a program does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.test import Client

from compliance.models import ApiKey, Membership
from compliance.services.api_keys import make_key, scopes_open_to
from compliance.walls import memberships_of, without_walls
from tests.compliance.people import made_person, party_for, with_second_factor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compliance.choices import Role
    from compliance.models import Person
    from compliance.permissions import KeyScope


def maker_of(role: Role, code: str | None = None) -> Person:
    """Somebody of this role in this party, with a second factor; the same one each time."""
    party = party_for(role, code)
    with without_walls():
        held = Membership.objects.filter(party=party, role=role).select_related("person").first()
    if held is not None:
        return held.person
    person = made_person(f"{role.value}-of-{party.code}", party, role)
    with_second_factor(person)
    return person


def key_for(
    role: Role,
    code: str | None = None,
    *,
    scopes: Sequence[KeyScope] | None = None,
    networks: Sequence[str] = (),
    days: int = 30,
) -> tuple[ApiKey, str]:
    """A key of this role's party, good for this; for all that its maker may, unless it is said."""
    person = maker_of(role, code)
    if scopes is None:
        scopes = scopes_open_to(memberships_of(person))
    return make_key(
        party=party_for(role, code),
        name="Night upload",
        scopes=scopes,
        networks=networks,
        days=days,
        by=person,
    )


class Program:
    """A client that shows a key."""

    def __init__(self, secret: str, **headers: str) -> None:
        self.client = Client()
        self.headers = {"Authorization": f"Bearer {secret}", **headers}

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(path, query, headers=self.headers)

    def post(self, path: str, body: Any = None, *, name: str | None = None) -> Any:
        """`name` is the idempotency key: a new one, unless it is said."""
        return self.client.post(
            path,
            json.dumps(body if body is not None else {}),
            content_type="application/json",
            headers={**self.headers, "Idempotency-Key": name or str(uuid4())},
        )

    def put(self, path: str, content: bytes = b"", **headers: str) -> Any:
        return self.client.put(
            path,
            content,
            content_type="application/octet-stream",
            headers={**self.headers, **headers},
        )


def program_of(role: Role, code: str | None = None, **more: Any) -> Program:
    return Program(key_for(role, code, **more)[1])
