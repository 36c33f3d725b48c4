"""Each report says what was filed and decided; expected figures are the filings' own."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from compliance.access.scope import without_access_scope
from compliance.files.archive import current_archive, read_bytes
from compliance.filings.requests.models import GameRequest
from compliance.filings.requests.writes import refuse_request
from games.rule_set import rule_set
from reports.documents.registry import About, NothingToReportError
from reports.documents.sheets import sheet_of
from reports.library.verification import check_pdf
from reports.rendering.blocks import Callout, Change, Changed, Facts, Heading, Points, Rows, Words
from reports.schedules.making import make_report
from tests.compliance.controls.examples import GOOD
from tests.compliance.controls.filing import Room, bring_into_effect, local, only_pyramid, submitted
from tests.compliance.games.filing import maker_and_officer, under_review
from tests.reports.made import approval_letter, body_of, file_of
from tests.reports.paper.sheets import text_of

if TYPE_CHECKING:
    from reports.documents.models import Report
    from reports.rendering.blocks import Block, Sheet

pytestmark = pytest.mark.django_db


def inputs_of(report: Report) -> dict[str, Any]:
    return json.loads(read_bytes(current_archive(), report.inputs))


def report_sheet(report: Report) -> Sheet:
    """Return a report's sheet, checking that its file answers every question and matches it."""
    sheet = sheet_of(inputs_of(report))
    assert all(check.holds for check in check_pdf(file_of(report)).checks)
    printed = squeezed("".join(text_of(body_of(report))))
    for block in sheet.blocks:
        for text in texts_of(block):
            assert squeezed(text) in printed, text
    return sheet


def squeezed(text: str) -> str:
    return "".join(text.split())


def texts_of(block: Block) -> list[str]:
    if isinstance(block, Heading | Words):
        return [block.says]
    if isinstance(block, Callout):
        return [block.heading, block.says]
    if isinstance(block, Facts):
        return [value for _, value in block.rows if len(value) < 60]
    if isinstance(block, Rows):
        return [cell for row in block.rows for cell in row if len(cell) < 12]
    return []


def of_kind(sheet: Sheet, kind: type) -> list[Any]:
    return [block for block in sheet.blocks if isinstance(block, kind)]


def test_approval_letter_is_complete():
    report = approval_letter()
    sheet = report_sheet(report)
    data = inputs_of(report)["data"]
    conditions, tribal, distribution = of_kind(sheet, Points)
    assert len(conditions.says) == 4  # the standard conditions of the commercial path
    assert conditions.numbered
    assert "licensed by the state first" in conditions.says[2]
    assert "concurrence" in tribal.says[1]
    assert "Appendix A, Section 18" in tribal.says[2]
    assert distribution.says == ("The maker", "The commission-unit")
    assert sheet.addressed[-1] == "The maker"
    facts = dict(row for block in of_kind(sheet, Facts) for row in block.rows)
    assert facts["Digest"] == data["digest"]
    with without_access_scope():
        rules = GameRequest.objects.get().rule_version
        (file,) = rules.documents.get().document_version.files.all()
    assert facts[file.name] == file.sha256


def test_denial_letter_gives_reasons_and_next_steps():
    maker, officer = maker_and_officer()
    denial = refuse_request(
        request=under_review(maker, officer), reasons="The pay table is not whole.", by=officer
    )
    sheet = report_sheet(make_report(kind="denial_letter", about=About(subject=denial.uuid)))
    assert sheet.title == "Denial of Pyramid Poker, version 1"
    words = [block.says for block in of_kind(sheet, Words)]
    assert "The pay table is not whole." in words
    assert any("a request that answers these reasons" in each.lower() for each in words)


def test_of_nothing_there_is_no_letter():
    _, officer = maker_and_officer()
    with pytest.raises(NothingToReportError, match="There is no approval"):
        make_report(kind="approval_letter", about=About(subject=officer.uuid))
    with pytest.raises(NothingToReportError, match="about one thing"):
        make_report(kind="approval_letter", about=About())


def test_approved_controls_mark_changes():
    room = Room()
    other = only_pyramid()
    other["texts"] = {**GOOD["texts"], "tips": "Tips are pooled.\nThe pool is counted daily."}
    next_version = submitted(room.manager, other)
    bring_into_effect(next_version, room.officer, local(2099, 3, 1, 6))
    first = report_sheet(
        make_report(kind="controls_as_approved", about=About(subject=room.version.uuid))
    )
    assert all(mark is Change.SAME for each in of_kind(first, Changed) for mark, _ in each.lines)
    assert "No version was approved before this one" in of_kind(first, Words)[0].says
    report = make_report(kind="controls_as_approved", about=About(subject=next_version.uuid))
    sheet = report_sheet(report)
    assert "Changes from version 1" in of_kind(sheet, Words)[0].says
    marked = {
        (mark, line)
        for block in of_kind(sheet, Changed)
        for mark, line in block.lines
        if mark is not Change.SAME
    }
    assert {line for mark, line in marked if mark is Change.ADDED} == {
        "Tips are pooled.",
        "The pool is counted daily.",
    }
    assert {line for mark, line in marked if mark is Change.REMOVED} == set(
        GOOD["texts"]["tips"].splitlines()
    )


def test_unapproved_controls_are_no_report():
    room = Room()
    waiting = submitted(room.manager, {**only_pyramid(), "submission_hours": 5})
    with pytest.raises(NothingToReportError, match="No one has approved"):
        make_report(kind="controls_as_approved", about=About(subject=waiting.uuid))


def test_rules_have_every_clause_line_and_interpretation():
    maker, officer = maker_and_officer()
    rules = under_review(maker, officer).rule_version
    sheet = report_sheet(make_report(kind="rules_as_read", about=About(subject=rules.uuid)))
    engine = rule_set("pyramid-poker")
    assert [row[0] for row in sheet.tables["clauses"].rows] == list(engine.clauses)
    # PP-28, from the rules of play: 50, 30, 20, 5, 2 and 1 to 1; no layout was filed
    table = sheet.tables["three-card"]
    assert [row[1] for row in table.rows] == ["50", "30", "20", "5", "2", "1"]
    assert table.rows[1] == ("Straight flush", "30")
    readings = sheet.tables["readings"].rows
    assert [row[0] for row in readings] == list(engine.interpretations)
    assert {row[3] for row in readings} == {"Nobody yet", "The only reading"}


def test_in_effect_lists_limits_cap_and_basis_of_a_day():
    room = Room()
    about = About(party=room.party, day=date(2025, 7, 12))
    sheet = report_sheet(make_report(kind="in_effect_on_a_day", about=about))
    assert "July 12, 2025" in sheet.title
    limits = GOOD["games"]["pyramid-poker"]["tables"]["T1"]
    shown = {
        row
        for name, table in sheet.tables.items()
        if name.startswith("limits")
        for row in table.rows
    }
    low, high = limits["main"]
    assert (
        "T1",
        "Main",
        f"${low // 100:,}.{low % 100:02}",
        f"${high // 100:,}.{high % 100:02}",
    ) in shown
    headings = [block.heading for block in of_kind(sheet, Callout)]
    # a Saturday, approved round the clock; on Sunday the room is closed from midnight to cut-off
    assert headings == ["Authorized", "Not authorized"]
    assert "The approved hours do not cover this instant." in of_kind(sheet, Callout)[1].says


def test_before_its_controls_nothing_was_authorized():
    room = Room()
    about = About(party=room.party, day=date(2025, 1, 20))
    sheet = report_sheet(make_report(kind="in_effect_on_a_day", about=about))
    assert "Authorized" not in [block.heading for block in of_kind(sheet, Callout)]
    assert any("No internal controls were in effect" in b.says for b in of_kind(sheet, Callout))
