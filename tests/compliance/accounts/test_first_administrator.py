"""From an empty database to an administrator who invites the people of other units."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from compliance.access.models import Membership, Party, Person
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.people.accounts import close_account
from compliance.people.models import Invitation
from tests.compliance.people import PASSWORD, code_of, person_as


def link_from(*arguments: str) -> str:
    output = StringIO()
    call_command("create_administrator", *arguments, stdout=output)
    return re.search(r"http://\S+?(/account/invitation/\S+)", output.getvalue()).group(1)


def test_first_administrator_signs_in_and_invites(own_database):  # commits that are real
    assert not Person.objects.exists()
    link = link_from("Dana Reyes", "dana@agency.example")
    assert link in mail.outbox[0].body
    client = Client()
    assert 'value="Dana Reyes"' in client.get(link).text
    client.post(link, {"name": "Dana Reyes", "password": PASSWORD, "again": PASSWORD})
    client.post(reverse("account_login"), {"login": "dana@agency.example", "password": PASSWORD})
    assert client.get(reverse("parties")).url == reverse("mfa_index")
    secret = client.get(reverse("mfa_activate_totp")).context["form"].secret
    client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    room = {"kind": "card_room", "name": "Maple Lane", "code": "maple"}
    assert client.post(reverse("register_party"), room).status_code == 302
    invited = {"email": "iris@maple.example", "role": Role.OPERATOR_MANAGER}
    client.post(reverse("invite_person", args=["maple"]), invited)
    assert mail.outbox[-1].to == ["iris@maple.example"]
    first = Event.objects.filter(type="person.invited").order_by("pk")[0]
    assert (first.actor_kind, first.payload["role"]) == ("system", "Administrator")
    with without_access_scope():
        assert Party.objects.get(code="administration").name == "Administration"
    assert Client().get(link).status_code == 404


@pytest.mark.django_db
def test_second_run_replaces_the_first_link():
    first = link_from("Dana Reyes", "dana@agency.example")
    second = link_from("Dana Reyes", "dana.reyes@agency.example")
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200
    with without_access_scope():
        assert Party.objects.count() == 1


@pytest.mark.django_db
def test_link_of_the_first_administrator_expires():
    link = link_from("Dana Reyes", "dana@agency.example")
    with without_access_scope():
        invitation = Invitation.objects.get()
        assert invitation.expires - invitation.made == timedelta(hours=24)
        Invitation.objects.update(expires=invitation.made)
    assert Client().get(link).status_code == 404


@pytest.mark.django_db
def test_active_administrator_refuses_another_link():
    link = link_from("Dana Reyes", "dana@agency.example")
    there = person_as(Role.ADMINISTRATOR)
    assert Client().get(link).status_code == 404
    with pytest.raises(CommandError, match=f"Ask {there.name} to invite"):
        call_command("create_administrator", "Eve", "eve@agency.example")


@pytest.mark.django_db
def test_closed_account_and_bad_address_get_no_link():
    admin, clerk = person_as(Role.ADMINISTRATOR), person_as(Role.OPERATOR_CLERK)
    close_account(person=clerk, reason="left", by=admin)
    with without_access_scope():
        Membership.objects.filter(person=admin).update(ended="2026-01-01T00:00:00Z")
    with pytest.raises(CommandError, match="is closed"):
        call_command("create_administrator", "Clerk", clerk.email)
    with pytest.raises(CommandError, match="valid email"):
        call_command("create_administrator", "Clerk", "no address")
    with without_access_scope():
        assert not Invitation.objects.exists()
        assert not Party.objects.filter(code="administration").exists()
