"""Handing in a round log: begun, received in pieces or at once, and left to be read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO

from django.db import transaction

from audits.event_types import round_logs as events
from audits.models import HandIn, Piece, RoundLog
from audits.services.announce import announce
from audits.services.reading import SECONDS, until
from compliance import clock
from compliance.actor import Actor
from compliance.archive import current_archive
from compliance.choices import OPERATOR_KINDS
from compliance.file_names import plain_name
from compliance.models import ApiKey, Person
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from compliance.actor import Asker
    from compliance.models import Party

LARGEST = 64 << 30
TAKE_IN = "audits.take_in"
UNTOLD = "The workers cannot be told yet; it is read when they can"
_DIGEST = re.compile(r"[0-9a-f]{64}")


@transaction.atomic
def begin_hand_in(
    *,
    party: Party,
    name: str,
    size: int,
    by: Asker | Actor,
    corrects: RoundLog | None = None,
    reason: str = "",
    sha256: str = "",
) -> HandIn:
    """Begin to hand in a file of `size` bytes, whose pieces follow.

    Refuses: somebody who may not; a party that deals no rounds; an empty or far too large file; a
    digest (of the whole, where it is known by now) that is none, or whose file is on file; a
    correction of another operator's log or without a reason, and a reason without a correction.
    """
    hand_in = _new(party, name, by, corrects, reason)
    if size <= 0:
        raise RefusedError(_empty(hand_in.name))
    if size > LARGEST:
        msg = f"{hand_in.name} has {size:,} bytes; a file of up to {LARGEST:,} is taken. Cut it."
        raise RefusedError(msg)
    hand_in.size = size
    hand_in.announced_sha256 = _announced(sha256)
    _refuse_what_is_on_file(party, hand_in.announced_sha256)
    hand_in.save()
    _record_begun(hand_in, by)
    return hand_in


@transaction.atomic
def finish_hand_in(*, hand_in: HandIn, by: Asker | Actor, sha256: str = "") -> HandIn:
    """Say that all pieces were sent; from here on the system works by itself.

    `sha256` is the digest of the whole, where whoever hands in knows it: a file that does not hash
    to it is refused when it was put together. To finish twice is to finish once. Refuses: somebody
    who may not; a file of which pieces are missing, or that was given up.
    """
    _require(by, hand_in.party)
    with without_walls():
        kept = HandIn.objects.select_for_update().get(pk=hand_in.pk)
    if kept.state in {HandIn.State.WAITING, HandIn.State.READING, HandIn.State.REGISTERED}:
        return kept
    if kept.state != HandIn.State.RECEIVING:
        msg = f"{kept.name} is {kept.get_state_display().lower()}. Hand it in anew."
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
    kept.state, kept.changed = HandIn.State.WAITING, clock.now()
    kept.save(update_fields=["state", "changed", "announced_sha256"])
    _announce(kept)
    return kept


def hand_in_whole(
    *,
    party: Party,
    name: str,
    content: BinaryIO,
    by: Asker | Actor,
    corrects: RoundLog | None = None,
    reason: str = "",
    sha256: str = "",
    read_here: bool = False,
) -> HandIn:
    """Hand in a file that is at hand as a whole; refuses as beginning and finishing do.

    `read_here`: whoever calls goes on to read it; a worker does so only if that comes to nothing.
    What came to nothing before, and waits, is gone on with.
    """
    hand_in = _new(party, name, by, corrects, reason)
    announced = _announced(sha256)
    stored = current_archive().store(content)  # files come before rows
    if not stored.size:
        raise RefusedError(_empty(hand_in.name))
    if announced not in {"", stored.digest}:
        raise RefusedError(another_content(hand_in.name, stored.digest, announced))
    with transaction.atomic(), without_walls():
        _refuse_what_is_on_file(party, stored.digest)
        if read_here and (waits := _begun_before(hand_in, stored.digest)):
            return waits
        hand_in.size = hand_in.received = stored.size
        hand_in.sha256, hand_in.announced_sha256 = stored.digest, announced
        hand_in.state = HandIn.State.WAITING
        hand_in.save()
        if read_here:
            HandIn.objects.filter(pk=hand_in.pk).update(lease_until=until(SECONDS))
        else:
            _announce(hand_in)
        _record_begun(hand_in, by)
    return hand_in


@transaction.atomic
def abandon_hand_in(*, hand_in: HandIn, by: Asker | Actor) -> HandIn:
    """Give up a hand-in that is not finished; what was received is removed by and by."""
    _require(by, hand_in.party)
    with without_walls():
        kept = HandIn.objects.select_for_update().get(pk=hand_in.pk)
        if kept.state != HandIn.State.RECEIVING:
            msg = f"{kept.name} can no longer be given up: {kept.get_state_display().lower()}."
            raise RefusedError(msg)
        kept.state, kept.changed = HandIn.State.ABANDONED, clock.now()
        kept.save(update_fields=["state", "changed"])
        Piece.objects.filter(hand_in=kept).delete()
    record(events.ABANDONED, by=by, party=kept.party, about=kept, carries={"name": kept.name})
    return kept


def another_content(name: str, found: str, announced: str) -> str:
    """The sentence for a file that is not what its digest says."""
    return (
        f"{name} did not arrive as it was sent: it hashes to {found}, its digest says {announced}."
        " Hand it in anew."
    )


def _new(
    party: Party, name: str, by: Asker | Actor, corrects: RoundLog | None, reason: str
) -> HandIn:
    _require(by, party)
    if party.kind not in OPERATOR_KINDS:
        msg = f"{party} deals no rounds: only card rooms and tribal operations hand in logs."
        raise RefusedError(msg)
    if corrects is not None and corrects.party_id != party.pk:
        msg = f"The log that is corrected is none of {party}."
        raise RefusedError(msg)
    if corrects is not None and not reason.strip():
        msg = "Say why the log is corrected."
        raise RefusedError(msg)
    if corrects is None and reason.strip():
        msg = "A reason is given for a correction alone. Say which log is corrected."
        raise RefusedError(msg)
    now = clock.now()
    return HandIn(
        party=party,
        by=by if isinstance(by, Person) else None,
        key=by if isinstance(by, ApiKey) else None,
        name=plain_name(name),
        corrects=corrects,
        reason=reason.strip(),
        begun=now,
        changed=now,
    )


def _require(by: Asker | Actor, party: Party) -> None:
    """Whoever runs commands on the machine may; a person only by roles, a program by its key."""
    if not isinstance(by, Actor):
        require(by, Action.HAND_IN_ROUNDS, party)


def _announce(hand_in: HandIn) -> None:
    """Have it read; where the workers cannot be told, whoever waits for it reads why it waits."""

    def untold() -> None:
        with without_walls():
            HandIn.objects.filter(pk=hand_in.pk, state=HandIn.State.WAITING, step="").update(
                step=UNTOLD
            )

    announce(TAKE_IN, untold=untold)


def _announced(sha256: str) -> str:
    digest = sha256.strip().lower()
    if digest and not _DIGEST.fullmatch(digest):
        msg = f"{sha256[:80]!r} is no SHA-256: write 64 hexadecimal digits."
        raise RefusedError(msg)
    return digest


def _refuse_what_is_on_file(party: Party, sha256: str) -> None:
    if not sha256:
        return
    with without_walls():
        log = RoundLog.objects.filter(party=party, sha256=sha256).first()
    if log is not None:
        raise OnFileError(log)


def _begun_before(hand_in: HandIn, sha256: str) -> HandIn | None:
    """The same file as it waits since it was handed in the same way: a command that is repeated."""
    return HandIn.objects.filter(
        state__in=[HandIn.State.WAITING, HandIn.State.READING],
        party=hand_in.party,
        sha256=sha256,
        corrects=hand_in.corrects,
        reason=hand_in.reason,
        by=None,
        key=None,
    ).first()


class OnFileError(RefusedError):
    """The very same file is on file; nothing is changed."""

    def __init__(self, log: RoundLog) -> None:
        self.log = log
        super().__init__(
            f"This very file is on file since {log.at:%Y-%m-%d %H:%M} UTC, as {log.name} "
            f"(log {log.uuid}). Nothing was changed."
        )


def _empty(name: str) -> str:
    return f"{name} is empty: there is nothing to hand in. A night without play has no log."


def _record_begun(hand_in: HandIn, by: Asker | Actor) -> None:
    corrects = hand_in.corrects
    record(
        events.BEGUN,
        by=by,
        party=hand_in.party,
        about=hand_in,
        carries={"name": hand_in.name, "corrects": corrects.sha256 if corrects else ""},
    )
