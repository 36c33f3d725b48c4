"""What the database refuses permanently fails with its reason, and can be retried by hand."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.db import Error, connection

from audits.replay.comparisons import begin_comparison
from audits.replay.models import Replay, ReplayComparison, ReplaySegment
from audits.replay.writes import Scope, begin_replay, retry_replay
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.jobs.failures import is_transient
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import dealt, on_file
from tests.audits.replay.working import work
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Model

    from compliance.access.models import Party


@pytest.fixture
def cedar(own_database: str) -> Iterator[Party]:
    commission()
    with without_access_scope():
        yield party_for(Role.OPERATOR_CLERK, "cedar")


@contextmanager
def refusing(model: type[Model], state: str) -> Iterator[None]:
    """Let the database refuse rows of this state, as it refuses a value that doesn't fit."""
    table = model._meta.db_table
    on_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TRIGGER refused BEFORE UPDATE ON {table} WHEN NEW.state = '{state}' "
            "BEGIN SELECT RAISE(ABORT, 'it is refused'); END"
            if on_sqlite
            else f"ALTER TABLE {table} ADD CONSTRAINT it_is_refused CHECK (state <> '{state}')"
            " NOT VALID"
        )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(
                "DROP TRIGGER refused"
                if on_sqlite
                else f"ALTER TABLE {table} DROP CONSTRAINT it_is_refused"
            )


def worked_off(replay: Replay) -> Replay:
    while work(of=replay):
        pass
    replay.refresh_from_db()
    return replay


def says_why(failure: str) -> bool:
    """Return whether the failure names what was refused, and omits the row."""
    named = failure.replace("_", " ")
    return "IntegrityError" in named and "it is refused" in named and "DETAIL" not in named


def test_unwritable_unit_ends_replay_until_retried(cedar):
    on_file(cedar, dealt(4))
    replay = begin_replay(operator=cedar, scope=Scope(), by=None)
    with refusing(ReplaySegment, "done"):
        assert worked_off(replay).state == "failed"
    assert says_why(replay.failure)
    assert Event.objects.get(type="replay.failed").payload["failure"] == replay.failure
    retry_replay(replay=replay, by=None)
    assert worked_off(replay).state == "done"


def test_unwritable_findings_end_replay_until_retried(cedar):
    on_file(cedar, dealt(4))
    replay = begin_replay(operator=cedar, scope=Scope(), by=None)
    with refusing(Replay, "done"):
        assert worked_off(replay).state == "failed"
    assert says_why(replay.failure)
    retry_replay(replay=replay, by=None)
    assert worked_off(replay).state == "done"


def test_missing_table_stays_missing_next_time(own_database):
    with pytest.raises(Error) as failed, connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM nowhere")
    assert not is_transient(failed.value)


def test_unwritable_comparison_fails_and_can_be_retried(cedar):
    on_file(cedar, dealt(4))
    former, later = (
        worked_off(begin_replay(operator=cedar, scope=Scope(), by=None)) for _ in range(2)
    )
    kept = begin_comparison(former=former, later=later, by=None)
    with refusing(ReplayComparison, "done"):
        while work():
            pass
    kept.refresh_from_db()
    assert kept.state == "failed"
    assert says_why(kept.failure)
    begin_comparison(former=former, later=later, by=None)
    while work():
        pass
    kept.refresh_from_db()
    assert kept.state == "done"
