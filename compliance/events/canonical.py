"""One canonical encoding of a value, so that its digest is unambiguous (RFC 8785)."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Any

import orjson
import rfc8785

if TYPE_CHECKING:
    from collections.abc import Mapping


SALT_BYTES = 32
LARGEST_WHOLE = 2**53 - 1
"""Canonical JSON has no larger number. A hostile log may contain one, and it must stop no night."""


class NotCanonicalError(ValueError):
    """A value without a canonical form: a fraction, a huge number, or half a character."""


def canonical(value: Any) -> bytes:
    """Encode a value of nulls, booleans, integers, strings, lists and objects.

    Rejects fractions (money is in cents) and NUL characters, which PostgreSQL cannot store.
    """
    if _is_ordinary(value):
        try:
            return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
        except orjson.JSONEncodeError:  # half a character, or very deep: rfc8785 says what is wrong
            pass
    _refuse(value, "")
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise NotCanonicalError(str(error)) from error


def _is_ordinary(value: Any) -> bool:
    """Return whether a value is of those that a faster encoder writes in the same way.

    The two sort names beyond ASCII differently, and differ in numbers and types that are refused.
    """
    kind = type(value)
    if kind is str:
        return "\0" not in value
    if kind is dict:
        return all(
            type(name) is str and name.isascii() and "\0" not in name and _is_ordinary(item)
            for name, item in value.items()
        )
    if kind is list:
        return all(map(_is_ordinary, value))
    if kind is int:
        return bool(-LARGEST_WHOLE <= value <= LARGEST_WHOLE)
    return value is None or kind is bool


def _refuse(value: Any, where: str) -> None:
    if isinstance(value, float):
        message = f"{where or 'value'}: {value} is a fraction; write whole numbers, money in cents."
        raise NotCanonicalError(message)
    if isinstance(value, str) and "\0" in value:
        message = f"{where or 'value'}: contains a NUL character."
        raise NotCanonicalError(message)
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse(key, where)
            _refuse(item, f"{where}.{key}" if where else str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse(item, where)


def digest(value: Any) -> str:
    """Return the SHA-256 of a value's canonical bytes, in hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()


def new_salt() -> bytes:
    """Return a random salt."""
    return secrets.token_bytes(SALT_BYTES)


def salted_digest(salt: bytes, data: Mapping[str, Any]) -> str:
    """Return the digest that represents personal data; without salt and data it reveals nothing."""
    return hashlib.sha256(salt + canonical(data)).hexdigest()
