"""Amounts whose sum fits no database: stored up to a bound and shown as "or more"."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from audits.replay.auditing.tally import AuditResult, IssueCount, Tally
from audits.replay.findings.models import Finding, Issue, IssueNight
from audits.review.dashboard.reads import dashboard
from audits.review.issues.sums import count_issue
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.ui.lists import dollars
from games.findings import Finding as Found
from games.log.round import Round
from reports.documents.wording import dollars as on_paper
from tests.compliance.people import made_party

TEN_QUADRILLION = 10**18
"""In cents: ten million billion dollars."""
LARGEST_RESULT, LARGEST_SEAT = 10**15, 2**63 - 1
AT = 1_752_339_600_000_000


def test_segment_sums_stop_at_the_bound_both_ways():
    outcome = AuditResult(Path("findings"))
    tally, issue = Tally(outcome), IssueCount()
    common = {"at": AT, "table": "T1", "code": "settlement.main", "wager": "main", "line": None}
    for number in range(1_100):
        round_ = Round(round=f"R-{number}", game="pyramid-poker", table="T1", at=AT, seats=())
        findings = []
        for delta in (LARGEST_RESULT, -LARGEST_RESULT):
            tally.finding(round_, Found("settlement.main", 1, "main", delta=delta))
            findings.append((b"", {**common, "delta": delta, "cites": []}))
        issue.add_round(findings, tested=True, explained=True, dealer="d-1")
    assert (issue.findings, issue.rounds) == (2_200, 1_100)
    assert (issue.over, issue.under) == (TEN_QUADRILLION, TEN_QUADRILLION)
    assert (outcome.over, outcome.under) == (TEN_QUADRILLION, TEN_QUADRILLION)
    assert list(issue.hours.values()) == [[1_100, TEN_QUADRILLION, TEN_QUADRILLION, 1_100, 1_100]]


@pytest.mark.django_db
def test_twenty_nights_at_the_bound_are_added_up():
    party, now = made_party(PartyKind.CARD_ROOM, "large"), timezone.now()
    with without_access_scope():
        issue = Issue.objects.create(
            party=party, game="pyramid-poker", code="settlement.main", weight="money", opened=now
        )
        for number in range(20):  # 2 * 10^19 cents; a database integer ends at 2^63
            IssueNight.objects.create(
                issue=issue, day=now.date() - timedelta(days=number), findings=1, rounds=1,
                over=TEN_QUADRILLION, under=number, first=now, last=now,
            )  # fmt: skip
        count_issue(issue)
        issue.refresh_from_db()
    # 0 + 1 + ... + 19 = 190
    assert (issue.findings, issue.over, issue.under) == (20, TEN_QUADRILLION, 190)
    (cause,) = dashboard(days=31).causes
    assert (cause["sum_over"], cause["sum_under"]) == (TEN_QUADRILLION, 190)


@pytest.mark.django_db
def test_a_seat_is_kept_whatever_number_its_log_gives_it():
    party = made_party(PartyKind.CARD_ROOM, "large")
    at = datetime(2025, 7, 12, 17, tzinfo=UTC)
    with without_access_scope():
        issue = Issue.objects.create(party=party, code="void.result", opened=at)
        kept = Finding.objects.create(
            issue=issue, identity="0" * 32, day=at.date(), seat=LARGEST_SEAT
        )
        kept.refresh_from_db()
    assert kept.seat == LARGEST_SEAT


@pytest.mark.parametrize("logged", [dollars, on_paper], ids=["page", "paper"])
def test_amount_at_the_bound_is_shown_as_or_more(logged):
    assert logged(TEN_QUADRILLION - 1) == "$9,999,999,999,999,999.99"
    assert logged(TEN_QUADRILLION) == "$10,000,000,000,000,000.00 or more"
    assert logged(-TEN_QUADRILLION) == "−$10,000,000,000,000,000.00 or more"
