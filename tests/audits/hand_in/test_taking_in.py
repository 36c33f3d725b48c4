"""A log is registered with all its good and rejected lines, or not at all."""

from __future__ import annotations

import gzip
import io
import json
from datetime import date, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
import zstandard
from django.utils import timezone

from audits.models import GamblingDay, HandIn, RejectedCause, RoundLog, Segment
from audits.selectors.round_logs import find_log, segments_on_file
from audits.selectors.rounds import find_round, line_as_handed_in
from audits.services import reading
from audits.services.hand_in import OnFileError, hand_in_whole
from audits.services.reading import MOST_ATTEMPTS
from compliance.actor import SYSTEM
from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.choices import Role
from compliance.models import Event
from compliance.services.refused import RefusedError
from compliance.walls import without_walls
from tests.audits.hand_in.logs import EVENING, evening, played, sha256, taken, written
from tests.compliance.people import party_for
from tests.installation import wait_until

if TYPE_CHECKING:
    from compliance.models import Party

pytestmark = pytest.mark.django_db


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_CLERK, "room")


def causes_of(log: RoundLog) -> dict[str, int]:
    with without_walls():
        return dict(RejectedCause.objects.filter(log=log).values_list("cause", "count"))


def nothing_on_file(room: Party) -> bool:
    with without_walls():
        return not (
            RoundLog.objects.filter(party=room).exists()
            or Segment.objects.filter(party=room).exists()
            or GamblingDay.objects.filter(party=room).exists()
        )


def on_file(room: Party) -> list[tuple[str, date, int, int, int]]:
    with without_walls():
        return [
            (each.game, each.day, each.generation, each.piece, each.rounds)
            for each in segments_on_file(room)
        ]


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"]
)
def test_a_log_is_on_file_byte_for_byte_with_its_days_and_its_event(room, pack):
    content = pack(written(evening(5)))
    log = taken(room, content)
    assert (log.lines, log.good, log.rejected, log.already) == (5, 5, 0, 0)
    assert (log.first_at, log.last_at) == (EVENING, EVENING + timedelta(minutes=4))
    assert read_bytes(current_archive(), sha256(content)) == content
    assert on_file(room) == [("pyramid-poker", date(2026, 3, 6), 1, 0, 5)]
    with without_walls():
        assert GamblingDay.objects.get(party=room).day == date(2026, 3, 6)
    event = Event.objects.get(type="round_log.registered")
    assert event.object == log.uuid
    assert event.payload["sha256"] == sha256(content)


def test_rounds_after_midnight_belong_to_the_gambling_day_before(room):
    log = taken(room, written(evening(3, begin=EVENING + timedelta(hours=9, minutes=59))))
    assert log.good == 3
    # Without controls a day begins at six: one round ended at 5:59, two from six on.
    assert on_file(room) == [
        ("pyramid-poker", date(2026, 3, 6), 1, 0, 1),
        ("pyramid-poker", date(2026, 3, 7), 1, 0, 2),
    ]


def test_bad_lines_are_rejected_by_cause_and_all_of_them_are_in_a_file(room):
    lines = written(evening(2)) + b"no json\n" + b'{"v":2}\n' * 60 + written(evening(1, first=3))
    log = taken(room, lines)
    assert (log.lines, log.good, log.rejected) == (64, 3, 61)
    assert causes_of(log) == {"form": 61}
    with without_walls():
        examples = RejectedCause.objects.get(log=log).examples
    assert [each["line"] for each in examples] == list(range(3, 53))
    told = [
        json.loads(each) for each in read_bytes(current_archive(), log.rejected_file).splitlines()
    ]
    assert [each["line"] for each in told] == list(range(3, 64))


def test_the_very_same_file_again_changes_nothing(room):
    content = written(evening(3))
    log = taken(room, content)
    with pytest.raises(OnFileError, match=str(log.uuid)):
        taken(room, content, name="again.jsonl")
    with without_walls():
        assert RoundLog.objects.count() == 1
        assert HandIn.objects.filter(party=room).count() == 1


@pytest.mark.parametrize("attempts", [1, MOST_ATTEMPTS])
def test_a_log_is_read_although_the_reader_of_one_before_it_was_killed(room, attempts):
    before = hand_in_whole(
        party=room, name="before", content=io.BytesIO(b"lost"), by=SYSTEM, read_here=True
    )
    with without_walls():  # what a killed reader leaves behind
        HandIn.objects.filter(pk=before.pk).update(
            state=HandIn.State.READING,
            token=uuid4(),
            attempts=attempts,
            lease_until=timezone.now() - timedelta(seconds=1),
        )
    assert taken(room, written(evening(3))).good == 3
    with without_walls():
        before.refresh_from_db()
    assert before.state == ("waiting" if attempts == 1 else "refused")


def test_the_lease_of_a_reader_ends_by_itself_by_the_databases_clock(room, monkeypatch):
    left = hand_in_whole(party=room, name="left", content=io.BytesIO(b"lost"), by=SYSTEM)
    monkeypatch.setattr(reading, "SECONDS", 0.5)
    assert reading.claim(left)
    reading.put_back_what_was_left()
    assert reading.claim_next() is None
    wait_until(lambda: reading.put_back_what_was_left() or reading.claim_next())
    with without_walls():
        left.refresh_from_db()
    assert (left.state, left.attempts) == ("reading", 2)


def test_the_same_bytes_are_another_operators_log_too(room):
    content = written(evening(3))
    other = party_for(Role.OPERATOR_CLERK, "other")
    assert taken(room, content).pk != taken(other, content).pk
    assert on_file(room) == on_file(other)


def test_rounds_that_are_on_file_with_the_same_content_count_as_already_there(room):
    taken(room, written(evening(3)))
    log = taken(room, written(evening(5)))
    assert (log.lines, log.good, log.rejected, log.already) == (5, 2, 0, 3)
    assert on_file(room) == [("pyramid-poker", date(2026, 3, 6), 2, 0, 5)]


def test_an_id_that_is_on_file_with_another_content_is_taken(room):
    taken(room, written(evening(3)))
    log = taken(room, written([played("T3-000002", deck="blue"), *evening(1, first=9)]))
    assert (log.good, log.rejected, log.already) == (1, 1, 0)
    assert causes_of(log) == {"taken": 1}


def test_an_id_used_twice_in_one_log_is_taken_the_second_time(room):
    log = taken(room, written([*evening(2), played("T3-000001", deck="blue")]))
    assert (log.good, log.rejected) == (2, 1)
    assert causes_of(log) == {"taken": 1}


def test_a_clock_in_the_future_is_told_of(room):
    ahead = timezone.now() + timedelta(days=1)
    log = taken(room, written([*evening(1), played("T3-000009", ahead)]))
    assert (log.good, log.rejected) == (1, 1)
    assert causes_of(log) == {"future": 1}


def test_a_correction_replaces_the_rounds_of_the_log_it_names(room):
    wrong = taken(room, written(evening(3)))
    right = written([played("T3-000002", EVENING + timedelta(minutes=1), deck="blue")])
    log = taken(room, right, corrects=wrong, reason="the deck was not noted")
    assert (log.good, log.rejected) == (1, 0)
    assert (log.corrects, log.reason) == (wrong, "the deck was not noted")
    assert on_file(room) == [("pyramid-poker", date(2026, 3, 6), 2, 0, 3)]
    with without_walls():
        found = find_round([room], "T3-000002")
        untouched = find_round([room], "T3-000001")
    assert found is not None
    assert untouched is not None
    assert (found.log.pk, found.found.round.deck) == (log.pk, "blue")
    assert untouched.log.pk == wrong.pk


def test_a_correction_takes_no_id_of_a_log_that_it_does_not_name(room):
    wrong = taken(room, written(evening(2)))
    next_day = evening(2, first=7, begin=EVENING + timedelta(days=1))
    taken(room, written(next_day), name="another night")
    right = [played("T3-000001", deck="blue"), played("T3-000007", deck="blue")]
    log = taken(room, written(right), corrects=wrong, reason="the deck was not noted")
    assert (log.good, causes_of(log)) == (1, {"taken": 1})


def test_a_correction_may_move_rounds_to_another_day(room):
    wrong = taken(room, written(evening(2)))
    next_day = EVENING + timedelta(days=1)
    taken(room, written(evening(2, begin=next_day)), corrects=wrong, reason="the date was wrong")
    # The day that all rounds left has a generation without a segment.
    assert on_file(room) == [("pyramid-poker", date(2026, 3, 7), 1, 0, 2)]
    with without_walls():
        emptied = Segment.objects.get(party=room, day=date(2026, 3, 6), generation=2)
    assert emptied.rounds == 0
    log = taken(room, written(evening(1, first=7)))
    assert log.good == 1
    assert ("pyramid-poker", date(2026, 3, 6), 3, 0, 1) in on_file(room)


def refused(room: Party, content: bytes) -> str:
    with pytest.raises(RefusedError) as caught:
        taken(room, content)
    assert nothing_on_file(room)
    return str(caught.value)


def test_an_empty_file_is_refused(room):
    assert "is empty" in refused(room, b"")


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_packed_file_of_nothing_is_refused(room, pack):
    assert "no line" in refused(room, pack(b""))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_packed_file_that_was_cut_off_is_refused(room, pack):
    content = pack(written(evening(500)))
    says = refused(room, content[: len(content) // 2])
    assert "the file was cut off, hand in the whole of it" in says
    assert "Nothing of it was taken" in says


def test_a_bomb_is_refused(room):
    bomb = gzip.compress(bytes(1 << 26))
    assert "unpacks to more than 500 times its size" in refused(room, bomb)


def test_what_is_no_log_at_all_is_refused(room):
    assert "no log of rounds" in refused(room, b"<html>\n<body>\n")


def test_what_was_refused_is_on_record_with_its_reason(room):
    with pytest.raises(RefusedError):
        taken(room, b"<html>\n")
    with without_walls():
        hand_in = HandIn.objects.get(party=room)
    assert hand_in.state == HandIn.State.REFUSED
    assert "no log of rounds" in hand_in.refusal
    assert Event.objects.get(type="round_log.refused").reason == hand_in.refusal


def test_a_refused_file_can_be_handed_in_again(room):
    for _ in range(2):
        with pytest.raises(RefusedError):
            taken(room, b"<html>\n")


def test_a_round_is_found_by_its_id_with_its_line_of_the_evidence(room):
    content = gzip.compress(written(evening(300)))
    log = taken(room, content)
    with without_walls():
        found = find_round([room], "T3-000217")
        assert found is not None
        assert find_round([room], "T3-000999") is None
    assert (found.log.pk, found.found.source_line) == (log.pk, 217)
    assert json.loads(line_as_handed_in(log, 217)) == evening(300)[216]
    assert json.loads(found.line)["round"] == "T3-000217"


def test_of_a_line_that_is_longer_than_any_round_the_beginning_alone_is_held(room):
    first, last = evening(2)
    log = taken(
        room, gzip.compress(written([first]) + b"x" * (5 << 20) + b"\r\n" + written([last]))
    )
    with without_walls():
        assert json.loads(line_as_handed_in(log, 1)) == first
        assert line_as_handed_in(log, 2) == b"x" * ((1 << 20) + 1)
        assert json.loads(line_as_handed_in(log, 3)) == last


def test_a_log_is_found_by_its_number_or_digest(room):
    log = taken(room, written(evening(1)))
    other = party_for(Role.OPERATOR_CLERK, "other")
    with without_walls():
        for name in (str(log.uuid), log.sha256, log.sha256[:12], log.sha256.upper()):
            assert find_log(room, name) == log
            assert find_log(other, name) is None
        for name in ("", log.sha256[:7], "0" * 64, "%", "no log"):
            assert find_log(room, name) is None
