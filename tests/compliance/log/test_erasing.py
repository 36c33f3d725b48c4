"""Personal data can be erased when its retention ends; the log stays intact and says so."""

import pytest
from django.conf import settings
from django.db import transaction

from compliance.event_log.events import EXPORTED
from compliance.event_log.verification import verify_log
from compliance.event_log.writes import erase_personal_data, integrate
from compliance.events.actor import SYSTEM, Actor
from compliance.events.models import ActorKind, Event, PersonalData
from compliance.events.record import record


@pytest.fixture
def log(own_database, monkeypatch, tmp_path):
    monkeypatch.setattr(settings, "KEPT_CHECKPOINT", tmp_path / "log.checkpoint")
    with transaction.atomic():
        for _ in range(5):
            by = Actor(ActorKind.PERSON, name="Ada Example")
            record(EXPORTED, by=by, carries={"count": 0, "filter": "", "size": 0})
    integrate()


def test_erased_by_rule_is_no_problem_and_the_log_tells_it(log):
    erased = erase_personal_data(
        events=Event.objects.filter(pk__lte=3), rule="people, 3 years", by=SYSTEM, reason="Over."
    )
    integrate()
    assert erased == 3
    assert PersonalData.objects.filter(salt__isnull=True, data__isnull=True).count() == 3
    assert verify_log().problems == []
    answer = Event.objects.get(type="log.personal_data_removed")
    assert answer.payload == {"count": 3, "numbers": [1, 2, 3], "rule": "people, 3 years"}


def test_second_erasure_records_no_event(log):
    asked = {"rule": "people, 3 years", "by": SYSTEM, "reason": "Over."}
    erase_personal_data(events=Event.objects.all(), **asked)
    before = Event.objects.count()
    assert erase_personal_data(events=Event.objects.filter(pk__lte=5), **asked) == 0
    assert Event.objects.count() == before
