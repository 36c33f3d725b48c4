"""A file arrives in pieces, each hashed, once and in its place, or the response says why not."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from audits.intake.cleanup import give_up_old_submissions
from audits.intake.ingestion import take_in_what_waits
from audits.intake.models import PIECE, Piece, Submission
from audits.intake.submission import (
    OnFileError,
    abandon_submission,
    add_piece,
    begin_submission,
    finish_submission,
    submit_whole,
)
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.models import Event
from compliance.files.archive import current_archive
from tests.audits.submission.logs import evening, ingested, sha256, written
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from compliance.access.models import Party, Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_CLERK, "room")


@pytest.fixture
def clerk(room) -> Person:
    return person_as(Role.OPERATOR_CLERK, "room")


@pytest.fixture(scope="module")
def content() -> bytes:
    """Return a log of two pieces and a bit."""
    one = written(evening(500))
    return one * (2 * PIECE // len(one) + 1)


def begun(room: Party, size: int, by: Person, **more: str) -> Submission:
    return begin_submission(party=room, name="night.jsonl", size=size, by=by, **more)


def cut(content: bytes) -> list[bytes]:
    return [content[first : first + PIECE] for first in range(0, len(content), PIECE)]


def send(submission: Submission, number: int, piece: bytes, digest: str = "") -> Submission:
    return add_piece(
        submission=submission, number=number, sha256=digest or sha256(piece), content=piece
    )


def state_of(submission: Submission) -> tuple[str, str]:
    with without_access_scope():
        found = Submission.objects.get(pk=submission.pk)
    return found.state, found.refusal


def test_pieces_in_order_make_the_file(room, clerk, content):
    submission = begun(room, len(content), clerk)
    for number, piece in enumerate(cut(content)):
        submission = send(submission, number, piece)
    assert submission.received == len(content)
    finish_submission(submission=submission, by=clerk, sha256=sha256(content))
    assert state_of(submission) == ("waiting", "")
    assert take_in_what_waits() == 1
    with without_access_scope():
        log = Submission.objects.select_related("log").get(pk=submission.pk).log
    assert log is not None
    assert (log.sha256, log.size) == (sha256(content), len(content))
    assert log.by == clerk.uuid
    with without_access_scope():
        assert not Piece.objects.filter(submission=submission).exists()


def test_same_piece_twice_is_accepted_once(room, clerk, content):
    submission = begun(room, len(content), clerk)
    first = cut(content)[0]
    send(submission, 0, first)
    assert send(submission, 0, first).received == PIECE


def test_piece_with_other_content_is_another_file(room, clerk, content):
    submission = begun(room, len(content), clerk)
    send(submission, 0, cut(content)[0])
    with pytest.raises(RefusedError, match="not the same file"):
        send(submission, 0, bytes(PIECE))


@pytest.mark.parametrize(
    ("number", "change", "says"),
    [
        (1, lambda piece: piece, "out of order: piece 0 is due"),
        (3, lambda piece: piece, "no piece 3: .* make pieces 0 to 2"),
        (-1, lambda piece: piece, "no piece -1"),
        (0, lambda piece: piece[:-1], "has 8,388,607 bytes, and must have 8,388,608"),
        (0, lambda piece: piece + b"x", "has 8,388,609 bytes"),
    ],
)
def test_a_piece_that_does_not_fit_is_refused(room, clerk, content, number, change, says):
    submission = begun(room, len(content), clerk)
    with pytest.raises(RefusedError, match=says):
        send(submission, number, change(cut(content)[0]))


def test_piece_out_of_turn_is_rejected_unkept(room, clerk, content):
    submission = begun(room, len(content), clerk)
    for number in (1, 2):
        piece = bytes([number]) * len(cut(content)[number])
        with pytest.raises(RefusedError, match="out of order"):
            send(submission, number, piece)
        assert not current_archive().has(sha256(piece))


def test_damaged_piece_is_rejected_and_can_be_resent(room, clerk, content):
    submission = begun(room, len(content), clerk)
    piece = cut(content)[0]
    damaged = b"{{" + piece[2:]
    with pytest.raises(RefusedError, match="did not arrive as it was sent"):
        send(submission, 0, damaged, sha256(piece))
    assert send(submission, 0, piece).received == PIECE


@pytest.mark.parametrize("digest", ["", "x", "é" * 64])
def test_a_digest_that_is_none_is_refused(room, clerk, content, digest):
    submission = begun(room, len(content), clerk)
    with pytest.raises(RefusedError, match="did not arrive"):
        add_piece(submission=submission, number=0, sha256=digest, content=cut(content)[0])


def test_nothing_is_finished_while_pieces_are_missing(room, clerk, content):
    submission = begun(room, len(content), clerk)
    send(submission, 0, cut(content)[0])
    with pytest.raises(RefusedError, match="not here as a whole: 8,388,608 of"):
        finish_submission(submission=submission, by=clerk)


def test_unannounced_whole_is_rejected_and_not_kept(room, clerk):
    content = written(evening(3))
    submission = begun(room, len(content), clerk)
    send(submission, 0, content)
    finish_submission(submission=submission, by=clerk, sha256="0" * 64)
    take_in_what_waits()
    state, refusal = state_of(submission)
    assert state == "refused"
    assert sha256(content) in refusal
    assert "0" * 64 in refusal
    with without_access_scope():
        assert not room.round_logs.exists()
    assert Event.objects.get(type="round_log.refused").reason == refusal


def test_digest_that_changes_during_upload_is_rejected(room, clerk):
    content = written(evening(3))
    submission = begun(room, len(content), clerk, sha256=sha256(content))
    send(submission, 0, content)
    with pytest.raises(RefusedError, match=r"begun as .* and finished as"):
        finish_submission(submission=submission, by=clerk, sha256="f" * 64)


def test_finishing_twice_is_finishing_once(room, clerk):
    content = written(evening(3))
    submission = begun(room, len(content), clerk)
    send(submission, 0, content)
    finish_submission(submission=submission, by=clerk)
    assert finish_submission(submission=submission, by=clerk).state == Submission.State.WAITING


def test_a_file_on_file_is_refused_before_it_is_sent(room, clerk):
    content = written(evening(3))
    log = ingested(room, content)
    with pytest.raises(OnFileError, match=str(log.uuid)):
        begun(room, len(content), clerk, sha256=sha256(content).upper())


def test_an_empty_file_is_refused(room, clerk):
    with pytest.raises(RefusedError, match=r"night\.jsonl is empty"):
        begun(room, 0, clerk)


def test_a_file_beyond_measure_is_refused(room, clerk):
    with pytest.raises(RefusedError, match="a file of up to 68,719,476,736"):
        begun(room, 1 << 50, clerk)


def test_nobody_submits_for_another_operator(clerk):
    with pytest.raises(NotAllowedError):
        begun(party_for(Role.OPERATOR_CLERK, "other"), 10, clerk)


def test_an_agent_hands_nothing_in(room):
    with pytest.raises(NotAllowedError):
        begun(room, 10, person_as(Role.AGENT))


def test_a_supplier_deals_no_rounds():
    maker = party_for(Role.SUPPLIER, "maker")
    with pytest.raises(RefusedError, match="deals no rounds"):
        begin_submission(party=maker, name="a", size=1, by=SYSTEM)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\logs\\night.jsonl", "night.jsonl"),
        ("night\x00.jsonl\n", "night.jsonl"),
        ("night\u202elnosj.exe", "nightlnosj.exe"),
        ("\ud800.jsonl", ".jsonl"),
        ("a" * 500 + ".jsonl", "a" * 194 + ".jsonl"),
        ("/", "file"),
        ("<script>alert(1)</script>", "script>"),
    ],
)
def test_a_hostile_name_is_made_harmless(room, clerk, name, kept):
    submission = begin_submission(party=room, name=name, size=1, by=clerk)
    with without_access_scope():
        assert Submission.objects.get(pk=submission.pk).name == kept


def test_what_was_given_up_takes_no_pieces(room, clerk, content):
    submission = begun(room, len(content), clerk)
    send(submission, 0, cut(content)[0])
    abandon_submission(submission=submission, by=clerk)
    with pytest.raises(RefusedError, match="takes no pieces any more: abandoned"):
        send(submission, 1, cut(content)[1])
    with pytest.raises(RefusedError, match="can no longer be given up"):
        abandon_submission(submission=submission, by=clerk)
    with pytest.raises(RefusedError, match="Submit it again"):
        finish_submission(submission=submission, by=clerk)


def test_correction_names_log_of_same_operator_and_reason(room, clerk):
    log = ingested(room, written(evening(3)))
    other = party_for(Role.OPERATOR_CLERK, "other")
    with pytest.raises(RefusedError, match="none of"):
        begin_submission(
            party=other, name="a", size=1, by=SYSTEM, corrects=log, reason="wrong night"
        )
    with pytest.raises(RefusedError, match="Say why"):
        begin_submission(party=room, name="a", size=1, by=clerk, corrects=log, reason=" ")
    with pytest.raises(RefusedError, match="for a correction alone"):
        begin_submission(party=room, name="a", size=1, by=clerk, reason="just so")


def test_abandoned_upload_is_dropped_after_a_week(room, clerk, content):
    old, new = (begun(room, len(content), clerk) for _ in range(2))
    send(old, 0, cut(content)[0])
    with without_access_scope():
        Submission.objects.filter(pk=old.pk).update(changed=old.changed - timedelta(days=8))
    assert give_up_old_submissions() == 1
    assert state_of(old)[0] == "abandoned"
    assert state_of(new)[0] == "receiving"


def test_whole_upload_is_checked_against_its_digest(room, clerk):
    with pytest.raises(RefusedError, match="did not arrive as it was sent"):
        submit_whole(party=room, name="a", content=io.BytesIO(b"{}\n"), by=clerk, sha256="a" * 64)


def test_unfinished_uploads_are_limited_by_operator(room, clerk):
    half, other = 64 << 30, party_for(Role.OPERATOR_CLERK, "harbor")
    begun(room, half, clerk)
    begun(room, half, clerk)
    with pytest.raises(RefusedError, match="2 unfinished uploads of 137,438,953,472 bytes"):
        begun(room, 1, clerk)
    begun(other, 1, person_as(Role.OPERATOR_CLERK, "harbor"))
