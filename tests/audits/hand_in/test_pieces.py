"""A file arrives in pieces: each hashed, each once, each in its place; or it is said why not."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from audits.models import HandIn, Piece
from audits.services.abandoned import give_up_old_hand_ins
from audits.services.hand_in import (
    OnFileError,
    abandon_hand_in,
    begin_hand_in,
    finish_hand_in,
    hand_in_whole,
)
from audits.services.pieces import PIECE, add_piece
from audits.services.take_in import take_in_what_waits
from compliance.actor import SYSTEM
from compliance.archive import current_archive
from compliance.choices import Role
from compliance.models import Event
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.walls import without_walls
from tests.audits.hand_in.logs import evening, sha256, taken, written
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from compliance.models import Party, Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_CLERK, "room")


@pytest.fixture
def clerk(room) -> Person:
    return person_as(Role.OPERATOR_CLERK, "room")


@pytest.fixture(scope="module")
def content() -> bytes:
    """A log of two pieces and a bit."""
    one = written(evening(500))
    return one * (2 * PIECE // len(one) + 1)


def begun(room: Party, size: int, by: Person, **more: str) -> HandIn:
    return begin_hand_in(party=room, name="night.jsonl", size=size, by=by, **more)


def cut(content: bytes) -> list[bytes]:
    return [content[first : first + PIECE] for first in range(0, len(content), PIECE)]


def send(hand_in: HandIn, number: int, piece: bytes, digest: str = "") -> HandIn:
    return add_piece(hand_in=hand_in, number=number, sha256=digest or sha256(piece), content=piece)


def state_of(hand_in: HandIn) -> tuple[str, str]:
    with without_walls():
        found = HandIn.objects.get(pk=hand_in.pk)
    return found.state, found.refusal


def test_pieces_in_order_make_the_file(room, clerk, content):
    hand_in = begun(room, len(content), clerk)
    for number, piece in enumerate(cut(content)):
        hand_in = send(hand_in, number, piece)
    assert hand_in.received == len(content)
    finish_hand_in(hand_in=hand_in, by=clerk, sha256=sha256(content))
    assert state_of(hand_in) == ("waiting", "")
    assert take_in_what_waits() == 1
    with without_walls():
        log = HandIn.objects.select_related("log").get(pk=hand_in.pk).log
    assert log is not None
    assert (log.sha256, log.size) == (sha256(content), len(content))
    assert log.by == clerk.uuid
    with without_walls():
        assert not Piece.objects.filter(hand_in=hand_in).exists()


def test_the_same_piece_twice_is_taken_once(room, clerk, content):
    hand_in = begun(room, len(content), clerk)
    first = cut(content)[0]
    send(hand_in, 0, first)
    assert send(hand_in, 0, first).received == PIECE


def test_another_content_in_the_place_of_a_piece_is_another_file(room, clerk, content):
    hand_in = begun(room, len(content), clerk)
    send(hand_in, 0, cut(content)[0])
    with pytest.raises(RefusedError, match="not the same file"):
        send(hand_in, 0, bytes(PIECE))


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
    hand_in = begun(room, len(content), clerk)
    with pytest.raises(RefusedError, match=says):
        send(hand_in, number, change(cut(content)[0]))


def test_a_piece_that_is_out_of_turn_is_not_kept_before_it_is_refused(room, clerk, content):
    hand_in = begun(room, len(content), clerk)
    for number in (1, 2):
        piece = bytes([number]) * len(cut(content)[number])
        with pytest.raises(RefusedError, match="out of order"):
            send(hand_in, number, piece)
        assert not current_archive().has(sha256(piece))


def test_a_piece_that_was_damaged_on_its_way_is_refused_and_can_be_sent_again(room, clerk, content):
    hand_in = begun(room, len(content), clerk)
    piece = cut(content)[0]
    damaged = b"{{" + piece[2:]
    with pytest.raises(RefusedError, match="did not arrive as it was sent"):
        send(hand_in, 0, damaged, sha256(piece))
    assert send(hand_in, 0, piece).received == PIECE


@pytest.mark.parametrize("digest", ["", "x", "é" * 64])
def test_a_digest_that_is_none_is_refused(room, clerk, content, digest):
    hand_in = begun(room, len(content), clerk)
    with pytest.raises(RefusedError, match="did not arrive"):
        add_piece(hand_in=hand_in, number=0, sha256=digest, content=cut(content)[0])


def test_nothing_is_finished_while_pieces_are_missing(room, clerk, content):
    hand_in = begun(room, len(content), clerk)
    send(hand_in, 0, cut(content)[0])
    with pytest.raises(RefusedError, match="not here as a whole: 8,388,608 of"):
        finish_hand_in(hand_in=hand_in, by=clerk)


def test_a_whole_that_is_not_as_announced_is_refused_and_nothing_is_on_file(room, clerk):
    content = written(evening(3))
    hand_in = begun(room, len(content), clerk)
    send(hand_in, 0, content)
    finish_hand_in(hand_in=hand_in, by=clerk, sha256="0" * 64)
    take_in_what_waits()
    state, refusal = state_of(hand_in)
    assert state == "refused"
    assert sha256(content) in refusal
    assert "0" * 64 in refusal
    with without_walls():
        assert not room.round_logs.exists()
    assert Event.objects.get(type="round_log.refused").reason == refusal


def test_a_digest_that_changes_between_begin_and_end_is_refused(room, clerk):
    content = written(evening(3))
    hand_in = begun(room, len(content), clerk, sha256=sha256(content))
    send(hand_in, 0, content)
    with pytest.raises(RefusedError, match=r"begun as .* and finished as"):
        finish_hand_in(hand_in=hand_in, by=clerk, sha256="f" * 64)


def test_finishing_twice_is_finishing_once(room, clerk):
    content = written(evening(3))
    hand_in = begun(room, len(content), clerk)
    send(hand_in, 0, content)
    finish_hand_in(hand_in=hand_in, by=clerk)
    assert finish_hand_in(hand_in=hand_in, by=clerk).state == HandIn.State.WAITING


def test_a_file_on_file_is_refused_before_it_is_sent(room, clerk):
    content = written(evening(3))
    log = taken(room, content)
    with pytest.raises(OnFileError, match=str(log.uuid)):
        begun(room, len(content), clerk, sha256=sha256(content).upper())


def test_an_empty_file_is_refused(room, clerk):
    with pytest.raises(RefusedError, match=r"night\.jsonl is empty"):
        begun(room, 0, clerk)


def test_a_file_beyond_measure_is_refused(room, clerk):
    with pytest.raises(RefusedError, match="a file of up to 68,719,476,736"):
        begun(room, 1 << 50, clerk)


def test_nobody_hands_in_for_another_operator(clerk):
    with pytest.raises(NotAllowedError):
        begun(party_for(Role.OPERATOR_CLERK, "other"), 10, clerk)


def test_an_agent_hands_nothing_in(room):
    with pytest.raises(NotAllowedError):
        begun(room, 10, person_as(Role.AGENT))


def test_a_supplier_deals_no_rounds():
    maker = party_for(Role.SUPPLIER, "maker")
    with pytest.raises(RefusedError, match="deals no rounds"):
        begin_hand_in(party=maker, name="a", size=1, by=SYSTEM)


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
    hand_in = begin_hand_in(party=room, name=name, size=1, by=clerk)
    with without_walls():
        assert HandIn.objects.get(pk=hand_in.pk).name == kept


def test_what_was_given_up_takes_no_pieces(room, clerk, content):
    hand_in = begun(room, len(content), clerk)
    send(hand_in, 0, cut(content)[0])
    abandon_hand_in(hand_in=hand_in, by=clerk)
    with pytest.raises(RefusedError, match="takes no pieces any more: abandoned"):
        send(hand_in, 1, cut(content)[1])
    with pytest.raises(RefusedError, match="can no longer be given up"):
        abandon_hand_in(hand_in=hand_in, by=clerk)
    with pytest.raises(RefusedError, match="Hand it in anew"):
        finish_hand_in(hand_in=hand_in, by=clerk)


def test_a_correction_names_a_log_of_the_same_operator_and_says_why(room, clerk):
    log = taken(room, written(evening(3)))
    other = party_for(Role.OPERATOR_CLERK, "other")
    with pytest.raises(RefusedError, match="none of"):
        begin_hand_in(party=other, name="a", size=1, by=SYSTEM, corrects=log, reason="wrong night")
    with pytest.raises(RefusedError, match="Say why"):
        begin_hand_in(party=room, name="a", size=1, by=clerk, corrects=log, reason=" ")
    with pytest.raises(RefusedError, match="for a correction alone"):
        begin_hand_in(party=room, name="a", size=1, by=clerk, reason="just so")


def test_what_nobody_goes_on_with_is_given_up_after_a_week(room, clerk, content):
    old, new = (begun(room, len(content), clerk) for _ in range(2))
    send(old, 0, cut(content)[0])
    with without_walls():
        HandIn.objects.filter(pk=old.pk).update(changed=old.changed - timedelta(days=8))
    assert give_up_old_hand_ins() == 1
    assert state_of(old)[0] == "abandoned"
    assert state_of(new)[0] == "receiving"


def test_content_that_comes_whole_is_compared_with_its_digest_at_once(room, clerk):
    with pytest.raises(RefusedError, match="did not arrive as it was sent"):
        hand_in_whole(party=room, name="a", content=io.BytesIO(b"{}\n"), by=clerk, sha256="a" * 64)
