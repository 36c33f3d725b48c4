"""Open an envelope: what is signed, by whom, whether it holds, and what is attached.

Nothing of the file is believed. What cannot be read is told apart from what was read and is wrong
only in words: both are refused.
"""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from asn1crypto.cms import ContentInfo
from asn1crypto.x509 import Certificate
from pyhanko.pdf_utils.decode_limits import (
    DecodeLimits,
    DocumentDecodeBudget,
    StreamDecodeLimits,
)
from pyhanko.pdf_utils.generic import StreamObject
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.general import SigningError
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.errors import PathError, ValidationError

from compliance.apart import ExhaustedError, apart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

SECONDS, MEMORY = 3, 1 << 30
CERTIFICATES = ("signer", "stamped_by")
"""Between processes they travel as bytes: their library prepares their types as it meets them."""
NOT_TO_ITS_END = "It cannot be read to its end as a signed PDF."
NOT_IN_TIME = (
    "It was not read to its end: that takes more time or memory than a report takes, or this "
    "machine is too busy now. Try again in a minute."
)
LARGEST_ATTACHMENT = 1 << 20
UNPACKED = DecodeLimits(
    per_stream=StreamDecodeLimits(max_output_size=4 << 20),
    document_budget=DocumentDecodeBudget(base_allowance=16 << 20, max_ratio=0),
)
"""Of a report only what is attached is unpacked; anybody may hand in what unpacks to more."""
UNREADABLE = (
    PdfError, SigningError, SignatureValidationError, PathError, ValidationError, ValueError,
    LookupError, TypeError, AttributeError, ArithmeticError, AssertionError, RecursionError,
    NotImplementedError, EOFError, struct.error, zlib.error,
)  # fmt: skip
"""What reading a damaged file raises, in pyHanko and in the libraries it reads with."""


class UnreadableError(Exception):
    """The file is no PDF with one signature, or is damaged."""


class NotReadInTimeError(UnreadableError):
    """Reading it took more time or memory than a report takes, or the machine has none left."""


@dataclass(frozen=True, kw_only=True)
class Opened:
    """What was found in a signed file."""

    signer: Certificate
    at: datetime | None
    timestamp: datetime | None
    stamped_by: Certificate | None
    stamp_believed: bool
    """Whether an authority that is believed made the timestamp; anybody can put another there."""
    holds: bool
    """Whether the bytes that are signed are what was signed, by the key of this certificate."""
    in_time: bool
    """Whether the certificate was good for signing at the instant that the signature names."""
    covers_all: bool
    """Whether all of the file is signed, and nothing was added behind the signature."""
    revisions: int
    attachments: dict[str, bytes]


def open_envelope(content: bytes, authorities: Sequence[Certificate] = ()) -> Opened:
    """Read a signed file, apart; `authorities` are those whose timestamps are believed.

    Raises:
        UnreadableError: it cannot be read, or does not hold exactly one signature.
        NotReadInTimeError: nothing is known of it but that.
    """
    try:
        certificates = [each.dump() for each in authorities]
        answer = apart(_open, content, certificates, seconds=SECONDS, memory=MEMORY)
    except ExhaustedError:
        raise NotReadInTimeError(NOT_IN_TIME) from None
    if isinstance(answer, str):
        raise UnreadableError(answer)
    for name in CERTIFICATES:
        answer[name] = Certificate.load(answer[name]) if answer[name] else None
    return Opened(**answer)


def _open(content: bytes, certificates: list[bytes]) -> dict[str, Any] | str:
    """What was found, with certificates as bytes, or why nothing was."""
    authorities = [Certificate.load(each) for each in certificates]
    try:
        reader = PdfFileReader(io.BytesIO(content), decode_limits=UNPACKED)
        signatures = list(reader.embedded_regular_signatures)
        if len(signatures) != 1:
            return f"It holds {len(signatures) or 'no'} signatures, and a report holds one."
        opened = _opened(reader, signatures[0], authorities, content)
        found = {each.name: getattr(opened, each.name) for each in fields(opened)}
        return found | {name: found[name] and found[name].dump() for name in CERTIFICATES}
    except UnreadableError as refused:
        return str(refused)
    except UNREADABLE:
        return NOT_TO_ITS_END


def _opened(
    reader: PdfFileReader,
    signature: EmbeddedPdfSignature,
    authorities: Sequence[Certificate],
    content: bytes,
) -> Opened:
    signer = signature.signer_cert
    # The certificate is held against those configured by whoever asks; here it answers for itself,
    # at the time the signature names: it may have ended since.
    context = ValidationContext(
        trust_roots=[signer], allow_fetching=False, moment=signature.self_reported_timestamp
    )
    status = validate_pdf_signature(
        signature,
        signer_validation_context=context,
        ts_validation_context=ValidationContext(trust_roots=authorities, allow_fetching=False),
        key_usage_settings=KeyUsageConstraints(
            key_usage={"digital_signature", "non_repudiation"}, match_all_key_usages=False
        ),
        skip_diff=True,
    )
    stamp = status.timestamp_validity
    stamped = stamp is None or (stamp.intact and stamp.valid)
    return Opened(
        signer=signer,
        at=signature.self_reported_timestamp,
        timestamp=stamp.timestamp if stamp is not None else None,
        stamped_by=stamp.signing_cert if stamp is not None else None,
        stamp_believed=bool(stamp is not None and stamped and stamp.trusted),
        holds=bool(status.intact and status.valid and stamped),
        in_time=bool(status.trusted and _was_valid(signer, signature.self_reported_timestamp)),
        covers_all=status.coverage == SignatureCoverageLevel.ENTIRE_FILE
        and _fills_its_place(signature, content),
        revisions=reader.xrefs.total_revisions,
        attachments=dict(_attachments(reader)),
    )


def _fills_its_place(signature: EmbeddedPdfSignature, content: bytes) -> bool:
    """Whether nothing but the signature and zeros stands in the one place that it cannot cover."""
    _, begin, end, _ = signature.byte_range
    signed = ContentInfo.load(signature.pkcs7_content).dump().hex().upper().encode()
    place: bytes = content[begin:end]
    return bool(place == b"<" + signed.ljust(len(place) - 2, b"0") + b">")


def _was_valid(certificate: Certificate, at: datetime | None) -> bool:
    """Whether an instant lies in a certificate's time, of which a path says nothing of its end."""
    if at is None:
        return False
    begin, end = certificate.not_valid_before, certificate.not_valid_after
    return bool(begin <= at <= end)


def _attachments(reader: PdfFileReader) -> Iterator[tuple[str, bytes]]:
    if "/Names" not in reader.root or "/EmbeddedFiles" not in reader.root["/Names"]:
        return
    entries = reader.root["/Names"]["/EmbeddedFiles"]["/Names"]
    for place in range(0, len(entries), 2):
        name, held = str(entries[place]), entries[place + 1]["/EF"]["/F"]
        if not isinstance(held, StreamObject) or len(held.encoded_data) > LARGEST_ATTACHMENT:
            message = f"The attachment {name} is not what a report holds."
            raise UnreadableError(message)
        yield name, held.data
