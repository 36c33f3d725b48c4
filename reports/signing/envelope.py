"""Seal and open the envelope: the signer, the signature's validity, and attachments.

It is one incremental update after the body, which remains the file's prefix. Nothing in an opened
file is trusted. Unreadable content and content that is wrong only differ in wording: both are
refused.
"""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from asn1crypto.cms import ContentInfo
from asn1crypto.x509 import Certificate
from pyhanko.pdf_utils.decode_limits import DecodeLimits, DocumentDecodeBudget, StreamDecodeLimits
from pyhanko.pdf_utils.embed import EmbeddedFileObject, FileSpec, embed_file
from pyhanko.pdf_utils.generic import ArrayObject, NameObject, StreamObject
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
from pyhanko.sign.general import SigningError
from pyhanko.sign.signers import PdfSignatureMetadata, sign_pdf
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.errors import PathError, ValidationError

from compliance.files.sandbox import ExhaustedError, run_in_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from pyhanko.sign.timestamps import TimeStamper
    from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature

    from reports.signing.keys import ReportKey


FIELD = "Signature"
PROOF, EVENT = "report.tlog-proof", "event.json"
ATTACHED = {
    PROOF: "Proof that the log contains this report (C2SP tlog-proof)",
    EVENT: "The event that the proof proves; it names the digest of the report's body",
}


def seal(
    body: bytes, attachments: Mapping[str, str], key: ReportKey, timestamper: TimeStamper | None
) -> bytes:
    """Attach texts to a body and sign it all as final (PAdES, no changes allowed)."""
    writer = IncrementalPdfFileWriter(io.BytesIO(body))
    for name, text in sorted(attachments.items()):  # a name tree is in order
        embedded = EmbeddedFileObject.from_file_data(
            writer, text.encode(), compress=False, mime_type="text/plain"
        )
        spec = FileSpec(
            file_spec_string=name,
            file_name=name,
            embedded_data=embedded,
            description=ATTACHED[name],
        )
        embed_file(writer, spec)
        _associate(writer)
    about = PdfSignatureMetadata(
        field_name=FIELD,
        md_algorithm="sha256",
        subfilter=SigSeedSubFilter.PADES,
        certify=True,
        docmdp_permissions=MDPPerm.NO_CHANGES,
        name=key.name,
        reason="This is the report as made and recorded",
    )
    with key.signer() as signer:
        sealed = sign_pdf(writer, about, signer=signer, timestamper=timestamper)
    return bytes(sealed.getvalue())


def _associate(writer: IncrementalPdfFileWriter) -> None:
    """Say what the newest attachment is to the document, as PDF/A-3 requires.

    pyHanko can, but then declares PDF 2.0, which PDF/A-3 is not.
    """
    names = writer.root["/Names"]["/EmbeddedFiles"]["/Names"]
    reference = names.raw_get(len(names) - 1)
    specification = reference.get_object()
    specification[NameObject("/AFRelationship")] = NameObject("/Supplement")
    writer.update_container(specification)
    if "/AF" not in writer.root:
        writer.root[NameObject("/AF")] = writer.add_object(ArrayObject())
        writer.update_root()  # type: ignore[no-untyped-call]
    associated = writer.root["/AF"]
    associated.append(reference)
    writer.update_container(associated)


SECONDS, MEMORY = 3, 1 << 30
CERTIFICATES = ("signer", "stamped_by")
"""Sent between processes as bytes, because their library creates its types on first use."""
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
"""Only a report's attachments are unpacked; anyone may submit a file that unpacks to more."""
UNREADABLE = (
    PdfError, SigningError, SignatureValidationError, PathError, ValidationError, ValueError,
    LookupError, TypeError, AttributeError, ArithmeticError, AssertionError, RecursionError,
    NotImplementedError, EOFError, struct.error, zlib.error,
)  # fmt: skip
"""Exceptions on reading a damaged file, from pyHanko and its libraries."""


class UnreadableError(Exception):
    """The file is not a PDF with exactly one signature, or is damaged."""


class NotReadInTimeError(UnreadableError):
    """Reading took more time or memory than a report takes, or the machine has none left."""


@dataclass(frozen=True, kw_only=True)
class Opened:
    """Contents of a signed file."""

    signer: Certificate
    at: datetime | None
    timestamp: datetime | None
    stamped_by: Certificate | None
    stamp_believed: bool
    """Whether a trusted authority made the timestamp; anyone can add another one."""
    holds: bool
    """Whether the signed bytes match the signature by this certificate's key."""
    in_time: bool
    """Whether the certificate was valid at the time that the signature states."""
    covers_all: bool
    """Whether the whole file is signed, with nothing added after the signature."""
    revisions: int
    attachments: dict[str, bytes]


def open_envelope(content: bytes, authorities: Sequence[Certificate] = ()) -> Opened:
    """Read a signed file in a sandbox; timestamps of `authorities` are trusted.

    Raises:
        UnreadableError: it cannot be read, or does not contain exactly one signature.
        NotReadInTimeError: reading it was not finished, so nothing else is known.
    """
    try:
        certificates = [each.dump() for each in authorities]
        answer = run_in_sandbox(_open, content, certificates, seconds=SECONDS, memory=MEMORY)
    except ExhaustedError:
        raise NotReadInTimeError(NOT_IN_TIME) from None
    if isinstance(answer, str):
        raise UnreadableError(answer)
    for name in CERTIFICATES:
        answer[name] = Certificate.load(answer[name]) if answer[name] else None
    return Opened(**answer)


def _open(content: bytes, certificates: list[bytes]) -> dict[str, Any] | str:
    """Return the contents with certificates as bytes, or the reason why there are none."""
    authorities = [Certificate.load(each) for each in certificates]
    try:
        reader = PdfFileReader(io.BytesIO(content), decode_limits=UNPACKED)
        signatures = list(reader.embedded_regular_signatures)
        if len(signatures) != 1:
            return f"It holds {len(signatures) or 'no'} signatures, and a report has one."
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
    # The caller compares the certificate with the configured ones. Here it is its own root, at the
    # time the signature states, since it may have expired since.
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
    """Return whether the one place it cannot cover has nothing but the signature and zeros."""
    _, begin, end, _ = signature.byte_range
    signed = ContentInfo.load(signature.pkcs7_content).dump().hex().upper().encode()
    place: bytes = content[begin:end]
    return bool(place == b"<" + signed.ljust(len(place) - 2, b"0") + b">")


def _was_valid(certificate: Certificate, at: datetime | None) -> bool:
    """Return whether a certificate was valid at an instant; path validation ignores its end."""
    if at is None:
        return False
    begin, end = certificate.not_valid_before, certificate.not_valid_after
    return bool(begin <= at <= end)


def _attachments(reader: PdfFileReader) -> Iterator[tuple[str, bytes]]:
    if "/Names" not in reader.root or "/EmbeddedFiles" not in reader.root["/Names"]:
        return
    entries = reader.root["/Names"]["/EmbeddedFiles"]["/Names"]
    for place in range(0, len(entries), 2):
        name, embedded = str(entries[place]), entries[place + 1]["/EF"]["/F"]
        if name not in ATTACHED:  # the body's own data, which its digest covers
            continue
        if (
            not isinstance(embedded, StreamObject)
            or len(embedded.encoded_data) > LARGEST_ATTACHMENT
        ):
            message = f"The attachment {name} does not belong to a report."
            raise UnreadableError(message)
        yield name, embedded.data
