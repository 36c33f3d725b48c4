"""Single sign-on against a real issuer: it signs in known people and invites nobody."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import requests
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse

from compliance.access.models import Person
from compliance.access.permissions import Role
from compliance.events.models import Event
from compliance.project.configuration import single_sign_on
from compliance.project.environment import read_environment
from tests import servers
from tests.compliance.people import code_of, person_as, with_second_factor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
KNOWN = "operator_clerk-one@example.org"


@pytest.fixture
def issuer(settings) -> Iterator[str]:
    people = [
        {"sub": "known", "email": KNOWN, "email_verified": True},
        {"sub": "unsure", "email": KNOWN, "email_verified": False},
        {"sub": "stranger", "email": "stranger@example.org", "email_verified": True},
        {"sub": "agent", "email": "agent-one@example.org", "email_verified": True},
    ]
    with servers.issuer([json.dumps(each) for each in people]) as place:
        url = f"http://client:secret@{place}/"
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": single_sign_on(url)}}
        yield url


def come_back_as(client: Client, sub: str, asked: str = ""):
    """Go to the issuer, sign in there as `sub`, and follow the redirects back."""
    leads = client.post(f"{reverse('openid_connect_login', args=['oidc'])}{asked}")
    assert leads.status_code == 302
    answered = requests.post(leads.url, data={"sub": sub}, allow_redirects=False, timeout=10)
    return client.get(answered.headers["Location"].replace("http://testserver", ""), follow=True)


@pytest.mark.usefixtures("issuer")
def test_known_person_signs_in_and_event_is_recorded(client):
    clerk = person_as(Role.OPERATOR_CLERK)
    come_back_as(client, "known")
    assert client.session["_auth_user_id"] == str(clerk.pk)
    assert Event.objects.filter(type="session.began").count() == 1


@pytest.mark.usefixtures("issuer")
@pytest.mark.parametrize("sub", ["stranger", "unsure"])
def test_stranger_and_unverified_address_are_rejected(client, sub):
    person_as(Role.OPERATOR_CLERK)
    people = Person.objects.count()
    come_back_as(client, sub)
    assert "_auth_user_id" not in client.session
    assert Person.objects.count() == people


@pytest.mark.usefixtures("issuer")
def test_an_agent_still_owes_the_second_factor(client):
    secret = with_second_factor(person_as(Role.AGENT))
    answer = come_back_as(client, "agent")
    assert answer.redirect_chain[-1][0] == reverse("mfa_authenticate")
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert "_auth_user_id" in client.session


@pytest.mark.usefixtures("issuer")
@pytest.mark.parametrize("process", ["connect", "redirect"])
def test_open_session_cannot_join_an_issuers_account(client, process):
    clerk = person_as(Role.OPERATOR_CLERK)
    client.force_login(clerk)
    come_back_as(client, "stranger", f"?process={process}&next=/people/")
    assert not SocialAccount.objects.exists()
    client.logout()
    come_back_as(client, "stranger")
    assert "_auth_user_id" not in client.session


def test_sign_in_page_offers_it_only_if_configured(client, issuer):
    assert "single sign-on" in client.get(reverse("account_login")).text


def test_without_configuration_there_is_none(client):
    assert "single sign-on" not in client.get(reverse("account_login")).text
    assert client.post(reverse("openid_connect_login", args=["oidc"])).status_code == 404


def test_incomplete_address_is_rejected_at_the_start(monkeypatch):
    monkeypatch.setenv("OIDC_URL", "https://issuer.example")
    with pytest.raises(ImproperlyConfigured, match="CLIENT:SECRET@HOST"):
        read_environment()
