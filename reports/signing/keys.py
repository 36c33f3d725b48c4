"""The configured key and certificate that sign reports, and the trusted certificates.

A key in a token never leaves it: it is opened through PKCS#11 for one signature, and closed. A
demonstration's certificate says so in its organization. It is refused in production, wherever it
comes from.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from asn1crypto.keys import PrivateKeyInfo
from asn1crypto.pem import armor
from asn1crypto.x509 import Certificate
from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    pkcs12,
)
from cryptography.x509 import load_der_x509_certificate
from django.conf import settings
from pyhanko.sign.general import SigningError
from pyhanko.sign.pkcs11 import PKCS11Signer
from pyhanko.sign.signers import SimpleSigner
from pyhanko_certvalidator.registry import SimpleCertificateStore

from compliance.backup.manifest import BackupError
from compliance.secret import revealed
from compliance.tokens import Token, TokenError, in_words, token_at, token_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime

    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
    from pyhanko.sign.signers import Signer


PROBE = b"Does this key belong to its certificate?"


@contextmanager
def token_signer(
    token: Token, pin: str, certificate: Certificate, issuers: Iterable[Certificate]
) -> Iterator[PKCS11Signer]:
    """Open a token, verify that its key matches the certificate, and sign with it.

    Raises:
        TokenError: the token, its PIN or its key is not as configured.
    """
    with token_session(token, pin, pin_from="REPORT_KEY_PASSPHRASE") as session:
        signer = PKCS11Signer(
            session,
            signing_cert=certificate,
            ca_chain=set(issuers),
            key_label=token.key,
            # Not every token can hash for a curve, but each can sign a digest.
            use_raw_mechanism=certificate.public_key.algorithm == "ec",
        )
        try:
            _try(signer, certificate)
            yield signer
        except SigningError as error:
            raise TokenError(in_words(error)) from error


def _try(signer: PKCS11Signer, certificate: Certificate) -> None:
    """Sign a probe, and verify it with the certificate."""
    signed = asyncio.run(signer.async_sign_raw(PROBE, "sha256"))
    public = load_der_x509_certificate(certificate.dump()).public_key()
    try:
        if isinstance(public, rsa.RSAPublicKey):
            public.verify(signed, PROBE, padding.PKCS1v15(), SHA256())
        elif isinstance(public, ec.EllipticCurvePublicKey):
            public.verify(signed, PROBE, ec.ECDSA(SHA256()))
        else:
            message = "the certificate is for another kind of key than RSA or an elliptic curve"
            raise TokenError(message)
    except InvalidSignature as error:
        message = "the key in the token is not that of the certificate in REPORT_KEY"
        raise TokenError(message) from error


DEMONSTRATION = "Demonstration"


class NoReportKeyError(Exception):
    """Reports cannot be signed; the message names the variable and what to write."""


@dataclass(frozen=True)
class ReportKey:
    """What signs: a certificate, its issuers, and access to its key."""

    signer: Callable[[], AbstractContextManager[Signer]]
    certificate: Certificate
    issuers: tuple[Certificate, ...]

    @property
    def name(self) -> str:
        """Return the name on the certificate."""
        return named_by(self.certificate)


def report_key() -> ReportKey:
    """Return the key that currently signs reports."""
    place = settings.REPORT_KEY
    if not place:
        message = "REPORT_KEY is not set. Let it name a PKCS#12 or PEM file."
        raise NoReportKeyError(message)
    private: PrivateKeyTypes | None = None
    try:
        content = Path(place).read_bytes()
        if settings.REPORT_TOKEN:
            certificates = x509.load_pem_x509_certificates(content)
            own = certificates[:1]
        else:
            private, certificates = _read(content, revealed(settings.REPORT_KEY_PASSPHRASE))
            own = [each for each in certificates if each.public_key() == private.public_key()]
    except OSError as error:
        message = f"REPORT_KEY names {place}: {error.strerror}."
        raise NoReportKeyError(message) from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        message = (
            f"REPORT_KEY names {place}, which cannot be read: {error}. Is the passphrase right?"
        )
        raise NoReportKeyError(message) from error
    if not own:
        message = f"REPORT_KEY names {place}, which has no certificate of its private key."
        raise NoReportKeyError(message)
    certificate = _for_pdf(own[0])
    if settings.PRODUCTION and is_demonstration(certificate):
        message = f"REPORT_KEY names {place}, whose certificate is a demonstration's."
        raise NoReportKeyError(message)
    issuers = tuple(_for_pdf(each) for each in certificates if each not in own)
    if private is None:
        return ReportKey(partial(_of_token, certificate, issuers), certificate, issuers)
    store = SimpleCertificateStore()  # type: ignore[no-untyped-call]
    store.register_multiple(issuers)
    key = PrivateKeyInfo.load(
        private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    )
    signer = SimpleSigner(certificate, key, store)
    return ReportKey(lambda: nullcontext(signer), certificate, issuers)


@contextmanager
def _of_token(certificate: Certificate, issuers: tuple[Certificate, ...]) -> Iterator[Signer]:
    pin = revealed(settings.REPORT_KEY_PASSPHRASE)
    try:
        with token_signer(
            token_at(revealed(settings.REPORT_TOKEN)), pin, certificate, issuers
        ) as signer:
            yield signer
    except TokenError as error:
        # Omit the setting's value: it may contain the PIN.
        message = f"The token that REPORT_TOKEN names cannot sign: {error}."
        raise NoReportKeyError(message) from error


def signing_key(at: datetime) -> ReportKey:
    """Return the key that signs reports, if its certificate is valid at an instant."""
    key = report_key()
    validity = key.certificate["tbs_certificate"]["validity"].native
    if not validity["not_before"] <= at <= validity["not_after"]:
        message = (
            f"REPORT_KEY names {settings.REPORT_KEY}, whose certificate is valid from "
            f"{validity['not_before']:%Y-%m-%d} to {validity['not_after']:%Y-%m-%d} only: what it "
            "signs now would not be believed. Put a new key there, and the certificate of this one "
            "into RETIRED_CERTIFICATES."
        )
        raise NoReportKeyError(message)
    return key


def own_certificate() -> bytes:
    """Return the current signing certificate as PEM, to verify reports without the key."""
    return bytes(armor("CERTIFICATE", report_key().certificate.dump()))


def trusted_certificates() -> list[Certificate]:
    """Return the certificates whose signatures are trusted: the one in use, then retired ones."""
    named = not settings.REPORT_KEY and _named_in("REPORT_CERTIFICATES")
    return [*(named or [report_key().certificate]), *_named_in("RETIRED_CERTIFICATES")]


def list_public_certificates() -> list[str]:
    """Return the trusted certificates as text, for a backup."""
    try:
        trusted = trusted_certificates()
    except NoReportKeyError as unreadable:
        raise BackupError(str(unreadable)) from None
    return [armor("CERTIFICATE", each.dump()).decode() for each in trusted]


def believed_authorities() -> list[Certificate]:
    """Return the root certificates of trusted timestamps."""
    return _named_in("TIMESTAMP_CERTIFICATES")


def under_demonstration_keys() -> bool:
    """Return whether reports are now signed with a demonstration key, which proves nothing."""
    return is_demonstration(report_key().certificate)


def is_demonstration(certificate: Certificate) -> bool:
    """Return whether a demonstration created the certificate for itself."""
    return bool(certificate.subject.native.get("organization_name") == DEMONSTRATION)


def named_by(certificate: Certificate) -> str:
    """Return the name on a certificate."""
    names = certificate.subject.native
    return str(names.get("common_name") or certificate.subject.human_friendly)[:200]


@lru_cache(maxsize=4)  # checking an RSA key takes longer than signing with it
def _read(content: bytes, phrase: str) -> tuple[PrivateKeyTypes, list[x509.Certificate]]:
    passphrase = phrase.encode() or None
    if b"-----BEGIN" in content:
        private = load_pem_private_key(content, password=passphrase)
        return private, x509.load_pem_x509_certificates(content)
    packed, own, others = pkcs12.load_key_and_certificates(content, passphrase)
    if packed is None:
        message = "it has no private key"
        raise ValueError(message)
    return packed, [each for each in (own, *others) if each is not None]


def _named_in(variable: str) -> list[Certificate]:
    """Return the certificates of the PEM file that a variable names, if any."""
    place = getattr(settings, variable)
    if not place:
        return []
    try:
        return [*map(_for_pdf, x509.load_pem_x509_certificates(Path(place).read_bytes()))]
    except (OSError, ValueError) as error:
        message = f"{variable} names {place}: {error}."
        raise NoReportKeyError(message) from error


def _for_pdf(certificate: x509.Certificate) -> Certificate:
    return Certificate.load(certificate.public_bytes(Encoding.DER))
