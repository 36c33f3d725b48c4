"""Administrators are notified daily of open conditions in the register."""

from __future__ import annotations

import pytest
from django.utils import timezone

from audits.review.nightly_run.writes import run_nights
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.notifications.models import Notice
from compliance.notifications.writes import send_alarm
from compliance.project.models import Heartbeat
from compliance.project.tasks import alarm
from tests.compliance.people import person_as

pytestmark = pytest.mark.django_db


def test_administrators_are_notified_once_a_day(settings):
    settings.PRODUCTION = True
    administrator = person_as(Role.ADMINISTRATOR)
    person_as(Role.AGENT)
    for _ in range(3):
        alarm()
    with without_access_scope():
        notice = Notice.objects.get()
    assert (notice.person, notice.link) == (administrator, "/status")
    assert notice.says.startswith("System status. Background work: failing; ")
    assert "Backup: warning" in notice.says


def test_alarm_is_not_sent_when_all_is_well():
    person_as(Role.ADMINISTRATOR)
    Heartbeat.objects.create(part="worker", at=timezone.now())
    run_nights()
    assert send_alarm() == 0
