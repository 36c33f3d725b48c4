"""Access changes on the pages: a recently used second factor, and what is shown."""

from __future__ import annotations

import time

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from compliance.access.models import Membership, Person
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.people.models import AccessChange
from tests.compliance.accounts.access import has_signed_in
from tests.compliance.people import (
    PASSWORD,
    code_of,
    party_for,
    person_as,
    signed_in,
    with_second_factor,
)

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
LONG_AGO = 301
"""Seconds: one more than a second factor stays fresh."""


def administrator(code: str) -> tuple[Person, Client, str]:
    """Return someone who signed in, with all factors, longer ago than a factor stays fresh."""
    person = person_as(Role.ADMINISTRATOR, code)
    secret = with_second_factor(person)
    client = signed_in(Client(), person)
    session = client.session
    session["account_authentication_methods"][0]["at"] = time.time() - LONG_AGO
    session.save()
    return person, client, secret


def proposed(owner: Person, by: Person) -> AccessChange:
    with without_access_scope():
        return AccessChange.objects.create(
            what=AccessChange.What.RESET,
            party=party_for(Role.AGENT, "field"),
            person=owner,
            reason="The phone fell into the lake.",
            proposed_by=by,
            proposed=timezone.now(),
            expires=timezone.now() + timezone.timedelta(days=1),
        )


def test_stale_second_factor_confirms_nothing():
    first, _, _ = administrator("field")
    _, client, secret = administrator("licensing")
    owner = person_as(Role.AGENT, "field")
    with_second_factor(owner)
    change = proposed(owner, first)
    page, act = (
        reverse(name, args=[change.uuid]) for name in ("access_change", "confirm_access_change")
    )
    leads_to = f"{reverse('mfa_reauthenticate')}?next={page}"
    assert client.post(act).url.replace("%2F", "/") == leads_to
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.post(act).url.replace("%2F", "/") == leads_to
    assert Authenticator.objects.filter(user=owner).exists()
    assert client.post(leads_to, {"code": code_of(secret), "next": page}).url == page
    assert client.post(act).url == page
    assert "You confirmed this change" in client.get(page).text
    assert not Authenticator.objects.filter(user=owner).exists()


def test_password_in_open_session_adds_no_factor():
    _, client, _ = administrator("field")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.get(reverse("mfa_add_webauthn")).url.startswith(reverse("mfa_reauthenticate"))


@pytest.mark.parametrize("name", ["invite_person", "end_role", "reset_second_factor"])
def test_stale_second_factor_proposes_nothing(name):
    _, client, _ = administrator("field")
    agent = person_as(Role.AGENT, "field")
    with without_access_scope():
        found = Membership.objects.get(person=agent)
    args = ["field"] if name == "invite_person" else ["field", found.pk]
    given = {"email": "new@example.org", "role": Role.AGENT, "reason": "New hire."}
    answer = client.post(reverse(name, args=args), given)
    assert answer.url.startswith(reverse("mfa_reauthenticate"))
    with without_access_scope():
        assert not AccessChange.objects.exists()
    assert not mail.outbox


def test_form_says_whether_a_second_person_confirms():
    first = person_as(Role.ADMINISTRATOR, "field")
    with_second_factor(first)
    page = reverse("invite_person", args=["field"])
    client = signed_in(Client(), first)
    assert "so this takes effect immediately" in client.get(page).text
    has_signed_in(person_as(Role.ADMINISTRATOR, "licensing"))
    assert "takes effect when a second person confirms it" in client.get(page).text


def test_overview_says_where_a_new_system_begins():
    first = person_as(Role.ADMINISTRATOR, "field")
    with_second_factor(first)
    client = signed_in(Client(), first)
    assert "Register units and parties" in client.get(reverse("home")).text
    with without_access_scope():
        Membership.objects.update(ended=timezone.now())
    assert "You have no role now" in client.get(reverse("home")).text
    assert "You have no role now" not in Client().get(reverse("home")).text


def test_manager_of_a_card_room_invites_alone():
    manager = person_as(Role.OPERATOR_MANAGER)
    with_second_factor(manager)
    client = signed_in(Client(), manager)
    code = party_for(Role.OPERATOR_MANAGER).code
    given = {"email": "new@example.org", "role": Role.OPERATOR_CLERK}
    assert client.post(reverse("invite_person", args=[code]), given).status_code == 302
    assert mail.outbox[0].to == ["new@example.org"]


def test_clerk_sets_up_a_second_factor_after_a_reset():
    clerk = person_as(Role.OPERATOR_CLERK)
    client = signed_in(Client(), clerk)
    assert client.get(reverse("account")).status_code == 200
    Person.objects.filter(pk=clerk.pk).update(needs_second_factor=True)
    assert client.get(reverse("account")).url == reverse("mfa_index")


def test_waiting_changes_are_counted_for_who_may_decide():
    first, own, _ = administrator("field")
    _, other, _ = administrator("licensing")
    proposed(person_as(Role.AGENT, "field"), first)
    waits = "An access change is waiting for you"
    assert waits in other.get(reverse("home")).text
    assert waits not in own.get(reverse("home")).text
    listed = reverse("access_changes")
    assert "1 change waiting for you" in other.get(listed).text
    assert "Nothing is waiting for you" in own.get(listed).text
    assert "You proposed this change" in own.get(listed).text
