"""What a day lacks: reported where controls expect play, and nowhere else."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from audits.intake.days.writes import keep_day
from audits.replay.findings.models import Finding, Issue, IssueNight
from audits.review.nightly_run.missing import Missing, missing_of_day
from audits.review.nightly_run.writes import note_missing
from audits.review.releases.writes import set_standing_release
from compliance import clock
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.events.models import Event
from tests.audits.by_hand import every, registered, segment
from tests.compliance.controls.filing import Room, bring_into_effect, local, only_pyramid, submitted

if TYPE_CHECKING:
    from compliance.access.models import Person

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
# A Friday: the room's controls let it open at ten and close at four in the morning.
DAY = date(2025, 3, 7)
OPENS, CLOSES = local(2025, 3, 7, 10), local(2025, 3, 8, 4)
IN_TIME, LATE = local(2025, 3, 8, 11), local(2025, 3, 8, 13)


@pytest.fixture
def room() -> Room:
    return Room()


def lacking(room: Room, day: date = DAY) -> list[Missing]:
    with without_access_scope():
        return missing_of_day(keep_day(party=room.party, day=day))


def codes(found: list[Missing]) -> list[tuple[str, str]]:
    return [(each.code, each.table) for each in found]


def test_a_day_in_steady_play_lacks_nothing(room: Room) -> None:
    log = registered(room.party, "friday", IN_TIME)
    segment(DAY, log, {"T1": every(60, OPENS, CLOSES)})
    assert lacking(room) == []


def test_missing_log_is_one_finding_of_the_day(room: Room) -> None:
    (found,) = lacking(room)
    assert (found.code, found.table) == ("night.no_log", "")
    assert found.awaited == "rounds of 1 table that the controls name, by 2025-03-08 12:00"


def test_closed_day_of_a_room_expects_nothing(room: Room) -> None:
    # Tuesday: the controls name only Friday and Saturday.
    assert lacking(room, date(2025, 3, 4)) == []


def test_before_controls_nothing_is_awaited(room: Room) -> None:
    assert lacking(room, date(2025, 1, 17)) == []


def test_a_table_of_the_controls_without_rounds_is_silent(room: Room) -> None:
    log = registered(room.party, "friday", IN_TIME)
    segment(DAY, log, {"T7": every(60, OPENS, CLOSES)})
    assert codes(lacking(room)) == [("night.table_silent", "T1")]


def test_table_that_joins_at_midnight_is_expected_then(room: Room) -> None:
    pyramid = only_pyramid()["games"]["pyramid-poker"]
    limits = pyramid["tables"]["T1"]
    both = {"pyramid-poker": {**pyramid, "tables": {"T1": limits, "T2": limits}}}
    with clock.standing_at(local(2025, 3, 1, 12)):
        new = submitted(room.manager, {**only_pyramid(), "games": both})
        bring_into_effect(new, room.officer, local(2025, 3, 8, 0))
    log = registered(room.party, "friday", IN_TIME)
    segment(DAY, log, {"T1": every(60, OPENS, CLOSES)})
    assert codes(lacking(room)) == [("night.table_silent", "T2")]


def test_log_is_late_only_after_the_closing(room: Room) -> None:
    kept = keep_day(party=room.party, day=DAY)
    in_time = registered(room.party, "in time", kept.closes)
    late = registered(room.party, "late", kept.closes + timedelta(seconds=1))
    correction = registered(room.party, "corrected", LATE, corrects=in_time)
    segment(DAY, late, {"T1": every(60, OPENS, CLOSES)}, logs=(in_time, late, correction))
    (found,) = lacking(room)
    assert (found.code, found.log) == ("night.late_log", late.sha256)


@pytest.mark.parametrize(
    ("pause", "noticed"), [(60, []), (61, [("night.gap", "T1")])], ids=["an hour", "longer"]
)
def test_rounds_that_stop_for_more_than_an_hour_leave_a_gap(
    room: Room, pause: int, noticed: list[tuple[str, str]]
) -> None:
    log = registered(room.party, "friday", IN_TIME)
    at = local(2025, 3, 7, 20)
    before = [*every(60, OPENS, at), at]
    segment(DAY, log, {"T1": before + every(60, at + timedelta(minutes=pause), CLOSES)})
    assert codes(lacking(room)) == noticed


def test_a_slow_table_may_pause_for_thirty_times_its_pace(room: Room) -> None:
    # A round every five minutes: up to 150 minutes mean nothing.
    log = registered(room.party, "friday", IN_TIME)
    at = local(2025, 3, 7, 20)
    before = [*every(300, OPENS, at), at]
    segment(DAY, log, {"T1": before + every(300, at + timedelta(minutes=150), CLOSES)})
    assert lacking(room) == []


def test_a_gap_says_from_when_to_when_and_what_was_usual(room: Room) -> None:
    log = registered(room.party, "friday", IN_TIME)
    at = local(2025, 3, 7, 20)
    segment(DAY, log, {"T1": [*every(60, OPENS, at), at, *every(60, at.replace(hour=22), CLOSES)]})
    (found,) = lacking(room)
    assert found.says == "no round from 2025-03-07 20:00 to 2025-03-07 22:00"
    assert found.awaited == "a round about every 60 s"
    assert found.at == at


def test_hours_in_which_the_room_is_closed_are_no_gap(room: Room) -> None:
    # Saturday is open round the clock from midnight: 04:00 to 06:00 counts as open there, and
    # the morning of Friday before 10:00 does not.
    log = registered(room.party, "friday", IN_TIME)
    early = every(60, local(2025, 3, 7, 6), local(2025, 3, 7, 7))
    segment(DAY, log, {"T1": early + every(60, OPENS, CLOSES)})
    assert lacking(room) == []


def test_a_few_rounds_show_no_pace(room: Room) -> None:
    log = registered(room.party, "friday", IN_TIME)
    few = every(60, OPENS, OPENS + timedelta(minutes=24))
    segment(DAY, log, {"T1": few + every(60, CLOSES - timedelta(minutes=25), CLOSES)})
    assert lacking(room) == []


def test_only_the_newest_generation_of_segments_counts(room: Room) -> None:
    first = registered(room.party, "first", IN_TIME)
    second = registered(room.party, "second", IN_TIME)
    segment(DAY, first, {"T7": every(60, OPENS, CLOSES)})
    segment(DAY, second, {"T1": every(60, OPENS, CLOSES)}, generation=2, logs=(first, second))
    assert lacking(room) == []


def noted(room: Room, *missing: Missing, day: date = DAY) -> tuple[int, int]:
    with without_access_scope():
        return note_missing(day=keep_day(party=room.party, day=day), missing=missing)


SILENT = Missing(
    code="night.table_silent", says="no round", awaited="rounds", game="pyramid-poker", table="T1"
)


@pytest.mark.usefixtures("agent")
def test_to_notice_twice_is_to_notice_once(room: Room) -> None:
    assert noted(room, SILENT) == (1, 0)
    assert noted(room, SILENT) == (0, 0)
    assert Event.objects.filter(type="day.findings_changed").count() == 1
    with without_access_scope():
        assert [each.standing for each in Finding.objects.all()] == ["confirmed"]
        assert Issue.objects.get().findings == 1


@pytest.mark.usefixtures("agent")
def test_nights_of_one_cause_are_one_issue(room: Room) -> None:
    noted(room, SILENT)
    noted(room, SILENT, day=date(2025, 3, 8))
    with without_access_scope():
        issue = Issue.objects.get()
        assert (issue.findings, issue.weight) == (2, "notice")
        assert [night.findings for night in issue.nights.all()] == [1, 1]


@pytest.mark.usefixtures("agent")
def test_what_a_late_log_brought_is_gone_and_stays_on_file(room: Room) -> None:
    noted(room, SILENT)
    assert noted(room) == (0, 1)
    with without_access_scope():
        assert [each.standing for each in Finding.objects.all()] == ["gone"]
        assert (Issue.objects.get().findings, IssueNight.objects.get().findings) == (0, 0)
    assert noted(room, SILENT) == (1, 0)


@pytest.mark.usefixtures("agent")
def test_repeat_after_decision_is_new_issue_naming_earlier(
    room: Room,
) -> None:
    noted(room, SILENT)
    with without_access_scope():
        former = Issue.objects.get()
        Issue.objects.update(open=False, state=Issue.State.EXPLAINED)
    noted(room, SILENT, day=date(2025, 3, 8))
    with without_access_scope():
        assert Issue.objects.get(open=True).again_after == former
    # The first night is gone: the decision is now based on something else.
    noted(room)
    with without_access_scope():
        former.refresh_from_db()
        later = Issue.objects.get(open=True)
    assert former.changed_since == "2025-03-07: no round (gone)"
    # One issue per cause is open at a time: the later one is in the queue and says so.
    assert (former.open, former.state) == (False, Issue.State.EXPLAINED)
    assert later.changed_since == "Of what was decided before it: 2025-03-07: no round (gone)"


@pytest.mark.usefixtures("agent")
def test_late_log_returns_a_decision_about_its_absence(
    room: Room,
) -> None:
    noted(room, SILENT)
    with without_access_scope():
        Issue.objects.update(open=False, state=Issue.State.CONFIRMED)
        noted(room)
        issue = Issue.objects.get()
    assert (issue.open, issue.state) == (True, Issue.State.UNDER_REVIEW)
    assert issue.changed_since == "2025-03-07: no round (gone)"


def test_operator_sees_what_its_day_lacks_until_that_ends(room: Room, agent: Person) -> None:
    noted(room, SILENT)
    with within(visible_parties(memberships_of(room.manager))):
        assert Finding.objects.count() == 1
    set_standing_release(party=room.party, code="night.no_log", stands=False, by=agent)
    noted(room, Missing(code="night.no_log", says="-", awaited="-"), day=date(2025, 3, 8))
    with within(visible_parties(memberships_of(room.manager))):
        assert [each.code for each in Issue.objects.all()] == ["night.table_silent"]
