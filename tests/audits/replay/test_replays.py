"""A replay from its start to the day that publishes it: real rounds, real files."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from audits.intake.days.models import GamblingDay
from audits.replay.comparisons import compare_day
from audits.replay.findings.models import Finding, Issue, IssueClause, IssueNight
from audits.replay.findings.reads import findings
from audits.replay.models import Replay, ReplaySegment
from audits.replay.reads import progress_of
from audits.replay.writes import Scope, begin_replay, cancel_replay, move_replay, retry_replay
from audits.review.issues import settling as settle_replay
from audits.review.restitution.reads import restitution
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.files.archive import current_archive
from compliance.jobs import queue
from compliance.jobs.models import Job
from compliance.jobs.work import MAX_FAULTS, StoppedError, do_jobs
from compliance.retention.verification import verify_archive
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.audits.replay.working import work
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from compliance.access.models import Party

pytestmark = pytest.mark.django_db


@pytest.fixture
def cedar():
    commission()
    with without_access_scope():
        yield party_for(Role.OPERATOR_CLERK, "cedar")


def audited(operator: Party, **scope: object) -> Replay:
    replay = begin_replay(operator=operator, scope=Scope(**scope), by=None)
    while work(of=replay):
        pass
    replay.refresh_from_db()
    assert (replay.state, replay.failure) == ("done", "")
    return replay


def test_a_day_speaks_through_its_newest_replay(cedar):
    on_file(cedar, spoiled(dealt(60), every=10))
    replay = audited(cedar)
    assert replay.rounds == 60
    assert replay.days == [str(NIGHT)]
    assert GamblingDay.objects.get(party=cedar, day=NIGHT).current == replay
    listed = list(findings(operator=cedar))
    assert len(listed) == replay.findings
    paid_wrong = [each for each in listed if each["code"] == "settlement.main"]
    assert len(paid_wrong) == 6
    assert {each["delta"] for each in paid_wrong} == {100}
    assert {each["replay"] for each in listed} == {str(replay.uuid)}
    issues = {str(each.uuid): each for each in Issue.objects.all()}
    assert sum(each.findings for each in issues.values()) == replay.findings
    for each in listed:
        issue = issues[each["issue"]]
        assert issue.parts.filter(code=each["code"], table=each["table"]).exists()
    assert sum(each.over for each in issues.values() if each.code == "settlement.main") == 600
    cited = {(each["issue"], clause) for each in listed for clause in each["cites"]}
    named = IssueClause.objects.values_list("issue__uuid", "clause")
    assert {(str(uuid), clause) for uuid, clause in named} == cited
    for night in IssueNight.objects.filter(replay=replay):
        hours = {
            (each["round"], each["table"], each["at"][:13])
            for each in listed
            if each["issue"] == str(night.issue.uuid)
        }
        by_hour = Counter((table, hour) for _, table, hour in hours)
        counted = [rounds for _, _, rounds, *_ in night.by_hour]
        assert counted == [by_hour[each] for each in sorted(by_hour)]
        for place, name in enumerate(("rounds", "over", "under", "tested", "explained"), 2):
            assert sum(each[place] for each in night.by_hour) == getattr(night, name)


def test_same_inputs_give_the_same_fingerprint_and_bytes(cedar):
    on_file(cedar, spoiled(dealt(60), every=10))
    first, second = audited(cedar), audited(cedar)
    assert first.pk != second.pk
    assert first.fingerprint == second.fingerprint
    assert first.digest == second.digest

    def files(replay: Replay) -> list[tuple[str, ...]]:
        fields = ("findings_file", "issues_file", "marks_file")
        return list(replay.units.order_by("position").values_list(*fields))

    assert files(first) == files(second)
    standing = second.standings[str(NIGHT)]
    assert standing == {
        "against": str(first.uuid),
        "confirmed": first.findings,
        "changed": 0,
        "gone": 0,
        "new": 0,
    }
    assert set(Finding.objects.values_list("standing", "replay")) == {("confirmed", second.pk)}


def test_what_is_under_way_already_is_not_begun_twice(cedar):
    on_file(cedar, dealt(4))
    first = begin_replay(operator=cedar, scope=Scope(), by=None)
    assert begin_replay(operator=cedar, scope=Scope(day=NIGHT), by=None) == first


def test_correction_sorts_findings_by_what_changed(cedar):
    rounds = spoiled(dealt(40), every=10)
    log = on_file(cedar, rounds)
    former = audited(cedar)
    corrected = [json.loads(json.dumps(each)) for each in rounds]
    corrected[0]["seats"][0]["result"]["main"] -= 100  # now right: gone
    corrected[10]["seats"][0]["result"]["main"] += 50  # still wrong: another round as logged
    on_file(cedar, corrected, corrects=log, reason="Two hands were keyed in wrong.")
    later = audited(cedar)
    assert GamblingDay.objects.get(day=NIGHT).current == later
    standing = later.standings[str(NIGHT)]
    # A finding's identity includes the round as logged: both corrected rounds have new ones.
    of_two = [
        each for each in shown(former) if each.round in {rounds[0]["round"], rounds[10]["round"]}
    ]
    assert standing["gone"] == len(of_two)
    assert standing["changed"] == 0
    assert standing["confirmed"] == former.findings - len(of_two)
    assert standing["new"] == len(of_two) - 1  # without the main wager that is now right
    gone = Finding.objects.filter(standing="gone")
    assert {each.round for each in gone} == {rounds[0]["round"], rounds[10]["round"]}
    compared = compare_day(former=former, later=later, day=NIGHT)
    assert compared.total._asdict() == {k: standing[k] for k in compared.total._fields}
    assert {each.former["round"] for each in compared.examples["gone"]} == {
        rounds[0]["round"],
        rounds[10]["round"],
    }


def shown(replay: Replay) -> list[Finding]:
    """Return all findings shown when a replay was the newest."""
    return list(Finding.objects.filter(standing__in=["gone", "confirmed", "changed"]))


def test_new_night_after_decision_names_earlier_issue(cedar):
    on_file(cedar, spoiled(dealt(40), every=10))
    audited(cedar)
    decided = Issue.objects.filter(code="settlement.main").first()
    Issue.objects.filter(pk=decided.pk).update(open=False, state="confirmed")
    audited(cedar)  # the same night again: nothing changed below the decision
    decided.refresh_from_db()
    assert (decided.open, decided.state) == (False, "confirmed")
    next_day = NIGHT + timedelta(days=1)
    on_file(cedar, spoiled(dealt(40, day=next_day), every=1))
    audited(cedar, day=next_day)
    again = Issue.objects.get(again_after=decided)
    assert again.open
    assert again.cause == decided.cause
    assert set(again.nights.values_list("day", flat=True)) == {next_day}
    assert set(decided.nights.values_list("day", flat=True)) == {NIGHT}


def test_changed_findings_return_a_decided_issue(cedar):
    rounds = spoiled(dealt(40), every=10)
    log = on_file(cedar, rounds)
    audited(cedar)
    wrong = Finding.objects.get(code="settlement.main", round=rounds[0]["round"])
    Issue.objects.filter(pk=wrong.issue_id).update(open=False, state="explained")
    corrected = [json.loads(json.dumps(each)) for each in rounds]
    corrected[0]["seats"][0]["result"]["main"] -= 100
    on_file(cedar, corrected, corrects=log, reason="It was paid right after all.")
    audited(cedar)
    issue = Issue.objects.get(pk=wrong.issue_id)
    assert (issue.open, issue.state) == (True, "under_review")
    assert "1 gone" in issue.changed_since
    assert str(NIGHT) in issue.changed_since
    event = Event.objects.get(type="issue.changed", object=issue.uuid)
    assert event.payload["says"] == issue.changed_since


def test_open_issue_reports_changes_under_earlier_decision(cedar):
    rounds = spoiled(dealt(40), every=10)
    log = on_file(cedar, rounds)
    audited(cedar)
    wrong = Finding.objects.get(code="settlement.main", round=rounds[0]["round"])
    former = wrong.issue
    Issue.objects.filter(pk=former.pk).update(open=False, state="explained")
    later = Issue.objects.create(
        party=former.party, game=former.game, cause=former.cause, code=former.code,
        weight=former.weight, opened=former.opened, again_after=former,
    )  # fmt: skip
    corrected = [json.loads(json.dumps(each)) for each in rounds]
    corrected[0]["seats"][0]["result"]["main"] -= 100
    on_file(cedar, corrected, corrects=log, reason="It was paid right after all.")
    audited(cedar)
    former.refresh_from_db()
    later.refresh_from_db()
    assert (former.open, former.state, later.open) == (False, "explained", True)
    assert "1 gone" in former.changed_since
    assert later.changed_since == f"Of what was decided before it: {former.changed_since}"


def test_a_replay_of_part_of_a_day_does_not_speak_for_it(cedar):
    on_file(cedar, [*dealt(10), *dealt(10, game="pick-2-poker", ids="p-", tables=("P1",))])
    whole = audited(cedar)
    part = audited(cedar, game="pick-2-poker")
    assert part.rounds == 10
    assert part.days == []
    assert GamblingDay.objects.get(day=NIGHT).current == whole
    assert audited(cedar, table="P1").fingerprint == part.fingerprint


def test_replay_from_before_last_log_does_not_count(cedar):
    on_file(cedar, dealt(10))
    late = begin_replay(operator=cedar, scope=Scope(), by=None)
    on_file(cedar, dealt(10, tables=("T7",), ids="seven-"))
    while work(of=late):
        pass
    late.refresh_from_db()
    assert late.state == "done"
    assert GamblingDay.objects.get(day=NIGHT).current is None
    assert audited(cedar).rounds == 20


def test_table_looks_back_to_its_last_round(cedar):
    first = dealt(1, tables=("T1",), ids="first-")
    between = dealt(1, day=NIGHT + timedelta(days=1), tables=("T9",), ids="between-")
    last = dealt(1, day=NIGHT + timedelta(days=2), tables=("T1",), ids="last-")
    on_file(cedar, [*first, *between, *last])
    replay = audited(cedar)
    units = {unit.segment.day: unit.before for unit in replay.units.all()}
    assert units[NIGHT] == units[NIGHT + timedelta(days=1)] == ""
    with current_archive().fetch(units[NIGHT + timedelta(days=2)]) as tails:
        (reply,) = map(json.loads, tails.read_bytes().splitlines())
    assert json.loads(reply["last"])["round"] == first[0]["round"]


def test_two_hundred_findings_per_issue_and_segment_are_rows(cedar):
    on_file(cedar, dealt(230, tables=("T1",)))
    replay = audited(cedar)
    refused = Issue.objects.get(cause__contains="approval.game")
    assert refused.rounds == 230
    assert refused.shown_findings.count() == 200
    listed = [each for each in findings(operator=cedar) if each["code"] == "approval.game"]
    assert len(listed) == 230
    again = audited(cedar)
    assert again.standings[str(NIGHT)]["confirmed"] == replay.findings
    assert refused.shown_findings.count() == 200


def test_amounts_owed_add_up_by_player_table_and_day(cedar):
    rounds = dealt(60)
    for each in rounds[::20]:
        each["seats"][0]["player"] = "p-7"
        each["seats"][0]["result"]["main"] -= 250
    rounds[1]["table"] = rounds[0]["table"]
    rounds[1]["seats"][0]["player"] = "p-7"
    rounds[1]["seats"][0]["result"]["main"] += 300
    on_file(cedar, rounds)
    audited(cedar)
    owed = [each for each in restitution(operator=cedar) if each.player == "p-7"]
    assert sum(each.owed for each in owed) == 3 * 250
    assert sum(each.received for each in owed) == 300
    assert [(each.table, each.day) for each in owed] == sorted(
        {(each["table"], NIGHT) for each in [*rounds[::20], rounds[1]]}
    )


def test_canceled_replay_writes_nothing_more(cedar):
    on_file(cedar, [*dealt(4), *dealt(4, day=NIGHT + timedelta(days=1))])
    agent = person_as(Role.AGENT, "field")
    replay = begin_replay(operator=cedar, scope=Scope(), by=agent)
    retained = queue.take_job({ReplaySegment.JOB})
    assert retained is not None
    cancel_replay(replay=replay, by=agent)
    with pytest.raises(queue.LeaseLostError), queue.finishing(retained):
        pytest.fail("nothing is written under a lease that was canceled")
    assert not work(of=replay)
    replay.refresh_from_db()
    assert replay.state == "canceled"
    assert Event.objects.filter(type="replay.canceled").count() == 1
    with pytest.raises(RefusedError, match="has ended"):
        cancel_replay(replay=replay, by=agent)
    with pytest.raises(RefusedError, match="has ended"):
        move_replay(replay=replay, priority=3, by=agent)


def test_only_permitted_people_begin_cancel_and_move(cedar):
    on_file(cedar, dealt(4))
    replay = begin_replay(operator=cedar, scope=Scope(), by=None)
    clerk, director = person_as(Role.OPERATOR_CLERK, "cedar"), person_as(Role.DIRECTOR, "field")
    for person in (clerk, director):
        with pytest.raises(NotAllowedError):
            begin_replay(operator=cedar, scope=Scope(), by=person)
        with pytest.raises(NotAllowedError):
            cancel_replay(replay=replay, by=person)
        with pytest.raises(NotAllowedError):
            move_replay(replay=replay, priority=1, by=person)


def test_a_failed_replay_is_tried_again_from_where_it_was(cedar):
    on_file(cedar, [*dealt(4), *dealt(4, day=NIGHT + timedelta(days=1))])
    replay = begin_replay(operator=cedar, scope=Scope(), by=None)
    ReplaySegment.objects.filter(replay=replay, position=1).update(terms="0" * 64, before="1" * 64)
    while work(of=replay):
        pass
    replay.refresh_from_db()
    assert replay.state == "failed"
    assert replay.failure.startswith("segment 2: MissingError: The archive")
    assert progress_of(replay).done == 1
    good = replay.units.get(position=0)
    ReplaySegment.objects.filter(replay=replay, position=1).update(terms=good.terms, before="")
    retry_replay(replay=replay, by=None)
    assert Job.objects.get().subject == replay.units.get(position=1).pk
    while work(of=replay):
        pass
    replay.refresh_from_db()
    assert (replay.state, replay.failure) == ("done", "")


def test_damaged_files_are_made_good_by_the_next_replay(cedar):
    on_file(cedar, spoiled(dealt(40), every=10))
    former = audited(cedar)
    unit = former.units.get()
    archive = current_archive()
    for digest in (
        unit.segment.sha256,
        unit.terms,
        unit.findings_file,
        unit.issues_file,
        unit.marks_file,
    ):
        place = archive.place(digest)
        place.chmod(0o640)
        place.write_bytes(place.read_bytes()[:-1] + b"!")
    assert audited(cedar).digest == former.digest
    for digest in (unit.segment.sha256, unit.terms, unit.findings_file):
        with archive.fetch(digest):
            pass


def test_lost_unit_file_is_rebuilt_before_replay_ends(cedar):
    on_file(cedar, spoiled(dealt(40), every=10))
    replay = begin_replay(operator=cedar, scope=Scope(), by=None)
    work(of=replay, seconds=0.0001)
    unit = replay.units.get()
    assert unit.state == "done"
    current_archive().place(unit.issues_file).unlink()
    while work(of=replay):
        pass
    replay.refresh_from_db()
    assert (replay.state, replay.failure) == ("done", "")
    assert Event.objects.filter(type="replay.made_good").count() == 1


def test_nights_of_an_issue_count_singly_and_together(cedar):
    days = [NIGHT, NIGHT + timedelta(days=1)]
    on_file(cedar, [each for day in days for each in dealt(12, day=day, tables=("T1",))])
    audited(cedar)
    issue = Issue.objects.get(cause__contains="approval.game")
    assert list(issue.nights.order_by("day").values_list("day", "rounds")) == [
        (day, 12) for day in days
    ]
    assert issue.rounds == 24
    assert IssueNight.objects.filter(issue=issue, replay__isnull=True).count() == 0


def test_the_commands_answer_to_the_contract(cedar, capsys):
    on_file(cedar, spoiled(dealt(20, tables=("-T1",)), every=10))

    def page_text(*arguments: str) -> str:
        capsys.readouterr()
        call_command(*arguments)
        return capsys.readouterr().out

    answer = json.loads(page_text("replay", "--operator", "cedar", "--wait", "--json"))
    assert set(answer) == {
        *("replay", "fingerprint", "state", "rounds", "seats", "findings", "digest"),
    }
    assert (answer["state"], answer["rounds"]) == ("done", 20)
    lines = [json.loads(each) for each in page_text("findings", "--operator", "cedar").splitlines()]
    assert len(lines) == answer["findings"]
    assert set(lines[0]) == {
        *("code", "seat", "wager", "logged", "expected", "delta", "cites"),
        *("operator", "day", "game", "table", "round", "at", "issue", "replay"),
    }
    assert lines[0]["at"].endswith("-07:00")
    table = page_text("findings", "--format", "csv").splitlines()
    assert len(table) == answer["findings"] + 1
    assert ",'-T1," in table[1]
    issues = [json.loads(each) for each in page_text("findings", "--issues").splitlines()]
    assert set(issues[0]) == {
        *("issue", "operator", "game", "title", "cause", "tables", "wagers", "lines", "rounds"),
        *("findings", "over", "under", "first", "last", "explained", "severity", "state"),
    }
    assert {each["issue"] for each in issues} == {each["issue"] for each in lines}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--operator", "nobody"], "no party has this code"),
        (["--operator", "cedar"], "No rounds of The cedar are on file for any day"),
        (["--operator", "cedar", "--day", "12 July"], "write a gambling day as 2025-07-12"),
        (["--operator", "cedar", "--log", "abc"], "has no round log on file"),
    ],
)
def test_unacceptable_call_gets_a_reason(cedar, arguments, says):
    with pytest.raises(CommandError, match=says) as refused:
        call_command("replay", *arguments)
    assert refused.value.returncode == 2


def test_archive_verification_repairs_replay_leftovers(cedar):
    on_file(cedar, spoiled(dealt(20), every=10))
    replay = audited(cedar)
    unit = replay.units.get()
    archive = current_archive()
    for digest in (replay.inputs, unit.terms, unit.marks_file):
        archive.place(digest).unlink()
    page_text = verify_archive()
    assert {each["where"].split(" of ")[0] for each in page_text.problems} == {
        *("inputs", "terms", "marks"),
    }
    assert all(each["what"].endswith("It was made again.") for each in page_text.problems)
    assert not verify_archive().problems


def test_replay_out_of_time_continues_where_it_stopped(cedar, monkeypatch):
    days = [NIGHT + timedelta(days=number) for number in range(3)]
    on_file(cedar, [each for day in days for each in spoiled(dealt(20, day=day), every=5)])
    quiet = audited(cedar)
    replay = begin_replay(operator=cedar, scope=Scope(), by=None)
    do_jobs({ReplaySegment.JOB})
    monkeypatch.setattr(settle_replay, "SETTLING_SECONDS", 0.02)
    turns = do_jobs({Replay.JOB})
    replay.refresh_from_db()
    assert turns > 1
    assert (replay.state, replay.failure, replay.digest) == ("done", "", quiet.digest)
    assert [replay.standings[str(day)]["against"] for day in days] == [str(quiet.uuid)] * 3
    assert sum(each["confirmed"] for each in replay.standings.values()) == replay.findings
    assert set(Finding.objects.values_list("standing", flat=True)) == {"confirmed"}
    assert set(IssueNight.objects.values_list("replay", flat=True)) == {replay.pk}


def test_blocked_archive_is_not_the_units_fault(cedar):
    on_file(cedar, dealt(4))
    replay = begin_replay(operator=cedar, scope=Scope(), by=None)
    aside = current_archive().aside
    kept = aside.rename(aside.with_name("kept"))
    aside.write_text("no folder")
    try:
        for _ in range(MAX_FAULTS + 1):
            with pytest.raises(StoppedError):
                work(of=replay)
    finally:
        aside.unlink()
        kept.rename(aside)
    assert replay.units.get().state == "pending"
    job = Job.objects.get()
    assert (job.unreturned, job.faults, job.waits) == (0, 0, MAX_FAULTS + 1)
    assert job.failure.startswith("FileExistsError")
    while work(of=replay):
        pass
    replay.refresh_from_db()
    assert replay.state == "done"
