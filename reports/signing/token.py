"""A key that never leaves its token: opened through PKCS#11 for one signature, and closed."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509 import load_der_x509_certificate
from pkcs11.exceptions import PinIncorrect, PinLocked, PKCS11Error
from pyhanko.config.pkcs11 import TokenCriteria
from pyhanko.sign.general import SigningError
from pyhanko.sign.pkcs11 import PKCS11Signer, open_pkcs11_session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from asn1crypto.x509 import Certificate

PROBE = b"Does this key belong to its certificate?"
EXAMPLE = "pkcs11:token=TOKEN;object=KEY?module-path=/usr/lib/…/MODULE.so"

# A program signs in to a token once, however many of its threads sign.
_alone = Lock()


class TokenError(Exception):
    """A token that cannot sign; the message says why and what to do."""


@dataclass(frozen=True)
class Token:
    """Where a key lies: the library that speaks to the token, the token's label, the key's."""

    module: Path
    label: str
    key: str


def token_at(uri: str) -> Token:
    """Read the address of a key in a token, as RFC 7512 writes it.

    Raises:
        TokenError: it is none, lacks something, or asks for what is not looked at.
    """
    parts = urlsplit(uri)
    said = dict(each.partition("=")[::2] for each in parts.path.split(";") if each)
    said = {name: unquote(value) for name, value in said.items()} | dict(parse_qsl(parts.query))
    if parts.scheme != "pkcs11" or set(said) != {"token", "object", "module-path"}:
        message = f"write {EXAMPLE}, and nothing else"
        raise TokenError(message)
    module = Path(said["module-path"])
    if not module.is_file():
        message = f"module-path is {module}, which is no file. Is the token's library installed?"
        raise TokenError(message)
    return Token(module, said["token"], said["object"])


@contextmanager
def token_signer(
    token: Token, pin: str, certificate: Certificate, issuers: Iterable[Certificate]
) -> Iterator[PKCS11Signer]:
    """Open a token, make sure that its key is the certificate's, and sign with it.

    Raises:
        TokenError: the token, its PIN or its key is not what was named.
    """
    with _alone:
        try:
            session = open_pkcs11_session(
                str(token.module),
                token_criteria=TokenCriteria(label=token.label),
                user_pin=pin or None,
            )
        except (PinIncorrect, PinLocked) as error:
            message = f"the PIN in REPORT_KEY_PASSPHRASE is refused ({type(error).__name__})"
            raise TokenError(message) from error
        except PKCS11Error as error:
            raise TokenError(_told(error)) from error
        try:
            signer = PKCS11Signer(
                session,
                signing_cert=certificate,
                ca_chain=set(issuers),
                key_label=token.key,
                # Not each token hashes for a curve; each signs a digest.
                use_raw_mechanism=certificate.public_key.algorithm == "ec",
            )
            _try(signer, certificate)
            yield signer
        except (PKCS11Error, SigningError) as error:
            raise TokenError(_told(error)) from error
        finally:
            session.close()


def _try(signer: PKCS11Signer, certificate: Certificate) -> None:
    """Sign something, and look whether the certificate vouches for it."""
    signed = asyncio.run(signer.async_sign_raw(PROBE, "sha256"))
    public = load_der_x509_certificate(certificate.dump()).public_key()
    try:
        if isinstance(public, rsa.RSAPublicKey):
            public.verify(signed, PROBE, padding.PKCS1v15(), SHA256())
        elif isinstance(public, ec.EllipticCurvePublicKey):
            public.verify(signed, PROBE, ec.ECDSA(SHA256()))
        else:
            message = "the certificate is for another kind of key than RSA or an elliptic curve"
            raise TokenError(message)
    except InvalidSignature as error:
        message = "the key in the token is not that of the certificate in REPORT_KEY"
        raise TokenError(message) from error


def _told(error: Exception) -> str:
    return f"{type(error).__name__} {error}".strip()
