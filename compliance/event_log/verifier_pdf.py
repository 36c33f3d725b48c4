"""Check a report's PDF offline: its signature, that nothing was added, its proof and its event.

`verifier.py pdf` runs it. The site publishes it inside `verifier.py`, so that one file is enough:
what follows the marked line is joined to that script, and needs no more imports than it has.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compliance.event_log.verifier import (
    PROOF_HEADER,
    Answer,
    BrokenError,
    InclusionProof,
    canonical_json,
    leaf_hash,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from compliance.event_log.verifier import VerifierKey

JOINED = "# --- what follows is joined to verifier" + ".py ---"
# --- what follows is joined to verifier.py ---

BYTE_RANGE = rb"/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]"
SIGNED_ATTRIBUTES, SEQUENCE, SET, OCTETS = 0xA0, 0x30, 0x31, 0x04
MESSAGE_DIGEST = bytes.fromhex("06092a864886f70d010904")
SHA_256 = bytes.fromhex("0609608648016503040201")


def check_pdf(args: argparse.Namespace, keys: Sequence[VerifierKey]) -> Answer:
    """Check a signed report against the log's keys and, if given, the agency's certificate."""
    from cryptography import x509

    content, answer = Path(args.file).read_bytes(), Answer()
    agency = None
    if args.certificate:
        agency = x509.load_pem_x509_certificate(Path(args.certificate).read_bytes())
    checks: tuple[tuple[str, Any, Any], ...] = (
        ("signature", _signature, agency),
        ("proof and body", _proof, keys),
    )
    for where, check, given in checks:
        answer.checked += 1
        try:
            check(content, given)
        except BrokenError as broken:
            answer.broken(broken.what, broken.where or where)
        except (ValueError, LookupError, TypeError, StopIteration) as error:
            answer.broken(f"It cannot be read: {error}.", where)
    args.in_words = "the signature, the proof, the event, the body and what is attached to it"
    if agency is None:
        args.in_words += "; compare the certificate with --certificate, or nobody vouches for it"
    return answer


def _signature(content: bytes, agency: Any) -> None:
    """Check that the only signature covers the whole file, by the certificate that is given."""
    ranges = re.findall(BYTE_RANGE, content)
    if len(ranges) != 1:
        msg = f"The file has {len(ranges)} signatures, and a report has one."
        raise BrokenError(msg)
    begin, length, after, rest = map(int, ranges[0])
    place = content[length:after]
    if begin or after + rest != len(content) or place[:1] + place[-1:] != b"<>":
        msg = "The signature does not cover the whole file: something was added."
        raise BrokenError(msg)
    message = bytes.fromhex(place[1:-1].decode("ascii"))
    if message[_length(message) :].strip(b"\0"):
        msg = "Something is hidden behind the signature."
        raise BrokenError(msg)
    signed = content[:length] + content[after:]
    signed_data = _children(_children(_children(message)[0][1])[1][1])[0][1]
    parts = _children(signed_data)
    signer = _children(_children(parts[-1][1])[0][1])
    attributes = next(raw for tag, _, raw in signer if tag == SIGNED_ATTRIBUTES)
    signature = next(value for tag, value, _ in signer[::-1] if tag == OCTETS)
    digest = next(
        _children(_children(value)[1][1])[0][1]
        for _, value, raw in _children(attributes[_head(attributes) :])
        if MESSAGE_DIGEST in raw
    )
    if SHA_256 not in signer[2][2] or digest != hashlib.sha256(signed).digest():
        msg = "The file is not the one that was signed."
        raise BrokenError(msg)
    _require_signed(bytes([SET]) + attributes[1:], signature, parts, agency)


def _require_signed(message: bytes, signature: bytes, parts: Any, agency: Any) -> None:
    """Check the signature with the agency's certificate, or with one that the file contains."""
    from cryptography import x509

    inside = [
        x509.load_der_x509_certificate(raw)
        for tag, value, _ in parts
        if tag == SIGNED_ATTRIBUTES
        for _, _, raw in _children(value)
    ]
    candidates = [each for each in inside if agency is None or each == agency]
    if not candidates:
        msg = "It was signed with another certificate than the one you gave."
        raise BrokenError(msg)
    if not any(_is_signed_by(each.public_key(), message, signature) for each in candidates):
        msg = "The signature does not match the certificate."
        raise BrokenError(msg)


def _is_signed_by(key: Any, message: bytes, signature: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

    ways: tuple[tuple[Any, ...], ...] = ((),)
    if isinstance(key, ec.EllipticCurvePublicKey):
        ways = ((ec.ECDSA(hashes.SHA256()),),)
    elif isinstance(key, rsa.RSAPublicKey):
        salted = padding.PSS(padding.MGF1(hashes.SHA256()), padding.PSS.AUTO)
        ways = tuple((way, hashes.SHA256()) for way in (padding.PKCS1v15(), salted))
    for way in ways:
        try:
            key.verify(signature, message, *way)
        except InvalidSignature:
            continue
        return True
    return False


def _proof(content: bytes, keys: Sequence[VerifierKey]) -> None:
    """Check that the log has the event of this report, and that the body is the event's."""
    proof = event = None
    body_end = content.rindex(b"%%EOF", 0, content.rindex(b"%%EOF"))
    for found in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", content[body_end:], re.DOTALL):
        if found[1].startswith(PROOF_HEADER.encode()):
            proof = found[1]
        elif found[1].startswith(b'{"'):
            event = found[1]
    if proof is None or event is None:
        msg = "The file does not contain the proof and the event."
        raise BrokenError(msg)
    InclusionProof.parse(proof.decode()).check(leaf_hash(canonical_json(json.loads(event))), keys)
    payload = json.loads(event)["payload"]
    body = content[: payload["size"]]
    if hashlib.sha256(body).hexdigest() != payload["body"]:
        msg = "The pages are not those that the log recorded."
        raise BrokenError(msg)


def _head(content: bytes) -> int:
    """Return how many bytes tag and length of a DER value take."""
    return 2 + (content[1] & 0x7F if content[1] & 0x80 else 0)


def _length(content: bytes) -> int:
    """Return the length of a DER value with its head."""
    head = _head(content)
    return head + (int.from_bytes(content[2:head], "big") if head > 2 else content[1])


def _children(content: bytes) -> list[tuple[int, bytes, bytes]]:
    """Return the values of a DER sequence's content: tag, content, and the whole value."""
    return list(_each(content))


def _each(content: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    while content and content[0]:
        size = _length(content)
        if size > len(content):
            msg = "The signature cannot be read."
            raise BrokenError(msg)
        yield content[0], content[_head(content) : size], content[:size]
        content = content[size:]
