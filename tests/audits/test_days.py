"""Gambling days by the operator's controls: their limits, their closing, what comes after."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from audits.intake.days.models import GamblingDay
from audits.intake.days.writes import close_day, keep_day, supplement_day
from compliance import clock
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.event_log.tree import newest_checkpoint
from compliance.event_log.writes import integrate
from compliance.events.models import Event
from tests.compliance.controls.filing import Room, bring_into_effect, local, only_pyramid, submitted
from tests.compliance.people import made_party

pytestmark = pytest.mark.django_db
DAY = date(2025, 3, 8)
HOUR = timedelta(hours=1)


@pytest.fixture
def room() -> Room:
    return Room()


def test_day_closes_six_hours_after_cut_off(room: Room) -> None:
    kept = keep_day(party=room.party, day=DAY)
    assert kept.begins == local(2025, 3, 8, 6)
    # Clocks go forward in that night: the day has 23 hours.
    assert kept.ends == local(2025, 3, 9, 6)
    assert kept.ends - kept.begins == 23 * HOUR
    assert kept.closes == local(2025, 3, 9, 12)


def test_submission_time_follows_controls_of_the_days_start(
    room: Room,
) -> None:
    with clock.standing_at(local(2025, 3, 1, 12)):
        longer = submitted(room.manager, {**only_pyramid(), "submission_hours": 24})
        bring_into_effect(longer, room.officer, local(2025, 3, 9, 0))
    assert keep_day(party=room.party, day=DAY).closes == local(2025, 3, 9, 12)
    assert keep_day(party=room.party, day=date(2025, 3, 9)).closes == local(2025, 3, 11, 6)


def test_day_without_controls_runs_six_to_six() -> None:
    party = made_party(PartyKind.CARD_ROOM, "unheard-of")
    kept = keep_day(party=party, day=DAY)
    assert (kept.begins, kept.ends) == (local(2025, 3, 8, 6), local(2025, 3, 9, 6))
    assert kept.closes == local(2025, 3, 9, 12)


def test_day_is_kept_once_and_follows_controls_while_open(room: Room) -> None:
    first = keep_day(party=room.party, day=DAY)
    assert keep_day(party=room.party, day=DAY) == first
    assert Event.objects.filter(type="day.kept").count() == 1
    with clock.standing_at(local(2025, 3, 1, 12)):
        later = submitted(room.manager, {**only_pyramid(), "cut_off": "08:00"})
        bring_into_effect(later, room.officer, local(2025, 3, 9, 0))
    assert keep_day(party=room.party, day=DAY).ends == local(2025, 3, 9, 8)
    assert Event.objects.filter(type="day.kept").count() == 2


def test_a_closed_day_keeps_its_times(room: Room) -> None:
    close_day(day=keep_day(party=room.party, day=DAY))
    with clock.standing_at(local(2025, 3, 1, 12)):
        later = submitted(room.manager, {**only_pyramid(), "cut_off": "08:00"})
        bring_into_effect(later, room.officer, local(2025, 3, 9, 0))
    assert keep_day(party=room.party, day=DAY).ends == local(2025, 3, 9, 6)


def test_a_day_is_not_closed_before_its_time(room: Room) -> None:
    kept = keep_day(party=room.party, day=DAY)
    with (
        clock.standing_at(kept.closes - timedelta(seconds=1)),
        pytest.raises(RefusedError, match="closes at 2025-03-09 12:00"),
    ):
        close_day(day=kept)


def test_day_closes_once_with_its_checkpoint(room: Room) -> None:
    kept = keep_day(party=room.party, day=DAY)
    integrate()
    then = newest_checkpoint()
    assert then is not None
    assert close_day(day=kept)
    integrate()
    assert not close_day(day=kept)
    with without_access_scope():
        closed = GamblingDay.objects.get()
    assert (closed.state, closed.checkpoint) == ("closed", then.note)
    assert Event.objects.filter(type="day.closed").count() == 1


def test_supplements_are_numbered_for_closed_days_only(room: Room) -> None:
    kept = keep_day(party=room.party, day=DAY)
    with pytest.raises(RefusedError, match="is open"):
        supplement_day(day=kept)
    close_day(day=kept)
    assert [supplement_day(day=kept), supplement_day(day=kept)] == [1, 2]
