"""Two replays compared in the background: once, day by day, even if workers die."""

from __future__ import annotations

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from audits.replay import comparisons
from audits.replay.comparisons import Comparison, begin_comparison
from audits.replay.models import Replay, ReplayComparison
from audits.replay.writes import Scope, begin_replay
from audits.tasks import replay_segments
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.files.archive import current_archive, read_bytes, store_bytes
from compliance.jobs import queue
from compliance.jobs.models import Job
from compliance.jobs.work import do_job
from tests.audits.replay.ledger_rows import commission, made_replay
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.audits.replay.working import work
from tests.compliance.api.programs import program_of
from tests.compliance.jobs.due import kill_workers
from tests.compliance.people import party_for, person_as

pytestmark = pytest.mark.django_db
DAYS = 2


def audited(operator):
    replay = begin_replay(operator=operator, scope=Scope(), by=None)
    while work(of=replay):
        pass
    replay.refresh_from_db()
    assert replay.state == "done"
    return replay


@pytest.fixture
def two():
    """Create two replays of two days; on each, a wrongly paid round of the first is corrected."""
    commission()
    with without_access_scope():
        cedar = party_for(Role.OPERATOR_CLERK, "cedar")
        days = [NIGHT + timedelta(days=number) for number in range(DAYS)]
        played = [spoiled(dealt(4, day=day), every=4) for day in days]
        log = on_file(cedar, [each for night in played for each in night])
        former = audited(cedar)
        for night in played:
            night[0]["seats"][0]["result"]["main"] -= 100
        right = [each for night in played for each in night]
        on_file(cedar, right, corrects=log, reason="Keyed in wrong.")
        yield former, audited(cedar)


def paid_wrong(pairs, side):
    return [
        getattr(pair, side)
        for pair in pairs
        if getattr(pair, side) and getattr(pair, side)["code"] == "settlement.main"
    ]


def test_order_is_made_by_a_worker_and_kept(two):
    former, later = two
    kept = begin_comparison(former=former, later=later, by=None)
    assert (kept.state, kept.compared, len(kept.days)) == ("waiting", 0, DAYS)
    replay_segments()
    kept.refresh_from_db()
    assert (kept.state, kept.compared) == ("done", DAYS)
    found = Comparison.of(kept)
    # What each day said about the one before it when it was put on file, for all days.
    for what in ("confirmed", "changed", "gone", "new"):
        text = sum(day[what] for day in later.standings.values())
        assert getattr(found.total, what) == text
    # A corrected round is a different one: its findings are gone, and the wrong payment for good.
    gone = paid_wrong(found.examples["gone"], "former")
    assert [each["delta"] for each in gone] == [100] * DAYS
    assert paid_wrong(found.examples["new"], "later") == []
    assert sum(each.gone for each in found.issues.values()) == found.total.gone
    again = begin_comparison(former=former, later=later, by=None)
    assert (again.pk, again.state) == (kept.pk, "done")
    assert Event.objects.filter(type="replay.compared").count() == 1
    assert not Job.objects.exists()


def test_killed_after_a_day_another_goes_on_with_the_next(two, monkeypatch):
    former, later = two
    quiet = begin_comparison(former=former, later=later, by=None)
    work()
    quiet.refresh_from_db()
    kept = ReplayComparison.objects.get(pk=quiet.pk)
    ReplayComparison.objects.update(state="waiting", compared=0, result={}, ended=None)
    queue.add_jobs(ReplayComparison.JOB, [kept.pk])

    class Killed(BaseException):
        """An error that no service catches."""

    days = []
    compare_day = comparisons.compare_day

    def until_killed(**text):
        if len(days) == 1:
            raise Killed
        days.append(text["day"])
        return compare_day(**text)

    first = queue.take_job({ReplayComparison.JOB})
    assert first is not None
    with monkeypatch.context() as patched:
        patched.setattr(comparisons, "compare_day", until_killed)
        with pytest.raises(Killed):
            do_job(first)
    kept.refresh_from_db()
    assert (kept.state, kept.compared) == ("running", 1)
    assert queue.take_job({ReplayComparison.JOB}) is None  # as far as anyone knows, a worker has it
    kill_workers()
    second = queue.take_job({ReplayComparison.JOB})
    assert second is not None
    do_job(first)  # a worker that returns late writes nothing
    kept.refresh_from_db()
    assert (kept.state, kept.compared) == ("running", 1)
    do_job(second)
    kept.refresh_from_db()
    assert (kept.state, kept.result) == ("done", quiet.result)


def test_time_limit_leaves_the_rest_to_next_task(two, monkeypatch):
    former, later = two
    monkeypatch.setattr(comparisons, "COMPARING_SECONDS", 0)
    kept = begin_comparison(former=former, later=later, by=None)
    for compared in range(1, DAYS):
        work(seconds=0.001)
        kept.refresh_from_db()
        assert (kept.state, kept.compared) == ("running", compared)
    work()
    kept.refresh_from_db()
    assert kept.state == "done"


def test_missing_findings_file_is_named_and_can_be_retried(two):
    former, later = two
    kept = begin_comparison(former=former, later=later, by=None)
    marks = former.units.first().marks_file
    content = read_bytes(current_archive(), marks)
    assert current_archive().remove(marks, untouched_seconds=-1)
    work()
    kept.refresh_from_db()
    assert kept.state == "failed"
    assert marks in kept.failure
    assert not Job.objects.exists()
    store_bytes(current_archive(), content)
    assert begin_comparison(former=former, later=later, by=None).state == "waiting"
    work()
    kept.refresh_from_db()
    assert (kept.state, kept.failure) == ("done", "")


def stands(replay):
    return Replay.objects.get(pk=replay.pk)


def test_only_earlier_finished_replay_is_compared():
    former, later, theirs = made_replay(1), made_replay(1), made_replay(1, code="alder")
    with without_access_scope():
        with pytest.raises(RefusedError, match="compare it when done"):
            begin_comparison(former=former, later=later, by=None)
        Replay.objects.update(state="done")
        former, later, theirs = stands(former), stands(later), stands(theirs)
        for wrong in ((later, former), (former, former), (former, theirs)):
            with pytest.raises(RefusedError, match="Only an earlier replay"):
                begin_comparison(former=wrong[0], later=wrong[1], by=None)
    with pytest.raises(NotAllowedError):
        begin_comparison(former=former, later=later, by=person_as(Role.OPERATOR_MANAGER, "cedar"))


def test_a_program_asks_for_it_follows_it_and_reads_it(two):
    former, later = two
    program = program_of(Role.SUPERVISOR)
    place = f"/api/v1/replays/{later.uuid}/comparisons"
    begun = program.post(place, {"former": str(former.uuid)})
    assert begun.status_code == 202
    assert (begun.json()["state"], begun.json()["total"]) == ("waiting", None)
    work()
    answer = program.get(begun["Location"]).json()
    assert (answer["state"], answer["compared"], answer["days"]) == ("done", DAYS, DAYS)
    assert answer["total"]["gone"] == sum(each["gone"] for each in answer["issues"])
    assert answer["examples"]["gone"][0]["later"] is None
    for wrong, status in (({"former": str(uuid4())}, 409), ({"former": "x"}, 400), ({}, 400)):
        assert program.post(place, wrong).status_code in {status, 409, 422}
    stranger = program_of(Role.OPERATOR_MANAGER, "cedar")
    assert stranger.get(begun["Location"]).status_code in {403, 404}
    assert reverse("api_comparison", args=[answer["comparison"]]) == begun["Location"]


def test_the_command_compares_without_a_worker(two, capsys):
    former, later = two
    call_command("compare_replays", str(former.uuid), str(later.uuid), "--wait", "--json")
    answer = json.loads(capsys.readouterr().out)
    assert answer["state"] == "done"
    assert answer["total"]["gone"] == sum(day["gone"] for day in later.standings.values())
    call_command("compare_replays", str(former.uuid), str(later.uuid))
    assert "done" in capsys.readouterr().out
    with pytest.raises(CommandError, match="Only an earlier replay"):
        call_command("compare_replays", str(later.uuid), str(former.uuid))
    with pytest.raises(CommandError, match="there is no replay of this number"):
        call_command("compare_replays", "x", str(later.uuid))
