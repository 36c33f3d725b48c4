"""Confirm acts with a passkey: the page that asks for it, and the signature that comes back."""

from __future__ import annotations

import base64
import json
import secrets
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal.auth import get_authenticator_by_credential_id, get_server
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from fido2.webauthn import AuthenticationResponse, UserVerificationRequirement

from compliance.errors import RefusedError
from compliance.events.models import Event, timestamp
from compliance.events.signatures import challenge_of, key_digest
from compliance.events.signing import Confirmation, confirming
from compliance.people.events import SECOND_FACTOR_ADDED
from compliance.ui.pages import ActionPage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse

    from compliance.access.models import Person


ASKED = "confirmation"
ANSWER = "passkey"
"""The field of the form in which a passkey's answer comes."""
SECONDS = 300
AGAIN = "Your passkey did not confirm this. Try again."
OTHER_KIND = "This passkey is of a kind that cannot sign here. Add another one to your account."
EARLIER = (
    "This passkey was added before personal signatures were kept, so the event log does not know "
    "it. Remove it from your account and add it again."
)


class PasskeyNeededError(Exception):
    """Acts wait for the signature of the person who does them."""

    def __init__(self, confirmation: Confirmation) -> None:
        super().__init__()
        self.confirmation = confirmation


class ConfirmedMixin:
    """A page whose acts the user confirms with a passkey, if they have one."""

    request: HttpRequest
    person: Person

    @contextmanager
    def confirmed(self) -> Iterator[None]:
        """Do what the block does once the user has signed it.

        Raises:
            PasskeyNeededError: nothing was done; `ask_passkey` shows what waits for a signature.
        """
        if not has_passkey(self.person):
            yield
            return
        if answer := self.request.POST.get(ANSWER, ""):
            with confirming(_read_answer(self.request, self.person, answer)):
                yield
            return
        with transaction.atomic(), confirming(Confirmation(self.person.uuid)) as rehearsal:
            yield
            if rehearsal.acts:
                transaction.set_rollback(True)
        if rehearsal.acts:
            raise PasskeyNeededError(rehearsal)

    def ask_passkey(self, needed: PasskeyNeededError) -> HttpResponse:
        """Show what waits for confirmation; the form comes again with the answer of the passkey."""
        confirmation = needed.confirmation
        options = _ask(self.request, self.person, confirmation)
        kept = [
            (name, value)
            for name, values in self.request.POST.lists()
            for value in values
            if name not in {ANSWER, "csrfmiddlewaretoken"}
        ]
        context = {
            "says": confirmation.says,
            "kept": kept,
            "data": {"request_options": options},
            "digest": self.request.session[ASKED]["digest"],
        }
        return render(self.request, "people/confirm.html", context)


class SignedAction(ConfirmedMixin, ActionPage):
    """An action that the user confirms with a passkey, if they have one."""

    person: Person

    def doing(self) -> AbstractContextManager[None]:
        return self.confirmed()

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Do it, or ask for the passkey first."""
        try:
            return super().post(request, **address)
        except PasskeyNeededError as needed:
            return self.ask_passkey(needed)


def has_passkey(person: Person) -> bool:
    """Return whether a person can sign."""
    passkeys = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN)
    return bool(passkeys.exists())


def key_of(authenticator: Authenticator) -> bytes:
    """Return a passkey's public key (DER). Refuses a kind that no signature is checked with."""
    cose = authenticator.wrap().authenticator_data.credential_data.public_key
    public: ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | rsa.RSAPublicKey
    if cose[3] == -7:
        x, y = int.from_bytes(cose[-2], "big"), int.from_bytes(cose[-3], "big")
        public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    elif cose[3] == -8 and cose[-1] == 6:
        public = ed25519.Ed25519PublicKey.from_public_bytes(cose[-2])
    elif cose[3] == -257:
        n, e = int.from_bytes(cose[-1], "big"), int.from_bytes(cose[-2], "big")
        public = rsa.RSAPublicNumbers(e, n).public_key()
    else:
        raise RefusedError(OTHER_KIND)
    return public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def digest_of(authenticator: Authenticator) -> str:
    """Return what the log calls a passkey; empty for anything that signs nothing."""
    if authenticator.type != Authenticator.Type.WEBAUTHN:
        return ""
    try:
        return key_digest(key_of(authenticator))
    except RefusedError:
        return ""


def _ask(request: HttpRequest, person: Person, confirmation: Confirmation) -> dict[str, Any]:
    """Keep the statement in the session, and return what the browser asks the passkey."""
    statement = {
        "version": 1,
        "log": settings.LOG_ORIGIN,
        "person": str(person.uuid),
        "at": timestamp(timezone.now()),
        "nonce": secrets.token_hex(16),
        "acts": confirmation.acts,
    }
    challenge = challenge_of(statement)
    passkeys = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN)
    options, state = get_server().authenticate_begin(
        credentials=[each.wrap().authenticator_data.credential_data for each in passkeys],
        user_verification=UserVerificationRequirement.PREFERRED,
        challenge=challenge,
    )
    request.session[ASKED] = {
        "statement": statement, "state": state, "digest": challenge.hex(),
    }  # fmt: skip
    return dict(options)


def _read_answer(request: HttpRequest, person: Person, answer: str) -> Confirmation:
    """Return what a passkey signed. Refuses any other answer than to the newest question."""
    asked = request.session.pop(ASKED, None)
    if asked is None:
        raise RefusedError(AGAIN)
    statement = asked["statement"]
    since = parse_datetime(statement["at"])
    if since is None or (timezone.now() - since).total_seconds() > SECONDS:
        raise RefusedError(AGAIN)
    passkeys = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN)
    known = [each.wrap().authenticator_data.credential_data for each in passkeys]
    try:
        response = json.loads(answer)
        binding = get_server().authenticate_complete(asked["state"], known, response)
        signed = AuthenticationResponse.from_dict(response).response
    except (ValueError, TypeError, LookupError, AttributeError) as wrong:
        raise RefusedError(AGAIN) from wrong
    authenticator = get_authenticator_by_credential_id(person, binding.credential_id)
    assert authenticator is not None  # noqa: S101 - it is one of `known`
    key = key_of(authenticator)
    added = Event.objects.filter(
        type=SECOND_FACTOR_ADDED.name, actor=person.uuid, payload__key=key_digest(key)
    )
    if not added.exists():
        raise RefusedError(EARLIER)
    proof = {
        "statement": statement,
        "key": _text(key),
        "authenticator": _text(signed.authenticator_data),
        "client": _text(signed.client_data),
        "signature": _text(signed.signature),
    }
    return Confirmation(person.uuid, proof, list(statement["acts"]))


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
