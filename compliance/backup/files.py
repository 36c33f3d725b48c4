"""The files of a backup, as they are or encrypted with `BACKUP_KEY`.

An encrypted file begins with a title and a random salt. BACKUP_KEY and the salt give the file's own
AES-256-GCM key. The content follows in pieces, each with its number and whether it is the last one
in the nonce: a piece that was altered, moved, added or cut off does not decrypt.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from compliance.backup.manifest import BackupError
from compliance.files.archive import (
    PIECE,
    DamagedError,
    FolderArchive,
    Stored,
    digest_of,
    written_aside,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


HEAD = b"card-game-compliance backup 1\n"
SALT = 32
TAG = 16
SHORTEST_KEY = 32
"""Characters: the key is derived without making guesses slow, so it has to be random and long."""


class _Sealed:
    """A source as it is stored: encrypted piece by piece, and hashed before."""

    def __init__(self, source: BinaryIO, key: str) -> None:
        self.hashing, self.size = hashlib.sha256(), 0
        self._pieces = self._sealed(source, key)

    def read(self, _size: int, /) -> bytes:
        """Return the next piece."""
        return next(self._pieces, b"")

    def _sealed(self, source: BinaryIO, key: str) -> Iterator[bytes]:
        salt = os.urandom(SALT)
        yield HEAD + salt
        cipher = AESGCM(_derived(key, salt, b"file"))
        number, piece, is_last = 0, source.read(PIECE), False
        while not is_last:
            self.hashing.update(piece)
            self.size += len(piece)
            following = source.read(PIECE)
            is_last = not following
            yield cipher.encrypt(_nonce(number, is_last=is_last), piece, HEAD)
            number, piece = number + 1, following


class EncryptedFiles(FolderArchive):
    """Content under the SHA-256 of what it is when decrypted."""

    def __init__(self, root: Path, key: str) -> None:
        super().__init__(root)
        self._key = key

    def store(self, source: BinaryIO) -> Stored:
        """Encrypt the source; its digest and size are those of the plain content."""
        sealed = _Sealed(source, self._key)
        with written_aside(sealed, self.aside) as (aside, _):
            stored = Stored(sealed.hashing.hexdigest(), sealed.size)
            self.put(aside, stored.digest)
        return stored

    @contextmanager
    def fetch(self, digest: str) -> Iterator[Path]:
        """Return a temporary file with the plain content, decrypted and checked."""
        place = self.place(digest)
        with tempfile.TemporaryDirectory(dir=plain_folder()) as aside:
            plain = Path(aside) / "plain"
            try:
                with place.open("rb") as sealed, plain.open("wb") as content:
                    self._decrypt(sealed, content, place.stat().st_size)
            except FileNotFoundError:
                with super().fetch(digest):  # raises the error that says it is missing
                    pass
            except InvalidTag:
                message = f"{place} is damaged: it does not decrypt with BACKUP_KEY."
                raise DamagedError(message) from None
            if (found := digest_of(plain)) != digest:
                message = f"{place} is damaged: its decrypted content hashes to {found}."
                raise DamagedError(message)
            yield plain

    def size(self, digest: str) -> int:
        """Return the size of the plain content."""
        sealed = super().size(digest) - len(HEAD) - SALT
        return sealed - TAG * max(1, -(-sealed // (PIECE + TAG)))

    def _decrypt(self, sealed: BinaryIO, content: BinaryIO, size: int) -> None:
        if sealed.read(len(HEAD)) != HEAD:
            raise InvalidTag
        cipher = AESGCM(_derived(self._key, sealed.read(SALT), b"file"))
        pieces = max(1, -(-(size - len(HEAD) - SALT) // (PIECE + TAG)))
        for number in range(pieces):
            nonce = _nonce(number, is_last=number == pieces - 1)
            content.write(cipher.decrypt(nonce, sealed.read(PIECE + TAG), HEAD))


def plain_folder() -> Path:
    """Return the folder for what must not be on the disk of an encrypted backup."""
    Path(settings.VAR).mkdir(parents=True, exist_ok=True)
    return Path(settings.VAR)


def key_id() -> str:
    """Return what a manifest says about BACKUP_KEY; empty if backups are not encrypted.

    It is derived from the key and reveals nothing about it.

    Raises:
        BackupError: the key is too short.
    """
    key = settings.BACKUP_KEY.reveal()
    if not key:
        return ""
    if len(key) < SHORTEST_KEY:
        message = (
            f"BACKUP_KEY has {len(key)} characters, and {SHORTEST_KEY} are needed. Set it to "
            "random ones: python -c 'import secrets; print(secrets.token_urlsafe(48))'"
        )
        raise BackupError(message)
    return _derived(key, b"", b"id")[:8].hex()


def files_of(folder: Path, encrypted_with: str) -> FolderArchive:
    """Return the folder with the files of a backup; each key has its own.

    Raises:
        BackupError: they were encrypted with another key than BACKUP_KEY.
    """
    if not encrypted_with:
        return FolderArchive(folder / "files")
    if (ours := key_id()) != encrypted_with:
        has = f"BACKUP_KEY is key {ours}" if ours else "BACKUP_KEY is not set"
        message = (
            f"The backup in {folder} is encrypted with key {encrypted_with}, and {has}. Set "
            "BACKUP_KEY to the key that was set when the backup was made."
        )
        raise BackupError(message)
    return EncryptedFiles(folder / f"files-{encrypted_with}", settings.BACKUP_KEY.reveal())


def _derived(key: str, salt: bytes, use: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt or None, b"card-game-compliance backup " + use).derive(
        key.encode()
    )


def _nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([is_last])
