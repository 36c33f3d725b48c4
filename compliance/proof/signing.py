"""Sign checkpoints with Ed25519 keys, and write proofs as files (C2SP formats)."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from compliance.proof.verifier import (
    CONSISTENCY_HEADER,
    PROOF_HEADER,
    Checkpoint,
    VerifierKey,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class NotASigningKeyError(ValueError):
    """A file that should hold an Ed25519 private key and does not."""


@dataclass(frozen=True)
class SigningKey:
    """A private key under the name that stands in its signatures: the log's origin."""

    name: str
    private: Ed25519PrivateKey

    @classmethod
    def generate(cls, name: str) -> SigningKey:
        """Make a new key."""
        return cls(name, Ed25519PrivateKey.generate())

    @classmethod
    def from_pem(cls, name: str, pem: bytes) -> SigningKey:
        """Read a PKCS#8 file without a password."""
        try:
            private = load_pem_private_key(pem, password=None)
        except (ValueError, TypeError) as error:
            message = "This is not a private key in PEM without a password."
            raise NotASigningKeyError(message) from error
        if not isinstance(private, Ed25519PrivateKey):
            message = "This key is not Ed25519; make one with `manage.py log_key`."
            raise NotASigningKeyError(message)
        return cls(name, private)

    def to_pem(self) -> bytes:
        """Write the key as PKCS#8 without a password; the file's mode protects it."""
        return self.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    @property
    def public(self) -> VerifierKey:
        """Tell the key that others check with."""
        return VerifierKey(self.name, self.private.public_key().public_bytes_raw())


def sign_checkpoint(checkpoint: Checkpoint, keys: Iterable[SigningKey]) -> str:
    """Write the signed note of a checkpoint; while keys rotate, several sign."""
    text = checkpoint.text()
    lines = [
        f"— {key.name} {_encoded(key.public.id + key.private.sign(text.encode()))}\n"
        for key in keys
    ]
    return "\n".join([text, "".join(lines)])


def write_inclusion(index: int, path: Sequence[bytes], note: str) -> str:
    """Write a proof file: everything needed to check one event offline, but the key."""
    lines = [PROOF_HEADER, f"index {index}", *map(_encoded, path), "", note]
    return "\n".join(lines)


def write_consistency(old: int, new: int, path: Sequence[bytes]) -> str:
    """Write a proof that the tree of `new` leaves continues the tree of `old`."""
    return "\n".join([f"{CONSISTENCY_HEADER} {old} {new}", *map(_encoded, path), ""])


def _encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
