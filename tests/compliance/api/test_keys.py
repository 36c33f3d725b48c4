"""API keys: created by a party's own people with a second factor, shown once, revoked."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from compliance.access.models import ApiKey, Membership
from compliance.access.permissions import KeyScope, Role
from compliance.access.reads import comes_from
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.people.api_keys import make_key, revoke_key
from compliance.people.writes import end_role
from tests.compliance.api.programs import Program, key_for, maker_of, program_of
from tests.compliance.people import party_for, person_as, signed_in, with_second_factor

KEY = "/api/v1/key"
pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def made(by, party=None, **more):
    data = {"name": "Night upload", "scopes": [KeyScope.ROUNDS], "networks": [], "days": 1}
    party = party or party_for(Role.OPERATOR_MANAGER)
    return make_key(party=party, by=by, **{**data, **more})


def test_a_key_says_of_itself_what_it_is_good_for():
    key, secret = key_for(Role.OPERATOR_MANAGER, scopes=[KeyScope.ROUNDS, KeyScope.SUBMISSION])
    body = Program(secret).get(KEY).json()
    assert body["party"] == "card-room"
    assert body["scopes"] == ["rounds:read", "rounds:write"]
    assert body["key"] == str(key.uuid)


def test_only_the_digest_of_a_secret_is_kept():
    key, secret = key_for(Role.OPERATOR_MANAGER)
    with without_access_scope():
        row = ApiKey.objects.filter(pk=key.pk).values().get()
    assert secret not in str(row)
    assert secret not in str(list(Event.objects.values()))


def test_a_key_is_recorded_when_made_and_when_revoked():
    key, _ = key_for(Role.OPERATOR_MANAGER, scopes=[KeyScope.ROUNDS])
    revoke_key(key=key, reason="the laptop is gone", by=maker_of(Role.OPERATOR_MANAGER))
    body = Event.objects.get(type="key.made")
    assert body.payload["scopes"] == ["rounds:read"]
    assert Event.objects.get(type="key.revoked").reason == "the laptop is gone"


def test_revoked_expired_or_orphaned_key_opens_nothing():
    key, secret = key_for(Role.OPERATOR_MANAGER, "revoked")
    program = Program(secret)
    assert program.get(KEY).status_code == 200
    revoke_key(key=key, reason="gone", by=maker_of(Role.OPERATOR_MANAGER, "revoked"))
    assert program.get(KEY).status_code == 401
    expired = program_of(Role.OPERATOR_MANAGER, "expired", days=1)
    with time_machine.travel(timezone.now() + timedelta(days=1, seconds=1)):
        assert expired.get(KEY).status_code == 401
    deserted = program_of(Role.OPERATOR_MANAGER, "deserted")
    with without_access_scope():
        ended_membership = Membership.objects.get(party__code="deserted")
    end_role(
        membership=ended_membership, reason="the house closed", by=person_as(Role.ADMINISTRATOR)
    )
    assert deserted.get(KEY).status_code == 401


def test_a_key_serves_from_its_own_addresses_alone():
    assert program_of(Role.OPERATOR_MANAGER, networks=["127.0.0.0/8"]).get(KEY).status_code == 200
    assert program_of(Role.OPERATOR_MANAGER, networks=["192.0.2.0/24"]).get(KEY).status_code == 401


@pytest.mark.parametrize(
    ("address", "serves"),
    [
        ("203.0.113.7", True),
        ("::ffff:203.0.113.7", True),
        ("203.0.114.7", False),
        ("2001:db8::1", True),
        ("2001:db9::1", False),
        ("", False),
    ],
)
def test_an_address_is_in_a_network_however_it_is_written(address, serves):
    key = ApiKey(networks=["203.0.113.0/24", "2001:db8::/32"])
    assert comes_from(key, address) == serves


def test_nobody_gives_a_program_more_rights_than_theirs():
    manager, supervisor = maker_of(Role.OPERATOR_MANAGER), maker_of(Role.SUPERVISOR)
    unit = party_for(Role.SUPERVISOR)
    with pytest.raises(RefusedError, match="more than your own role allows"):
        made(manager, scopes=[KeyScope.REPLAYS])
    with pytest.raises(RefusedError, match="more than your own role allows"):
        made(supervisor, unit, scopes=[KeyScope.SUBMISSION])
    administrator = person_as(Role.ADMINISTRATOR)
    with_second_factor(administrator)
    with pytest.raises(RefusedError, match="more than your own role allows"):
        made(administrator, unit, scopes=[KeyScope.FINDINGS])


def test_party_makes_its_own_key_with_second_factor():
    party_for(Role.OPERATOR_MANAGER)
    with pytest.raises(NotAllowedError, match="its own people"):
        made(maker_of(Role.SUPERVISOR))
    with pytest.raises(NotAllowedError):
        made(person_as(Role.OPERATOR_CLERK))
    with pytest.raises(NotAllowedError):
        made(maker_of(Role.OPERATOR_MANAGER, "elsewhere"))
    with pytest.raises(RefusedError, match="second factor"):
        made(person_as(Role.OPERATOR_MANAGER))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"scopes": []}, "what the key allows"),
        ({"days": 367}, "1 to 366 days"),
        ({"days": 0}, "1 to 366 days"),
        ({"networks": ["203.0.113.7/24"]}, "is not a network"),
        ({"networks": ["everywhere"]}, "is not a network"),
    ],
)
def test_a_key_that_makes_no_sense_is_refused(wrong, says):
    with pytest.raises(RefusedError, match=says):
        made(maker_of(Role.OPERATOR_MANAGER), **wrong)


def test_its_use_is_shown_and_its_secret_once():
    manager = maker_of(Role.OPERATOR_MANAGER)
    client = signed_in(Client(), manager)
    page = reverse("api_keys", args=["card-room"])
    assert "No program has a key" in client.get(page).text
    sent = {"name": "Night upload", "scopes": ["rounds:read"], "days": "30", "networks": ""}
    answer = client.post(reverse("make_api_key", args=["card-room"]), sent)
    secret = answer.text.split("<code>")[1].split("</code>")[0]
    assert Program(secret).get(KEY).status_code == 200
    listed = client.get(page).text
    assert secret not in listed
    assert "from 127.0.0.1" in listed
    with without_access_scope():
        key = ApiKey.objects.get()
    path = reverse("revoke_api_key", args=["card-room", key.uuid])
    sent = {f"revoke-{key.uuid}-reason": "done"}
    assert "no longer works" in client.post(path, sent, follow=True).text
    assert Program(secret).get(KEY).status_code == 401


def test_a_session_that_used_no_second_factor_makes_no_key():
    agent = person_as(Role.SUPPLIER)  # a role that may sign in without one
    client = Client()
    client.force_login(agent)
    path = reverse("make_api_key", args=["supplier"])
    sent = {"name": "x", "scopes": ["reports:read"], "days": "30"}
    assert client.post(path, sent).status_code == 422
    with_second_factor(agent)
    client.force_login(agent)
    assert client.post(path, sent).status_code == 422
    assert "A key needs a second factor" in client.get(reverse("api_keys", args=["supplier"])).text
    assert signed_in(Client(), agent).post(path, sent).status_code == 200
