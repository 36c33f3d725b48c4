"""Health conditions of submitted logs, replays, comparisons and the nightly run."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Count, Exists, F, Min, OuterRef, Q, Subquery
from django.utils import timezone

from audits.intake.models import Submission
from audits.replay.models import Replay, ReplayComparison, ReplaySegment
from audits.review.nightly_run.reads import nights
from compliance.access.scope import without_access_scope
from compliance.health import Condition, State
from compliance.jobs.models import Job

STUCK = timedelta(hours=1)
NAMED = 5
"""How many failed submissions the page lists."""
NIGHTS_LATE = timedelta(minutes=10)
WORKER = "Make sure the worker and beat are running, and read the worker's log."


def submissions() -> Condition:
    """Check that submitted logs get ingested, and list failures with their lines."""
    with without_access_scope():
        under_way = Submission.objects.filter(
            state__in=(Submission.State.WAITING, Submission.State.READING)
        )
        failed = under_way.exclude(failure="").order_by("begun")
        late = timezone.now() - STUCK
        slow = under_way.filter(
            Q(begun__lt=late, state=Submission.State.WAITING) | Q(changed__lt=late)
        )
        wrong = (failed | slow).aggregate(count=Count("pk"), since=Min("begun"))
        named = list(failed.select_related("party").annotate(tries=_tries())[:NAMED])
        count = failed.count()
        waiting = slow.filter(failure="").count()
    if not wrong["count"]:
        return Condition(state=State.OK, says="All submitted logs are read on time.", count=0)
    says = []
    if count:
        says.append(
            f"Submitted logs that could not be read because of a fault in this system: {count}."
        )
        says += [
            f"{each.name} of {each.party}, {_times(each.tries)}: {each.failure}." for each in named
        ]
        says += [f"And {count - NAMED} more."] if count > NAMED else []
    if waiting:
        says.append(f"Submitted logs that have waited over an hour: {waiting}.")
    return Condition(
        state=State.FAILING,
        says=" ".join(says),
        do="Nothing is lost: each log is retried automatically, at least every hour. Fix or "
        f"report the cause. {WORKER}",
        since=wrong["since"],
        count=wrong["count"],
    )


def _tries() -> Subquery:
    """Return a subquery of how often ingesting a log failed or killed its worker."""
    jobs = Job.objects.filter(kind=Submission.JOB, subject=OuterRef("pk"))
    return Subquery(jobs.values_list(F("faults") + F("unreturned")))


def _times(tries: int) -> str:
    return "tried once" if tries <= 1 else f"tried {tries} times"


def nightly_run() -> Condition:
    """Check that every operator is checked on time and every closed day is audited."""
    found = nights()
    silent = max(timezone.now() - found.seen, timedelta(0)) if found.seen else timedelta(0)
    do, since = WORKER, None
    if found.watched < found.operators:
        count = found.operators - found.watched
        says = f"Operators that were never checked: {count}."
    elif found.overdue:
        count = found.overdue
        says = f"Gambling days that closed over an hour ago without a nightly run: {count}."
    elif found.failed:
        count = found.failed
        says = f"Nightly replays that failed or are not done after an hour: {count}."
        do = "The replay's page says why. Fix the cause, then retry it there."
    elif silent > NIGHTS_LATE:
        count, since = found.operators, found.seen
        says = f"No operator has been checked for {silent.total_seconds():.0f} seconds."
    else:
        return Condition(state=State.OK, says="Every closed gambling day was audited.", count=0)
    return Condition(state=State.FAILING, says=says, do=do, since=since, count=count)


def replays() -> Condition:
    """Check that replays, their work units and their comparisons finish."""
    with without_access_scope():
        done_since = Replay.objects.filter(
            party=OuterRef("party"),
            scope=OuterRef("scope"),
            state=Replay.State.DONE,
            pk__gt=OuterRef("pk"),
        )
        failed = Replay.objects.filter(~Exists(done_since), state=Replay.State.FAILED).aggregate(
            count=Count("pk"), since=Min("ended")
        )
        units = (
            Job.objects.filter(kind=ReplaySegment.JOB)
            .exclude(failure="")
            .aggregate(count=Count("pk"), since=Min("added"))
        )
        settling = Replay.objects.filter(
            state=Replay.State.SETTLING, at__lt=timezone.now() - STUCK
        ).aggregate(count=Count("pk"), since=Min("at"))
        compared = ReplayComparison.objects.filter(state=ReplayComparison.State.FAILED).aggregate(
            count=Count("pk"), since=Min("ended")
        )
    wrong = [
        (each, words)
        for each, words in (
            (failed, "replays that failed"),
            (units, "work units that failed and are being retried"),
            (settling, "replays whose findings are not on file after an hour"),
            (compared, "comparisons of replays that failed"),
        )
        if each["count"]
    ]
    if wrong:
        says = "; ".join(f"{words}: {each['count']}" for each, words in wrong)
        return Condition(
            state=State.FAILING,
            says=f"{says[0].upper()}{says[1:]}.",
            do="Each replay's page says why. Fix the cause, then retry it there.",
            since=min(filter(None, (each["since"] for each, _ in wrong)), default=None),
            count=sum(each["count"] for each, _ in wrong),
            page="replays",
        )
    return Condition(state=State.OK, says="Every replay finished.", count=0)
