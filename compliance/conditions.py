"""The conditions of compliance: event log, email, webhooks, and periodic commands."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Count, Min, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.formats import date_format

from compliance.access.scope import without_access_scope
from compliance.event_log.cosigning import contradiction, newest_cosigned, witness_policy
from compliance.event_log.models import Checkpoint, Leaf, SiemCursor, WitnessState
from compliance.event_log.tree import (
    LogBrokenError,
    head_of_log,
    integration_lag,
    newest_checkpoint,
    root_at,
    trusted_keys,
)
from compliance.event_log.verifier import BrokenError, read_checkpoint
from compliance.health import Condition, State
from compliance.jobs.models import (
    BACKUP,
    FULL_VERIFICATION,
    RESTORE,
    RETENTION,
    VERIFICATION,
    Job,
    LastRun,
)
from compliance.notifications.models import Webhook, WebhookDelivery
from compliance.notifications.reads import mails_astray
from compliance.verification.nightly import WITHIN

if TYPE_CHECKING:
    from collections.abc import Callable


LATE = timedelta(seconds=30)
SLOW = timedelta(hours=1)
SLOW_TO_SHIP = timedelta(minutes=5)
VERIFY = "Run `manage.py verify log` to see what is wrong."


def event_log() -> Condition:
    """Check that events are added to the log within seconds, and that its end is as signed."""
    lag = integration_lag()
    if lag.refused:
        return Condition(
            state=State.FAILING,
            says=f"Events not written by this system: {lag.refused}.",
            do=VERIFY,
            count=lag.refused,
        )
    if forged := _forged_head():
        return Condition(
            state=State.FAILING,
            says=f"The end of the log differs from what was signed: {forged}",
            do=VERIFY,
        )
    late = timezone.now() - lag.since if lag.since else timedelta(0)
    if late > LATE:
        return Condition(
            state=State.FAILING,
            says=f"Events waiting for their places in the log: {lag.waiting}, "
            f"for {late.total_seconds():.0f} seconds.",
            do="Make sure the worker and beat are running, and read the worker's log.",
            since=lag.since,
            count=lag.waiting,
        )
    return Condition(
        state=State.OK,
        says="Events get their places, and the end of the log is as signed.",
        count=0,
    )


def _forged_head() -> str:
    """Return what is wrong with the newest checkpoint, or the one kept outside the database."""
    try:
        _, frontier = head_of_log()
        checkpoint = Path(settings.KEPT_CHECKPOINT)
        if checkpoint.exists():
            note = read_checkpoint(checkpoint.read_text(), trusted_keys())
            if note.size > frontier.size or root_at(note.size) != note.root:
                return f"it does not continue the checkpoint in {checkpoint}."
    except (LogBrokenError, BrokenError, OSError, UnicodeDecodeError) as error:
        return f"{error}"
    return ""


def notices() -> Condition:
    """Check that notification emails are sent."""
    astray = mails_astray().aggregate(count=Count("pk"), since=Min("made"))
    if astray["count"]:
        return Condition(
            state=State.FAILING,
            says=f"Notification emails that were not sent: {astray['count']}.",
            do="See which ones and why, fix the cause, then send them again or give them up.",
            since=astray["since"],
            count=astray["count"],
            page="notice_mails",
        )
    return Condition(state=State.OK, says="Notification emails are sent on time.", count=0)


def webhooks() -> Condition:
    """Check that parties' programs accept webhook deliveries."""
    deaf = Q(failing_since__isnull=False) | Q(stopped__isnull=False)
    overdue = Job.objects.filter(kind=WebhookDelivery.JOB, due__lt=Now() - SLOW)
    with without_access_scope():
        found = Webhook.objects.filter(deaf, ended=None).aggregate(
            count=Count("pk"), failing=Min("failing_since"), stopped=Min("stopped")
        )
        left = overdue.aggregate(count=Count("pk"), since=Min("due"))
    if left["count"]:
        return Condition(
            state=State.FAILING,
            says=f"Webhook deliveries that were due over an hour ago: {left['count']}.",
            do="Make sure the worker and beat are running, and read the worker's log.",
            since=left["since"],
            count=left["count"],
        )
    if found["count"]:
        return Condition(
            state=State.WARNING,
            says=f"Webhooks that do not answer or were stopped: {found['count']}.",
            do="Each party's Webhooks page says why; the party was notified.",
            since=min(filter(None, (found["failing"], found["stopped"]))),
            count=found["count"],
        )
    return Condition(state=State.OK, says="Webhook deliveries are accepted.", count=0)


def siem() -> Condition:
    """Check that the SIEM has every event in the log, except the last few minutes'."""
    if not settings.SIEM_URL:
        return Condition(state=State.OK, says="SIEM_URL is not set: events are not shipped.")
    cursor = SiemCursor.objects.filter(receiver=SiemCursor.named_by(settings.SIEM_URL)).first()
    left = Leaf.objects.filter(index__gte=cursor.shipped if cursor else 0)
    waiting = left.aggregate(count=Count("pk"), since=Min("event__at"))
    if cursor is not None and cursor.failing_since:
        return Condition(
            state=State.FAILING,
            says=f"The SIEM does not accept events; {waiting['count']} wait. {cursor.reason}",
            do="Make sure its receiver is running and matches SIEM_URL and SIEM_CA. Shipping "
            "then continues automatically.",
            since=cursor.failing_since,
            count=waiting["count"],
        )
    if waiting["since"] and timezone.now() - waiting["since"] > SLOW_TO_SHIP:
        return Condition(
            state=State.FAILING,
            says=f"Events that have waited over {SLOW_TO_SHIP.seconds // 60} minutes for the SIEM: "
            f"{waiting['count']}.",
            do="Make sure the worker and beat are running. After SIEM_URL is first set, the whole "
            "log is shipped, which takes a while.",
            since=waiting["since"],
            count=waiting["count"],
        )
    return Condition(state=State.OK, says="The SIEM has every event.", count=0)


def witnesses() -> Condition:
    """Check that enough witnesses cosign the log, and that none contradicts it."""
    policy = witness_policy()
    if policy is None:
        return Condition(state=State.OK, says="WITNESSES is not set: nobody cosigns the log.")
    if wrong := contradiction():
        return Condition(
            state=State.FAILING,
            says=f"The log was rewritten: {wrong}. Nothing more is signed.",
            do=VERIFY,
        )
    newest, cosigned = newest_checkpoint(), newest_cosigned()
    behind = newest and (cosigned is None or cosigned.size < newest.size)
    since = cosigned.at if cosigned else Checkpoint.objects.aggregate(at=Min("at"))["at"]
    if behind and timezone.now() - since > SLOW:
        failing = WitnessState.objects.exclude(failing_since=None).values_list("witness", "reason")
        why = " ".join(f"{name}: {reason}" for name, reason in failing)
        return Condition(
            state=State.WARNING,
            says=f"Too few witnesses cosigned the log in the last hour. {why}".strip(),
            do="Ask the witnesses to start their program, or change the file that WITNESSES names.",
            since=since,
        )
    return Condition(state=State.OK, says="Enough witnesses cosign the log.", count=0)


def retention() -> Condition:
    """Check that expired data was removed recently, if RETENTION names any."""
    if not settings.RETENTION:
        return Condition(state=State.OK, says="RETENTION is not set: nothing is ever removed.")
    return _last_run(
        RETENTION,
        within=timedelta(days=2),
        do="Make sure the worker and beat are running, or run `manage.py retain`.",
    )()


def _last_run(name: str, *, within: timedelta, do: str) -> Callable[[], Condition]:
    """Check when a command last succeeded; a demonstration does not need it."""

    def look() -> Condition:
        run = LastRun.objects.filter(name=name).first()
        if run is not None and run.failing_since:
            return Condition(
                state=State.FAILING,
                says=f"The last run failed: {run.says}",
                do=do,
                since=run.failing_since,
                count=1,
            )
        if run is None or run.done is None:
            if not settings.PRODUCTION:
                return Condition(
                    state=State.OK, says="Never done. Only a production system needs it."
                )
            return Condition(state=State.WARNING, says="This was never done.", do=do)
        on = date_format(timezone.localtime(run.done), "N j, Y, g:i A T")
        says = f"Last done on {on}. {run.says}".strip()
        if settings.PRODUCTION and timezone.now() - run.done > within:
            return Condition(state=State.WARNING, says=says, do=do, since=run.done)
        return Condition(state=State.OK, says=says)

    return look


log_verification = _last_run(
    VERIFICATION,
    within=timedelta(days=35),
    do="Run `manage.py verify log`, with `--held FILE` and a checkpoint kept elsewhere.",
)
full_verification = _last_run(
    FULL_VERIFICATION,
    within=WITHIN,
    do="Run `manage.py verify all`: it names each row, file and trigger that is not as recorded.",
)
backup = _last_run(
    BACKUP, within=timedelta(days=2), do="Run `manage.py backup TARGET` every night."
)
tested_restore = _last_run(
    RESTORE,
    within=timedelta(days=100),
    do="Run `manage.py restore --check SOURCE` on the newest backup. It restores nothing.",
)
