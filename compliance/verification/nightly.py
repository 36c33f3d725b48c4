"""The nightly verification: a process of its own, since it takes longer than a task may."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format

from compliance.jobs.models import FULL_VERIFICATION, LastRun
from compliance.jobs.process import OwnProcess

WITHIN = timedelta(days=2)
AUDITED_WITHIN = "2"
"""Days; what was audited in them is audited again, so that a missed night is made up for."""
_VERIFICATION = OwnProcess("verify", "all", "--again", AUDITED_WITHIN)


def start_verification() -> bool:
    """Start `verify all`, which records its result; return whether it was started."""
    return _VERIFICATION.start()


def verification_alarm() -> str:
    """Say that the last verification found a problem, or is too long ago; empty if neither."""
    run = LastRun.objects.filter(name=FULL_VERIFICATION).first()
    if run is not None and run.failing_since:
        since = date_format(timezone.localtime(run.failing_since), "N j, Y, g:i A T")
        return f"Since {since}, verification finds records that were changed. {run.says}"
    if not settings.PRODUCTION:
        return ""
    if run is None or run.done is None:
        return "The records of this system were never verified."
    if timezone.now() - run.done > WITHIN:
        on = date_format(timezone.localtime(run.done), "N j, Y, g:i A T")
        return f"The records of this system were last verified on {on}."
    return ""
