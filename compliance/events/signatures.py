"""Personal signatures: which act a person's passkey signed, checked without the system.

An act is what an event says of a person's decision. The person's passkey signs a statement with
the digests of all acts of one confirmation (WebAuthn, 7.2); the event keeps the statement and the
signature. `verifier.py` is published with what follows the marked line.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidSignature

from compliance.events.canonical import canonical as canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping

JOINED = "# --- what follows is joined to verifier" + ".py ---"
# --- what follows is joined to verifier.py ---

ACT = ("type", "actor", "party", "reason", "payload")
IS_PRESENT = 0x01
"""A bit of the authenticator's data: a person touched it."""
FLAGS = 32


def act_digest(event: Mapping[str, Any], *, of_object: bool) -> str:
    """Return the digest of what a person signs of an event.

    A record that the act itself creates has no number before, so that its payload describes it.
    """
    names = (*ACT, "object") if of_object else ACT
    return hashlib.sha256(canonical_json({name: event[name] for name in names})).hexdigest()


def key_digest(key: bytes) -> str:
    """Return what the log calls a passkey: the digest of its public key (DER)."""
    return hashlib.sha256(key).hexdigest()


def challenge_of(statement: Mapping[str, Any]) -> bytes:
    """Return what a passkey signs: the digest of a statement."""
    return hashlib.sha256(canonical_json(statement)).digest()


def is_signed(event: Mapping[str, Any]) -> bool:
    """Return whether an event has a personal signature; whether it is right is another question."""
    return "unsigned" not in (event.get("signature") or {"unsigned": ""})


def problem_of_signature(event: Mapping[str, Any]) -> str:
    """Return what is wrong with an event's personal signature; empty if it has none or is right."""
    if not is_signed(event):
        return ""
    try:
        signature = event["signature"]
        statement = signature["statement"]
        acts = {act_digest(event, of_object=True), act_digest(event, of_object=False)}
        if not acts.intersection(statement["acts"]):
            return "its personal signature is for another act"
        if statement["person"] != event["actor"]["id"]:
            return "its personal signature is another person's"
        client = base64.b64decode(signature["client"], validate=True)
        authenticator = base64.b64decode(signature["authenticator"], validate=True)
        answered = json.loads(client)
        challenge = base64.urlsafe_b64encode(challenge_of(statement)).decode().rstrip("=")
        if answered["type"] != "webauthn.get" or answered["challenge"] != challenge:
            return "its passkey signed something else"
        if not authenticator[FLAGS] & IS_PRESENT:
            return "nobody touched the passkey"
        _verify(
            base64.b64decode(signature["key"], validate=True),
            base64.b64decode(signature["signature"], validate=True),
            authenticator + hashlib.sha256(client).digest(),
        )
    except InvalidSignature:
        return "its personal signature does not fit"
    except (ValueError, LookupError, TypeError, AttributeError):
        return "its personal signature cannot be read"
    return ""


def _verify(key: bytes, signature: bytes, signed: bytes) -> None:
    """Raise `InvalidSignature` unless a key (DER) signed this: ES256, EdDSA or RS256."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

    public = serialization.load_der_public_key(key)
    if isinstance(public, ec.EllipticCurvePublicKey):
        public.verify(signature, signed, ec.ECDSA(hashes.SHA256()))
    elif isinstance(public, ed25519.Ed25519PublicKey):
        public.verify(signature, signed)
    elif isinstance(public, rsa.RSAPublicKey):
        public.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
    else:
        message = f"{type(public).__name__} signs no act"
        raise TypeError(message)


class Passkeys:
    """The passkeys of all people at a place in the log, and whether they signed what follows.

    Give it every event in the order of the log. `required_from` is the first day (UTC) on which
    acts need a signature, as 2026-12-01; empty if none do.
    """

    def __init__(self, required_from: str = "") -> None:
        self.required_from = required_from
        self.of: dict[str, set[str]] = {}
        self.unused: dict[bytes, list[str]] = {}
        """The acts of each statement that no event used yet: each signature is for one event."""

    def follow(self, event: Mapping[str, Any]) -> str:
        """Return what is wrong with an event's signature, given all events before it."""
        kind, actor = event["type"], str((event["actor"] or {}).get("id"))
        if kind == "second_factor.added" and event["payload"].get("key"):
            self.of.setdefault(actor, set()).add(event["payload"]["key"])
        elif kind == "second_factor.removed":
            self.of.get(actor, set()).discard(event["payload"].get("key", ""))
        elif kind == "second_factor.reset" and event.get("object"):
            self.of.pop(str(event["object"]["id"]), None)
        if not event.get("signature"):
            return ""
        return self._problem_of(event, actor)

    def _problem_of(self, event: Mapping[str, Any], actor: str) -> str:
        if not is_signed(event):
            if self.required_from and event["at"][:10] >= self.required_from:
                return "has no personal signature, which its day requires"
            return ""
        if problem := problem_of_signature(event):
            return problem
        signature = event["signature"]
        if key_digest(base64.b64decode(signature["key"])) not in self.of.get(actor, set()):
            return "is signed with a passkey that its actor did not have then"
        statement = signature["statement"]
        unused = self.unused.setdefault(challenge_of(statement), list(statement["acts"]))
        for of_object in (True, False):
            act = act_digest(event, of_object=of_object)
            if act in unused:
                unused.remove(act)
                return ""
        return "repeats the personal signature of an earlier event"
