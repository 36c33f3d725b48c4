"""The dashboard: sums that can be counted by hand, few queries, and nothing for operators."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audits.intake.days.models import GamblingDay
from audits.replay.findings.models import IssueNight
from audits.replay.models import Replay, ReplaySegment
from audits.review.dashboard.reads import dashboard
from audits.review.issues.models import Work
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.filings.controls.writes import submit_controls
from compliance.filings.licenses.models import LicenseChange, LicenseClass
from compliance.filings.licenses.writes import change_license
from compliance.filings.requests.approvals import step_withdrawal
from compliance.filings.requests.models import Withdrawal
from compliance.in_effect.limits_near_cap import limits_near_cap
from compliance.ui.charts import MONEY, Column, Columns
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.audits.replay.ledger_rows import made_replay
from tests.compliance.controls.examples import changed
from tests.compliance.controls.filing import Room, bring_into_effect, licensed, local, submitted
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.access.models import Party, Person

pytestmark = pytest.mark.django_db
NOW = datetime(2025, 7, 14, 19, tzinfo=UTC)  # a Monday, noon in Washington
DAY = date(2025, 7, 12)  # of the ledger's segments


@pytest.fixture(autouse=True)
def noon() -> Iterator[None]:
    with clock.standing_at(NOW):
        yield


@pytest.fixture
def room(agent: Person) -> Party:
    return party_for(Role.OPERATOR_MANAGER, "room")


def occurred(room: Party, agent: Person, day: date, **figures: int) -> Any:
    fields = {name: figures.pop(name) for name in ("code", "table", "opened") if name in figures}
    made = issue_of(room, seen_by=unit_of_agent(agent), **fields)
    counts = {"findings": 1, "rounds": 1, "over": 0, "under": 0} | figures
    with without_access_scope():
        IssueNight.objects.create(issue=made, day=day, **counts)
    return made


def kept(party: Party, day: date, **more: Any) -> GamblingDay:
    begins = datetime(day.year, day.month, day.day, 13, tzinfo=UTC)
    ends = begins + timedelta(days=1)
    with without_access_scope():
        return GamblingDay.objects.create(
            party=party, day=day, begins=begins, ends=ends, closes=ends + timedelta(hours=6), **more
        )


def test_only_the_current_replay_counts_a_days_rounds(agent):
    former, current = made_replay(), made_replay()
    with without_access_scope():
        ReplaySegment.objects.filter(replay=former).update(rounds=1000)
        ReplaySegment.objects.filter(replay=current).update(rounds=7)
        days = ReplaySegment.objects.filter(replay=current).values_list("segment__day", flat=True)
        assert list(days) == [DAY] * 3
        kept(current.party, DAY, current=Replay.objects.get(pk=current.pk), looked_through=1)
    shown = dashboard(days=7)
    assert shown.total("rounds") == 21
    [span] = [each for each in shown.spans if each.rounds]
    assert span.first == DAY
    assert dashboard(days=7, operator=unit_of_agent(agent)).total("rounds") == 0


def test_the_days_end_with_the_one_asked_for(agent):
    shown = dashboard(days=7, up_to=DAY)
    assert (shown.spans[0].first, shown.spans[-1].last) == (date(2025, 7, 6), DAY)
    browser = browser_of(agent)
    asked = browser.get(reverse("dashboard"), {"days": "7", "up_to": "2025-07-12"})
    assert asked.context["shown"].spans[0].first == date(2025, 7, 6)
    assert "Jul 13" not in words(asked)
    refused = browser.get(reverse("dashboard"), {"up_to": "12.7.2025"})
    assert refused.status_code == 422


def test_money_is_split_by_direction_and_causes_by_amount(agent, room):
    occurred(room, agent, DAY, over=5000, under=200, table="T1")
    occurred(room, agent, DAY, over=100, table="T2")
    occurred(room, agent, DAY, code="approval.hours", findings=9, rounds=4, table="T3")
    occurred(room, agent, date(2025, 6, 1), over=9900, table="T4")  # before the requested time
    shown = dashboard(days=7)
    assert (shown.total("over"), shown.total("under"), shown.total("findings")) == (5100, 200, 11)
    first, second = shown.causes
    assert (first["issue__code"], first["issues"]) == ("settlement.three_card", 2)
    assert (first["sum_over"], first["sum_under"]) == (5100, 200)
    assert second["issue__code"] == "approval.hours"
    assert shown.outside_hours == [("The room", "room", 4)]


def test_open_work_is_counted_once_by_age_and_lateness(agent, room):
    unit = unit_of_agent(agent)
    for days, table in ((0, "T1"), (6, "T2"), (8, "T3"), (40, "T4"), (100, "T5")):
        made = issue_of(room, seen_by=unit, table=table, opened=NOW - timedelta(days=days))
        due = date(2025, 7, 14) if table == "T1" else date(2025, 7, 13)
        with without_access_scope():
            Work.objects.create(issue=made, unit=unit, due=due)
    issue_of(room, seen_by=unit, table="T6", open=False, state="explained")
    shown = dashboard(days=7)
    assert [count for _, count in shown.ages] == [2, 1, 1, 1]
    assert shown.late == 4


def test_a_night_ran_or_did_not_or_is_not_due_yet(room):
    kept(room, date(2025, 7, 10), looked_through=0)
    missed = kept(room, date(2025, 7, 11))
    kept(room, date(2025, 7, 14))
    shown = dashboard(days=7)
    assert (shown.total("ran"), shown.total("missed"), shown.missed) == (1, 1, [missed])


@pytest.mark.parametrize(("days", "spans"), [(7, 7), (28, 28), (91, 14), (365, 53)])
def test_long_span_is_cut_into_weeks_without_gaps(days, spans):
    shown = dashboard(days=days).spans
    assert len(shown) == spans
    assert (shown[0].first, shown[-1].last) == (
        date(2025, 7, 14) - timedelta(days=days - 1),
        date(2025, 7, 14),
    )
    for before, after in pairwise(shown):
        assert after.first == before.last + timedelta(days=1)


@pytest.fixture
def near_room() -> Room:
    """Return a room in order whose maximums are at the cap, at nine tenths of it, and below."""
    with without_access_scope():
        made = Room()
        content = changed("games/pick-2-poker", ...)
        limits = {"main": [500, 40_000], "three_card": [100, 36_000], "six_card": [100, 35_999]}
        content["games"]["pyramid-poker"] = {"tables": {"T1": limits}}
        with clock.standing_at(local(2025, 5, 1, 12)):
            bring_into_effect(submitted(made.manager, content), made.officer, local(2025, 6, 1, 6))
    return made


def test_a_maximum_is_near_the_cap_from_nine_tenths_on(near_room):
    near = limits_near_cap(at=NOW)
    # The cap of a house-banked game is $400 since 2023.
    assert [(each.wager, each.maximum, each.cap, each.percent) for each in near] == [
        ("main", 40_000, 40_000, 100),
        ("three_card", 36_000, 40_000, 90),
    ]
    assert limits_near_cap(at=local(2025, 1, 20, 12)) == []  # before any controls took effect


def test_unofferable_game_has_no_maximum_near_cap(near_room):
    officer, step = near_room.officer, Withdrawal.Step
    with without_access_scope():
        license = near_room.party.licenses.get()
        for effect, day in (
            (LicenseChange.Effect.SUSPENDED, date(2025, 8, 1)),
            (LicenseChange.Effect.RESTORED, date(2025, 9, 1)),
        ):
            change_license(license=license, effect=effect, from_date=day, reason="r", by=officer)
        given, end = near_room.game_approval, local(2025, 10, 1, 6)
        step_withdrawal(approval=given, step=step.NOTICED, reason="r", by=officer)
        step_withdrawal(approval=given, step=step.FINAL, reason="r", by=officer, in_effect_from=end)
    found = [len(limits_near_cap(at=local(2025, month, 2, 12))) for month in (7, 8, 9, 10)]
    assert found == [2, 0, 2, 0]


def test_near_cap_limits_cost_no_queries_per_operator(near_room):
    counted = []
    for others in (0, 3):
        with without_access_scope():
            for number in range(others):
                manager = person_as(Role.OPERATOR_MANAGER, f"room-{number}")
                party = party_for(Role.OPERATOR_MANAGER, f"room-{number}")
                with clock.standing_at(local(2025, 5, 2 + number, 12)):
                    licensed(party, LicenseClass.HOUSE_BANKED_CARD_ROOM, near_room.officer)
                    version = submit_controls(
                        operator=party,
                        content=near_room.party.controls_versions.latest("number").content,
                        by=manager,
                    )
                    bring_into_effect(version, near_room.officer, local(2025, 6, 1, 6))
        with CaptureQueriesContext(connection) as queries:
            found = limits_near_cap(at=NOW)
        assert len(found) == 2 * (1 + others)
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_columns_rise_and_fall_from_one_line_in_one_scale():
    columns = [Column("a", 30, 10), Column("b", 0, 0), Column("c", 10, 0)]
    drawn = Columns.of("Money", columns, says="Money.", kinds=MONEY)
    first, second, third = drawn.shapes
    assert (first.kind, first.y, first.height) == ("over", 0, 120)
    assert (second.kind, second.y, second.height) == ("under", 120, 40)
    assert (third.kind, third.y, third.height) == ("over", 80, 40)
    assert [each.says for each in drawn.names] == ["a", "b", "c"]


def test_axis_has_round_figures_up_to_the_highest_column():
    drawn = Columns.of("Rounds", [Column("a", 37), Column("b", 4)], says="Rounds.")
    assert [each.says for each in drawn.ticks] == ["0", "10", "20", "30", "40"]
    assert [each.says for each in drawn.figures] == ["37", "4"]
    money = Columns.of("Money", [Column("a", 120_000, 30_000)], says="Money.", kinds=MONEY)
    assert [each.says for each in money.ticks] == ["$500", "$0", "$500", "$1,000", "$1,500"]


def test_empty_chart_is_blank_and_one_column_is_centered():
    assert Columns.of("Nothing", [Column("a", 0)], says="Nothing.").shapes == []
    assert Columns.of("Nothing", [], says="Nothing.").shapes == []
    alone = Columns.of("Rounds", [Column("Jul 12", 3)], says="Rounds.")
    [column] = alone.shapes
    assert column.kind == "count"
    assert column.x + column.width / 2 == (alone.left + alone.width) / 2


def test_page_queries_do_not_grow_with_findings(agent, room):
    browser = browser_of(agent)
    address = reverse("dashboard")
    occurred(room, agent, DAY, over=5000, table="T0")
    kept(room, date(2025, 7, 10))
    counted = []
    for _ in range(2):
        browser.get(address)
        with CaptureQueriesContext(connection) as queries:
            shown = browser.get(address, {"days": "365"})
        counted.append(len(queries))
        for number in range(5 if len(counted) == 1 else 0):
            other = party_for(Role.OPERATOR_MANAGER, f"other-{number}")
            occurred(other, agent, DAY, under=number, code="approval.hours", table=f"T{number}")
            kept(other, date(2025, 7, 10))
    assert counted[0] == counted[1]
    assert "+$50.00" in words(shown)
    assert browser.get(address, {"operator": "room"}).status_code == 200
    for asked in ({"operator": "nobody"}, {"days": "9999999"}, {"days": "x"}):
        assert browser.get(address, asked).status_code == 422
    assert browser_as(Role.OPERATOR_MANAGER, "room").get(address).status_code == 404


def test_unaudited_period_leads_to_last_audited_day(agent):
    current = made_replay()
    with without_access_scope():
        ReplaySegment.objects.filter(replay=current).update(rounds=7)  # of each of its three tables
        kept(current.party, DAY, current=Replay.objects.get(pk=current.pk), looked_through=1)
    browser = browser_of(agent)
    empty = browser.get(reverse("dashboard"), {"days": "7", "up_to": "2025-09-01"})
    assert "Nothing was audited" in words(empty)
    assert "By gambling day" not in words(empty)
    led = browser.get(f"{reverse('dashboard')}?{empty.context['before_on']}")
    assert led.context["shown"].total("rounds") == 21
    assert led.context["form"].cleaned_data["days"] == "7"


def test_page_says_when_nothing_is_audited_yet(agent):
    shown = words(browser_of(agent).get(reverse("dashboard")))
    for says in ("There are no findings", "No issue is open", "No approved maximum is near"):
        assert says in shown
