"""The case file contains what agents collected and said, with verifiable proofs, and no more."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from pypdf import PdfReader

from audits.replay.findings.models import Issue
from audits.review.cases.models import Case, CaseItem
from audits.review.cases.writes import (
    Gathered,
    close_case,
    gather,
    open_case,
    recommend,
    take_out,
    write_facts,
)
from audits.review.issues.decisions import StepRequest, take_step
from compliance.access.models import Party
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.event_log.tree import trusted_keys
from compliance.event_log.verifier import InclusionProof, leaf_hash
from compliance.events.canonical import canonical
from compliance.events.models import Event
from reports.documents.case_file import edition
from reports.documents.registry import About
from reports.documents.sheets import sheet_of
from reports.library.reads import Outcome, reproduce
from reports.schedules.making import make_report
from tests.audits.replay.nights import dealt, on_file, spoiled
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import browser_of
from tests.compliance.people import person_as
from tests.reports.made import body_of
from tests.reports.nights import TOO_MUCH, closed, inputs_of, replayed
from tests.reports.paper.sheets import LONG_NAME, text_of

if TYPE_CHECKING:
    from reports.documents.models import Report

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def squeezed(text: str) -> str:
    return "".join(text.split())


def printed(report: Report) -> str:
    return squeezed("".join(text_of(body_of(report))))


class Gathering:
    """A night of ten rounds, every fifth overpaid by a dollar, and a case on it."""

    def __init__(self) -> None:
        self.room = Room()
        self.rounds = spoiled(dealt(10, tables=("T1",)), every=5, cents=TOO_MUCH)
        with without_access_scope():
            on_file(self.room.party, self.rounds)
        replayed(self.room.party)
        self.day = closed(self.room.party)
        self.agent = person_as(Role.AGENT)
        self.case = open_case(
            party=self.room.party, title="Main paid too much", reason="Seen.", by=self.agent
        )
        with without_access_scope():
            self.issues = list(Issue.objects.filter(code="settlement.main"))

    def put(self, kind: CaseItem.Kind, **what: object) -> CaseItem:
        with without_access_scope():
            self.case.refresh_from_db()
        return gather(case=self.case, what=Gathered(kind=kind, **what), by=self.agent)

    def filed(self) -> Report:
        with without_access_scope():
            about = About(subject=self.case.uuid)
            return make_report(kind="case_file", about=about, number=edition(about))


def test_new_case_lists_what_is_missing():
    case = Gathering()
    text = printed(case.filed())
    assert "Apparentviolation" in text
    assert "Nofactshavebeenwritten" in text
    assert "Nolevelofactionhasbeenrecommended" in text
    assert "Thiscasehasnoissues." in text
    assert "Thisoperatorhasnoothercase." in text


def test_case_file_prints_the_databases_figures():
    case = Gathering()
    for issue in case.issues:
        case.put(CaseItem.Kind.ISSUE, issue=issue)
    case.put(CaseItem.Kind.ROUND, round=case.rounds[0]["round"])
    case.put(CaseItem.Kind.ROUND, round="T9-nowhere", text="The player’s ticket names it.")
    case.put(CaseItem.Kind.COMPLAINT, text="I was paid twenty-six dollars on twenty-five.")
    case.put(CaseItem.Kind.DISCLOSURE, text="The dealer was new.")
    wrong = case.put(CaseItem.Kind.FACT, text="It was raining.")
    take_out(item=wrong, reason="Of no concern.", by=case.agent)
    with without_access_scope():
        now = Case.objects.get(pk=case.case.pk)
    write_facts(
        case=now, title=now.title, facts="Two rounds.\n\nAt T1.", edition=now.edition,
        by=case.agent,
    )  # fmt: skip
    form = StepRequest(step="take_up", reason="To be looked at.")
    take_step(issue=case.issues[0], said=form, by=case.agent)
    report = case.filed()
    data, text = inputs_of(report)["data"], printed(report)
    sheet = sheet_of(inputs_of(report))
    moved = {row[1]: (row[3], row[4]) for row in sheet.tables["issues"].rows}
    assert sum(int(rounds) for rounds, _ in moved.values()) == 2
    assert sum(each["over"] for each in data["issues"]) == 2 * TOO_MUCH
    assert all("Apparent violation" in row[6] for row in sheet.tables["issues"].rows)
    assert "Iwaspaidtwenty-sixdollars" in text
    assert "Thedealerwasnew." in text
    assert "Theplayer’sticketnamesit.ThisoperatorhasnoroundwiththisIDonfile" in text
    assert "Tworounds." in text
    assert "fact" not in sheet.tables
    assert [row[1:] for row in sheet.tables["taken-out"].rows] == [
        ("Fact: It was raining.", case.agent.name, "Of no concern.")
    ]
    assert "Tobelookedat." in text
    assert "$1.00overpaid" in text
    assert reproduce(report).outcome is Outcome.SAME


def test_case_file_proves_each_event():
    case = Gathering()
    case.put(CaseItem.Kind.ISSUE, issue=case.issues[0])
    take_step(issue=case.issues[0], said=StepRequest(step="take_up", reason="Now."), by=case.agent)
    report = case.filed()
    rows = inputs_of(report)["data"]["events"]["rows"]
    assert [each["type"] for each in rows] == ["case.opened", "case.gathered", "issue.decided"]
    for each in rows:
        event = Event.objects.select_related("placed").get(uuid=each["uuid"])
        proof = InclusionProof.parse(each["proof"])
        proof.check(leaf_hash(canonical(event.leaf())), trusted_keys())
        assert proof.index == event.placed.index == each["leaf"]
        assert squeezed(each["hash"]) in printed(report)


def test_the_level_is_an_agent_s_with_name_and_reason():
    case = Gathering()
    with without_access_scope():
        now = Case.objects.get(pk=case.case.pk)
    recommend(
        case=now, level=Case.Level.WRITTEN_WARNING, reason="It happened twice.", by=case.agent
    )
    facts = printed(case.filed())
    assert "LevelWrittenwarning" in facts
    assert squeezed(f"Recommended by {case.agent.name}") in facts
    assert "Ithappenedtwice." in facts


def test_each_case_state_has_its_own_edition():
    case = Gathering()
    first = case.filed()
    assert case.filed().pk == first.pk
    with without_access_scope():
        now = Case.objects.get(pk=case.case.pk)
    recommend(case=now, level=Case.Level.NONE, reason="Corrected at once.", by=case.agent)
    close_case(case=now, reason="Done.", by=case.agent)
    second = case.filed()
    assert second.number > first.number
    assert second.supplements == first
    later = open_case(party=case.room.party, title="Again", reason="Seen again.", by=case.agent)
    case.case = later
    history = sheet_of(inputs_of(case.filed())).tables["cases"].rows
    assert [(row[0], row[4]) for row in history] == [(now.number, "No action")]


def test_long_case_file_stays_on_its_pages():
    case = Gathering()
    with without_access_scope():
        Party.objects.filter(pk=case.room.party.pk).update(name=LONG_NAME)
        Issue.objects.filter(party=case.room.party).update(
            over=999_999_999, under=888_888_888, diagnosis="Paid by the table layout. " * 20
        )
        now = Case.objects.get(pk=case.case.pk)
    for issue in case.issues:
        case.put(CaseItem.Kind.ISSUE, issue=issue)
    facts = "\n".join(["A paragraph of the facts, again and again. " * 40] * 12 + ["x" * 4_000])
    write_facts(case=now, title="W" * 120, facts=facts, edition=0, by=case.agent)
    report = case.filed()
    text = printed(report)
    assert squeezed(LONG_NAME) in text
    assert "$9,999,999.99" in text
    outline = PdfReader(BytesIO(body_of(report))).outline
    titles = [each.title for each in outline if not isinstance(each, list)]
    assert titles[:3] == ["Facts", "Issues", "Decisions on these issues"]
    json.dumps(inputs_of(report))


def test_a_case_file_is_the_commission_s_alone():
    case = Gathering()
    address = reverse("report_about", args=["case_file", case.case.uuid])
    absent = reverse("report_about", args=["case_file", "00000000-0000-4000-8000-000000000000"])
    outside = browser_of(case.room.manager)
    assert outside.get(address).status_code == 404
    browser = browser_of(case.agent)
    assert browser.get(absent).status_code == 404
    assert browser.get(address).status_code == 200
    report = case.filed()
    assert report.reference not in outside.get(reverse("events")).text
    with without_access_scope():
        assert {each.party.kind for each in report.shown_to.all()} == {"commission_unit"}
    assert browser.get(address)["Location"] == reverse("report", args=[report.uuid])
