"""A log that was handed in is read, made into segments and registered: all of it, or nothing.

Every file is in the archive before the one transaction that names it; a reader that is killed
anywhere leaves files that no row names, and the next one makes the same files again.
"""

from __future__ import annotations

import io
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import DatabaseError, IntegrityError, transaction

from audits.event_types import round_logs as events
from audits.models import HandIn, RoundLog
from audits.segments.refusals import RefusedLogError
from audits.services.hand_in import OnFileError, another_content
from audits.services.made_good import heal_segment
from audits.services.pieces import PiecesTogether
from audits.services.reading import (
    MOST_ATTEMPTS,
    LeaseLostError,
    Reading,
    claim,
    claim_next,
    put_back_what_was_left,
)
from audits.services.register_log import register_log
from audits.services.segment_making import Source, read_log
from compliance import clock
from compliance.actor import SYSTEM, Actor
from compliance.archive import current_archive
from compliance.no_room import is_for_want_of_room
from compliance.passing import will_pass
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from compliance.actor import Asker

log = structlog.get_logger(__name__)

GIVEN_UP = (
    "It could not be read, although it was tried {} times. Nothing of it was taken. Whoever runs "
    "this system finds the cause in its log; hand the file in again afterwards."
)

NO_ROOM = "The system's disk is full; read again when there is room"
NO_DATABASE = "The database did not answer in time; it is tried again"


def take_in_what_waits() -> int:
    """Read the logs that wait, one after the other, until none does; how many were read."""
    _put_back_what_was_left()
    read = 0
    while reading := claim_next():
        with suppress(OSError):  # its hand-in waits again, and says why
            take_in(reading)
        read += 1
    return read


def take_in_here(hand_in: HandIn) -> RoundLog:
    """Read a log in this process, or wait for who reads it; the log as it was registered.

    Raises `RefusedError` with the sentence for whoever handed it in, and what `take_in` raises.
    """
    while True:
        with without_walls():
            found = HandIn.objects.select_related("log", "party").get(pk=hand_in.pk)
        if found.state == HandIn.State.REGISTERED:
            assert found.log is not None  # noqa: S101 - registered with it
            return found.log
        if found.state == HandIn.State.REFUSED:
            if found.log is not None:
                raise OnFileError(found.log)
            raise RefusedError(found.refusal)
        reading = claim(found)
        if reading is None:
            # It may be behind another log of its operator whose reader was killed.
            _put_back_what_was_left()
            time.sleep(0.2)
        else:
            take_in(reading)


def _put_back_what_was_left() -> None:
    for left in put_back_what_was_left():
        _refuse(left, GIVEN_UP.format(left.attempts))


def take_in(reading: Reading) -> None:
    """Read a log under a lease, register it or refuse it; or let it be tried again.

    What is wrong with the machine and not with the log (no room, no archive, no database) is tried
    again after a pause, as often as it takes. That, and any other failure, is raised as well.
    """
    try:
        with reading.kept():
            _take_in(reading)
    except LeaseLostError:
        log.warning("lease lost", hand_in=str(reading.hand_in.uuid))
    except OnFileError as known:
        _refuse(reading.hand_in, str(known), reading, known.log)
    except (RefusedError, RefusedLogError) as refused:
        _refuse(reading.hand_in, str(refused), reading)
    except OSError as failed:
        log.warning("a log waits", hand_in=str(reading.hand_in.uuid), says=str(failed))
        away = f"{str(failed.strerror or failed)[:35]}; it is tried again"
        reading.set_aside(NO_ROOM if is_for_want_of_room(failed) else away)
        raise
    except Exception as failed:
        if is_for_want_of_room(failed) or will_pass(failed):
            with suppress(DatabaseError):  # its lease ends by itself
                reading.set_aside(NO_ROOM if is_for_want_of_room(failed) else NO_DATABASE)
        elif reading.hand_in.attempts >= MOST_ATTEMPTS:
            _refuse(reading.hand_in, GIVEN_UP.format(reading.hand_in.attempts), reading)
        else:
            reading.give_back("It failed; it is tried again")
        raise


def _take_in(reading: Reading) -> None:
    hand_in = reading.hand_in
    digest = hand_in.sha256 or _put_together(reading)
    with without_walls():
        known = RoundLog.objects.filter(party=hand_in.party_id, sha256=digest).first()
    if known is not None:
        raise OnFileError(known)
    aside = Path(settings.VAR) / "intake"
    aside.mkdir(parents=True, exist_ok=True)
    at = clock.now()
    with tempfile.TemporaryDirectory(dir=aside, prefix=f"{reading.token}-") as folder:
        source = Source(
            party=hand_in.party,
            sha256=digest,
            at=at,
            replaced=hand_in.corrects.sha256 if hand_in.corrects else None,
        )
        what = read_log(source, Path(folder), mend=heal_segment, progress=reading)
    reading.step("Registering")
    try:
        register_log(reading=reading, read=what, at=at)
    except IntegrityError:
        with without_walls():
            known = RoundLog.objects.filter(party=hand_in.party_id, sha256=digest).first()
        if known is None:
            raise
        raise OnFileError(known) from None


def _put_together(reading: Reading) -> str:
    """Make one file of the pieces, hashed as it comes; refuse one that is not as announced."""
    hand_in = reading.hand_in
    reading.step("Putting the pieces together")
    whole = io.BufferedReader(PiecesTogether(hand_in, reading.reached))
    stored = current_archive().store(whole)
    if stored.size != hand_in.size:
        msg = f"The pieces make {stored.size:,} bytes, not {hand_in.size:,}. Hand it in anew."
        raise RefusedError(msg)
    if hand_in.announced_sha256 not in {"", stored.digest}:
        raise RefusedError(another_content(hand_in.name, stored.digest, hand_in.announced_sha256))
    with without_walls():
        if not reading.held().update(sha256=stored.digest):
            raise LeaseLostError
    hand_in.sha256 = stored.digest
    return stored.digest


@transaction.atomic
def _refuse(
    hand_in: HandIn, why: str, reading: Reading | None = None, known: RoundLog | None = None
) -> None:
    """Refuse a log for good, if the lease still holds; its pieces go, the sentence stays."""
    with without_walls():
        rows = (
            reading.held()
            if reading
            else HandIn.objects.filter(
                pk=hand_in.pk, state=HandIn.State.READING, token=hand_in.token
            )
        )
        refused = rows.update(
            state=HandIn.State.REFUSED,
            refusal=why,
            sha256="",  # the event keeps it; the file is nobody's
            log=known,
            token=None,
            lease_until=None,
            changed=clock.now(),
        )
        if not refused:
            return
        hand_in.pieces.all().delete()
    record(
        events.REFUSED,
        by=who(hand_in),
        party=hand_in.party,
        about=hand_in,
        reason=why,
        carries={"name": hand_in.name, "sha256": hand_in.sha256},
    )


def who(hand_in: HandIn) -> Asker | Actor:
    """Who handed a file in: a person, a program, or the machine's own command line."""
    return hand_in.by or hand_in.key or SYSTEM
