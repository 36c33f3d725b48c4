"""A passkey in software: it answers as a browser's does, and its account has it on file."""

from __future__ import annotations

import hashlib
import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any

from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import RequestFactory
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

if TYPE_CHECKING:
    from django.test import Client

    from compliance.access.models import Person

SITE = "testserver"
PRESENT, ATTESTED = 0x01, 0x40


class SoftPasskey:
    """A key that signs whatever it is asked."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.id = hashlib.sha256(str(id(self)).encode()).digest()

    def add_to(self, person: Person, *, is_recorded: bool = True) -> Authenticator:
        """Put the passkey into a person's account, and say so in the log as the page does."""
        cose = ES256.from_cryptography_key(self.private.public_key())
        data = AuthenticatorData.create(
            hashlib.sha256(SITE.encode()).digest(),
            PRESENT | ATTESTED,
            0,
            AttestedCredentialData.create(Aaguid.NONE, self.id, cose),
        )
        client = CollectedClientData.create("webauthn.create", b"\0" * 32, f"http://{SITE}")
        credential = {
            "id": websafe_encode(self.id),
            "rawId": websafe_encode(self.id),
            "type": "public-key",
            "response": {
                "clientDataJSON": websafe_encode(client),
                "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
            },
        }
        added = Authenticator.objects.create(
            user=person,
            type=Authenticator.Type.WEBAUTHN,
            data={"name": "The key on my ring", "credential": credential},
        )
        if is_recorded:
            request = RequestFactory().get("/")
            request.session = {}  # type: ignore[assignment]
            request.user = person
            authenticator_added.send(
                sender=Authenticator, request=request, user=person, authenticator=added
            )
        return added

    def answer(self, options: dict[str, Any]) -> str:
        """Return what a browser sends back for the options on a page."""
        asked = options["request_options"]["publicKey"]
        client = CollectedClientData.create(
            "webauthn.get", websafe_decode(asked["challenge"]), f"http://{SITE}"
        )
        data = AuthenticatorData.create(hashlib.sha256(SITE.encode()).digest(), PRESENT, 1)
        signed = self.private.sign(data + client.hash, ec.ECDSA(hashes.SHA256()))
        return json.dumps(
            {
                "id": websafe_encode(self.id),
                "rawId": websafe_encode(self.id),
                "type": "public-key",
                "response": {
                    "clientDataJSON": websafe_encode(client),
                    "authenticatorData": websafe_encode(data),
                    "signature": websafe_encode(signed),
                },
            }
        )

    def confirm(self, browser: Client, url: str, page: Any) -> Any:
        """Send the form of a confirmation page again, with this passkey's answer."""
        found = re.search(r'<script id="passkey_data"[^>]*>(.*?)</script>', page.text, re.DOTALL)
        assert found, "the page asks for no passkey"
        kept = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text)
        form: dict[str, list[str]] = {}
        for name, value in kept:
            form.setdefault(name, []).append(unescape(value))
        answer = self.answer(json.loads(found[1]))
        return browser.post(url, {**form, "passkey": answer})
