"""A line may have thousands of seats, each with findings: the round is stored and audited once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from audits.replay.auditing.findings import read_lines
from audits.replay.findings.models import Issue
from audits.replay.models import ReplaySegment
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.files.archive import current_archive
from tests.audits.auditing.nights import local, pyramid, straight_flush
from tests.audits.replay.ledger_rows import commission
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

SEATS = 300
LONGEST_FINDING = 1_000


def test_round_of_hundreds_of_seats_is_kept_once(tmp_path: Path) -> None:
    commission()
    party_for(Role.OPERATOR_CLERK, "cedar")
    line = pyramid("wide", local(2025, 7, 12, 20), *[straight_flush(50)] * SEATS)
    log = tmp_path / "night.jsonl"
    log.write_bytes(line)
    call_command("ingest", "--operator", "cedar", str(log))
    call_command("replay", "--operator", "cedar", "--wait")
    with without_access_scope():
        issue = Issue.objects.get(code="settlement.three_card")
        unit = ReplaySegment.objects.get()
    assert (issue.findings, issue.rounds) == (SEATS, 1)
    assert (issue.cause, issue.diagnosis) == ("isolated", "")  # one round proves no cause
    with current_archive().fetch(unit.issues_file) as place:
        largest = max(map(len, read_lines(place)))
    assert largest < 200 * LONGEST_FINDING + 2 * len(line)
