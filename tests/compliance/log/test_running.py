"""The log in a running system: beat starts the integrator, and the status shows its lag."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from django.utils import timezone

from compliance.conditions import event_log
from compliance.event_log.events import EXPORTED
from compliance.event_log.models import Checkpoint
from compliance.event_log.writes import integrate
from compliance.events.actor import SYSTEM
from compliance.events.models import Event, Waiting
from compliance.events.record import record
from tests.installation import wait_until

if TYPE_CHECKING:
    from tests.installation import Installation


@pytest.mark.services
def test_beat_and_worker_integrate_events(
    installation: Installation,
) -> None:
    loaded = installation.manage("load_demonstration")
    assert loaded.returncode == 0, loaded.stderr
    assert Waiting.objects.count() == Event.objects.count() > 0
    installation.start("serve")
    wait_until(lambda: Checkpoint.objects.exists() and not Waiting.objects.exists())
    verified = installation.manage("verify", "log", "--json")
    output = json.loads(verified.stdout)
    assert (verified.returncode, output["problems"]) == (0, [])
    assert output["checked"] >= Event.objects.count()


@pytest.mark.django_db
def test_the_status_tells_whether_events_get_their_places():
    assert event_log().is_ok
    with transaction.atomic():
        event = record(EXPORTED, by=SYSTEM, carries={"count": 1, "filter": "", "size": 0})
    assert event_log().is_ok
    late = Event(type="x.y", at=timezone.now() - timedelta(hours=1), actor_kind="system")
    late.save()
    Waiting(event=late, seal=bytes(32)).save()
    condition = event_log()
    assert not condition.is_ok
    assert "Events waiting for their places in the log: 2, for 3600 seconds." in condition.says
    integrate()
    condition = event_log()
    assert "Events not written by this system: 1." in condition.says
    assert not condition.is_ok
    assert not Waiting.objects.filter(event=event).exists()
