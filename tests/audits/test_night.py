"""The nightly run does what is due, once, however often and however late it is called."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from audits.intake.days.models import GamblingDay, NightlyWatch
from audits.intake.days.writes import keep_day
from audits.replay.findings.models import Finding
from audits.replay.models import Replay
from audits.review.conditions import nightly_run
from audits.review.nightly_run.writes import look_at_day, run_night, run_nights
from compliance import clock
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.models import Event
from compliance.files.archive import FolderArchive, MissingError, current_archive
from tests.audits.by_hand import every, registered, segment
from tests.compliance.controls.filing import Room, local
from tests.compliance.people import made_party, party_for

if TYPE_CHECKING:
    from audits.intake.models import RoundLog

pytestmark = pytest.mark.django_db
# A Friday: the controls let the room open at ten and close at four.
DAY = date(2025, 3, 7)
OPENS, CLOSES = local(2025, 3, 7, 10), local(2025, 3, 8, 4)
IN_TIME, CLOSED, LATE = local(2025, 3, 8, 11), local(2025, 3, 8, 12), local(2025, 3, 8, 13)


@pytest.fixture
def room() -> Room:
    party_for(Role.AGENT)
    return Room()


def played(
    room: Room, name: str = "friday", at: datetime = IN_TIME, generation: int = 1
) -> RoundLog:
    log = registered(room.party, name, at)
    segment(DAY, log, {"T1": every(60, OPENS, CLOSES)}, generation=generation)
    return log


def night(room: Room, at: datetime) -> int:
    with clock.standing_at(at):
        return run_night(operator=room.party)


def causes() -> list[str]:
    with without_access_scope():
        return list(Replay.objects.order_by("pk").values_list("cause", flat=True))


def lacking() -> list[tuple[str, str, str]]:
    """Return code, day and state of what is on file."""
    with without_access_scope():
        found = Finding.objects.select_related("issue").order_by("day", "issue__code")
        return [(each.issue.code, str(each.day), each.standing) for each in found]


def test_a_day_is_closed_and_replayed_once_its_time_has_come(room: Room) -> None:
    played(room)
    assert night(room, CLOSED - timedelta(seconds=1)) == 0
    assert causes() == []
    assert night(room, CLOSED) == 1
    assert causes() == ["nightly"]
    with without_access_scope():
        day = GamblingDay.objects.get(day=DAY)
        assert (day.state, day.supplements) == ("closed", 0)
        assert Replay.objects.get().scope == {"day": "2025-03-07"}


def test_however_often_it_is_called_it_is_done_once(room: Room) -> None:
    played(room)
    assert [night(room, CLOSED + timedelta(minutes=n)) for n in range(3)] == [1, 0, 0]
    assert causes() == ["nightly"]
    assert Event.objects.filter(type="day.closed").count() == 1


def test_kill_before_marking_a_day_begins_no_second_replay(room: Room) -> None:
    played(room)
    night(room, CLOSED)
    with without_access_scope():
        GamblingDay.objects.update(looked_through=None)
    assert night(room, CLOSED) == 1
    assert causes() == ["nightly"]


def test_log_after_closing_is_late_and_makes_supplement(room: Room) -> None:
    first = registered(room.party, "first", IN_TIME)
    segment(DAY, first, {"T7": every(60, OPENS, CLOSES)})
    night(room, CLOSED)
    assert lacking() == [("night.table_silent", "2025-03-07", "new")]
    played(room, "second", LATE, generation=2)
    assert night(room, LATE) == 1
    assert causes() == ["nightly", "supplement"]
    assert lacking() == [
        ("night.late_log", "2025-03-07", "new"),
        ("night.table_silent", "2025-03-07", "gone"),
    ]
    with without_access_scope():
        assert GamblingDay.objects.get(day=DAY).supplements == 1


def test_a_week_without_power_is_caught_up_with_day_by_day(room: Room) -> None:
    assert night(room, local(2025, 3, 3, 12)) == 0
    night(room, local(2025, 3, 10, 12))
    # Monday to Monday are on file; the last hasn't closed. The room opens on Friday and Saturday.
    with without_access_scope():
        days = dict(GamblingDay.objects.order_by("day").values_list("day", "state"))
    assert list(days) == [date(2025, 3, number) for number in range(3, 11)]
    assert list(days.values()) == ["closed"] * 7 + ["open"]
    assert lacking() == [
        ("night.no_log", "2025-03-07", "new"),
        ("night.no_log", "2025-03-08", "new"),
    ]


def test_day_from_a_log_does_not_hide_earlier_days(room: Room) -> None:
    night(room, local(2025, 3, 3, 12))
    keep_day(party=room.party, day=date(2025, 3, 9))
    night(room, local(2025, 3, 10, 12))
    assert lacking() == [
        ("night.no_log", "2025-03-07", "new"),
        ("night.no_log", "2025-03-08", "new"),
    ]


def test_years_before_first_run_expect_nothing(room: Room) -> None:
    night(room, local(2025, 3, 10, 12))
    assert lacking() == []
    with without_access_scope():
        assert NightlyWatch.objects.get().since == date(2025, 3, 10)


def test_log_from_before_the_first_run_is_audited(room: Room) -> None:
    night(room, local(2025, 3, 10, 12))
    played(room, at=local(2025, 3, 10, 13))
    assert night(room, local(2025, 3, 10, 14)) == 1
    assert causes() == ["nightly"]
    assert lacking() == [("night.late_log", "2025-03-07", "new")]


def test_an_open_day_is_not_looked_at(room: Room) -> None:
    day = keep_day(party=room.party, day=DAY)
    with clock.standing_at(IN_TIME), pytest.raises(RefusedError, match="closes at"):
        look_at_day(day=day)


def test_failure_of_one_operator_delays_no_other(room: Room) -> None:
    other = made_party(PartyKind.CARD_ROOM, "other")
    log = registered(other, "gone", IN_TIME)
    lost = segment(DAY, log, {"T2": every(60, OPENS, CLOSES)})
    archive = current_archive()
    assert isinstance(archive, FolderArchive)
    archive.place(lost.sha256).unlink()
    played(room)
    with clock.standing_at(CLOSED), pytest.raises(MissingError):
        run_nights()
    assert causes() == ["nightly"]


def test_unattended_operator_is_an_alarm(room: Room) -> None:
    found = nightly_run()
    assert not found.is_ok
    assert "Operators that were never checked: 1" in found.says
    run_nights()
    assert nightly_run().is_ok
    long_ago = timezone.now() - timedelta(minutes=11)
    with without_access_scope():
        NightlyWatch.objects.update(looked=long_ago)
    assert not nightly_run().is_ok
    assert "for 660 seconds" in nightly_run().says


def test_a_night_that_did_not_run_is_an_alarm_after_an_hour(room: Room) -> None:
    run_nights()
    closes = keep_day(party=room.party, day=date(2025, 3, 20)).closes
    with clock.standing_at(closes + timedelta(minutes=59)):
        assert nightly_run().is_ok
    with clock.standing_at(closes + timedelta(minutes=61)):
        assert "without a nightly run: 1" in nightly_run().says
        run_night(operator=room.party)
        assert nightly_run().is_ok


def test_a_nightly_replay_that_failed_is_an_alarm(room: Room) -> None:
    played(room)
    run_nights()
    with without_access_scope():
        Replay.objects.update(state=Replay.State.FAILED)
    assert "replays that failed or are not done after an hour: 1" in nightly_run().says
