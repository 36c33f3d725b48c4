"""Each address, tried as everyone: those with access get in, and for others it doesn't exist."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from compliance.access.models import ApiKey, Membership, Party, Person
from compliance.access.permissions import Action, Role
from compliance.access.scope import without_access_scope
from compliance.acts.models import ProposedAct
from compliance.events.models import Event
from compliance.people.models import AccessChange
from compliance.people.writes import invite
from tests.compliance.addresses import ANYONE, ROWS, SIGNED_IN, addresses
from tests.compliance.api.addresses import OPENED
from tests.compliance.filings import NO_FILINGS, filings_of
from tests.compliance.people import party_for, person_as, signed_in, with_second_factor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

pytestmark = pytest.mark.anywhere

OF_PARTIES = {name: row for name, row in ROWS.items() if row.of}
NOT_THERE = {
    "party": "no-such-party",
    "invitation": uuid4(),
    "membership": 999_999_999,
    "person": uuid4(),
    "access_change": uuid4(),
    "act": uuid4(),
    "api_key": uuid4(),
    "event": uuid4(),
    "object_type": "compliance.invitation",
    "object": uuid4(),
    **NO_FILINGS,
}


NAMES = {"section", "definition_part", "definition_place"}
"""Names that are the same at every party and belong to nobody."""


def of_party(party: Party) -> dict[str, Any]:
    """Return one of each object that an address may name, of this party."""
    with without_access_scope():
        ended_membership = Membership.objects.filter(party=party).latest("pk")
        manager = ended_membership.person
    invitation, _ = invite(
        party=party, role=Role.OPERATOR_CLERK, email=f"{uuid4()}@example.org", by=manager
    )
    event = Event.objects.filter(party=party.uuid, type="person.invited").latest("pk")
    return {
        "party": party.code,
        "invitation": invitation.uuid,
        "membership": ended_membership.pk,
        "person": manager.uuid,
        "access_change": change_in(party, manager),
        "act": act_of(manager),
        "api_key": key_of_party(party, manager),
        "event": event.uuid,
        "object_type": event.object_type,
        "object": event.object,
        **filings_of(party, manager, tuple(NO_FILINGS)),
    }


def change_in(party: Party, manager: Person) -> UUID:
    with without_access_scope():
        return AccessChange.objects.create(
            what=AccessChange.What.RESET,
            party=party,
            person=manager,
            reason="lost the phone",
            proposed_by=manager,
            proposed=timezone.now(),
            expires=timezone.now() + timedelta(days=1),
        ).uuid


def act_of(person: Person) -> UUID:
    """Create a proposed act, which belongs to no party."""
    return ProposedAct.objects.create(
        title="A cap of $300.00",
        address="/law/wager_house_banked/add/",
        answers="",
        permission=Action.KEEP_LAW,
        proposed_by=person,
        proposed=timezone.now(),
    ).uuid


def key_of_party(party: Party, manager: Person) -> UUID:
    with without_access_scope():
        return ApiKey.objects.create(
            party=party,
            name="upload",
            secret_sha256=uuid4().hex,
            scopes=[],
            networks=[],
            by=manager,
            made=timezone.now(),
            expires=timezone.now(),
        ).uuid


def reach(client: Client, name: str, things: dict[str, Any]) -> Any:
    row = ROWS[name]
    return getattr(client, row.method)(reverse(name, args=[things[each] for each in row.of]))


def as_role(role: Role, code: str | None = None) -> Client:
    person = person_as(role, code)
    with_second_factor(person)
    return signed_in(Client(), person)


def each_undone(client: Client, names: Iterable[str]) -> Iterator[str]:
    """Go through addresses, undoing what was done at one before the next, as for a new test."""
    cookies = client.cookies.output(header="", sep=";")
    for name in names:
        client.cookies.clear()
        client.cookies.load(cookies)
        with transaction.atomic():
            yield name
            transaction.set_rollback(True)


def test_every_address_has_its_row():
    assert {pattern.name for pattern in addresses()} == set(ROWS) | set(OPENED)


@pytest.mark.django_db
def test_anonymous_visitor_is_sent_to_sign_in():
    person_as(Role.OPERATOR_MANAGER, "here")
    things = {**of_party(party_for(Role.OPERATOR_MANAGER, "here")), "key": 1}
    with_a_key = {"mfa_remove_webauthn", "mfa_edit_webauthn"}
    let_in = []
    for name in each_undone(Client(), [n for n, row in ROWS.items() if row.open_to != ANYONE]):
        of = ROWS[name].of or (("key",) if name in with_a_key else ())
        address = reverse(name, args=[things[each] for each in of])
        answer = getattr(Client(), ROWS[name].method)(address)
        if answer.status_code != 302 or not answer.url.startswith(reverse("account_login")):
            let_in.append((name, answer.status_code))
    assert let_in == []


def seen(answer: Any) -> tuple[int, str]:
    """Return status and body, without what differs between any two requests."""
    text = re.sub(r'nonce="[^"]+"|csrf\w+" value="[^"]+"|[0-9a-f-]{36}', "", answer.text)
    return answer.status_code, text


@pytest.mark.django_db
@pytest.mark.parametrize("role", [Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK, Role.SUPPLIER])
def test_foreign_object_looks_like_a_missing_one(role):
    client = as_role(role, "here")
    person_as(Role.OPERATOR_MANAGER, "there")
    theirs = of_party(party_for(Role.OPERATOR_MANAGER, "there"))
    client.get(reverse("home"))
    differing = []
    for name in each_undone(client, OF_PARTIES):
        with CaptureQueriesContext(connection) as queries_theirs:
            answer_theirs = reach(client, name, theirs)
        with CaptureQueriesContext(connection) as queries_nothing:
            answer_nothing = reach(client, name, NOT_THERE)
        theirs_looks = (*seen(answer_theirs), len(queries_theirs))
        if theirs_looks != (*seen(answer_nothing), len(queries_nothing)) or theirs_looks[0] != 404:
            differing.append((name, answer_theirs.status_code, len(queries_theirs)))
    assert differing == []


@pytest.mark.django_db
def test_foreign_object_is_not_reached_through_own():
    client = as_role(Role.OPERATOR_MANAGER, "here")
    person_as(Role.OPERATOR_MANAGER, "there")
    theirs = {**of_party(party_for(Role.OPERATOR_MANAGER, "there")), "party": "here"}
    reached = []
    named_by_two = [n for n, row in OF_PARTIES.items() if len({*row.of} - NAMES) > 1]
    for name in each_undone(client, named_by_two):
        answer = seen(reach(client, name, theirs))
        if answer[0] != 404 or answer != seen(reach(client, name, {**NOT_THERE, "party": "here"})):
            reached.append((name, answer[0]))
    assert reached == []


@pytest.mark.django_db
def test_a_list_shows_nothing_of_others():
    client = as_role(Role.OPERATOR_MANAGER, "here")
    other = person_as(Role.OPERATOR_MANAGER, "there")
    answer = client.get(reverse("parties"), follow=True)
    assert "here" in answer.text
    assert other.email not in answer.text
    assert "there" not in re.findall(r"The (\w+)", answer.text)


def test_a_signed_in_row_is_not_about_a_party():
    assert all(not row.of for row in ROWS.values() if row.open_to == SIGNED_IN)
