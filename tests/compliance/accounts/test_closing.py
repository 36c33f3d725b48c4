"""An account is closed, with everything that opens anything in its name, and reopened."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from compliance.access.models import ApiKey, Person
from compliance.access.permissions import KeyScope, Role
from compliance.access.reads import key_of
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.notifications.models import CalendarFeed
from compliance.notifications.writes import make_calendar
from compliance.people.accounts import close_account, reopen_account
from compliance.people.api_keys import make_key
from compliance.people.models import Invitation, KnownDevice
from compliance.people.writes import invite, open_invitation
from tests.compliance.people import (
    PASSWORD,
    code_of,
    party_for,
    person_as,
    signed_in,
    with_second_factor,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin():
    return person_as(Role.ADMINISTRATOR)


def sign_in(person: Person, secret: str) -> Client:
    client = Client()
    client.post(reverse("account_login"), {"login": person.email, "password": PASSWORD})
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    return client


def test_closing_ends_sessions_keys_and_all_else(admin):
    manager = person_as(Role.OPERATOR_MANAGER)
    person_as(Role.OPERATOR_MANAGER, "second")  # of another party, which doesn't matter
    party = party_for(Role.OPERATOR_MANAGER)
    factor = with_second_factor(manager)
    session = sign_in(manager, factor)
    assert session.get(reverse("people", args=[party.code])).status_code == 200
    _, key = make_key(
        party=party, name="upload", scopes=[KeyScope.ROUNDS], networks=[], days=9, by=manager
    )
    _, way_in = invite(party=party, role=Role.OPERATOR_CLERK, email="new@example.org", by=manager)
    make_calendar(by=manager)
    assert KnownDevice.objects.filter(person=manager).count() == 1

    client = signed_in(Client(), admin)
    with_second_factor(admin)
    answer = client.post(
        reverse("close_account", args=[manager.uuid]), {"reason": "left on Monday"}, follow=True
    )
    assert "account is closed" in answer.text

    assert session.get(reverse("people", args=[party.code])).status_code == 302
    assert "_auth_user_id" not in sign_in(manager, factor).session
    assert key_of(key) is None
    assert open_invitation(way_in) is None
    assert not CalendarFeed.objects.filter(revoked=None).exists()
    assert not KnownDevice.objects.filter(person=manager).exists()
    closed = Event.objects.get(type="person.deactivated")
    assert closed.reason == "left on Monday"
    assert (closed.payload["keys"], closed.payload["invitations"]) == (1, 1)
    assert closed.payload["sessions"] == 1


def test_reopening_restores_only_sign_in_and_roles(admin):
    manager = person_as(Role.OPERATOR_MANAGER)
    party = party_for(Role.OPERATOR_MANAGER)
    factor = with_second_factor(manager)
    session = sign_in(manager, factor)
    made, key = make_key(
        party=party, name="upload", scopes=[KeyScope.ROUNDS], networks=[], days=9, by=manager
    )
    _, way_in = invite(party=party, role=Role.OPERATOR_CLERK, email="n@example.org", by=manager)
    close_account(person=manager, reason="on leave", by=admin)
    reopen_account(person=manager, reason="back", by=admin)
    assert session.get(reverse("account")).status_code == 302
    assert key_of(key) is None
    assert open_invitation(way_in) is None
    assert [membership.role for membership in memberships_of(manager)] == [Role.OPERATOR_MANAGER]
    with without_access_scope():
        assert ApiKey.objects.get(pk=made.pk).revoked is not None
        assert Invitation.objects.get().withdrawn is not None
    again = Client()
    again.post(reverse("account_login"), {"login": manager.email, "password": PASSWORD})
    assert again.get(reverse("mfa_authenticate")).status_code == 200
    with pytest.raises(RefusedError, match="already open"):
        reopen_account(person=manager, reason="once more", by=admin)


def test_nobody_closes_their_own_account(admin):
    person_as(Role.ADMINISTRATOR, "second")
    with pytest.raises(NotAllowedError, match="your own account"):
        close_account(person=admin, reason="tired", by=admin)


def test_administrator_closed_meanwhile_closes_no_account(admin):
    other = person_as(Role.ADMINISTRATOR, "second")
    close_account(person=other, reason="first", by=admin)
    with pytest.raises(NotAllowedError, match="was just closed"):
        close_account(person=admin, reason="second", by=other)
    assert Person.objects.get(pk=admin.pk).is_active


def test_only_an_administrator_closes_accounts():
    clerk = person_as(Role.OPERATOR_CLERK)
    for role in (Role.OPERATOR_MANAGER, Role.DIRECTOR):
        with pytest.raises(NotAllowedError):
            close_account(person=clerk, reason="no", by=person_as(role))


def test_closing_without_a_reason_changes_nothing(admin):
    clerk = person_as(Role.OPERATOR_CLERK)
    with_second_factor(admin)
    client = signed_in(Client(), admin)
    answer = client.post(reverse("close_account", args=[clerk.uuid]), {"reason": " "})
    assert answer.status_code == 422
    assert Person.objects.get(pk=clerk.pk).is_active


def test_account_pages_show_who_closed_what_and_why(admin):
    clerk = person_as(Role.OPERATOR_CLERK)
    close_account(person=clerk, reason="badge lost", by=admin)
    with_second_factor(admin)
    client = signed_in(Client(), admin)
    listed = client.get(reverse("accounts"), {"state": "closed"}).text
    assert clerk.email in listed
    assert admin.email not in listed
    page = client.get(reverse("account_of", args=[clerk.uuid])).text
    assert f"by {admin.name}: badge lost" in page
    assert "Reopen account" in page
    assert timezone.localtime().strftime("%Y") in page
