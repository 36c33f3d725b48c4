"""Programs with keys, for tests: created through the service, sending requests like programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.test import Client

from compliance.access.models import ApiKey, Membership
from compliance.access.scope import memberships_of, without_access_scope
from compliance.people.api_keys import make_key, scopes_open_to
from tests.compliance.people import made_person, party_for, with_second_factor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compliance.access.models import Person
    from compliance.access.permissions import KeyScope, Role


def maker_of(role: Role, code: str | None = None) -> Person:
    """Return the same person of this role and party each time, with a second factor."""
    party = party_for(role, code)
    with without_access_scope():
        membership = (
            Membership.objects.filter(party=party, role=role).select_related("person").first()
        )
    if membership is not None:
        return membership.person
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
    """Create a key of this role's party for `scopes`, or for everything its maker may do."""
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
    """A client that sends a key."""

    def __init__(self, secret: str, **headers: str) -> None:
        self.client = Client()
        self.headers = {"Authorization": f"Bearer {secret}", **headers}

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(path, query, headers=self.headers)

    def post(self, path: str, body: Any = None, *, name: str | None = None) -> Any:
        """Send a POST; `name` is the idempotency key, by default a new one."""
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
