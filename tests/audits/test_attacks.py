"""Hand edits with full rights on the database, as someone who hides a finding would make them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, transaction

from audits.replay.events import REPLAY_DONE
from audits.replay.findings.models import Finding, Issue, IssueClause, IssueNight
from audits.replay.models import Replay, ReplaySegment
from audits.replay.verification import check_replays
from audits.review.derived import check_derived, rebuild
from audits.review.nightly_run.verification import check_missing
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.event_log.verifier import Answer
from compliance.events.actor import SYSTEM
from compliance.events.models import Event
from compliance.events.record import record
from compliance.verification.states import check_states
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.audits.replay.test_replays import audited
from tests.compliance.controls.filing import Room
from tests.compliance.people import party_for
from tests.reports.nights import closed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django.plugin import DjangoDbBlocker

    from tests.databases import Databases

CHECKS = (check_states, check_replays, check_derived)


@pytest.fixture(scope="module")
def audited_night(databases: Databases, django_db_blocker: DjangoDbBlocker) -> str:
    """Audit a night once, with real commits; return the name of its database."""
    with django_db_blocker.unblock():
        name = databases.copy()
        with databases.using(name), without_access_scope():
            commission()
            operator = party_for(Role.OPERATOR_CLERK, "cedar")
            on_file(operator, spoiled(dealt(60), every=10))
            audited(operator, day=NIGHT)
    return name


@pytest.fixture
def night(
    audited_night: str, databases: Databases, django_db_blocker: DjangoDbBlocker
) -> Iterator[Replay]:
    """Copy the audited night, to be attacked; roll back what a test does."""
    with (
        django_db_blocker.unblock(),
        databases.using(databases.copy(of=audited_night)),
        without_access_scope(),
        transaction.atomic(),
    ):
        yield Replay.objects.get()
        transaction.set_rollback(True)


def problems() -> dict[str, str]:
    answer = Answer()
    for check in CHECKS:
        check(answer)
    found: dict[str, str] = {}
    for each in answer.problems:
        found[each["where"]] = found.get(each["where"], "") + each["what"]
    return found


def problems_of(check: Callable[[Answer], None]) -> list[dict[str, str]]:
    answer = Answer()
    check(answer)
    return answer.problems


def execute(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


EDITS = {
    "decided": (
        "UPDATE audits_issue SET state = 'dismissed'",
        "audits.issue",
        "different: state",
    ),
    "shown": (
        "DELETE FROM audits_issuevisibility",
        "audits.issuevisibility",
        "was deleted without an event",
    ),
    "digest": (
        "UPDATE audits_replay SET digest = 'ab'",
        "audits.replay",
        "its digest is not what event",
    ),
    "unit": (
        "UPDATE audits_replaysegment SET findings_file = terms, findings = 0",
        "audits.replaysegment",
        "different: findings, findings_file",
    ),
    "unit removed": (
        "DELETE FROM audits_replaysegment",
        "audits.replaysegment",
        "was deleted without an event",
    ),
    "current": (
        "UPDATE audits_gamblingday SET current_id = NULL",
        "audits.gamblingday",
        "current_id",
    ),
    "night": (
        "UPDATE audits_issuenight SET over = 0",
        "audits.issuenight",
        "different: over",
    ),
    "night removed": ("DELETE FROM audits_issuenight", "audits.issuenight", "is missing"),
    "sum": ("UPDATE audits_issue SET over = 0", "audits.issue", "different: over"),
    "finding": (
        "UPDATE audits_finding SET delta = 0, player = 'nobody'",
        "audits.finding",
        "different: delta, player",
    ),
    "finding gone": (
        "UPDATE audits_finding SET standing = 'gone'",
        "audits.finding",
        "different: standing",
    ),
    "finding removed": ("DELETE FROM audits_finding", "audits.finding", "is missing"),
    "finding invented": (
        "UPDATE audits_finding SET identity = '00000000000000000000000000000000'",
        "audits.finding",
        "is in no findings file",
    ),
    "names of an issue": (
        "UPDATE audits_issue SET wager = 'ante', impact = 7",
        "audits.issue",
        "different: impact, wager",
    ),
    "headline": (
        "UPDATE audits_issue SET headline = 'nothing wrong'",
        "audits.issue",
        "its headline or cause is not what event",
    ),
    "clause removed": ("DELETE FROM audits_issueclause", "audits.issueclause", "is missing"),
}


def test_every_edit_by_hand_is_named(night: Replay) -> None:
    assert problems() == {}
    for name, (statement, table, what) in EDITS.items():
        with transaction.atomic():
            execute(statement)
            named = problems()
            assert [each for each in named if each.startswith(table)], name
            assert any(what in each for each in named.values()), (name, named)
            transaction.set_rollback(True)
    assert problems() == {}


def test_deleted_issues_are_named(night: Replay) -> None:
    for model in (Finding, IssueNight, IssueClause):
        execute(f"DELETE FROM {model._meta.db_table}")
    execute("DELETE FROM audits_work")
    execute("DELETE FROM audits_issuevisibility")
    execute("DELETE FROM audits_issue")
    named = {where for where, what in problems().items() if "deleted without" in what}
    assert sum(each.startswith("audits.issue ") for each in named) > 0


@pytest.mark.django_db
def test_edited_findings_of_a_day_without_a_log_are_named() -> None:
    with without_access_scope():
        closed(Room().party)
        assert problems_of(check_missing) == []
        for edit in (
            "UPDATE audits_finding SET standing = 'gone'",
            "UPDATE audits_finding SET logged = '\"nothing\"'",
            "DELETE FROM audits_finding",
            "UPDATE audits_issuenight SET findings = 0",
        ):
            with transaction.atomic():
                execute(edit)
                assert problems_of(check_missing) != [], edit
                transaction.set_rollback(True)


def test_two_digests_of_one_fingerprint_are_named(night: Replay) -> None:
    payload = Event.objects.get(type=REPLAY_DONE.name).payload
    carries = {name: payload[name] for name in REPLAY_DONE.carries} | {"digest": "0" * 64}
    record(REPLAY_DONE, by=SYSTEM, about=night, carries=carries)
    assert "gave the digest" in problems()[f"fingerprint {night.fingerprint}"]


def test_rebuilt_rows_are_those_that_were_there(night: Replay) -> None:
    tables = (Finding, IssueNight, IssueClause, Issue)
    before = [list(model._base_manager.order_by("pk").values()) for model in tables]
    execute("UPDATE audits_finding SET delta = 0, standing = 'gone'")
    execute("UPDATE audits_issuenight SET over = 0")
    execute("UPDATE audits_issue SET over = 0, findings = 1")
    execute("DELETE FROM audits_issueclause")
    rebuilt = rebuild(SYSTEM)
    moved = sum(row["delta"] != 0 for row in before[0])
    assert rebuilt["audits.finding"] == len(before[0]) + moved > len(before[0])
    assert problems() == {}
    without = ("id", "standing")
    after = [list(model._base_manager.order_by("pk").values()) for model in tables]
    assert [_less(each, without) for each in after] == [_less(each, without) for each in before]


def _less(rows: list[dict[str, Any]], names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{name: row[name] for name in row if name not in names} for row in rows]


def test_unit_is_sealed_once_its_replay_is_done(night: Replay) -> None:
    event = Event.objects.filter(type=REPLAY_DONE.name).get()
    units = ReplaySegment.objects.filter(replay=night)
    assert event.states["rows"]["audits.replaysegment"].keys() == {str(each.pk) for each in units}
