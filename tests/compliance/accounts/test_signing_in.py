"""Signing in, through the pages: passwords, second factors, invitations, sessions that end."""

import logging
import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import settings
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse

from compliance.access.models import Membership, Person
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.people.models import Invitation
from compliance.people.sessions import BEGAN, SEEN
from tests.compliance.people import (
    PASSWORD,
    code_of,
    made_person,
    party_for,
    person_as,
    signed_in,
    with_second_factor,
)

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def enter(client: Client, person: Person, password: str = PASSWORD):
    return client.post(
        reverse("account_login"), {"login": person.email, "password": password}, follow=True
    )


def events(kind: str) -> int:
    return Event.objects.filter(type=kind).count()


def test_a_clerk_signs_in_with_mail_address_and_password(client):
    clerk = person_as(Role.OPERATOR_CLERK)
    answer = enter(client, clerk)
    assert answer.status_code == 200
    assert client.session["_auth_user_id"] == str(clerk.pk)
    assert events("session.began") == 1


def test_wrong_password_is_rejected_with_an_event(client):
    clerk = person_as(Role.OPERATOR_CLERK)
    answer = enter(client, clerk, "not the right pass phrase")
    assert "_auth_user_id" not in client.session
    assert "not correct" in answer.text
    assert events("sign_in.failed") == 1
    assert events("session.began") == 0


def test_five_wrong_passwords_close_the_door_for_a_while(client):
    clerk = person_as(Role.OPERATOR_CLERK)
    for _ in range(5):
        enter(client, clerk, "not the right pass phrase")
    answer = enter(client, clerk)
    assert "_auth_user_id" not in client.session
    assert "Too many" in answer.text


def test_agent_without_second_factor_reaches_only_setup(client):
    agent = person_as(Role.AGENT)
    enter(client, agent)
    for name in ("home", "parties", "account", "usersessions_list"):
        answer = client.get(reverse(name))
        assert answer.status_code == 302
        assert answer.url == reverse("mfa_index")
    assert client.get("/no/such/page").url == reverse("mfa_index")
    assert client.get("/api/v1/key").status_code == 401


def test_an_agent_with_one_is_asked_for_its_code_and_let_in(client):
    agent = person_as(Role.AGENT)
    secret = with_second_factor(agent)
    answer = enter(client, agent)
    assert answer.redirect_chain[-1][0] == reverse("mfa_authenticate")
    assert "_auth_user_id" not in client.session
    assert client.get(reverse("parties")).status_code == 302
    client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert "_auth_user_id" not in client.session
    assert events("second_factor.failed") == 1
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert client.session["_auth_user_id"] == str(agent.pk)
    assert client.get(reverse("parties"), follow=True).status_code == 200


def test_a_code_serves_once():
    agent = person_as(Role.AGENT)
    code = code_of(with_second_factor(agent))
    for client, signed in ((Client(), True), (Client(), False)):
        enter(client, agent)
        client.post(reverse("mfa_authenticate"), {"code": code})
        assert ("_auth_user_id" in client.session) == signed


def test_used_codes_are_shared_by_all_web_processes():
    agent = person_as(Role.AGENT)
    code = code_of(with_second_factor(agent))
    client = Client()
    enter(client, agent)
    client.post(reverse("mfa_authenticate"), {"code": code})
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM cache")
        assert any("totp" in key and code in key for (key,) in cursor.fetchall())


def test_session_older_than_second_factor_ends():
    agent = person_as(Role.AGENT)
    thief = Client()
    enter(thief, agent)
    with_second_factor(agent)
    for name in (
        "parties",
        "mfa_view_recovery_codes",
        "mfa_add_webauthn",
        "account_reauthenticate",
    ):
        answer = thief.get(reverse(name))
        assert answer.status_code == 302
        assert answer.url.startswith(reverse("account_login"))
        assert "_auth_user_id" not in thief.session
    assert events("session.ended") == 1


def test_viewing_recovery_codes_blocks_no_later_event(client):
    agent = person_as(Role.AGENT)
    with_second_factor(agent)
    signed_in(client, agent)
    RecoveryCodes.activate(agent).mark_as_viewed()
    viewed = Authenticator.objects.get(user=agent, type=Authenticator.Type.RECOVERY_CODES)
    assert isinstance(viewed.data["viewed_at"], float)  # no event's digest takes a fraction
    assert client.post(reverse("account_logout")).status_code == 302
    assert events("session.ended") == 1


def test_password_reset_does_not_reveal_accounts():
    clerk = person_as(Role.OPERATOR_CLERK)
    answers = [
        Client().post(reverse("account_reset_password"), {"email": email})
        for email in (clerk.email, "nobody@example.org")
    ]
    assert [each.status_code for each in answers] == [302, 302]
    assert answers[0].url == answers[1].url
    assert [each.to for each in mail.outbox] == [[clerk.email], ["nobody@example.org"]]
    assert "come by invitation" in mail.outbox[1].body


def test_mailed_links_ignore_the_host_of_the_request(settings):
    settings.ALLOWED_HOSTS = [".agency.example"]
    settings.SITE_URL = "https://audit.agency.example"
    clerk = person_as(Role.OPERATOR_CLERK)
    for email in (clerk.email, "nobody@example.org"):
        forged = {"Host": "taken-over.agency.example:1337"}
        Client().post(reverse("account_reset_password"), {"email": email}, headers=forged)
    for each in mail.outbox:
        assert "taken-over" not in each.body
        assert "https://audit.agency.example/account/password/reset/" in each.body
    assert len(mail.outbox) == 2


def test_password_reset_keeps_second_factor(client):
    agent = person_as(Role.AGENT)
    with_second_factor(agent)
    client.post(reverse("account_reset_password"), {"email": agent.email})
    link = re.search(rf"{settings.SITE_URL}(\S+)", mail.outbox[-1].body).group(1)
    form = client.get(link, follow=True).redirect_chain[-1][0]
    new = "quite another pass phrase"
    client.post(form, {"password1": new, "password2": new})
    assert "_auth_user_id" not in client.session
    assert enter(client, agent, new).redirect_chain[-1][0] == reverse("mfa_authenticate")
    assert "_auth_user_id" not in client.session
    assert "password1" not in Client().get(link, follow=True).text


def test_forged_header_does_not_change_the_address(client):
    clerk = person_as(Role.OPERATOR_CLERK)
    forged = {"X-Forwarded-For": "203.0.113.9", "X-Real-Ip": "203.0.113.9"}
    client.post(
        reverse("account_login"), {"login": clerk.email, "password": PASSWORD}, headers=forged
    )
    began = Event.objects.get(type="session.began")
    assert began.personal.data["address"] == "127.0.0.1"


def test_behind_a_proxy_the_address_is_the_one_it_added(client, settings, caplog):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    clerk = person_as(Role.OPERATOR_CLERK)
    client.post(
        reverse("account_login"),
        {"login": clerk.email, "password": PASSWORD},
        headers={"X-Forwarded-For": "203.0.113.9, 198.51.100.7"},
    )
    assert Event.objects.get(type="session.began").personal.data["address"] == "198.51.100.7"
    assert "198.51.100.7" in caplog.text
    assert "203.0.113.9" not in caplog.text


def test_second_factor_secret_is_not_in_the_database():
    agent = person_as(Role.AGENT)
    secret = with_second_factor(agent)
    from allauth.mfa.models import Authenticator

    assert secret not in str(Authenticator.objects.get(user=agent).data)


def test_the_last_second_factor_of_an_agent_stays(client):
    agent = person_as(Role.AGENT)
    secret = with_second_factor(agent)
    enter(client, agent)
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    client.post(reverse("mfa_deactivate_totp"))
    assert agent.authenticator_set.count() == 1


def test_registration_is_closed(client):
    for path in ("/account/signup/", "/accounts/signup/", "/account/email/"):
        assert client.get(path).status_code == 404


def test_an_account_that_was_closed_signs_in_no_more(client):
    clerk = person_as(Role.OPERATOR_CLERK)
    clerk.is_active = False
    clerk.save()
    enter(client, clerk)
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(
    ("key", "seconds"), [(SEEN, settings.SESSION_IDLES), (BEGAN, settings.SESSION_LASTS)]
)
def test_a_session_ends(client, key, seconds):
    signed_in(client, person_as(Role.OPERATOR_CLERK))
    assert client.get(reverse("account")).status_code == 200
    session = client.session
    session[key] = int(time.time()) - seconds - 1
    session.save()
    answer = client.get(reverse("account"))
    assert answer.status_code == 302
    assert "_auth_user_id" not in client.session


def test_a_replayed_session_is_dead_after_signing_out(client):
    signed_in(client, person_as(Role.OPERATOR_CLERK))
    kept = client.cookies[settings.SESSION_COOKIE_NAME].value
    client.post(reverse("account_logout"))
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = kept
    assert thief.get(reverse("account")).status_code == 302
    assert events("session.ended") == 1


def test_signing_out_elsewhere_ends_the_other_sessions():
    clerk = person_as(Role.OPERATOR_CLERK)
    here, there = Client(), Client()
    for client in (here, there):
        enter(client, clerk)
        client.get(reverse("account"))
    here.post(reverse("usersessions_list"))
    assert here.get(reverse("account")).status_code == 200
    assert there.get(reverse("account")).status_code == 302


def invited(client: Client, role: Role = Role.OPERATOR_CLERK) -> str:
    manager = person_as(Role.OPERATOR_MANAGER)
    with_second_factor(manager)
    signed_in(client, manager)
    party = party_for(Role.OPERATOR_MANAGER)
    answer = client.post(
        reverse("invite_person", args=[party.code]), {"email": "New@example.org", "role": role}
    )
    assert answer.status_code == 302
    return re.search(r"http://localhost:\d+(\S+)", mail.outbox[-1].body).group(1)


def test_an_invitation_makes_an_account_with_its_role_once(client):
    link = invited(client)
    visitor = Client()
    assert "Invitation to" in visitor.get(link).text
    given = {"name": "Newa Person", "password": PASSWORD, "again": PASSWORD}
    assert visitor.post(link, given).url == reverse("account_login")
    newcomer = Person.objects.get(email__iexact="new@example.org")
    with without_access_scope():
        assert Membership.objects.get(person=newcomer).role == Role.OPERATOR_CLERK
    enter(visitor, newcomer)
    assert visitor.session["_auth_user_id"] == str(newcomer.pk)
    assert Client().get(link).status_code == 404
    assert Client().post(link, given).status_code == 404


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"password": "short", "again": "short"}, "at least 15"),
        ({"password": "passwordpassword", "again": "different entirely"}, "differ"),
        ({"password": "new@example.org", "again": "new@example.org"}, "too similar"),
        ({"password": "", "again": ""}, "required"),
    ],
)
def test_weak_password_keeps_invitation_open(client, given, complaint):
    link = invited(client)
    answer = Client().post(link, {"name": "Newa", **given})
    assert answer.status_code == 200
    assert complaint in answer.text
    with without_access_scope():
        assert Invitation.objects.get().accepted is None
    assert not Person.objects.filter(email__iexact="new@example.org").exists()


def test_existing_account_accepts_invitation_by_password(client):
    link = invited(client)
    known = made_person("new")
    wrong = Client().post(link, {"password": "another person's phrase"})
    assert "reset that first" in wrong.text
    assert Client().post(link, {"password": PASSWORD}).status_code == 302
    with without_access_scope():
        assert Membership.objects.filter(person=known).count() == 1


def test_an_invitation_is_no_place_to_guess_a_password(client):
    link = invited(client)
    made_person("new")
    for _ in range(5):
        Client().post(link, {"password": "another person's phrase"})
    answer = Client().post(link, {"password": PASSWORD})
    assert "Too many" in answer.text
    assert events("sign_in.failed") == 5
    with without_access_scope():
        assert Invitation.objects.get().accepted is None


def test_nobody_invites_themselves(client):
    administrator = person_as(Role.ADMINISTRATOR)
    with_second_factor(administrator)
    signed_in(client, administrator)
    party = party_for(Role.ADMINISTRATOR)
    given = {"email": administrator.email.upper(), "role": Role.DIRECTOR, "reason": "more work"}
    answer = client.post(reverse("invite_person", args=[party.code]), given)
    assert "You cannot give yourself a role" in answer.text
    assert not mail.outbox


def test_invitation_ends_when_its_sender_may_not_invite(client):
    link = invited(client)
    with without_access_scope():
        membership = Membership.objects.get(role=Role.OPERATOR_MANAGER)
        assert Client().get(link).status_code == 200
        membership.ended = membership.since
        membership.save()
    given = {"name": "Newa Person", "password": PASSWORD, "again": PASSWORD}
    assert Client().get(link).status_code == 404
    assert Client().post(link, given).status_code == 404


def test_a_withdrawn_or_expired_invitation_serves_no_more(client):
    link = invited(client)
    with without_access_scope():
        invitation = Invitation.objects.get()
    party = party_for(Role.OPERATOR_MANAGER)
    client.post(reverse("withdraw_invitation", args=[party.code, invitation.uuid]))
    assert Client().get(link).status_code == 404


def test_the_mail_alone_holds_the_way_in(client):
    link = invited(client)
    secret = link.rstrip("/").rsplit("/", 1)[-1]
    with without_access_scope():
        invitation = Invitation.objects.get()
    assert secret not in str(invitation.__dict__)
    assert all(secret not in str(event.__dict__) for event in Event.objects.all())


def test_a_way_in_is_not_written_to_the_log(client, caplog):
    link = invited(client)
    Client().get(link)
    Client().get("/account/password/reset/key/1-secret-key/")
    stderr = logging.getLogger("django_structlog").handlers[0]
    written = "\n".join(map(stderr.format, caplog.records))
    assert "/account/invitation/…" in written
    assert link.rstrip("/").rsplit("/", 1)[-1] not in written
    assert "secret-key" not in written


def test_only_manager_sees_people_and_ends_roles(client):
    clerk = person_as(Role.OPERATOR_CLERK)
    code = party_for(Role.OPERATOR_CLERK).code
    signed_in(client, clerk)
    assert client.get(reverse("people", args=[code])).status_code == 404
    manager = person_as(Role.OPERATOR_MANAGER)
    with_second_factor(manager)
    client = signed_in(Client(), manager)
    assert clerk.email in client.get(reverse("people", args=[code])).text
    with without_access_scope():
        membership = Membership.objects.get(person=clerk)
    assert (
        "This field is required"
        in client.post(reverse("end_role", args=[code, membership.pk])).text
    )
    client.post(reverse("end_role", args=[code, membership.pk]), {"reason": "left the house"})
    assert clerk.email not in client.get(reverse("people", args=[code])).text
    assert Event.objects.get(type="role.ended").reason == "left the house"
