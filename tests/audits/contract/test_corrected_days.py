"""A correction may move every round of a day elsewhere; later days are still audited."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import NIGHT, dealt, written
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from compliance.access.models import Party

pytestmark = pytest.mark.django_db


@pytest.fixture
def cedar() -> Iterator[Party]:
    commission()
    with without_access_scope():
        yield party_for(Role.OPERATOR_CLERK, "cedar")


@pytest.mark.usefixtures("cedar")
def test_rounds_corrected_to_next_day_are_audited_there_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong, right = tmp_path / "wrong.jsonl", tmp_path / "right.jsonl"
    rounds = dealt(3, tables=("T1",))
    wrong.write_bytes(written(rounds))
    call_command("ingest", "--operator", "cedar", "--json", str(wrong))
    log = json.loads(capsys.readouterr().out)["log"]
    for each in rounds:
        each["at"] = each["at"].replace(f"{NIGHT}T", f"{NIGHT + timedelta(days=1)}T")
    right.write_bytes(written(rounds))
    correction = ("--corrects", log, "--reason", "the clock was a day behind")
    call_command("ingest", "--operator", "cedar", *correction, str(right))
    call_command("replay", "--operator", "cedar", "--wait")
    capsys.readouterr()
    call_command("findings", "--operator", "cedar")
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {each["round"] for each in found} == {each["round"] for each in rounds}
    assert {date.fromisoformat(each["day"]) for each in found} == {NIGHT + timedelta(days=1)}
