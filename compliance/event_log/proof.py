"""Merkle paths (RFC 6962) and signed checkpoints (C2SP)."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from compliance.event_log.verifier import (
    CONSISTENCY_HEADER,
    EMPTY_ROOT,
    PROOF_HEADER,
    Checkpoint,
    VerifierKey,
    node_hash,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT


class Tiles(Protocol):
    """A source of the tree's hashes."""

    def tile(self, level: int, number: int) -> Sequence[bytes]:
        """Return the hashes of subtrees of height `8 * level`, from position `256 * number` on."""


def inclusion_path(index: int, size: int, tiles: Tiles) -> list[bytes]:
    """Return the siblings from leaf `index` up to the root of the first `size` leaves."""
    if not 0 <= index < size:
        message = f"A tree of {size} leaves has no leaf {index}."
        raise ValueError(message)
    start, stop = 0, size
    path: list[bytes] = []
    while stop - start > 1:
        middle = start + _left(stop - start)
        if index < middle:
            path.append(_root(middle, stop, tiles))
            stop = middle
        else:
            path.append(_root(start, middle, tiles))
            start = middle
    return path[::-1]


def consistency_path(old: int, new: int, tiles: Tiles) -> list[bytes]:
    """Return the hashes that prove the tree of `new` leaves begins with the first `old` leaves."""
    if not 0 <= old <= new:
        message = f"A tree of {new} leaves does not continue one of {old}."
        raise ValueError(message)
    if old in {0, new}:
        return []
    start, stop = 0, new
    path: list[bytes] = []
    whole = True  # the old tree ends exactly with the current subtree, and is its own root
    while old != stop:
        middle = start + _left(stop - start)
        if old <= middle:
            path.append(_root(middle, stop, tiles))
            stop = middle
        else:
            path.append(_root(start, middle, tiles))
            start = middle
            whole = False
    if not whole:
        path.append(_root(start, stop, tiles))
    return path[::-1]


def root(size: int, tiles: Tiles) -> bytes:
    """Return the root of the first `size` leaves."""
    return _root(0, size, tiles) if size else EMPTY_ROOT


def _left(count: int) -> int:
    """Return how many of `count` leaves go in the left subtree: the largest power of two below."""
    return 1 << (count - 1).bit_length() - 1


def _root(start: int, stop: int, tiles: Tiles) -> bytes:
    """Hash the leaves from `start` to `stop`, a subtree split as in the RFC."""
    count = stop - start
    if count & (count - 1) == 0:
        return _complete(count.bit_length() - 1, start // count, tiles)
    middle = start + _left(count)
    return node_hash(_root(start, middle, tiles), _root(middle, stop, tiles))


def _complete(height: int, position: int, tiles: Tiles) -> bytes:
    """Hash a complete subtree from the tile that contains its parts."""
    level, above = divmod(height, TILE_HEIGHT)
    number, first = divmod(position << above, TILE_WIDTH)
    row = list(tiles.tile(level, number)[first : first + (1 << above)])
    while len(row) > 1:
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]


class NotASigningKeyError(ValueError):
    """A file is not an Ed25519 private key."""


class NoLogKeyError(Exception):
    """The log cannot be signed or checked, because its keys cannot be used."""


class LogKey(Protocol):
    """A key that signs checkpoints, wherever it is."""

    @property
    def public(self) -> VerifierKey:
        """Return the key that others use for verification."""

    def sign(self, text: bytes) -> bytes:
        """Sign with Ed25519."""


@dataclass(frozen=True)
class SigningKey:
    """A private key and the name used in its signatures: the log's origin."""

    name: str
    private: Ed25519PrivateKey

    @classmethod
    def generate(cls, name: str) -> SigningKey:
        """Generate a key."""
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
        """Write the key as PKCS#8 without a password; the file mode protects it."""
        return self.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    @property
    def public(self) -> VerifierKey:
        """Return the key that others use for verification."""
        return VerifierKey(self.name, self.private.public_key().public_bytes_raw())

    def sign(self, text: bytes) -> bytes:
        """Sign with Ed25519."""
        return self.private.sign(text)


@dataclass(frozen=True)
class TokenKey:
    """A private key in a token, and its public key, which the log publishes."""

    public: VerifierKey
    uri: str
    pin: str

    def sign(self, text: bytes) -> bytes:
        """Sign with Ed25519.

        Raises:
            NoLogKeyError: the token cannot sign, or its key is not the one that is published.
        """
        # Few systems have a token, and its libraries are slow to load.
        from pkcs11 import Mechanism, ObjectClass

        from compliance.tokens import TokenError, token_at, token_session

        try:
            token = token_at(self.uri)
            with token_session(token, self.pin, pin_from="SIGNING_TOKEN_PIN") as session:
                key: Any = session.get_key(object_class=ObjectClass.PRIVATE_KEY, label=token.key)
                signature = bytes(key.sign(text, mechanism=Mechanism.EDDSA))
            self.public.verify(signature, text.decode())
        except TokenError as error:  # without the variable's value: it may contain the PIN
            message = f"SIGNING_TOKEN cannot sign: {error}."
            raise NoLogKeyError(message) from error
        except InvalidSignature as error:
            message = "The key that SIGNING_TOKEN names is not the one in SIGNING_KEY."
            raise NoLogKeyError(message) from error
        return signature


def sign_checkpoint(checkpoint: Checkpoint, keys: Iterable[LogKey]) -> str:
    """Write the signed note of a checkpoint; during a key rotation, several keys sign."""
    return sign_note(checkpoint.text(), keys)


def sign_note(text: str, keys: Iterable[LogKey]) -> str:
    """Write a signed note (C2SP `signed-note`)."""
    lines = [
        f"— {key.public.name} {_encoded(key.public.id + key.sign(text.encode()))}\n" for key in keys
    ]
    return "\n".join([text, "".join(lines)])


def write_inclusion(index: int, path: Sequence[bytes], note: str) -> str:
    """Write a proof file: everything except the key that is needed to check an event offline."""
    lines = [PROOF_HEADER, f"index {index}", *map(_encoded, path), "", note]
    return "\n".join(lines)


def write_consistency(old: int, new: int, path: Sequence[bytes]) -> str:
    """Write a proof that the tree of `new` leaves continues the tree of `old`."""
    return "\n".join([f"{CONSISTENCY_HEADER} {old} {new}", *map(_encoded, path), ""])


def _encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
