"""A table's clock may be as wrong as the form allows: nobody else's findings suffer for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from compliance.choices import Role
from compliance.walls import without_walls
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import dealt, written
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from compliance.models import Party

pytestmark = pytest.mark.django_db


@pytest.fixture
def cedar() -> Iterator[Party]:
    commission()
    with without_walls():
        yield party_for(Role.OPERATOR_CLERK, "cedar")


@pytest.mark.usefixtures("cedar")
def test_a_round_at_the_beginning_of_all_dates_hides_no_findings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Eight hours west of UTC the year 1 has not begun when it begins in UTC."""
    early, right = dealt(2, tables=("T1",))
    early["at"] = "0001-01-01T00:00:00Z"
    log = tmp_path / "night.jsonl"
    log.write_bytes(written([early, right]))
    call_command("ingest", "--operator", "cedar", str(log))
    call_command("replay", "--operator", "cedar", "--wait")
    capsys.readouterr()
    call_command("findings", "--operator", "cedar")
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {each["round"]: each["at"] for each in found} == {
        early["round"]: "0001-01-01T00:00:00+00:00",
        right["round"]: right["at"],
    }
    call_command("findings", "--operator", "cedar", "--patterns")
    patterns = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {each["first"] for each in patterns} >= {"0001-01-01T00:00:00+00:00"}


@pytest.mark.usefixtures("cedar")
@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59-08:00"])
def test_a_time_that_the_place_of_play_has_no_date_for_is_no_question(at: str) -> None:
    with pytest.raises(CommandError, match="--at"):
        call_command("in_force", "--operator", "cedar", "--game", "pyramid-poker", "--at", at)
