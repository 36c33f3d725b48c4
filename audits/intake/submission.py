"""Submit a round log, in pieces or at once."""

from __future__ import annotations

import hashlib
import io
import re
from datetime import timedelta
from typing import TYPE_CHECKING, BinaryIO

from django.db import transaction
from django.db.models import Count, Sum

from audits.intake import events
from audits.intake.models import PIECE, Piece, RoundLog, Submission
from audits.intake.reads import log_on_file
from compliance import clock
from compliance.access.models import ApiKey, Person
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import Actor
from compliance.events.record import record
from compliance.files.archive import current_archive, store_bytes
from compliance.jobs import queue
from compliance.jobs.announce import announce
from compliance.text import plain_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _typeshed import WriteableBuffer

    from audits.intake.mapping.models import LogMapping
    from compliance.access.models import Party
    from compliance.access.scope import Asker


LARGEST = 64 << 30
UNFINISHED_MAX = 2 * LARGEST
"""Maximum bytes that one operator may have announced but not finished sending."""
TAKE_IN = "audits.take_in"
FOR_THE_CALLER = timedelta(seconds=30)
WORKERS_UNREACHABLE = "The workers cannot be told yet; it is read when they can"
_DIGEST = re.compile(r"[0-9a-f]{64}")


@transaction.atomic
def begin_submission(
    *,
    party: Party,
    name: str,
    size: int,
    by: Asker | Actor,
    corrects: RoundLog | None = None,
    reason: str = "",
    sha256: str = "",
    mapping: LogMapping | None = None,
) -> Submission:
    """Begin to submit a file of `size` bytes, whose pieces follow.

    Refuses: a caller without permission; a party that deals no rounds; an empty or much too large
    file; an invalid digest (of the whole file, if known yet), or one that is on file; a correction
    of another operator's log or without a reason; a reason without a correction.
    """
    submission = _new(party, name, by, corrects, reason, mapping)
    if size <= 0:
        raise RefusedError(_empty(submission.name))
    if size > LARGEST:
        msg = f"{submission.name} has {size:,} bytes; a file of up to {LARGEST:,} is taken. Cut it."
        raise RefusedError(msg)
    _require_space(party, size)
    submission.size = size
    submission.announced_sha256 = _announced(sha256)
    _refuse_what_is_on_file(party, submission.announced_sha256)
    submission.save()
    _record_begun(submission, by)
    return submission


def _require_space(party: Party, size: int) -> None:
    """Refuse an upload if its operator has announced too much that is not finished."""
    with without_access_scope():
        unfinished = party.submissions.filter(state="receiving")
        announced = unfinished.aggregate(size=Sum("size", default=0), count=Count("pk"))
    if announced["size"] + size > UNFINISHED_MAX:
        msg = (
            f"{party} has {announced['count']} unfinished uploads of {announced['size']:,} bytes "
            f"together; with this one it would be more than {UNFINISHED_MAX:,}. Finish or "
            "abandon one of them first."
        )
        raise RefusedError(msg)


@transaction.atomic
def finish_submission(*, submission: Submission, by: Asker | Actor, sha256: str = "") -> Submission:
    """Finish sending; from here on the system works by itself.

    `sha256` is the digest of the whole file, if the submitter knows it: a file with another digest
    is refused once its pieces are joined. Finishing twice has no further effect. Refuses: a caller
    without permission; a file with missing pieces, or one that was abandoned.
    """
    _require(by, submission.party)
    with without_access_scope():
        kept = Submission.objects.select_for_update().get(pk=submission.pk)
    if kept.state in {
        Submission.State.WAITING,
        Submission.State.READING,
        Submission.State.REGISTERED,
    }:
        return kept
    if kept.state != Submission.State.RECEIVING:
        msg = f"{kept.name} is {kept.get_state_display().lower()}. Submit it again."
        raise RefusedError(msg)
    if kept.received != kept.size:
        msg = (
            f"{kept.name} is not here as a whole: {kept.received:,} of {kept.size:,} bytes "
            "arrived. Send the pieces that are missing."
        )
        raise RefusedError(msg)
    if sha256:
        digest = _announced(sha256)
        if kept.announced_sha256 not in {"", digest}:
            msg = f"This file was begun as {kept.announced_sha256}, and finished as {digest}."
            raise RefusedError(msg)
        kept.announced_sha256 = digest
    kept.state, kept.changed = Submission.State.WAITING, clock.by_database()
    kept.arrived = kept.changed
    kept.save(update_fields=["state", "changed", "arrived", "announced_sha256"])
    _add_job(kept)
    _announce(kept)
    return kept


def submit_whole(
    *,
    party: Party,
    name: str,
    content: BinaryIO,
    by: Asker | Actor,
    corrects: RoundLog | None = None,
    reason: str = "",
    sha256: str = "",
    mapping: LogMapping | None = None,
    read_here: bool = False,
) -> Submission:
    """Submit a complete file; refuse it as beginning and finishing do.

    With `read_here`, the caller ingests it, and a worker does so only if the caller fails. An
    earlier attempt that failed and is still pending is continued.
    """
    submission = _new(party, name, by, corrects, reason, mapping)
    announced = _announced(sha256)
    stored = current_archive().store(content)  # files come before rows
    if not stored.size:
        raise RefusedError(_empty(submission.name))
    if announced not in {"", stored.digest}:
        raise RefusedError(another_content(submission.name, stored.digest, announced))
    with transaction.atomic(), without_access_scope():
        _refuse_what_is_on_file(party, stored.digest)
        if read_here and (waits := _begun_before(submission, stored.digest)):
            return waits
        submission.size = submission.received = stored.size
        submission.sha256, submission.announced_sha256 = stored.digest, announced
        submission.state, submission.arrived = Submission.State.WAITING, clock.by_database()
        submission.save()
        _add_job(submission, pause=FOR_THE_CALLER if read_here else timedelta())
        if not read_here:
            _announce(submission)
        _record_begun(submission, by)
    return submission


@transaction.atomic
def abandon_submission(*, submission: Submission, by: Asker | Actor) -> Submission:
    """Abandon an unfinished submission; received data is removed by a later cleanup."""
    _require(by, submission.party)
    with without_access_scope():
        kept = Submission.objects.select_for_update().get(pk=submission.pk)
        if kept.state != Submission.State.RECEIVING:
            msg = f"{kept.name} can no longer be given up: {kept.get_state_display().lower()}."
            raise RefusedError(msg)
        kept.state, kept.changed = Submission.State.ABANDONED, clock.now()
        kept.save(update_fields=["state", "changed"])
        Piece.objects.filter(submission=kept).delete()
    record(events.ABANDONED, by=by, party=kept.party, about=kept, carries={"name": kept.name})
    return kept


def another_content(name: str, found: str, announced: str) -> str:
    """Return the message for a file that does not match its digest."""
    return (
        f"{name} did not arrive as it was sent: it hashes to {found}, its digest says {announced}."
        " Submit it again."
    )


def _new(
    party: Party,
    name: str,
    by: Asker | Actor,
    corrects: RoundLog | None,
    reason: str,
    mapping: LogMapping | None,
) -> Submission:
    _require(by, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} deals no rounds: only card rooms and tribal operations submit logs."
        raise RefusedError(msg)
    if corrects is not None and corrects.party_id != party.pk:
        msg = f"The log that is corrected is none of {party}."
        raise RefusedError(msg)
    if mapping is not None and mapping.party_id != party.pk:
        msg = f"The mapping {mapping} is none of {party}."
        raise RefusedError(msg)
    if corrects is not None and not reason.strip():
        msg = "Say why the log is corrected."
        raise RefusedError(msg)
    if corrects is None and reason.strip():
        msg = "A reason is given for a correction alone. Say which log is corrected."
        raise RefusedError(msg)
    now = clock.by_database()
    return Submission(
        party=party,
        by=by if isinstance(by, Person) else None,
        key=by if isinstance(by, ApiKey) else None,
        name=plain_name(name),
        corrects=corrects,
        reason=reason.strip(),
        mapping=mapping,
        begun=now,
        changed=now,
    )


def _require(by: Asker | Actor, party: Party) -> None:
    """Require permission: commands on the machine have it, people by role, programs by API key."""
    if not isinstance(by, Actor):
        require(by, Action.SUBMIT_ROUNDS, party)


def _add_job(row: Submission, pause: timedelta = timedelta()) -> None:
    """Queue it for ingestion, one log per operator at a time.

    Each log is compared with what is on file by then.
    """
    exclusive = f"logs of {row.party_id}"
    queue.add_jobs(Submission.JOB, [row.pk], exclusive=exclusive, pause=pause)


def _announce(submission: Submission) -> None:
    """Notify the workers; if they cannot be reached, say on the submission why it waits."""

    def untold() -> None:
        with without_access_scope():
            Submission.objects.filter(
                pk=submission.pk, state=Submission.State.WAITING, step=""
            ).update(step=WORKERS_UNREACHABLE)

    announce(TAKE_IN, untold=untold)


def _announced(sha256: str) -> str:
    digest = sha256.strip().lower()
    if digest and not _DIGEST.fullmatch(digest):
        msg = f"{sha256[:80]!r} is not a SHA-256: write 64 hexadecimal digits."
        raise RefusedError(msg)
    return digest


def _refuse_what_is_on_file(party: Party, sha256: str) -> None:
    if not sha256:
        return
    log = log_on_file(party, sha256)
    if log is not None and not is_worth_reading_again(log):
        raise OnFileError(log)


def is_worth_reading_again(log: RoundLog) -> bool:
    """Return whether none of a log's rounds were accepted, maybe due to a bug since fixed."""
    return not log.good and log.rejected > 0


def _begun_before(submission: Submission, sha256: str) -> Submission | None:
    """Find the same pending file, submitted the same way, when a command is repeated."""
    return Submission.objects.filter(
        state__in=[Submission.State.WAITING, Submission.State.READING],
        party=submission.party,
        sha256=sha256,
        corrects=submission.corrects,
        reason=submission.reason,
        mapping=submission.mapping,
        by=None,
        key=None,
    ).first()


class OnFileError(RefusedError):
    """The same file is already on file; nothing changes."""

    def __init__(self, log: RoundLog) -> None:
        self.log = log
        super().__init__(
            f"This very file is on file since {log.at:%Y-%m-%d %H:%M} UTC, as {log.name} "
            f"(log {log.uuid}). Nothing was changed."
        )


def _empty(name: str) -> str:
    return f"{name} is empty: there is nothing to submit. A night without play has no log."


def _record_begun(submission: Submission, by: Asker | Actor) -> None:
    corrects = submission.corrects
    record(
        events.BEGUN,
        by=by,
        party=submission.party,
        about=submission,
        carries={"name": submission.name, "corrects": corrects.sha256 if corrects else ""},
    )


def add_piece(*, submission: Submission, number: int, sha256: str, content: bytes) -> Submission:
    """Receive one piece, from 0; a piece sent twice is stored once.

    Refuses: a submission that no longer accepts pieces; a piece that is out of order, has the wrong
    size for its position, does not match its digest, or differs from the one already stored there.
    """
    whole = submission.size or 0
    _check_content(number, sha256, content, whole)
    with without_access_scope():
        piece = Piece.objects.filter(submission=submission, number=number).first()
        if piece is None:
            _check_turn(Submission.objects.get(pk=submission.pk), number)
    if piece is None:
        store_bytes(current_archive(), content)  # files come before rows
    with transaction.atomic(), without_access_scope():
        kept = Submission.objects.select_for_update().get(pk=submission.pk)
        _require_receiving(kept)
        piece = Piece.objects.filter(submission=kept, number=number).first()
        if piece is not None:
            if piece.sha256 != sha256:
                msg = (
                    f"Piece {number} was taken with another content ({piece.sha256}). "
                    "This is not the same file: submit it again."
                )
                raise RefusedError(msg)
            return kept
        _check_turn(kept, number)
        Piece.objects.create(submission=kept, number=number, sha256=sha256, size=len(content))
        kept.received += len(content)
        kept.changed = clock.now()
        kept.save(update_fields=["received", "changed"])
    return kept


def _require_receiving(submission: Submission) -> None:
    if submission.state != Submission.State.RECEIVING:
        msg = (
            f"{submission.name} takes no pieces any more: {submission.get_state_display().lower()}."
        )
        raise RefusedError(msg)


def _check_turn(submission: Submission, number: int) -> None:
    """Refuse early, before storing: otherwise a program could fill the archive."""
    _require_receiving(submission)
    due = submission.received // PIECE
    if number != due:
        msg = f"Piece {number} is out of order: piece {due} is due."
        raise RefusedError(msg)


def _check_content(number: int, sha256: str, content: bytes, whole: int) -> None:
    pieces = -(-whole // PIECE)
    if not 0 <= number < pieces:
        msg = f"There is no piece {number}: {whole:,} bytes make pieces 0 to {pieces - 1}."
        raise RefusedError(msg)
    due = min(PIECE, whole - number * PIECE)
    if len(content) != due:
        msg = f"Piece {number} has {len(content):,} bytes, and must have {due:,}. Send it again."
        raise RefusedError(msg)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256.lower():
        msg = (
            f"Piece {number} did not arrive as it was sent: its content hashes to {found}, "
            f"its digest says {sha256[:64]}. Send it again."
        )
        raise RefusedError(msg)


class PiecesTogether(io.RawIOBase):
    """The whole file, read piece by piece; each piece is verified as it leaves the archive."""

    def __init__(self, submission: Submission, progress: Callable[[int], None]) -> None:
        self._progress = progress
        with without_access_scope():
            self._digests = list(
                submission.pieces.order_by("number").values_list("sha256", flat=True)
            )
        self._parts = self._read_parts()
        self._held = memoryview(b"")
        self._given = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill a buffer with the next bytes."""
        if not self._held:
            self._held = memoryview(next(self._parts, b""))
        room = memoryview(buffer).cast("B")
        size = min(len(room), len(self._held))
        room[:size] = self._held[:size]
        self._held = self._held[size:]
        self._given += size
        return size

    def _read_parts(self) -> Iterator[bytes]:
        archive = current_archive()
        for digest in self._digests:
            with archive.fetch(digest) as place:
                content = place.read_bytes()
            self._progress(self._given)
            yield content
