"""A table's clock may be as wrong as the format allows without affecting anyone else's findings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from audits.intake.models import RoundLog
from audits.replay.findings.models import Issue
from audits.replay.models import Replay
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import dealt, written
from tests.compliance.pages.browsing import browser_as
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
def test_round_at_first_date_hides_no_findings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Eight hours west of UTC the year 1 hasn't begun when it begins in UTC."""
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
    call_command("findings", "--operator", "cedar", "--issues")
    issues = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {each["first"] for each in issues} >= {"0001-01-01T00:00:00+00:00"}


@pytest.mark.usefixtures("cedar")
def test_round_before_all_dates_is_rejected_alone(tmp_path: Path) -> None:
    """A zone east of UTC reaches into the year before the first."""
    early, right = dealt(2, tables=("T1",))
    early["at"] = "0001-01-01T00:00:00+23:59"
    log = tmp_path / "night.jsonl"
    log.write_bytes(written([early, right]))
    with pytest.raises(SystemExit) as ended:
        call_command("ingest", "--operator", "cedar", str(log))
    assert ended.value.code == 1
    accepted = RoundLog.objects.get()
    assert (accepted.good, accepted.rejected) == (1, 1)
    (cause,) = accepted.rejected_causes.all()
    assert (cause.cause, cause.examples[0]["field"]) == ("form", "at")


def test_pages_show_rounds_of_the_first_date(tmp_path: Path) -> None:
    agent = browser_as(Role.AGENT)
    party_for(Role.OPERATOR_CLERK, "cedar")
    (early,) = dealt(1, tables=("T1",))
    early["at"] = "0001-01-01T00:00:00Z"
    log = tmp_path / "night.jsonl"
    log.write_bytes(written([early]))
    call_command("ingest", "--operator", "cedar", str(log))
    call_command("replay", "--operator", "cedar", "--wait")
    with without_access_scope():
        issue = Issue.objects.filter(first__isnull=False)[0]
        kept, replay = RoundLog.objects.get(), Replay.objects.get()
    pages = {
        reverse("issues"): 200,
        reverse("issues") + "?day=0001-01-01": 422,
        reverse("issues") + "?day=9999-12-31": 422,
        reverse("export_issues"): 200,
        reverse("issue", args=[issue.uuid]): 200,
        reverse("work"): 200,
        reverse("rounds"): 200,
        reverse("round_log", args=[kept.uuid]): 200,
        reverse("replays"): 200,
        reverse("replay", args=[replay.uuid]): 200,
        reverse("round", args=["cedar", early["round"]]): 200,
    }
    answers = {address: agent.get(address) for address in pages}
    assert {address: answer.status_code for address, answer in answers.items()} == pages
    assert b"".join(answers[reverse("export_issues")]).count(b"0001-01-01") > 0
    rejection = answers[reverse("issue", args=[issue.uuid])].content.decode()
    assert "12:00 a.m. UTC" in rejection or "12:00 AM UTC" in rejection


@pytest.mark.usefixtures("cedar")
@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59-08:00"])
def test_time_without_local_date_is_rejected(at: str) -> None:
    with pytest.raises(CommandError, match="--at"):
        call_command("in_effect", "--operator", "cedar", "--game", "pyramid-poker", "--at", at)
