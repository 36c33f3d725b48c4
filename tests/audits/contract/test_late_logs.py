"""A log may arrive after the next day was audited, whose first rounds then follow it as well."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from audits.replay.models import Replay
from audits.review.nightly_run.writes import run_nights
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.auditing.nights import WEST, ahead, local, pyramid
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.working import work
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

BANKER = {
    **ahead(),
    "wagers": {"main": 0, "three_card": 1000, "six_card": 1000},
    "result": {"main": 0, "three_card": -1000, "six_card": -1000},
}
HOUSE = {"cards": "Kd Ts 8c", "low": "Ts", "wager": 0, "result": 0}


def banked(name: str, at: str, table: str = "T1") -> bytes:
    return pyramid(name, at, BANKER, banker=1, bank=0, house=HOUSE, table=table)


def a_night_after(log: Path, at: datetime) -> None:
    with clock.standing_at(at):
        call_command("ingest", "--operator", "cedar", str(log))
        run_nights()
        work()


def turns(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    """Return the day and round of each finding on the bank's turn."""
    capsys.readouterr()
    call_command("findings", "--operator", "cedar")
    found = map(json.loads, capsys.readouterr().out.splitlines())
    return [(each["day"], each["round"]) for each in found if each["code"] == "bank.turn"]


def test_late_log_audits_next_days_first_rounds_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # PP-22, PP-I16: the bank's turn in a table's first round depends on the day before
    commission()
    party_for(Role.OPERATOR_CLERK, "cedar")
    sunday, saturday, other = (tmp_path / name for name in ("sunday", "saturday", "other"))
    sunday.write_bytes(banked("s1", local(2025, 7, 13, 20)))
    saturday.write_bytes(banked("late", local(2025, 7, 12, 23)))
    other.write_bytes(banked("elsewhere", local(2025, 7, 12, 23), table="T2"))
    a_night_after(sunday, datetime(2025, 7, 14, 13, tzinfo=WEST))
    assert turns(capsys) == []
    a_night_after(other, datetime(2025, 7, 14, 14, tzinfo=WEST))
    with without_access_scope():
        assert Replay.objects.count() == 2  # one per day: nothing of Sunday follows on T2
    a_night_after(saturday, datetime(2025, 7, 14, 15, tzinfo=WEST))
    assert turns(capsys) == [("2025-07-13", "s1")]
    with without_access_scope():
        assert Replay.objects.count() == 4
    with clock.standing_at(datetime(2025, 7, 14, 16, tzinfo=WEST)):
        run_nights()
    with without_access_scope():
        assert Replay.objects.count() == 4
