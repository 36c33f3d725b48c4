"""Keys that a demonstration creates at its first run, stored in `VAR/keys/`."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


DEMONSTRATION_SECRETS = ("secret", "second-factors", "webhooks")


def keys_folder(var: Path) -> Path:
    """Return the folder of the demonstration's keys."""
    return var / "keys"


def demonstration_secret(var: Path, name: str = "secret") -> str:
    """Return a secret of this installation, generated the first time."""
    made = _made_once(keys_folder(var) / name, lambda: secrets.token_urlsafe(50).encode())
    return made.read_text()


def demonstration_signing_key(var: Path) -> Path:
    """Return the file of this installation's signing key, created the first time."""
    return _made_once(keys_folder(var) / "signing.pem", _new_signing_key)


def demonstration_report_key(var: Path) -> Path:
    """Return the file of the key and certificate that sign reports here, created the first time."""
    return _made_once(keys_folder(var) / "reports.pem", _new_report_key)


def _new_report_key() -> bytes:
    """Create an RSA key, which every PDF reader supports, and a certificate for it."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=3072)
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Demonstration"),
            x509.NameAttribute(NameOID.COMMON_NAME, "Demonstration, vouches for nothing"),
        ]
    )
    now = datetime.now(UTC)
    usage = x509.KeyUsage(
        digital_signature=True, content_commitment=True, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=False, crl_sign=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=3650))
        .add_extension(usage, critical=True)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private + certificate.public_bytes(Encoding.PEM)


def _new_signing_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )


def _made_once(place: Path, make: Callable[[], bytes]) -> Path:
    """Return a file, created if it does not exist.

    Processes that start at once agree on one: the first to link its file wins.
    """
    if place.exists():
        return place
    made = place.with_name(f"{place.name}.{secrets.token_hex(4)}")
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        made.touch(mode=0o600)
        made.write_bytes(make())
        os.link(made, place)
    except FileExistsError:
        pass
    except OSError as refused:
        message = (
            f"{place.parent} cannot be written ({refused.strerror}). "
            "Make it writable, or let VAR name a folder that is."
        )
        raise ImproperlyConfigured(message) from None
    finally:
        with suppress(OSError):
            made.unlink()
    return place
