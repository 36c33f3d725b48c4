"""Queue pages: assignees, overdue issues, saved filters, bulk actions, files, cover."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, timedelta
from html import unescape
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audits.replay.findings.models import Finding, Issue
from audits.review.issues.assignments import arrange_cover, claim, escalate
from audits.review.issues.decisions import StepRequest, take_step
from audits.review.issues.models import Cover, Decision, Proposal, Work
from audits.review.issues.writes import name_clauses
from audits.review.queue.models import SavedFilter
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.queue.issues import OPENED, issue_of, unit_of_agent, work_on
from tests.compliance.pages.browsing import browser_as, browser_of, check_and_post, words
from tests.compliance.people import made_person, party_for

if TYPE_CHECKING:
    from compliance.access.models import Party, Person

pytestmark = pytest.mark.django_db
WORK = "/work/"
MANY = "/work/many/"


@pytest.fixture
def colleague(agent: Person) -> Person:
    return made_person("colleague", unit_of_agent(agent), Role.AGENT)


@pytest.fixture
def room(agent: Person) -> Party:
    return party_for(Role.OPERATOR_MANAGER, "room")


def queue(room: Party, agent: Person, *tables: str, **fields: Any) -> list[Issue]:
    """Create unassigned issues at the tables."""
    unit = unit_of_agent(agent)
    made = [issue_of(room, seen_by=unit, table=table, **fields) for table in tables]
    for each in made:
        work_on(issue=each, unit=unit)
    return made


def tables(answer: Any) -> list[str]:
    return [row.table for row in answer.context["cut"].rows]


def ticked(*issues: Issue) -> list[str]:
    with without_access_scope():
        held = {each.issue_id: each.edition for each in Work.objects.all()}
    return [f"{each.uuid}.{held[each.pk]}" for each in issues]


def state_of(issue: Issue) -> str:
    with without_access_scope():
        return Issue.objects.get(pk=issue.pk).state


def test_mine_my_units_and_all_are_what_they_say(browser, agent, colleague, room):
    mine, theirs, _ = queue(room, agent, "T1", "T2", "T3")
    claim(issue=mine, by=agent)
    claim(issue=theirs, by=colleague)
    other = party_for(Role.AGENT, "northern-unit")
    [elsewhere] = queue(room, agent, "T4")
    with without_access_scope():
        Work.objects.filter(issue=elsewhere).update(unit=other)
    assert tables(browser.get(WORK)) == ["T1"]
    assert tables(browser.get(WORK, {"whose": "unit"})) == ["T1", "T2", "T3"]
    assert tables(browser.get(WORK, {"whose": "all"})) == ["T1", "T2", "T3", "T4"]
    assert tables(browser.get(WORK, {"whose": "unit", "queue": "nobody"})) == ["T3"]


def test_deputy_sees_the_absent_persons_queue_those_days(browser, agent, colleague, room):
    [theirs] = queue(room, agent, "T1")
    claim(issue=theirs, by=colleague)
    assert tables(browser.get(WORK)) == []
    today = clock.today()
    arrange_cover(absent=colleague, covering=agent, first=today, last=today, by=colleague)
    assert tables(browser.get(WORK)) == ["T1"]
    with clock.standing_at(clock.now() + timedelta(days=1)):
        assert tables(browser.get(WORK)) == []


def test_impact_comes_first_unless_sorted_by_due_date(browser, agent, room):
    # Opened on Monday, July 14, 2025: money is due on Thursday the 17th, procedure on the 22nd.
    queue(room, agent, "T1", weight="procedure", code="deal.count")
    queue(room, agent, "T2", weight="money")
    with clock.standing_at(OPENED + timedelta(days=4)):
        shown = browser.get(WORK, {"whose": "unit"})
        assert words(shown).count("✕ Late") == 1
        for asked, order in (
            ({}, ["T1", "T2"]),
            ({"sort": "due", "group": "none"}, ["T2", "T1"]),
            ({"sort": "due", "group": "none", "reverse": "on"}, ["T1", "T2"]),
            ({"sort": "due"}, ["T1", "T2"]),  # within their groups of severity
        ):
            assert tables(browser.get(WORK, {"whose": "unit", **asked})) == order
        assert tables(browser.get(WORK, {"whose": "unit", "due": "late"})) == ["T2"]
        assert tables(browser.get(WORK, {"whose": "unit", "due": "week"})) == ["T1"]


def test_decided_issue_leaves_the_queue_and_counts(browser, agent, room):
    one, two = queue(room, agent, "T1", "T2")
    for each in (one, two):
        claim(issue=each, by=agent)
    take_step(issue=one, said=StepRequest(step="dismiss", reason="Misread"), by=agent)
    shown = browser.get(WORK)
    assert tables(shown) == ["T2"]
    assert "1 of 2 decided in this shift" in words(shown)
    with clock.standing_at(clock.now() + timedelta(hours=13)):
        assert browser.get(WORK).context["progress"].of == 1


def test_questions_due_day_restarts_after_withdrawn_decision(agent, room):
    asked, decided = queue(room, agent, "T1", "T2")
    until = date(2999, 1, 4)
    take_step(issue=asked, said=StepRequest(step="ask", reason="Why?", until=until), by=agent)
    for step in ("dismiss", "reopen"):
        take_step(issue=decided, said=StepRequest(step=step, reason="So"), by=agent)
    with without_access_scope():
        assert Work.objects.get(issue=asked).due == until
        assert Work.objects.get(issue=decided).due > clock.today()


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("R-77", ["T1"]),
        ("r-77", []),
        ("T2", ["T2"]),
        ("patron-9", ["T2"]),
        ("$100.00", ["T1"]),
        ("-$100", ["T1"]),
        ("$1,234.56", ["T2"]),
        ("PP-28", ["T1"]),
        ("PP-31", ["T1"]),
        ("pp-28", ["T1"]),
        ("Deal.Count", ["T2"]),
        ("PP-2", []),
        ("deal.count", ["T2"]),
        ("100", ["T1"]),
        ("1,234.56", ["T2"]),
        ("100.5", []),
        ("%", []),
        ("' OR 1=1 --", []),
        ("$99999999999999999", []),
    ],
)
def test_search_finds_round_table_player_amount_and_code(browser, agent, room, typed, shown):
    [one] = queue(room, agent, "T1")
    [two] = queue(room, agent, "T2", code="deal.count", over=123456)
    with without_access_scope():
        for issue, fields in (
            (one, {"round": "R-77", "delta": -10000, "cites": ["PP-28", "PP-I1"]}),
            (two, {"round": "R-78", "player": "patron-9", "cites": ["PP-3"]}),
        ):
            day = date(2025, 7, 12)
            Finding.objects.create(issue=issue, identity=f"{issue.pk:032}", day=day, **fields)
            name_clauses(issue=issue, cites=fields["cites"])
        name_clauses(issue=one, cites=["PP-28", "PP-31"])  # of findings that aren't shown
    for address in (WORK, "/findings/"):
        answer = browser.get(address, {"q": typed, "whose": "all"})
        assert sorted(row.table for row in answer.context["cut"].rows) == shown


def test_agents_first_page_links_unassigned_and_own_issues(browser, agent, room):
    mine, free = queue(room, agent, "T1", "T2")
    claim(issue=mine, by=agent)
    page = browser.get("/")
    assert "Choose an issue and assign it to yourself: 1 issue is unassigned" in words(page)
    assert reverse("issue", args=[mine.uuid]) in page.text
    assert reverse("issue", args=[free.uuid]) not in page.text
    assert "supervisors" not in words(page)
    theirs = words(browser_as(Role.OPERATOR_MANAGER, "room").get("/"))
    for inside in ("nobody’s queue", "Your queue"):
        assert inside not in theirs


def test_first_page_links_unassigned_proposed_and_escalated(
    browser, agent, colleague, room, settings
):
    free, escalated = queue(room, agent, "T1", "T2")
    [dear] = queue(room, agent, "T3", over=settings.SECOND_APPROVAL_ABOVE + 1)
    for each in (escalated, dear):
        claim(issue=each, by=colleague)
    escalate(issue=escalated, reason="Much", by=colleague)
    take_step(issue=dear, said=StepRequest(step="dismiss", reason="Misread"), by=colleague)
    supervisor = browser_of(made_person("boss", unit_of_agent(agent), Role.SUPERVISOR))
    links = re.findall(r'href="(/work/\?[^"]*)">([^:<]*):', supervisor.get("/").text)
    led = {says: tables(supervisor.get(unescape(address))) for address, says in links}
    assert led == {
        "Choose an issue and assign it to yourself": ["T1"],
        "Approve or reject what colleagues proposed": ["T3"],
        "Look at what was escalated to the supervisors": ["T2"],
    }
    assert "1 decision waits for a second person" in words(browser.get("/"))
    assert "proposed by Colleague" in words(browser.get(WORK, {"whose": "all"}))
    del free


def test_what_narrows_the_list_stands_in_one_line_above_it(browser, agent, room):
    queue(room, agent, "T1")
    shown = words(browser.get(WORK, {"whose": "unit", "queue": "nobody", "due": "week", "q": "T1"}))
    assert "Filters: Due: Within seven days, Assigned to: Nobody" in shown
    assert "Filters:" not in words(browser.get(WORK, {"whose": "unit"}))


def test_money_moved_counts_both_ways_together(browser, agent, room):
    queue(room, agent, "T1", over=6000, under=-4000)
    for asked, shown in (("100", ["T1"]), ("100.01", [])):
        assert tables(browser.get(WORK, {"whose": "all", "moved": asked})) == shown


@pytest.mark.parametrize(
    "asked",
    [
        {"q": "\x00"},
        {"q": "T\u202e1"},
        {"q": "x" * 65},
        {"whose": "everyone"},
        {"due": "yesterday"},
        {"queue": "' OR 1=1"},
        {"moved": "NaN"},
        {"moved": "-1"},
        {"moved": "1e400"},
        {"state": "<script>alert(1)</script>"},
        {"day": "0001-01-01"},
    ],
)
def test_unreadable_filter_shows_nothing_and_says_so(browser, agent, room, asked):
    queue(room, agent, "T1")
    answer = browser.get(WORK, {"whose": "all", **asked})
    assert answer.status_code == 422
    assert tables(answer) == []
    assert "<script>alert" not in answer.text
    assert browser.get("/work/export/", {"whose": "all", "as": "csv", **asked}).status_code == 422


@pytest.mark.parametrize("mark", ["", "x", "1:2:3", "\x00", "a" * 5000])
def test_a_mark_of_a_page_that_is_none_shows_the_first(browser, agent, room, mark):
    queue(room, agent, "T1")
    assert tables(browser.get(WORK, {"whose": "all", "after": mark})) == ["T1"]


def test_list_queries_do_not_grow_by_page(browser, agent, room):
    queue(room, agent, "A0")
    asked = {"whose": "all", "operator": "room"}
    browser.get(WORK, asked)
    with CaptureQueriesContext(connection) as few:
        browser.get(WORK, asked)
    queue(room, agent, *(f"A{number}" for number in range(1, 60)))
    with CaptureQueriesContext(connection) as many:
        first = browser.get(WORK, asked)
    assert len(many) == len(few)
    second = browser.get(WORK + first.context["cut"].on)
    assert sorted(tables(first) + tables(second)) == sorted(f"A{number}" for number in range(60))
    assert len(tables(second)) == 10


def test_agents_first_page_queries_do_not_grow(browser, agent, room):
    def first_page(*numbers: int) -> int:
        for each in queue(room, agent, *(f"A{number}" for number in numbers)):
            claim(issue=each, by=agent)
        queue(room, agent, *(f"B{number}" for number in numbers))
        browser.get("/")
        with CaptureQueriesContext(connection) as queries:
            shown = words(browser.get("/"))
        assert "Choose an issue and assign it to yourself" in shown
        assert "Your queue is empty" not in shown
        return len(queries)

    assert first_page(0) == first_page(*range(1, 8))


def test_saved_filter_is_shared_and_removed_by_owner(browser, colleague, agent):
    other = browser_of(colleague)
    said = {"name": "Late <money>", "query": "whose=unit&due=late&after=x&evil=1", "shared": "on"}
    kept = browser.post("/work/filters/", said)
    assert kept.url == "/work/?whose=unit&due=late"
    assert "Late &lt;money&gt;" in other.get(WORK).text
    number = SavedFilter.objects.get().uuid
    refused = other.post("/work/filters/remove/", {"filter": number}, follow=True)
    assert "belongs to a colleague" in words(refused)
    browser.post("/work/filters/", said | {"shared": ""})  # the same name replaces it
    assert "Late &lt;money&gt;" not in other.get(WORK).text
    browser.post("/work/filters/remove/", {"filter": number})
    assert not SavedFilter.objects.exists()


@pytest.mark.parametrize("name", ["", "x" * 61, "a\u202eb"])
def test_a_filter_wants_a_name_that_can_be_read(browser, name):
    answer = browser.post("/work/filters/", {"name": name, "query": "due=late"})
    assert answer.status_code == 422
    assert not SavedFilter.objects.exists()


class TestMany:
    def test_preview_precedes_the_act(self, browser, agent, colleague, room):
        free, taken, closed = queue(room, agent, "T1", "T2", "T3")
        claim(issue=taken, by=colleague)
        take_step(issue=closed, said=StepRequest(step="dismiss", reason="No"), by=colleague)
        chosen = {"act": "claim", "issue": ticked(free, taken, closed)}
        preview = browser.post(MANY, chosen)
        assert "1 of 3 issues will change. Nothing has happened yet." in words(preview)
        assert "Colleague has it" in words(preview)
        assert "was decided" in words(preview)
        with without_access_scope():
            assert Work.objects.get(issue=free).assigned_to is None
        done = browser.post(MANY, chosen | {"stage": "do"})
        assert "done for 1 of 3" in words(done)
        with without_access_scope():
            assert Work.objects.get(issue=free).assigned_to == agent
            assert Work.objects.get(issue=taken).assigned_to == colleague

    def test_bulk_decision_lists_what_needs_second_approval(self, browser, agent, room, settings):
        one, two = queue(room, agent, "T1", "T2")
        [dear] = queue(room, agent, "T3", over=settings.SECOND_APPROVAL_ABOVE + 1)
        chosen = {"act": "decide", "issue": ticked(one, two, dear)}
        assert "Why" in words(browser.post(MANY, chosen))
        missing = browser.post(MANY, chosen | {"stage": "preview", "step": "ask", "reason": "How?"})
        assert missing.status_code == 422
        assert "requires a date" in words(missing)
        said = chosen | {"stage": "preview", "step": "confirm", "reason": "The layout <b>"}
        preview = browser.post(MANY, said)
        assert "2 issues Confirmed violation" in words(preview)
        assert "1 issue proposed: Confirmed violation; a second person" in words(preview)
        assert [each.issue for each in preview.context["done"].data] == [one, two, dear]
        assert "overpaid, 3 rounds settlement.three_card proposed: Confirmed" in words(preview)
        done = browser.post(MANY, said | {"stage": "do"})
        assert "done for 3 of 3" in words(done)
        assert [state_of(each) for each in (one, two, dear)] == ["confirmed", "confirmed", "new"]
        with without_access_scope():
            assert Proposal.objects.get().reason == "The layout <b>"
        again = browser.post(MANY, said | {"stage": "do"})  # a double click
        assert "done for 3 of 3" in words(again)
        with without_access_scope():
            assert Decision.objects.count() == 2

    def test_what_changed_since_it_was_shown_is_left_as_it_is(
        self, browser, agent, colleague, room
    ):
        one, two = queue(room, agent, "T1", "T2")
        said = {
            "act": "decide",
            "issue": ticked(one, two),
            "stage": "do",
            "step": "dismiss",
            "reason": "No",
        }
        claim(issue=two, by=colleague)
        done = browser.post(MANY, said)
        assert "done for 1 of 2" in words(done)
        assert "while you were looking at it" in words(done)
        assert state_of(two) == "new"

    def test_bulk_decision_is_withdrawn_by_its_own_step(self, browser, agent, room):
        [one] = queue(room, agent, "T1")
        said = {"act": "decide", "stage": "do", "step": "dismiss", "reason": "No"}
        done = browser.post(MANY, said | {"issue": ticked(one)})
        assert "Reverse these decisions" in words(done)
        back = {"act": "decide", "step": "reopen", "issue": done.context["again"]}
        assert '<option value="reopen" selected' in browser.post(MANY, back).text
        browser.post(MANY, back | {"stage": "do", "reason": "Too fast"})
        assert state_of(one) == "under_review"

    def test_bulk_assignment_is_undone(self, browser, agent, room):
        [one] = queue(room, agent, "T1")
        done = browser.post(MANY, {"act": "claim", "stage": "do", "issue": ticked(one)})
        back = {"act": "give", "to": "nobody", "issue": done.context["again"]}
        browser.post(MANY, back | {"stage": "do"})
        with without_access_scope():
            assert Work.objects.get(issue=one).assigned_to is None

    def test_agent_reassigns_own_and_supervisor_any_issue(self, browser, agent, colleague, room):
        mine, theirs = queue(room, agent, "T1", "T2")
        claim(issue=mine, by=agent)
        claim(issue=theirs, by=colleague)
        said = {"act": "give", "stage": "do", "to": colleague.uuid}
        done = browser.post(MANY, said | {"issue": ticked(mine, theirs)})
        assert "done for 1 of 2" in words(done)
        supervisor = browser_of(made_person("boss", unit_of_agent(agent), Role.SUPERVISOR))
        said |= {"to": agent.uuid, "issue": ticked(mine, theirs)}
        assert "done for 2 of 2" in words(supervisor.post(MANY, said))

    def test_all_that_the_filters_show_are_chosen_together(self, browser, agent, room):
        queue(room, agent, *(f"A{number}" for number in range(60)))
        queue(room, agent, "T1", code="deal.count")
        query = "whose=unit&code=settlement.three_card"
        preview = browser.post(MANY, {"act": "claim", "every": "yes", "query": query})
        assert "60 of 60 issues will change" in words(preview)

    @pytest.mark.parametrize(
        "sent",
        [
            {},
            {"act": "forget"},
            {"act": "claim"},
            {"act": "claim", "issue": ["x", "1.2", ".", "\x00.1"]},
            {"act": "claim", "issue": ["00000000-0000-0000-0000-000000000000.0"]},
            {"act": "claim", "issue": ["00000000-0000-0000-0000-000000000000.-1"]},
        ],
    )
    def test_what_chooses_nothing_leads_back(self, browser, sent):
        assert browser.post(MANY, sent).status_code == 302

    def test_preview_queries_do_not_grow_with_selection(self, browser, agent, room):
        issues = queue(room, agent, *(f"A{number}" for number in range(20)))
        said = {"act": "decide", "stage": "preview", "step": "dismiss", "reason": "No"}
        counted = []
        for chosen in (issues[:1], issues[:1], issues):
            with CaptureQueriesContext(connection) as queries:
                browser.post(MANY, said | {"issue": ticked(*chosen)})
            counted.append(len(queries))
        assert counted[1] == counted[2]


class TestFiles:
    def test_a_cell_that_a_spreadsheet_would_compute_is_text(self, browser, agent, room):
        queue(room, agent, "=1+1", over=12345)
        queue(room, agent, "@SUM(A1)", under=-5)
        answer = browser.get("/work/export/", {"whose": "all", "as": "csv"})
        assert "attachment" in answer["Content-Disposition"]
        text = b"".join(answer.streaming_content).decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [row["Table"] for row in rows] == ["'=1+1", "'@SUM(A1)"]
        assert [row["Overpaid (USD)"] for row in rows] == ["123.45", "0.00"]
        assert rows[1]["Underpaid (USD)"] == "-0.05"
        sheet = browser.get("/work/export/", {"whose": "all", "as": "xlsx"})
        with ZipFile(io.BytesIO(b"".join(sheet.streaming_content))) as book:
            cells = book.read("xl/worksheets/sheet1.xml").decode()
        assert "<f>" not in cells
        assert re.findall(r't="inlineStr"><is><t>([=@][^<]*)', cells) == ["=1+1", "@SUM(A1)"]

    def test_a_file_holds_what_the_filters_show_and_no_more(self, browser, agent, room):
        queue(room, agent, "T1")
        queue(room, agent, "T2", code="deal.count")
        asked = {"whose": "all", "code": "deal.count"}
        text = b"".join(browser.get("/work/export/", asked).streaming_content).decode()
        assert ",T2," in text
        assert ",T1," not in text

    def test_operators_file_has_no_internal_content(self, agent, room):
        shown, _ = queue(room, agent, "T1", "T2")
        claim(issue=shown, by=agent)
        check_and_post(browser_of(agent), reverse("release_issue", args=[shown.uuid]), {})
        manager = browser_as(Role.OPERATOR_MANAGER, "room")
        text = b"".join(manager.get("/findings/export/").streaming_content).decode()
        assert ",T1," in text
        for secret in (",T2,", agent.name, "State", "New"):
            assert secret not in text


def test_cover_is_arranged_and_ended_in_pages(browser, agent, colleague):
    today = clock.today().isoformat()
    said = {"absent": agent.uuid, "covering": colleague.uuid, "first": today, "last": today}
    assert browser.post("/work/cover/", said | {"absent": colleague.uuid}).status_code == 422
    assert browser.post("/work/cover/", said).status_code == 302
    with without_access_scope():
        cover = Cover.objects.get()
    assert "Colleague" in words(browser.get("/work/cover/"))
    browser.post("/work/cover/end/", {"cover": cover.uuid})
    refused = browser.post("/work/cover/end/", {"cover": cover.uuid}, follow=True)
    assert "already ended" in words(refused)


def test_auditor_reads_queue_without_assignments(agent, room):
    queue(room, agent, "T1")
    shown = browser_as(Role.AUDITOR).get(WORK)
    assert tables(shown) == ["T1"]
    assert "Assign to me" not in words(shown)
