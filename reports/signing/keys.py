"""The key and certificate that sign reports as configured, and the certificates that are believed.

A demonstration's certificate says so in its organization. In production it is refused, wherever it
comes from.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
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

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

DEMONSTRATION = "Demonstration"


class NoReportKeyError(Exception):
    """Reports cannot be signed; the message names the variable and what to write."""


@dataclass(frozen=True)
class ReportKey:
    """What signs: a certificate, those that issued it, and the signer that holds the key."""

    signer: SimpleSigner
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
    try:
        private, certificates = _read(Path(place).read_bytes(), settings.REPORT_KEY_PASSPHRASE)
    except OSError as error:
        message = f"REPORT_KEY names {place}: {error.strerror}."
        raise NoReportKeyError(message) from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        message = (
            f"REPORT_KEY names {place}, which cannot be read: {error}. Is the passphrase right?"
        )
        raise NoReportKeyError(message) from error
    own = [each for each in certificates if each.public_key() == private.public_key()]
    if not own:
        message = f"REPORT_KEY names {place}, which holds no certificate of its private key."
        raise NoReportKeyError(message)
    certificate = _for_pdf(own[0])
    if settings.PRODUCTION and is_demonstration(certificate):
        message = f"REPORT_KEY names {place}, whose certificate is a demonstration's."
        raise NoReportKeyError(message)
    issuers = tuple(_for_pdf(each) for each in certificates if each not in own)
    store = SimpleCertificateStore()  # type: ignore[no-untyped-call]
    store.register_multiple(issuers)
    key = PrivateKeyInfo.load(
        private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    )
    return ReportKey(SimpleSigner(certificate, key, store), certificate, issuers)


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
