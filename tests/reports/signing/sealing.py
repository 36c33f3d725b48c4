"""Keys of an agency and its authority, and files that are almost reports."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from pathlib import Path

Signs = Any


def certificate_of(
    key: Signs,
    name: str,
    issuer: tuple[Signs, str] | None = None,
    ca: bool = False,
    hours: int = 720,
):
    above, called = issuer or (key, name)
    now = datetime.now(UTC)
    usage = x509.KeyUsage(
        digital_signature=True, content_commitment=True, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=ca, crl_sign=ca,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, called)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(hours=hours))
        .add_extension(usage, critical=True)
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        .sign(above, hashes.SHA256())
    )


def agency_key(hours: int = 720) -> tuple[Any, x509.Certificate, x509.Certificate]:
    """Return a key, its certificate, and the authority's."""
    authority = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    issuer = (authority, "Authority of Tests")
    return (
        key,
        certificate_of(key, "Commission of Tests", issuer, hours=hours),
        certificate_of(authority, "Authority of Tests", ca=True),
    )


def key_file(folder: Path, hours: int = 720) -> Path:
    """Write a PEM file for `REPORT_KEY`; its certificate expires in `hours` hours."""
    key, certificate, issuer = agency_key(hours)
    place = folder / "agency.pem"
    place.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        + certificate.public_bytes(Encoding.PEM)
        + issuer.public_bytes(Encoding.PEM)
    )
    return place
