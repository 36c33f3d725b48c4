"""The status page and reports say when verification found something, or did not run."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from compliance.conditions import full_verification
from compliance.health import State
from compliance.jobs.models import FULL_VERIFICATION, LastRun
from compliance.jobs.schedule import note_done, note_failed
from compliance.verification.nightly import verification_alarm

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = pytest.mark.django_db


def test_problem_found_raises_the_alarm_until_intact() -> None:
    assert (full_verification().state, verification_alarm()) == (State.OK, "")
    note_failed(FULL_VERIFICATION, "3 problems; the first, of compliance.membership 5: changed.")
    assert full_verification().state == State.FAILING
    assert "3 problems; the first, of compliance.membership 5" in verification_alarm()
    note_done(FULL_VERIFICATION, "Intact, 9 checked.")
    assert (full_verification().state, verification_alarm()) == (State.OK, "")


def test_verification_that_did_not_run_raises_the_alarm(settings: SettingsWrapper) -> None:
    settings.PRODUCTION = True
    assert verification_alarm() == "The records of this system were never verified."
    note_done(FULL_VERIFICATION)
    assert verification_alarm() == ""
    LastRun.objects.update(done=timezone.now() - timedelta(days=3))
    assert full_verification().state == State.WARNING
    assert "were last verified on" in verification_alarm()
