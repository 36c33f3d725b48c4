"""The key and certificate that sign reports as configured, and the certificates that are believed.

A demonstration's certificate says so in its organization. In production it is refused, wherever it
comes from.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from asn1crypto.keys import PrivateKeyInfo
from asn1crypto.x509 import Certificate
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    pkcs12,
)
from django.conf import settings
from pyhanko.sign.signers import SimpleSigner
from pyhanko_certvalidator.registry import SimpleCertificateStore

from reports.signing.token import TokenError, token_at, token_signer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime

    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
    from pyhanko.sign.signers import Signer

DEMONSTRATION = "Demonstration"


class NoReportKeyError(Exception):
    """Reports cannot be signed; the message names the variable and what to write."""


@dataclass(frozen=True)
class ReportKey:
    """What signs: a certificate, those that issued it, and how its key is had for a signature."""

    signer: Callable[[], AbstractContextManager[Signer]]
    certificate: Certificate
    issuers: tuple[Certificate, ...]

    @property
    def name(self) -> str:
        """Whom the certificate names."""
        return named_by(self.certificate)


def report_key() -> ReportKey:
    """Read the key that signs reports now."""
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
            private, certificates = _read(content, settings.REPORT_KEY_PASSPHRASE)
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
        message = f"REPORT_KEY names {place}, which holds no certificate of its private key."
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
    pin = settings.REPORT_KEY_PASSPHRASE
    try:
        with token_signer(token_at(settings.REPORT_TOKEN), pin, certificate, issuers) as signer:
            yield signer
    except TokenError as error:
        # Not as it stands there: somebody may have written the PIN into it.
        message = f"The token that REPORT_TOKEN names cannot sign: {error}."
        raise NoReportKeyError(message) from error


def signing_key(at: datetime) -> ReportKey:
    """The key that signs reports, if its certificate is valid at an instant."""
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


def trusted_certificates() -> list[Certificate]:
    """List the certificates whose signatures are believed: the one in use, then retired ones."""
    return [report_key().certificate, *_named_in("RETIRED_CERTIFICATES")]


def believed_authorities() -> list[Certificate]:
    """List the certificates that end the chain of a timestamp that is believed."""
    return _named_in("TIMESTAMP_CERTIFICATES")


def under_demonstration_keys() -> bool:
    """Whether what is signed now is signed with a key that vouches for nothing."""
    return is_demonstration(report_key().certificate)


def is_demonstration(certificate: Certificate) -> bool:
    """Whether a certificate is one that a demonstration made for itself."""
    return bool(certificate.subject.native.get("organization_name") == DEMONSTRATION)


def named_by(certificate: Certificate) -> str:
    """Whom a certificate names."""
    names = certificate.subject.native
    return str(names.get("common_name") or certificate.subject.human_friendly)[:200]


@lru_cache(maxsize=4)  # to check an RSA key takes longer than to sign with it
def _read(content: bytes, phrase: str) -> tuple[PrivateKeyTypes, list[x509.Certificate]]:
    passphrase = phrase.encode() or None
    if b"-----BEGIN" in content:
        private = load_pem_private_key(content, password=passphrase)
        return private, x509.load_pem_x509_certificates(content)
    packed, own, others = pkcs12.load_key_and_certificates(content, passphrase)
    if packed is None:
        message = "it holds no private key"
        raise ValueError(message)
    return packed, [each for each in (own, *others) if each is not None]


def _named_in(variable: str) -> list[Certificate]:
    """The certificates of the PEM file that a variable names, if it names one."""
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
