"""Checks of whether a PDF is a report of this installation as it was made, one answer each.

Even a file that is identical to an issued one gets every check; for any other file, the answers say
what is wrong. `manage.py verify` offers the other checks besides.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings

from compliance.access.scope import without_access_scope
from compliance.event_log.tree import LogBrokenError, root_at, trusted_keys
from compliance.event_log.verification import verify_log
from compliance.event_log.verifier import (
    Answer,
    BrokenError,
    InclusionProof,
    canonical_json,
    leaf_hash,
    read_checkpoint,
)
from compliance.event_log.verifier_export import ExportCheck
from compliance.retention.verification import verify_archive
from compliance.verification.release import compare_installed, read_release
from compliance.verification.run import NoAnswerError, own_checkpoint, verify_all
from reports.documents.events import MADE
from reports.documents.models import Envelope, Report
from reports.library.reads import Outcome, reproduce
from reports.signing.envelope import (
    EVENT,
    PROOF,
    NotReadInTimeError,
    UnreadableError,
    open_envelope,
)
from reports.signing.keys import (
    believed_authorities,
    is_demonstration,
    named_by,
    trusted_certificates,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from reports.signing.envelope import Opened


MOST_ENDS = 8
"""Maximum end markers examined in a PDF; a report has two."""
REVISIONS = 2
"""The body and the envelope."""
WHEN = "%B %-d, %Y, %H:%M %Z"


@dataclass(frozen=True)
class Check:
    """One question and its answer; `holds` is None if it could not be answered."""

    name: str
    title: str
    holds: bool | None
    says: str


@dataclass(frozen=True)
class Question:
    """A question about a file."""

    name: str
    title: str

    def yes(self, says: str) -> Check:
        """Return a positive answer."""
        return Check(self.name, self.title, holds=True, says=says)

    def no(self, says: str) -> Check:
        """Return a negative answer."""
        return Check(self.name, self.title, holds=False, says=says)

    def untold(self, says: str) -> Check:
        """Return that it could not be answered."""
        return Check(self.name, self.title, holds=None, says=says)


SIGNATURE = Question("signature", "Signature")
INTEGRITY = Question("integrity", "Nothing was added or removed")
PROOF_IN_LOG = Question("proof", "Proof that the log contains it")
BODY = Question("body", "Body")
ON_FILE = Question("file", "On file here")
MADE_AGAIN = Question("reproduction", "Made again")


@dataclass(frozen=True)
class PdfCheck:
    """All checks of one file, and the report it is, if any."""

    checks: tuple[Check, ...]
    report: Report | None

    @property
    def ok(self) -> bool:
        """Return whether nothing is wrong and everything that matters could be checked."""
        return not self.is_broken and self.untold is None

    @property
    def is_broken(self) -> bool:
        """Return whether any check failed."""
        return any(check.holds is False for check in self.checks)

    @property
    def untold(self) -> Check | None:
        """Return the signature check if it was impossible: a busy machine accuses no report."""
        unanswered = (each for each in self.checks if each.holds is None)
        return next((each for each in unanswered if each.name == SIGNATURE.name), None)

    def as_answer(self, place: str) -> Answer:
        """Return the result in the common form of all verifications."""
        answer = Answer(checked=len(self.checks))
        for check in self.checks:
            if check.holds is False:
                answer.broken(check.says, f"{check.name} of {place}")
        return answer


def check_pdf(content: bytes, *, most_pages: int | None = None) -> PdfCheck:
    """Run all checks on a file. A report of more than `most_pages` is not rebuilt here."""
    with without_access_scope():
        report = _begins_with(content)
        return PdfCheck(tuple(_checks(content, report, most_pages)), report)


def _begins_with(content: bytes) -> Report | None:
    """Find the report whose body the file begins with."""
    sizes: dict[str, int] = {}
    hashing, at = hashlib.sha256(), 0
    end = content.find(b"%%EOF")
    while end >= 0 and len(sizes) < MOST_ENDS:
        line_end = min(end + len(b"%%EOF\n"), len(content))
        hashing.update(content[at:line_end])
        sizes[hashing.hexdigest()] = at = line_end
        end = content.find(b"%%EOF", at)
    found: Report | None = Report.objects.filter(body__in=list(sizes)).first()
    return found if found is not None and sizes[found.body] == found.size else None


def _checks(content: bytes, report: Report | None, most_pages: int | None) -> Iterator[Check]:
    if not content.startswith(b"%PDF-"):
        yield SIGNATURE.no("It is no PDF.")
        return
    try:
        opened = open_envelope(content, believed_authorities())
    except NotReadInTimeError as busy:
        yield SIGNATURE.untold(str(busy))
    except UnreadableError as damaged:
        yield SIGNATURE.no(str(damaged))
    else:
        yield _signature(opened)
        yield _integrity(opened)
        yield from _proof(content, opened)
    yield _filed(content, report)
    if report is not None:
        yield _made_again(report, most_pages)


def _signature(opened: Opened) -> Check:
    who = named_by(opened.signer)
    if opened.signer.sha256 not in {each.sha256 for each in trusted_certificates()}:
        return SIGNATURE.no(f"It is signed with a key that is not this installation's: {who}.")
    if not opened.holds:
        return SIGNATURE.no("The signed content does not match the signature.")
    if not opened.in_time:
        return SIGNATURE.no("The certificate of its key was not valid when it was signed.")
    says = [f"It is signed with the key of {who}"]
    if opened.timestamp is not None and opened.stamped_by is not None and opened.stamp_believed:
        authority = named_by(opened.stamped_by)
        says.append(f"{authority} vouches that it was signed by {opened.timestamp:{WHEN}}")
    elif opened.at is not None:
        says.append(f"by its own clock on {opened.at:{WHEN}}")
        if opened.stamped_by is not None:
            authority = named_by(opened.stamped_by)
            says.append(f"it has a timestamp of {authority}, which is not believed here")
    if is_demonstration(opened.signer):
        says.append("a demonstration's key, which vouches for nothing")
    return SIGNATURE.yes("; ".join(says) + ".")


def _integrity(opened: Opened) -> Check:
    if not opened.covers_all or opened.revisions != REVISIONS:
        return INTEGRITY.no("Something was added after the signed content, or is missing.")
    if not opened.holds:
        return INTEGRITY.no("The signature covers the file but is not valid.")
    return INTEGRITY.yes("The signature covers the whole file, to its last byte.")


def _proof(content: bytes, opened: Opened) -> Iterator[Check]:
    try:
        event = json.loads(opened.attachments[EVENT])
        proof = InclusionProof.parse(opened.attachments[PROOF].decode())
        checkpoint = proof.check(leaf_hash(canonical_json(event)), trusted_keys())
        kind, number = event["type"], int(event["number"])
        size, body = int(event["payload"]["size"]), str(event["payload"]["body"])
        same_log = root_at(checkpoint.size) == checkpoint.root
    except BrokenError as broken:
        yield PROOF_IN_LOG.no(f"The attached proof is not valid: {broken}.")
    except LogBrokenError:
        yield PROOF_IN_LOG.no("The log of this installation does not reach the proof.")
    except (LookupError, TypeError, ValueError, RecursionError):
        yield PROOF_IN_LOG.no("No whole proof is attached that a report was made.")
    else:
        if kind != MADE.name or not same_log:
            yield PROOF_IN_LOG.no("It does not prove that this log contains a report.")
            return
        yield PROOF_IN_LOG.yes(f"The event log of {checkpoint.origin} holds it: event {number:,}.")
        yield _body(content, size, body)


def _body(content: bytes, size: int, body: str) -> Check:
    if hashlib.sha256(content[: max(size, 0)]).hexdigest() != body:
        return BODY.no("Its beginning is not the report that was recorded.")
    return BODY.yes(f"Its first {size:,} bytes are the report that was recorded, SHA-256 {body}.")


def _filed(content: bytes, report: Report | None) -> Check:
    if report is None:
        return ON_FILE.no("It does not begin with a report of this installation.")
    digest = hashlib.sha256(content).hexdigest()
    if not Envelope.objects.filter(report=report, file=digest).exists():
        return ON_FILE.no("It begins with a report that is on file, but was not issued like this.")
    return ON_FILE.yes(f"Byte for byte a file that was issued: {report.reference}.")


def _made_again(report: Report, most_pages: int | None) -> Check:
    if most_pages is not None and report.pages > most_pages:
        says = f"It has {report.pages} pages and is not made again here: ask the agency for that."
        return MADE_AGAIN.untold(says)
    made = reproduce(report)
    if made.outcome is Outcome.SAME:
        return MADE_AGAIN.yes(made.says)
    if made.outcome is Outcome.DIFFERS:
        return MADE_AGAIN.no(made.says)
    return MADE_AGAIN.untold(made.says)


LARGEST = 512 << 20
"""Maximum bytes of a PDF that is read into memory for verification."""


@dataclass(frozen=True)
class Verification:
    """A verification: its function, its help text, and whether it reads a file."""

    says: str
    run: Callable[[Path | None, list[Path]], Answer]
    of_a_file: bool = False


def _all(_: Path | None, given: list[Path]) -> Answer:
    """Check the log against all checkpoints, and every part that an app registers."""
    return verify_all({str(place): place.read_text() for place in given})


def _log(_: Path | None, given: list[Path]) -> Answer:
    """Check the log against the checkpoint stored beside the database, and others."""
    return verify_log(own_checkpoint() | {str(place): place.read_text() for place in given})


def _archive(_file: Path | None, _given: list[Path]) -> Answer:
    """Read every file named in the history again."""
    return verify_archive()


def _export(file: Path | None, given: list[Path]) -> Answer:
    if file is None or len(given) > 1:
        message = "An export is checked with its file, and against one checkpoint at most."
        raise NoAnswerError(message)
    keys = trusted_keys()
    checkpoint = read_checkpoint(given[0].read_text(), keys) if given else None
    with file.open(encoding="utf-8") as lines:
        signed_from = settings.SIGNATURES_REQUIRED_FROM
        return ExportCheck(keys, checkpoint, signed_from=signed_from).check(lines)


def _pdf(file: Path | None, given: list[Path]) -> Answer:
    if file is None or given:
        message = "A report is checked with its file, against the log of this installation."
        raise NoAnswerError(message)
    if file.stat().st_size > LARGEST:
        message = f"{file.name} is larger than {LARGEST >> 20} MB: no report is."
        raise NoAnswerError(message)
    found = check_pdf(file.read_bytes())
    if found.untold is not None and not found.is_broken:
        raise NoAnswerError(found.untold.says)
    return found.as_answer(file.name)


def _release(file: Path | None, given: list[Path]) -> Answer:
    if file is None or given:
        message = "What is installed is compared with the file of a sealed release."
        raise NoAnswerError(message)
    answer = Answer()
    try:
        compare_installed(answer, read_release(file.read_bytes()))
    except BrokenError as broken:
        answer.broken(broken.what, file.name)
    return answer


VERIFICATIONS: dict[str, Verification] = {
    "all": Verification("everything of this installation: log, rows, archive, software", _all),
    "log": Verification("the event log and all history in the database", _log),
    "archive": Verification("every file in the archive that history names", _archive),
    "export": Verification("an exported event log", _export, of_a_file=True),
    "release": Verification(
        "what is installed, against a sealed release", _release, of_a_file=True
    ),
    "pdf": Verification("a report as a signed PDF", _pdf, of_a_file=True),
}
