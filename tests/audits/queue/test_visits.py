"""Visits check the terms in effect, save at once and end once; differences become findings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.db.utils import DatabaseError
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audits.replay.findings.models import Finding, Issue, IssueNight
from audits.review.issues.decisions import StepRequest, take_step
from audits.review.issues.sums import count_issue
from audits.review.visits.models import Look, Visit, VisitEnd, VisitItem, VisitPlan
from audits.review.visits.writes import begin_visit, cancel_plan, end_visit, look, plan_visit
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.digests import state_digest
from compliance.events.models import Event
from compliance.filings.controls.models import ControlsVisit
from compliance.filings.controls.writes import approve_controls
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.compliance.controls.filing import Room, at_table_two, local, only_pyramid, submitted
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import made_person, party_for, person_as

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from compliance.access.models import Person

pytestmark = pytest.mark.django_db
Kind, Outcome = VisitItem.Kind, Look.Outcome
AT = local(2025, 7, 12, 20)  # a Saturday evening, in steady play
DOT = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU"
    b"\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"
)


@pytest.fixture
def room() -> Iterator[Room]:
    with without_access_scope():
        made = Room()
    with clock.standing_at(AT):
        yield made


@pytest.fixture
def agent(room: Room) -> Person:
    return person_as(Role.AGENT)


@pytest.fixture
def visit(room: Room, agent: Person) -> Visit:
    return begin_visit(party=room.party, by=agent)


CLOSED = "The table is closed tonight."


def item_of(visit: Visit, kind: Kind, about: str = "") -> VisitItem:
    with without_access_scope():
        return visit.items.select_related("visit__party").get(kind=kind, about=about)


def page(visit: Visit) -> str:
    return reverse("visit", args=[visit.uuid])


def test_the_checklist_is_what_is_in_effect_at_each_table(visit):
    with without_access_scope():
        items = list(visit.items.all())
    assert [(each.kind, each.about) for each in items] == [
        ("floor", ""),
        ("limits", ""),
        ("pay_table", "three_card"),
        ("pay_table", "six_card"),
        ("aggregate", ""),
        ("decks", ""),
    ]
    assert [each.table for each in items] == ["", "T1", "T1", "T1", "T1", "T1"]
    assert ["Main", "$5.00 to $400.00"] in items[1].approved
    assert ["Straight flush", "30 to 1"] in items[2].approved
    assert items[4].approved == [["Six card", "$5,000.00"]]
    assert items[5].approved == [["Decks of 52 cards", "6 or more, no joker"]]
    assert visit.day.isoformat() == "2025-07-12"


def test_tables_stand_in_the_order_people_count_them(room, agent):
    content = only_pyramid()
    tables = content["games"]["pyramid-poker"]["tables"]
    content["games"]["pyramid-poker"]["tables"] = {"T10": tables["T1"], "T2": tables["T1"]}
    with without_access_scope(), clock.standing_at(local(2025, 5, 1, 12)):
        version = submitted(room.manager, content)
        approve_controls(
            version=version,
            seen=state_digest(version),
            in_effect_from=local(2025, 6, 1, 6),
            by=room.officer,
        )
    visit = begin_visit(party=room.party, by=agent)
    with without_access_scope():
        assert list(dict.fromkeys(visit.items.values_list("table", flat=True))) == ["", "T2", "T10"]
    assert visit.controls == version


def test_visit_has_one_agent_and_operator_at_a_time(room, agent, visit):
    with pytest.raises(RefusedError, match="under way"):
        begin_visit(party=room.party, by=agent)
    with pytest.raises(RefusedError, match="no internal controls in effect"):
        begin_visit(party=party_for(Role.OPERATOR_MANAGER, "other"), by=agent)
    with pytest.raises(RefusedError, match="is not an operator"):
        begin_visit(party=party_for(Role.SUPPLIER, "maker"), by=agent)
    with pytest.raises(NotAllowedError):
        begin_visit(party=room.party, by=room.manager)
    del visit


def test_last_choice_counts_and_double_tap_keeps_one(agent, visit):
    item = item_of(visit, Kind.LIMITS)
    for _ in range(2):
        look(item=item, outcome=Outcome.AS_APPROVED, by=agent)
    look(item=item, outcome=Outcome.DIFFERS, seen="$2 to $400", by=agent)
    with pytest.raises(RefusedError, match="Describe what you see"):
        look(item=item, outcome=Outcome.DIFFERS, seen=" ", by=agent)
    with without_access_scope():
        assert [each.outcome for each in item.looks.all()] == ["as_approved", "differs"]
        assert Event.objects.filter(type="visit.looked").count() == 2


def test_ended_visit_accepts_nothing_more(agent, visit):
    item = item_of(visit, Kind.DECKS)
    with pytest.raises(RefusedError, match="Nothing was inspected"):
        end_visit(visit=visit, by=agent)
    looked = look(item=item, outcome=Outcome.AS_APPROVED, by=agent)
    end_visit(visit=visit, note="Met the manager.", why_not=CLOSED, by=agent)
    for act in (
        lambda: look(item=item, outcome=Outcome.DIFFERS, seen="Five", by=agent),
        lambda: end_visit(visit=visit, by=agent),
    ):
        with pytest.raises(RefusedError, match="has ended"):
            act()
    with without_access_scope():
        end = VisitEnd.objects.get()
        assert (end.as_approved, end.differs, end.not_looked_at) == (1, 0, 5)
        event = Event.objects.get(type="visit.ended")
        assert event.after == state_digest(end)
        for row in (visit, item, looked, end):
            with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"DELETE FROM {row._meta.db_table} WHERE id = %s", [row.pk])


@pytest.mark.parametrize(
    ("kind", "about", "code", "line"),
    [
        (Kind.FLOOR, "", "approval.controls", "floor"),
        (Kind.LIMITS, "", "approval.controls", "posted_limits"),
        (Kind.PAY_TABLE, "three_card", "document.pay_table", "on_the_layout"),
        (Kind.AGGREGATE, "", "approval.controls", "aggregate_sign"),
        (Kind.DECKS, "", "deal.shoe", "on_a_visit"),
    ],
)
def test_a_difference_becomes_a_finding_of_its_cause(room, agent, visit, kind, about, code, line):
    item = item_of(visit, kind, about)
    look(item=item, outcome=Outcome.DIFFERS, seen="Not so", by=agent)
    with without_access_scope():
        assert not Issue.objects.exists()  # nothing before the visit is ended
    end_visit(visit=visit, why_not=CLOSED, by=agent)
    with without_access_scope():
        finding = Finding.objects.select_related("issue").get()
        night = IssueNight.objects.get()
    issue = finding.issue
    assert (issue.party, issue.code, issue.line) == (room.party, code, line)
    assert (issue.table, issue.wager) == (item.table, about)
    assert (finding.logged, finding.day, finding.cites) == ("Not so", visit.day, item.cites)
    assert (night.findings, night.rounds, issue.released) == (1, 0, None)


def test_repeat_counts_up_and_opens_new_issue_after_decision(room, agent):
    def paid(at: datetime) -> None:
        with clock.standing_at(at):
            visit = begin_visit(party=room.party, by=agent)
            item = item_of(visit, Kind.PAY_TABLE, "three_card")
            look(item=item, outcome=Outcome.DIFFERS, seen="50 to 1", by=agent)
            end_visit(visit=visit, why_not=CLOSED, by=agent)

    paid(AT)
    paid(datetime(2025, 7, 19, 20, tzinfo=UTC))
    with without_access_scope():
        issue = Issue.objects.get()
        count_issue(issue)  # as a replay of the day would: the sum over its nights
        issue.refresh_from_db()
        assert (issue.findings, issue.nights.count()) == (2, 2)
    take_step(issue=issue, said=StepRequest(step="explain", reason="The sign."), by=agent)
    paid(datetime(2025, 7, 26, 20, tzinfo=UTC))
    with without_access_scope():
        assert Issue.objects.get(open=True).again_after == issue


@pytest.mark.parametrize("outcome", [Outcome.AS_APPROVED, Outcome.DIFFERS])
def test_a_visit_verifies_a_swap_of_games_once(room, agent, outcome):
    with without_access_scope(), clock.standing_at(local(2025, 5, 1, 12)):
        swap = submitted(room.manager, at_table_two(), games_swap_only=True)
        approve_controls(
            version=swap,
            seen=state_digest(swap),
            in_effect_from=local(2025, 5, 2, 6),
            by=room.officer,
            verbally=True,
        )
    visit = begin_visit(party=room.party, by=agent)
    item = item_of(visit, Kind.SWAP)
    assert item.cites == ["WAC 230-15-440(2)"]
    look(item=item, outcome=outcome, seen="Table T2 is closed", by=agent)
    end_visit(visit=visit, why_not=CLOSED, by=agent)
    with without_access_scope():
        noted = ControlsVisit.objects.get()
        assert (noted.version, noted.as_approved) == (swap, outcome == Outcome.AS_APPROVED)
        assert Finding.objects.count() == (outcome == Outcome.DIFFERS)
    again = begin_visit(party=room.party, by=agent)
    with without_access_scope():
        assert not again.items.filter(kind=Kind.SWAP).exists()


def tap(browser: Client, visit: Visit, place: int, **said: Any) -> Any:
    return browser.post(reverse("visit_item", args=[visit.uuid, place]), said)


def test_phone_taps_are_kept_and_lead_on(room, agent):
    browser = browser_of(agent)
    begun = browser.post(reverse("begin_visit"), {"begin-operator": "room"})
    with without_access_scope():
        visit = Visit.objects.get()
    assert begun.url == page(visit)
    assert "0 of 6 checked" in words(browser.get(page(visit)))
    answer = tap(browser, visit, 1, outcome="as_approved")
    assert answer.url == reverse("visit_item", args=[visit.uuid, 2])
    assert "$5.00 to $400.00" in words(browser.get(answer.url))
    assert tap(browser, visit, 2, outcome="differs", seen="").status_code == 422
    memo = SimpleUploadedFile("memo.txt", b"No photo.", "text/plain")
    refused = tap(browser, visit, 2, outcome="differs", seen="$2 to $500", photos=memo)
    assert refused.status_code == 422
    assert "memo.txt is not a photo. Upload a JPEG or PNG file." in words(refused)
    photo = SimpleUploadedFile("../sign.png", DOT, "image/png")
    tap(browser, visit, 2, outcome="differs", seen="$2 <b>to</b> $500", photos=photo)
    shown = browser.get(page(visit))
    assert "2 of 6 checked" in words(shown)
    assert "$2 &lt;b&gt;to" in shown.text
    with without_access_scope():
        kept = Look.objects.get(outcome="differs").paper.files.get()
    assert kept.name == "sign.png"
    assert "sign.png" in browser.get(reverse("visit_item", args=[visit.uuid, 2])).text
    tap(browser, visit, 6, outcome="as_approved")
    assert tap(browser, visit, 3, outcome="as_approved").url.endswith("/4/")
    end, entered = reverse("end_visit", args=[visit.uuid]), {"note": "Met the manager."}
    asked = browser.post(end, entered)
    assert asked.status_code == 422
    assert "Not inspected yet: Pay table on the layout: Six card" in words(asked)
    ended = browser.post(end, entered | {"why_not": CLOSED})
    assert ended.url == page(visit)
    shown = browser.get(page(visit))
    assert "Ended: 3 as approved, 1 different, 2 not looked at." in words(shown)
    with without_access_scope():
        issue = Issue.objects.get()
    assert reverse("issue", args=[issue.uuid]) in shown.text
    assert "<form" not in shown.text.partition("<main")[2]
    late = tap(browser, visit, 4, outcome="as_approved")
    assert late.status_code == 422
    assert "has ended" in words(late)
    del room


def test_what_cannot_be_begun_says_why(room, agent, visit):
    browser = browser_of(agent)
    for operator, says in (("room", "under way"), ("", "required"), ("no", "valid choice")):
        answer = browser.post(reverse("begin_visit"), {"begin-operator": operator})
        assert answer.status_code == 422
        assert says in words(answer)
    assert tap(browser, visit, 99, outcome="as_approved").status_code == 404
    assert tap(browser, visit, 1, outcome="burned").status_code == 404
    del room


def test_page_queries_do_not_grow_and_operators_see_nothing(room, agent, visit):
    browser = browser_of(agent)
    item = item_of(visit, Kind.FLOOR)
    look(item=item, outcome=Outcome.AS_APPROVED, by=agent)
    counted = []
    for _ in range(2):
        browser.get(page(visit))
        with CaptureQueriesContext(connection) as queries:
            browser.get(page(visit))
            browser.get(reverse("visits"))
        counted.append(len(queries))
        with without_access_scope():
            rest = list(visit.items.select_related("visit__party").exclude(pk=item.pk))
        for each in rest:
            look(item=each, outcome=Outcome.DIFFERS, seen="Not so", by=agent)
    assert counted[0] == counted[1]
    manager = browser_of(room.manager)
    assert manager.get(page(visit)).status_code == 404
    assert manager.get(reverse("visits")).status_code == 404
    auditor = browser_as(Role.AUDITOR)
    assert "<form" not in auditor.get(page(visit)).text.partition("<main")[2]
    assert auditor.post(reverse("end_visit", args=[visit.uuid])).status_code == 404
    other = made_person("colleague", party_for(Role.AGENT), Role.AGENT)
    assert browser_of(other).get(page(visit)).status_code == 200


def test_planned_visit_names_open_issues_and_becomes_the_visit(room, agent):
    issue = issue_of(room.party, seen_by=unit_of_agent(agent))
    browser, day = browser_of(agent), clock.today() + timedelta(days=3)
    entered = {"plan-operator": "room", "plan-day": f"{day}", "plan-purpose": "See the layout."}
    assert "is planned for" in words(browser.post(reverse("plan_visit"), entered, follow=True))
    shown = browser.get(reverse("visits"))
    assert reverse("issue", args=[issue.uuid]) in shown.text
    assert "1 open issue to check on" in words(shown)
    entered["plan-day"] = "2025-01-01"
    assert "in the past" in words(browser.post(reverse("plan_visit"), entered))
    visit = begin_visit(party=room.party, by=agent)
    with without_access_scope():
        plan = VisitPlan.objects.get()
        item = visit.items.get(kind=Kind.ISSUE)
    assert (plan.visit, plan.day, item.issue) == (visit, day, issue)
    look(item=item_of(visit, Kind.ISSUE), outcome=Outcome.DIFFERS, seen="Same sign.", by=agent)
    with pytest.raises(RefusedError, match="6 items were not inspected"):
        end_visit(visit=visit, by=agent)
    end = end_visit(visit=visit, why_not=CLOSED, by=agent)
    with without_access_scope():
        assert [each.issue for each in end.differences.all()] == [issue]
        assert not Finding.objects.exists()  # the issue has its findings already
    with pytest.raises(RefusedError, match="has begun"):
        cancel_plan(plan=plan, reason="Not needed.", by=agent)
    canceled = plan_visit(party=room.party, day=day, by=agent)
    cancel_plan(plan=canceled, reason="Not needed.", by=agent)
    assert "Planned" not in browser.get(reverse("visits")).text.partition("<main")[2]
