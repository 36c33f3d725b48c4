"""A log is registered with all its good and rejected lines, or not at all."""

from __future__ import annotations

import gzip
import io
import json
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import zstandard
from django.db.models.functions import Now
from django.utils import timezone

from audits.intake import segment_builder
from audits.intake.days.models import GamblingDay
from audits.intake.ingestion import take_in_what_waits
from audits.intake.models import RejectedCause, RoundLog, Segment, Submission
from audits.intake.readers import something_waits
from audits.intake.reads import find_log, segments_on_file
from audits.intake.rounds import find_round, line_as_submitted
from audits.intake.submission import OnFileError, submit_whole
from audits.review.conditions import submissions
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.models import Event
from compliance.files.archive import current_archive, read_bytes
from compliance.health import State
from compliance.jobs import queue
from compliance.jobs.models import Job
from compliance.jobs.queue import take_job
from games.log.form import read_line
from tests.audits.submission.logs import EVENING, evening, ingested, played, sha256, written
from tests.compliance.jobs.due import kill_workers, make_jobs_due
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from compliance.access.models import Party
    from compliance.jobs.queue import Lease

pytestmark = pytest.mark.django_db


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_CLERK, "room")


def causes_of(log: RoundLog) -> dict[str, int]:
    with without_access_scope():
        return dict(RejectedCause.objects.filter(log=log).values_list("cause", "count"))


def nothing_on_file(room: Party) -> bool:
    with without_access_scope():
        return not (
            RoundLog.objects.filter(party=room).exists()
            or Segment.objects.filter(party=room).exists()
            or GamblingDay.objects.filter(party=room).exists()
        )


def on_file(room: Party) -> list[tuple[str, date, int, int, int]]:
    with without_access_scope():
        return [
            (each.game, each.day, each.generation, each.piece, each.rounds)
            for each in segments_on_file(room)
        ]


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"]
)
def test_log_is_on_file_byte_for_byte_with_days_and_event(room, pack):
    content = pack(written(evening(5)))
    log = ingested(room, content)
    assert (log.lines, log.good, log.rejected, log.already) == (5, 5, 0, 0)
    assert (log.first_at, log.last_at) == (EVENING, EVENING + timedelta(minutes=4))
    assert read_bytes(current_archive(), sha256(content)) == content
    assert on_file(room) == [("pyramid-poker", date(2026, 3, 6), 1, 0, 5)]
    with without_access_scope():
        assert GamblingDay.objects.get(party=room).day == date(2026, 3, 6)
    event = Event.objects.get(type="round_log.registered")
    assert event.object == log.uuid
    assert event.payload["sha256"] == sha256(content)


def test_rounds_after_midnight_belong_to_the_day_before(room):
    log = ingested(room, written(evening(3, begin=EVENING + timedelta(hours=9, minutes=59))))
    assert log.good == 3
    # Without controls a day begins at six: one round ended at 5:59, two from six on.
    assert on_file(room) == [
        ("pyramid-poker", date(2026, 3, 6), 1, 0, 1),
        ("pyramid-poker", date(2026, 3, 7), 1, 0, 2),
    ]


def test_bad_lines_are_rejected_by_cause_and_all_filed(room):
    lines = written(evening(2)) + b"no json\n" + b'{"v":2}\n' * 60 + written(evening(1, first=3))
    log = ingested(room, lines)
    assert (log.lines, log.good, log.rejected) == (64, 3, 61)
    assert causes_of(log) == {"form": 61}
    with without_access_scope():
        examples = RejectedCause.objects.get(log=log).examples
    assert [each["line"] for each in examples] == list(range(3, 53))
    answer = [
        json.loads(each) for each in read_bytes(current_archive(), log.rejected_file).splitlines()
    ]
    assert [each["line"] for each in answer] == list(range(3, 64))


def test_the_very_same_file_again_changes_nothing(room):
    content = written(evening(3))
    log = ingested(room, content)
    with pytest.raises(OnFileError, match=str(log.uuid)):
        ingested(room, content, name="again.jsonl")
    with without_access_scope():
        assert RoundLog.objects.count() == 1
        assert Submission.objects.filter(party=room).count() == 1


@pytest.mark.parametrize("deaths", [1, 8])
def test_log_is_ingested_after_an_earlier_reader_died(room, deaths):
    before = submit_whole(
        party=room, name="before", content=io.BytesIO(b"lost"), by=SYSTEM, read_here=True
    )
    with without_access_scope():  # what a killed ingest leaves behind
        Submission.objects.filter(pk=before.pk).update(state=Submission.State.READING, lines=7)
        Job.objects.update(due=Now())
        assert take_job({Submission.JOB})
        Job.objects.update(unreturned=deaths)
    kill_workers()
    assert ingested(room, written(evening(3))).good == 3
    assert take_in_what_waits() == 1
    with without_access_scope():
        before.refresh_from_db()
        if deaths == 1:  # a restart
            assert (before.state, before.failure) == ("refused", "")
        else:
            assert before.state == "waiting"
            assert "was killed 8 times" in before.failure
            assert "(line 7)" in before.failure
            assert Job.objects.get().due > timezone.now() + timedelta(minutes=10)
            make_jobs_due()
            assert take_in_what_waits() == 1
            before.refresh_from_db()
            assert before.state == "refused"


@pytest.fixture
def faulty(monkeypatch) -> None:
    """Give our ingest a fault: it stumbles over one field of an operator's own."""

    def stumble(line: bytes, **forms: Any) -> object:
        if b"x_stumble" in line:
            msg = "a fault of ours\0"
            raise KeyError(msg)
        return read_line(line, **forms)

    monkeypatch.setattr(segment_builder, "read_line", stumble)
    # No thread can write alongside a test that rolls back; waiting for it would outlast a pause.
    monkeypatch.setattr(queue, "RENEW_AFTER_SECONDS", 60)


def test_failing_log_is_set_aside_with_its_line(room, faulty, monkeypatch):
    other = party_for(Role.OPERATOR_CLERK, "other")
    first, second, *behind = evening(5)
    bad = written([first, {**second, "x_stumble": 1, "void": "\0"}])
    for party, content in ((room, bad), (room, written(behind)), (other, written(behind))):
        submit_whole(party=party, name="night", content=io.BytesIO(content), by=SYSTEM)
    assert take_in_what_waits() == 3
    with without_access_scope():
        aside, *others = Submission.objects.order_by("pk")
        assert [each.state for each in others] == ["registered"] * 2
        assert (aside.state, Job.objects.get().faults) == ("waiting", 1)
        assert Job.objects.get().due > timezone.now()
        assert aside.failure == r"KeyError: 'a fault of ours\x00' (line 2)"
        condition = submissions()
        assert (condition.state, condition.count) == (State.FAILING, 1)
        assert f"night of The room, tried once: {aside.failure}." in condition.says
        monkeypatch.undo()
        make_jobs_due()
        assert take_in_what_waits() == 1
        aside.refresh_from_db()
        assert (aside.state, aside.failure, aside.log.good) == ("registered", "", 2)
    assert submissions().state == State.OK


def test_failing_log_waits_longer_each_time(room, faulty):
    (only,) = evening(1)
    content = written([{**only, "x_stumble": 1, "void": ""}])
    submit_whole(party=room, name="night", content=io.BytesIO(content), by=SYSTEM)
    for attempt, seconds in enumerate((10, 20, 40, 80), 1):
        assert take_in_what_waits() == 1
        job = Job.objects.get()
        wait = job.due - timezone.now()
        assert seconds - 5 < wait.total_seconds() <= seconds + 1
        assert job.faults == attempt
        with without_access_scope():
            assert Submission.objects.get().state == "waiting"
        make_jobs_due()
    Job.objects.update(faults=1000)
    assert take_in_what_waits() == 1
    assert Job.objects.get().due < timezone.now() + timedelta(hours=1, seconds=1)


def party_of(lease: Lease | None) -> Party:
    assert lease is not None
    with without_access_scope():
        return Submission.objects.select_related("party").get(pk=lease.subject).party


def test_log_of_another_operator_gets_a_second_reader(room):
    other = party_for(Role.OPERATOR_CLERK, "other")
    for party in (room, room, other):
        submit_whole(party=party, name="night", content=io.BytesIO(b"x"), by=SYSTEM)
    first = take_job({Submission.JOB})
    assert something_waits()
    assert not something_waits(timedelta(seconds=20))
    old = Now() - timedelta(seconds=21)
    waits = Job.objects.filter(exclusive=f"logs of {room.pk}", state="pending")
    assert waits.update(due=old) == 1
    assert not something_waits(timedelta(seconds=20))  # one log of an operator at a time
    Job.objects.filter(exclusive=f"logs of {other.pk}").update(due=old)
    assert something_waits(timedelta(seconds=20))
    second = take_job({Submission.JOB})
    assert [party_of(each) for each in (first, second)] == [room, other]
    assert take_job({Submission.JOB}) is None


def test_log_of_which_nothing_was_accepted_is_read_again(room):
    content = written(evening(3))
    with clock.standing_at(EVENING - timedelta(days=1)):
        early = ingested(room, content)
        assert (early.good, causes_of(early)) == (0, {"future": 3})
        with pytest.raises(OnFileError, match=str(early.uuid)):
            ingested(room, content)
    later = ingested(room, content)
    assert (later.pk != early.pk, later.good, later.rejected) == (True, 3, 0)
    with pytest.raises(OnFileError, match=str(later.uuid)):
        ingested(room, content)
    with without_access_scope():
        assert RoundLog.objects.count() == 2
        assert find_log(room, sha256(content)) == later
        assert find_round([room], "T3-000002").log == later


def test_control_characters_reject_their_lines_alone(room):
    good = evening(4)
    bad = [
        {**good[0], "round": "a\0b"},
        {**good[0], "table": "\0"},
        {**good[0], "game": "\u202e"},
        {**good[0], "at": "\x7f"},
        {**good[0], "y\0": 1},
        {**good[0], "seats": [{**good[0]["seats"][0], "player": "\0", "x_\0": "\0"}]},
        {**good[0], "seats": [{**good[0]["seats"][0], "cards": "\0"}]},
    ]
    kept = [{**good[2], "deck": "\0", "x_\0": "\0"}, {**good[3], "void": "\0"}]
    log = ingested(room, written([*bad, *good[:2], *kept]))
    assert (log.good, log.rejected) == (4, 7)
    with without_access_scope():
        examples = RejectedCause.objects.get(log=log).examples
        void = find_round([room], good[3]["round"])
    assert [each["line"] for each in examples] == [1, 2, 3, 4, 5, 6, 7]
    assert r'the text "a\u0000b"' in examples[0]["reason"]
    assert examples[4]["field"] == r"y\u0000"
    assert void.found.round.void == "\0"


def test_the_same_bytes_are_another_operators_log_too(room):
    content = written(evening(3))
    other = party_for(Role.OPERATOR_CLERK, "other")
    assert ingested(room, content).pk != ingested(other, content).pk
    assert on_file(room) == on_file(other)


def test_identical_rounds_on_file_count_as_already_there(room):
    ingested(room, written(evening(3)))
    log = ingested(room, written(evening(5)))
    assert (log.lines, log.good, log.rejected, log.already) == (5, 2, 0, 3)
    assert on_file(room) == [("pyramid-poker", date(2026, 3, 6), 2, 0, 5)]


def test_id_on_file_with_other_content_is_rejected(room):
    ingested(room, written(evening(3)))
    log = ingested(room, written([played("T3-000002", deck="blue"), *evening(1, first=9)]))
    assert (log.good, log.rejected, log.already) == (1, 1, 0)
    assert causes_of(log) == {"taken": 1}


def test_id_used_twice_in_a_log_is_rejected_the_second_time(room):
    log = ingested(room, written([*evening(2), played("T3-000001", deck="blue")]))
    assert (log.good, log.rejected) == (2, 1)
    assert causes_of(log) == {"taken": 1}


def test_future_clock_is_reported(room):
    ahead = timezone.now() + timedelta(days=1)
    log = ingested(room, written([*evening(1), played("T3-000009", ahead)]))
    assert (log.good, log.rejected) == (1, 1)
    assert causes_of(log) == {"future": 1}


def test_correction_replaces_rounds_of_its_log(room):
    wrong = ingested(room, written(evening(3)))
    right = written([played("T3-000002", EVENING + timedelta(minutes=1), deck="blue")])
    log = ingested(room, right, corrects=wrong, reason="the deck was not noted")
    assert (log.good, log.rejected) == (1, 0)
    assert (log.corrects, log.reason) == (wrong, "the deck was not noted")
    assert on_file(room) == [("pyramid-poker", date(2026, 3, 6), 2, 0, 3)]
    with without_access_scope():
        found = find_round([room], "T3-000002")
        untouched = find_round([room], "T3-000001")
    assert found is not None
    assert untouched is not None
    assert (found.log.pk, found.found.round.deck) == (log.pk, "blue")
    assert untouched.log.pk == wrong.pk


def test_correction_cannot_use_ids_of_other_logs(room):
    wrong = ingested(room, written(evening(2)))
    next_day = evening(2, first=7, begin=EVENING + timedelta(days=1))
    ingested(room, written(next_day), name="another night")
    right = [played("T3-000001", deck="blue"), played("T3-000007", deck="blue")]
    log = ingested(room, written(right), corrects=wrong, reason="the deck was not noted")
    assert (log.good, causes_of(log)) == (1, {"taken": 1})


def test_a_correction_may_move_rounds_to_another_day(room):
    wrong = ingested(room, written(evening(2)))
    next_day = EVENING + timedelta(days=1)
    ingested(room, written(evening(2, begin=next_day)), corrects=wrong, reason="the date was wrong")
    # The day that lost all its rounds has a generation without a segment.
    assert on_file(room) == [("pyramid-poker", date(2026, 3, 7), 1, 0, 2)]
    with without_access_scope():
        emptied = Segment.objects.get(party=room, day=date(2026, 3, 6), generation=2)
    assert emptied.rounds == 0
    log = ingested(room, written(evening(1, first=7)))
    assert log.good == 1
    assert ("pyramid-poker", date(2026, 3, 6), 3, 0, 1) in on_file(room)


def refused(room: Party, content: bytes) -> str:
    with pytest.raises(RefusedError) as caught:
        ingested(room, content)
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
    assert "the file was cut off; submit the complete file" in says
    assert "Nothing of it was accepted" in says


def test_a_bomb_is_refused(room):
    bomb = gzip.compress(bytes(1 << 26))
    assert "unpacks to more than 200 times its size" in refused(room, bomb)


def test_what_is_no_log_at_all_is_refused(room):
    assert "a web page (HTML), not a round log" in refused(room, b"<html>\n<body>\n")


def test_what_was_refused_is_on_record_with_its_reason(room):
    with pytest.raises(RefusedError):
        ingested(room, b"<html>\n")
    with without_access_scope():
        submission = Submission.objects.get(party=room)
    assert submission.state == Submission.State.REFUSED
    assert "a web page (HTML), not a round log" in submission.refusal
    assert Event.objects.get(type="round_log.refused").reason == submission.refusal


def test_rejected_file_can_be_submitted_again(room):
    for _ in range(2):
        with pytest.raises(RefusedError):
            ingested(room, b"<html>\n")


def test_round_is_found_by_id_with_its_line(room):
    content = gzip.compress(written(evening(300)))
    log = ingested(room, content)
    with without_access_scope():
        found = find_round([room], "T3-000217")
        assert found is not None
        assert find_round([room], "T3-000999") is None
    assert (found.log.pk, found.found.source_line) == (log.pk, 217)
    assert json.loads(line_as_submitted(log, 217)) == evening(300)[216]
    assert json.loads(found.line)["round"] == "T3-000217"


def test_only_the_beginning_of_an_overlong_line_is_kept(room):
    first, last = evening(2)
    log = ingested(room, written([first]) + b"x" * (5 << 20) + b"\r\n" + written([last]))
    with without_access_scope():
        assert json.loads(line_as_submitted(log, 1)) == first
        assert line_as_submitted(log, 2) == b"x" * ((1 << 20) + 1)
        assert json.loads(line_as_submitted(log, 3)) == last


def test_a_log_is_found_by_its_number_or_digest(room):
    log = ingested(room, written(evening(1)))
    other = party_for(Role.OPERATOR_CLERK, "other")
    with without_access_scope():
        for name in (str(log.uuid), log.sha256, log.sha256[:12], log.sha256.upper()):
            assert find_log(room, name) == log
            assert find_log(other, name) is None
        for name in ("", log.sha256[:7], "0" * 64, "%", "no log"):
            assert find_log(room, name) is None
