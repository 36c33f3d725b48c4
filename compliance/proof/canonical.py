"""One way to write a value as bytes, so that its digest means the value (RFC 8785)."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Any

import rfc8785

if TYPE_CHECKING:
    from collections.abc import Mapping

SALT_BYTES = 32


class NotCanonicalError(ValueError):
    """A value that has no one way to be written: a fraction, a huge number, half a character."""


def canonical(value: Any) -> bytes:
    """Write a value of nulls, booleans, integers, strings, lists and objects.

    Fractions are refused (money is cents), and so are NUL characters, which PostgreSQL cannot keep.
    """
    _refuse(value, "")
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise NotCanonicalError(str(error)) from error


def _refuse(value: Any, where: str) -> None:
    if isinstance(value, float):
        message = f"{where or 'value'}: {value} is a fraction; write whole numbers, money in cents."
        raise NotCanonicalError(message)
    if isinstance(value, str) and "\0" in value:
        message = f"{where or 'value'}: holds a NUL character."
        raise NotCanonicalError(message)
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse(key, where)
            _refuse(item, f"{where}.{key}" if where else str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse(item, where)


def digest(value: Any) -> str:
    """Tell the SHA-256 of a value's canonical bytes, in hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()


def new_salt() -> bytes:
    """Make a salt that nobody can guess."""
    return secrets.token_bytes(SALT_BYTES)


def salted_digest(salt: bytes, data: Mapping[str, Any]) -> str:
    """Tell the digest that stands for personal data; with salt and data gone it tells nothing."""
    return hashlib.sha256(salt + canonical(data)).hexdigest()
