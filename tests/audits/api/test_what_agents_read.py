"""What the commission's programs read from the queue and from a table's rounds."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from audits.replay.findings.models import IssueNight
from audits.review.cases.models import CaseItem
from audits.review.cases.writes import Gathered, open_case
from audits.review.issues.models import Work
from compliance import clock
from compliance.access.permissions import KeyScope, Role
from compliance.access.scope import without_access_scope
from tests.audits.queue.issues import issue_of
from tests.audits.replay.ledger_rows import commission
from tests.audits.submission.logs import EVENING, evening, ingested, written
from tests.compliance.api.programs import Program, program_of
from tests.compliance.people import made_person, party_for, person_as

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.access.models import Party

API = "/api/v1"
NOON = datetime(2025, 7, 14, 19, tzinfo=UTC)  # a Monday, in Washington
TODAY = date(2025, 7, 14)
pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


@pytest.fixture
def noon() -> Iterator[None]:
    with clock.standing_at(NOON):
        yield


@pytest.fixture
def program(noon: None) -> Program:
    return program_of(Role.SUPERVISOR, commission().code)


def room(code: str = "room") -> Party:
    return party_for(Role.OPERATOR_MANAGER, code)


def tables(program: Program, **asked: Any) -> list[str]:
    """Return the tables of the listed issues, each of which is at a table of its own."""
    answer = program.get(f"{API}/work", **asked)
    assert answer.status_code == 200, answer.text
    of = {each["issue"]: each["tables"][0] for each in program.get(f"{API}/issues").json()["items"]}
    return sorted(of[each["issue"]] for each in answer.json()["items"])


def test_work_is_narrowed_as_on_the_queue(program):
    agent = made_person("agent", commission(), Role.AGENT)
    there = room("there")
    made = {
        "T1": (room(), {"over": 100}, timedelta(-1), {"assigned_to": agent}),
        "T2": (room(), {"over": 9_000, "code": "approval.hours"}, timedelta(0), {}),
        "T3": (there, {"weight": "notice"}, timedelta(7), {"escalated": NOON}),
        "T4": (there, {"open": False, "state": "explained"}, timedelta(-9), {}),
    }
    for table, (party, fields, days, work) in made.items():
        issue = issue_of(party, seen_by=commission(), table=table, **fields)
        with without_access_scope():
            Work.objects.create(issue=issue, unit=commission(), due=TODAY + days, **work)
            IssueNight.objects.create(issue=issue, day=TODAY, findings=1, rounds=1, over=0, under=0)
    for asked, shown in (
        ({}, ["T1", "T2", "T3"]),
        ({"state": "any"}, ["T1", "T2", "T3", "T4"]),
        ({"state": "explained"}, ["T4"]),
        ({"operator": "there"}, ["T3"]),
        ({"table": "T2"}, ["T2"]),
        ({"code": "approval.hours"}, ["T2"]),
        ({"weight": "notice"}, ["T3"]),
        ({"moved": 9_000}, ["T2"]),
        ({"day": "2025-07-14", "game": "pyramid-poker"}, ["T1", "T2", "T3"]),
        ({"day": "2025-07-13"}, []),
        ({"q": "T1"}, ["T1"]),
        ({"due": "late"}, ["T1"]),
        ({"due": "today"}, ["T2"]),
        ({"due": "week"}, ["T2", "T3"]),
        ({"due": "escalated"}, ["T3"]),
        ({"assigned": "true"}, ["T1"]),
        ({"assigned": "false"}, ["T2", "T3"]),
        ({"assigned_to": str(agent.uuid)}, ["T1"]),
        ({"unit": commission().code}, ["T1", "T2", "T3"]),
        ({"unit": "room"}, []),
    ):
        assert tables(program, **asked) == shown, asked


def test_cases_are_found_by_level_number_and_title(program):
    agent = made_person("agent", commission(), Role.AGENT)
    what = Gathered(kind=CaseItem.Kind.FACT, text="Seen.")
    numbers = []
    for title, level in (("Late shuffles", ""), ("Odds of a straight", "verbal_warning")):
        case = open_case(party=room(), title=title, reason="Seen.", begins_with=what, by=agent)
        numbers.append(str(case.number))
        with without_access_scope():
            type(case).objects.filter(pk=case.pk).update(level=level)
    for asked, titles in (
        ({}, ["Odds of a straight", "Late shuffles"]),
        ({"level": "apparent"}, ["Late shuffles"]),
        ({"level": "verbal_warning"}, ["Odds of a straight"]),
        ({"sought": "STRAIGHT"}, ["Odds of a straight"]),
        ({"sought": numbers[0]}, ["Late shuffles"]),
        ({"sought": "1999-1"}, []),
        ({"operator": "room", "state": "closed"}, []),
    ):
        found = program.get(f"{API}/cases", **asked).json()["items"]
        assert [each["title"] for each in found] == titles, asked


def test_the_dashboard_tells_the_sums_of_the_days_asked_for(program):
    for day, over, under in ((TODAY, 5_000, 200), (TODAY - timedelta(7), 100, 0)):
        issue = issue_of(room(), seen_by=commission(), table=str(day))
        with without_access_scope():
            IssueNight.objects.create(
                issue=issue, day=day, findings=2, rounds=1, over=over, under=under
            )
    body = program.get(f"{API}/dashboard", days=7).json()
    assert [each["first"] for each in body["spans"]] == [
        f"2025-07-{day:02}" for day in range(8, 15)
    ]
    assert [(each["over"], each["under"]) for each in body["spans"]][-1] == (5_000, 200)
    (cause,) = body["causes"]
    assert cause["operator"] == "room"
    assert (cause["findings"], cause["over"], cause["under"]) == (2, 5_000, 200)
    earlier = program.get(f"{API}/dashboard", days=1, up_to="2025-07-07", operator="room").json()
    assert [each["over"] for each in earlier["spans"]] == [100]
    assert program.get(f"{API}/dashboard", up_to="0001-01-01").status_code == 409
    assert program_of(Role.OPERATOR_MANAGER).get(f"{API}/dashboard").status_code == 403


def test_program_lists_rounds_of_a_table_from_a_time():
    person_as(Role.SUPERVISOR)
    program = program_of(Role.OPERATOR_MANAGER, "cedar")
    with without_access_scope():
        ingested(party_for(Role.OPERATOR_MANAGER, "cedar"), written(evening(10)))  # one a minute
    asked = {
        "operator": "cedar",
        "table": "T3",
        "at": (EVENING + timedelta(minutes=4, seconds=30)).isoformat(),
        "limit": 4,
    }
    body = program.get(f"{API}/rounds", **asked).json()

    def numbers(body):
        return [int(each["round"].removeprefix("T3-")) for each in body["rounds"]]

    seen = numbers(body)
    assert len(seen) == 4
    earlier, later = body["earlier"], body["later"]
    while earlier:
        more = program.get(f"{API}/rounds", **asked, cursor=earlier).json()
        seen, earlier = numbers(more) + seen, more["earlier"]
    while later:
        more = program.get(f"{API}/rounds", **asked, cursor=later).json()
        seen, later = seen + numbers(more), more["later"]
    assert seen == list(range(1, 11))
    assert program.get(f"{API}/rounds", **asked, cursor="made-up").status_code == 404
    for other in ({"table": "T9"}, {"at": "2031-01-01T00:00:00Z", "table": "T9"}):
        assert program.get(f"{API}/rounds", **asked | other).json()["rounds"] == []
    assert program.get(f"{API}/rounds", **asked | {"at": "1800-01-01T00:00:00Z"}).status_code == 409
    stranger = program_of(Role.OPERATOR_MANAGER, "elsewhere")
    assert stranger.get(f"{API}/rounds", **asked).status_code == 404


def test_report_orders_are_listed_to_commission_only(program):
    asked = {"kind": "in_effect_on_a_day", "operator": "cedar", "day": "2025-07-12"}
    operator = program_of(Role.OPERATOR_MANAGER, "cedar")
    ordered = operator.post(f"{API}/report-orders", asked)
    assert ordered.status_code == 201, ordered.text
    (listed,) = program.get(f"{API}/report-orders", operator="cedar", state="waiting").json()[
        "items"
    ]
    assert listed == ordered.json()
    assert program.get(f"{API}/report-orders", day="2025-07-11").json()["items"] == []
    scopes = [KeyScope.ORDERS, KeyScope.REPORTS]
    other = program_of(Role.OPERATOR_MANAGER, "cedar", scopes=scopes)
    assert other.get(f"{API}/report-orders").status_code == 403
