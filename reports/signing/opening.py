"""Open an envelope: what is signed, by whom, whether it holds, and what is attached.

Nothing of the file is believed. What cannot be read is told apart from what was read and is wrong
only in words: both are refused.
"""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from asn1crypto.x509 import Certificate
    from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

LARGEST_ATTACHMENT = 1 << 20
UNREADABLE = (
    PdfError, SigningError, SignatureValidationError, PathError, ValidationError, ValueError,
    LookupError, TypeError, AttributeError, ArithmeticError, AssertionError, RecursionError,
    NotImplementedError, EOFError, struct.error, zlib.error,
)  # fmt: skip
"""What reading a damaged file raises, in pyHanko and in the libraries it reads with."""


class UnreadableError(Exception):
    """The file is no PDF with one signature, or is damaged."""


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
    covers_all: bool
    """Whether all of the file is signed, and nothing was added behind the signature."""
    revisions: int
    attachments: dict[str, bytes]


def open_envelope(content: bytes, authorities: Sequence[Certificate] = ()) -> Opened:
    """Read a signed file; `authorities` are those whose timestamps are believed.

    Raises:
        UnreadableError: it cannot be read, or does not hold exactly one signature.
    """
    try:
        reader = PdfFileReader(io.BytesIO(content))
        signatures = list(reader.embedded_regular_signatures)
        if len(signatures) != 1:
            message = f"It holds {len(signatures) or 'no'} signatures, and a report holds one."
            raise UnreadableError(message)
        return _opened(reader, signatures[0], authorities)
    except UNREADABLE as damaged:
        message = "It cannot be read to its end as a signed PDF."
        raise UnreadableError(message) from damaged


def _opened(
    reader: PdfFileReader, signature: EmbeddedPdfSignature, authorities: Sequence[Certificate]
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
        holds=bool(status.intact and status.valid and status.trusted and stamped),
        covers_all=status.coverage == SignatureCoverageLevel.ENTIRE_FILE,
        revisions=reader.xrefs.total_revisions,
        attachments=dict(_attachments(reader)),
    )


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
