"""Encryption keys change, and nothing that was encrypted is lost."""

from __future__ import annotations

import io

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from cryptography.fernet import InvalidToken
from django.core.management import CommandError, call_command

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.encryption import WEBHOOK, opened
from compliance.events.models import Event
from compliance.notifications.models import Webhook
from compliance.secret import Secret
from tests.compliance.people import party_for, person_as, with_second_factor
from tests.compliance.webhooks.reached import webhooks_made_for

pytestmark = pytest.mark.django_db
OLD, NEW, OTHER = Secret("old" * 20), Secret("new" * 20), Secret("other" * 20)


def use(settings, *keys):
    settings.SECOND_FACTOR_KEYS = settings.WEBHOOK_KEYS = list(keys)


def reencrypted() -> str:
    printed = io.StringIO()
    call_command("reencrypt_secrets", stdout=printed)
    return printed.getvalue()


def test_rotated_keys_open_everything_without_the_old(settings):
    use(settings, OLD)
    person = person_as(Role.OPERATOR_MANAGER, "cedar")
    secret = with_second_factor(person)
    codes = RecoveryCodes.activate(person)
    used, unused, *_ = codes.generate_codes()
    assert codes.validate_code(used)
    webhooks_made_for(party_for(Role.OPERATOR_MANAGER, "cedar"), person, ["webhook"])

    use(settings, NEW, OLD)
    assert reencrypted() == "Re-encrypted the secrets of 2 second factors and 1 webhooks.\n"
    event = Event.objects.get(type="secrets.reencrypted")
    assert event.payload == {"second_factors": 2, "webhooks": 1}

    use(settings, NEW)
    app = Authenticator.objects.get(type=Authenticator.Type.TOTP)
    assert get_adapter().decrypt(app.data["secret"]) == secret
    kept = RecoveryCodes(Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES))
    assert not kept.validate_code(used)
    assert kept.validate_code(unused)
    with without_access_scope():
        assert opened(Webhook.objects.get().secret, WEBHOOK) == "whsec_"
    assert reencrypted().startswith("Re-encrypted the secrets of 0 ")
    assert Event.objects.filter(type="secrets.reencrypted").count() == 1


def test_a_secret_that_no_key_opens_is_named(settings):
    use(settings, OTHER)
    lost = person_as(Role.SUPERVISOR)
    with_second_factor(lost)
    use(settings, OLD)
    kept = with_second_factor(person_as(Role.OPERATOR_MANAGER))
    use(settings, NEW, OLD)
    with pytest.raises(CommandError, match=f"(?s)TOTP Authenticator of {lost.email}.*end of SEC"):
        reencrypted()
    use(settings, NEW)
    opens = []
    for each in Authenticator.objects.order_by("pk"):
        try:
            opens.append(get_adapter().decrypt(each.data["secret"]))
        except InvalidToken:
            opens.append("")
    assert opens == ["", kept]


def test_the_secret_key_opens_nothing_encrypted(settings):
    use(settings, OLD)
    with_second_factor(person_as(Role.SUPERVISOR))
    use(settings, Secret(settings.SECRET_KEY))
    with pytest.raises(InvalidToken):
        get_adapter().decrypt(Authenticator.objects.get().data["secret"])
