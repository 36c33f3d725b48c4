"""Keys in tokens (PKCS#11), which never leave them: one is opened for one signature, and closed."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from pkcs11.exceptions import PinIncorrect, PinLocked, PKCS11Error
from pyhanko.config.pkcs11 import TokenCriteria
from pyhanko.sign.pkcs11 import open_pkcs11_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pkcs11 import Session


EXAMPLE = "pkcs11:token=TOKEN;object=KEY?module-path=/usr/lib/…/MODULE.so"

# A program logs in to a token once, however many of its threads sign.
_alone = Lock()


class TokenError(Exception):
    """A token that cannot sign; the message says why and what to do."""


@dataclass(frozen=True)
class Token:
    """Location of a key: the token's library and label, and the key's label."""

    module: Path
    label: str
    key: str


def token_at(uri: str) -> Token:
    """Parse the address of a key in a token (RFC 7512).

    Raises:
        TokenError: it is not one, is incomplete, or has unsupported parts.
    """
    parts = urlsplit(uri)
    parameters = dict(each.partition("=")[::2] for each in parts.path.split(";") if each)
    parameters = {name: unquote(value) for name, value in parameters.items()} | dict(
        parse_qsl(parts.query)
    )
    if parts.scheme != "pkcs11" or set(parameters) != {"token", "object", "module-path"}:
        message = f"write {EXAMPLE}, and nothing else"
        raise TokenError(message)
    module = Path(parameters["module-path"])
    if not module.is_file():
        message = f"module-path is {module}, which is not a file. Is the token's library installed?"
        raise TokenError(message)
    return Token(module, parameters["token"], parameters["object"])


@contextmanager
def token_session(token: Token, pin: str, *, pin_from: str) -> Iterator[Session]:
    """Open a token; `pin_from` is the variable that has its PIN.

    Raises:
        TokenError: the token or its PIN is not as configured, or it cannot do what was asked.
    """
    with _alone:
        try:
            session = open_pkcs11_session(
                str(token.module),
                token_criteria=TokenCriteria(label=token.label),
                user_pin=pin or None,
            )
        except (PinIncorrect, PinLocked) as error:
            message = f"the PIN in {pin_from} is refused ({type(error).__name__})"
            raise TokenError(message) from error
        except PKCS11Error as error:
            raise TokenError(in_words(error)) from error
        try:
            yield session
        except PKCS11Error as error:
            raise TokenError(in_words(error)) from error
        finally:
            session.close()


def in_words(error: Exception) -> str:
    """Return the name of an error, and what it says."""
    return f"{type(error).__name__} {error}".strip()
