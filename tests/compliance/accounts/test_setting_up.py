"""Setting up a second factor, with real commits: what it means for sessions."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from compliance.access.permissions import Role
from tests.compliance.people import PASSWORD, code_of, person_as


def test_second_factor_setup_ends_other_sessions(own_database):
    agent = person_as(Role.AGENT)
    here, there = Client(), Client()
    for client in (here, there):
        client.post(reverse("account_login"), {"login": agent.email, "password": PASSWORD})
    secret = here.get(reverse("mfa_activate_totp")).context["form"].secret
    here.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    assert here.get(reverse("parties"), follow=True).status_code == 200
    assert here.session["_auth_user_id"] == str(agent.pk)
    assert there.get(reverse("parties")).url == reverse("account_login")
    assert "_auth_user_id" not in there.session
