"""The sums of an issue, kept up night by night, are those of adding up all its nights."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from audits.replay.findings.models import Issue, IssueNight, IssuePart
from audits.review.issues.nights import SUMMED
from audits.review.issues.sums import KEPT, Sums, count_issue
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from games.cents import LARGEST_SUM, clamp_cents
from tests.compliance.people import made_party

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audits.review.issues.sums import Names

FIRST = date(2025, 7, 12)
OPENED = datetime(2025, 7, 13, tzinfo=UTC)

pytestmark = pytest.mark.django_db


@pytest.fixture
def issue() -> Iterator[Issue]:
    with without_access_scope():
        yield Issue.objects.create(
            party=made_party(PartyKind.CARD_ROOM, "room"), game="pyramid-poker",
            cause="isolated", code="settlement.main", weight="money", opened=OPENED,
        )  # fmt: skip


def change(sums: Sums, issue: Issue, day: date, parts: dict[Names, int]) -> None:
    """Replace a night by one with so many findings in each part, each overpaid by 7 cents."""
    row = IssueNight.objects.filter(issue=issue, day=day).first() or IssueNight(
        issue=issue, day=day
    )
    before = {name: getattr(row, name) for name in (*SUMMED, "first", "last")} if row.pk else None
    former = IssuePart.objects.filter(issue=issue, day=day)
    names_before = {(each.table, each.wager, each.line) for each in former if each.findings}
    former.delete()
    IssuePart.objects.bulk_create(
        IssuePart(
            issue=issue, day=day, table=table, code="settlement.main", wager=wager, line=line,
            findings=count, rounds=count, over=clamp_cents(7 * count), under=0,
        )
        for (table, wager, line), count in parts.items()
    )  # fmt: skip
    row.findings = row.rounds = sum(parts.values())
    row.over, row.under = clamp_cents(7 * row.findings), 0
    begin = datetime(day.year, day.month, day.day, 20, tzinfo=UTC)
    row.first, row.last = (
        (begin, begin + timedelta(minutes=row.findings % 60)) if parts else (None,) * 2
    )
    row.save()
    names = {each for each, count in parts.items() if count}
    sums.change(Issue.objects.get(pk=issue.pk), row, before, names, names_before)


def kept(issue: Issue) -> dict[str, object]:
    issue.refresh_from_db()
    return {name: getattr(issue, name) for name in KEPT}


@pytest.mark.parametrize("seed", range(6))
def test_sums_kept_up_are_those_of_all_nights(issue, seed):
    chance, sums = random.Random(seed), Sums()
    for _ in range(60):
        tables = ["T1"] if chance.random() < 0.7 else ["T1", "T2"]
        parts: dict[Names, int] = {
            (table, chance.choice(["main", ""]), "flush"): chance.randrange(4)
            for table in tables[: chance.randrange(3)]
        }
        change(sums, issue, FIRST + timedelta(days=chance.randrange(8)), parts)
        if chance.random() < 0.6:
            sums.write()
            written = kept(issue)
            count_issue(issue)
            assert written == kept(issue)


def test_sum_at_its_bound_is_added_up_again(issue):
    sums = Sums()
    change(sums, issue, FIRST, {("T1", "main", ""): LARGEST_SUM // 7 + 1})
    sums.write()
    assert kept(issue)["over"] == LARGEST_SUM
    change(sums, issue, FIRST, {("T1", "main", ""): 3})
    sums.write()
    assert (kept(issue)["findings"], kept(issue)["over"]) == (3, 21)


def test_new_night_adds_to_an_issue_without_reading_the_others(
    issue, django_assert_max_num_queries
):
    sums = Sums()
    for number in range(30):
        change(sums, issue, FIRST + timedelta(days=number), {("T1", "main", "flush"): 1})
    with django_assert_max_num_queries(1):
        sums.write()
    assert kept(issue) == kept(issue) | {"findings": 30, "over": 210, "table": "T1"}
