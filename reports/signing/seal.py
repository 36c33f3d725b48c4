"""Put the envelope on: one incremental update behind the body, which stays the file's prefix."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from pyhanko.pdf_utils.embed import EmbeddedFileObject, FileSpec, embed_file
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
from pyhanko.sign.signers import PdfSignatureMetadata, sign_pdf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyhanko.sign.timestamps import TimeStamper

    from reports.signing.keys import ReportKey

FIELD = "Signature"
PROOF, EVENT = "report.tlog-proof", "event.json"
ATTACHED = {
    PROOF: "Proof that the log holds this report (C2SP tlog-proof)",
    EVENT: "The event that the proof proves; it names the digest of the report's body",
}


def seal(
    body: bytes, attachments: Mapping[str, str], key: ReportKey, timestamper: TimeStamper | None
) -> bytes:
    """Attach texts to a body and sign the whole as its final state (PAdES, no changes allowed)."""
    writer = IncrementalPdfFileWriter(io.BytesIO(body))
    for name, text in sorted(attachments.items()):  # a name tree is in order
        held = EmbeddedFileObject.from_file_data(
            writer, text.encode(), compress=False, mime_type="text/plain"
        )
        spec = FileSpec(
            file_spec_string=name,
            file_name=name,
            embedded_data=held,
            description=ATTACHED[name],
        )
        embed_file(writer, spec)
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
