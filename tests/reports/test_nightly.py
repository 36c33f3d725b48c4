"""The nightly report prints what the replay has on file, for those who may see it."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from audits.intake.days.models import GamblingDay
from audits.intake.days.writes import supplement_day
from audits.replay.findings.models import Finding, IssueNight
from audits.replay.models import Replay
from audits.review.restitution.reads import restitution
from compliance.access.models import Party
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from compliance.jobs.models import FULL_VERIFICATION, Job
from compliance.jobs.schedule import note_failed
from reports.documents.models import Report, ReportOrder
from reports.documents.registry import About, NothingToReportError
from reports.documents.sheets import body_of as typeset
from reports.documents.sheets import sheet_of
from reports.library.reads import Outcome, compare_with_engine, reproduce
from reports.schedules.making import make_report
from reports.schedules.nights import order_nights
from reports.schedules.orders import order_report
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import browser_of, check_and_post, hidden
from tests.compliance.people import person_as
from tests.reports.made import body_of
from tests.reports.nights import about, closed, inputs_of, played, replayed
from tests.reports.paper.sheets import LONG_NAME, text_of
from tests.reports.working import make_next

pytestmark = pytest.mark.django_db


def squeezed(text: str) -> str:
    return "".join(text.split())


def printed(report: Report) -> str:
    return squeezed("".join(text_of(body_of(report))))


def dollars(cents: int) -> str:
    return f"${cents / 100:,.2f}"


def answered(*call: str) -> dict[str, object]:
    out = StringIO()
    call_command("report", *call, "--json", stdout=out, stderr=StringIO())
    answer: dict[str, object] = json.loads(out.getvalue())
    return answer


def made_all() -> None:
    while make_next():
        pass


def test_nightly_report_is_reproducible(settings, tmp_path):
    room = Room()
    day = played(room.party)
    settings.VAR = tmp_path
    call = ("nightly", "--operator", room.party.code, "--day", str(NIGHT))
    answer = answered(*call)
    with without_access_scope():
        report = Report.objects.get(kind="nightly")
        owed = list(restitution(operator=room.party, day=NIGHT))
        nights = list(IssueNight.objects.filter(day=NIGHT, replay__isnull=False))
        lacking = Finding.objects.filter(issue__code__startswith="night.").count()
    text, replay = printed(report), day.current
    assert replay is not None
    # every tenth of sixty rounds was overpaid by a dollar, at the first seat
    assert sum(each.received for each in owed) == 600
    first = squeezed(text_of(body_of(report))[0])
    assert "Rating:Actionrequired" in first
    assert f"{replay.rounds}roundsat2tables" in first
    assert f"in{len(nights)}issues" in first
    assert f"Playersoverpaid{dollars(600)}" in first
    assert inputs_of(report)["data"]["figures"]["lacking"] == lacking
    assert sum(each.findings for each in nights) == replay.findings
    for night in nights:
        assert str(night.issue.uuid)[:8] in text
    for digest in (replay.digest, replay.fingerprint, replay.engine):
        assert digest in text
    for log in inputs_of(report)["data"]["logs"]:
        assert log["sha256"] in text
    assert "WAC230-15-140(1)" in text
    assert day.checkpoint.splitlines()[2] in text
    assert answer["report"] == str(report.uuid)
    assert answer["body_sha256"] == report.body
    assert answer["signed"] is True
    assert isinstance(answer["leaf"], int)
    assert (tmp_path / "reports" / f"{report.reference}.pdf").read_bytes().startswith(b"%PDF")
    assert answered(*call) == answer  # made once
    again = answered(*call, "--again", report.reference)
    assert again["body_sha256"] == report.body


def test_operator_sees_report_after_release():
    room = Room()
    day = played(room.party, rounds=20)
    report = make_report(kind="nightly", about=about(day))
    browser = browser_of(room.manager)
    address = reverse("report", args=[report.uuid])
    absent = browser.get(reverse("report", args=["00000000-0000-4000-8000-000000000000"]))
    before = browser.get(address)
    assert before.status_code == absent.status_code == 404
    assert report.reference not in browser.get(reverse("reports")).content.decode()
    owed = make_report(kind="restitution", about=about(day))
    log = browser.get(reverse("events")).text
    assert report.reference not in log
    assert owed.reference not in log
    agent = browser_of(person_as(Role.AGENT))
    page = agent.get(address)
    assert f"Release this day to {room.party}" in page.text
    release = reverse("day_release", args=[room.party.code, str(day.day)])
    sent = {"supplements": hidden(page, "supplements")}
    assert check_and_post(agent, release, sent).status_code == 302
    assert "Released to" in agent.get(address).text
    shown = browser.get(address)
    assert shown.status_code == 200
    assert release not in shown.text
    log = browser.get(reverse("events")).text
    for each in (report, owed):
        assert f"({each.reference}) was shown to {room.party}" in log


def test_late_log_makes_a_numbered_supplement():
    room = Room()
    day = played(room.party, rounds=20)
    assert order_nights() == 2  # nightly, restitution
    assert order_nights() == 0
    made_all()
    assert order_nights() == 1  # the summary: every operator is reported
    made_all()
    assert order_nights() == 0
    with without_access_scope():
        on_file(room.party, dealt(6, tables=("T1",), ids="late-"))
        supplement_day(day=day)
        assert order_nights() == 0  # not audited yet
        replayed(room.party)
    assert order_nights() == 2
    made_all()
    assert order_nights() == 1
    made_all()
    assert order_nights() == 0
    with without_access_scope():
        assert list(Report.objects.filter(kind="summary").values_list("number")) == [(2,), (1,)]
        assert not ReportOrder.objects.exclude(state="made").exists()
        first, second = Report.objects.filter(kind="nightly").order_by("number")
        assert second.supplements == first
        assert second.reference.endswith("-2")
        sheet = sheet_of(inputs_of(second))
    changes = {row[0]: row[1:] for row in sheet.tables["changes"].rows}
    assert changes["Rounds audited"] == ("20", "26", "6")
    assert f"supplements{first.reference}" in printed(second)


def test_missed_days_are_reported_once():
    room = Room()
    day = played(room.party, rounds=20)
    supplement_day(day=day)
    assert order_nights() == 2
    ReportOrder.objects.update(state="failed", reason="The disk was full.")
    Job.objects.all().delete()
    assert order_nights() == 1  # the summary, which names the failure: noon is long past
    made_all()
    with without_access_scope():
        summary = Report.objects.get(kind="summary")
    assert "couldnotbemade:Thediskwasfull." in printed(summary)
    nightly = ReportOrder.objects.get(kind="nightly")
    order_report(kind="nightly", about=about(day), by=SYSTEM, number=nightly.number)
    made_all()
    with without_access_scope():
        report = Report.objects.get(kind="nightly")
    assert report.reference.endswith("-2")
    assert report.supplements is None
    assert "Thisreportsupplements" not in printed(report)


def test_issues_add_up_to_the_first_page():
    day = played(Room().party)
    inputs = inputs_of(make_report(kind="nightly", about=about(day)))
    data, rows = inputs["data"], sheet_of(inputs).tables["issues"].rows
    *issues, whole = rows
    # every tenth of sixty rounds was overpaid by a dollar
    assert whole[0] == "All"
    assert whole[3:] == (f"{data['figures']['findings']:,}", "$6.00", "$0.00")
    assert sum(int(each[3]) for each in issues) == data["figures"]["findings"]
    assert all(issue["criteria"] for issue in data["issues"])


def test_incomplete_night_is_not_called_clean():
    room = Room()
    make_report(kind="nightly", about=about(closed(room.party)))
    summary = make_report(kind="summary", about=About(day=NIGHT))
    assert inputs_of(summary)["data"]["sums"]["lacking"] > 0
    assert "Rating:Attention" in printed(summary)


def test_first_page_says_that_verification_found_a_problem():
    room = Room()
    day = closed(room.party)
    note_failed(FULL_VERIFICATION, "1 problem; the first, of audits.issue 7: changed.")
    text = printed(make_report(kind="nightly", about=about(day)))
    assert "1problem;thefirst,ofaudits.issue7:changed." in text
    assert text.index("verificationfindsrecords") < text.index("Notaudited")


def test_day_without_logs_says_so():
    room = Room()
    day = closed(room.party)
    report = make_report(kind="nightly", about=about(day))
    text = printed(report)
    assert "Rating:Notaudited" in text
    assert "Nologwassubmitted" in text
    assert "nologsubmittedforthegamblingday" in text
    with without_access_scope():
        on_file(room.party, dealt(5))
        with pytest.raises(NothingToReportError, match=r"5 rounds .* not all of them are audited"):
            make_report(kind="nightly", about=about(day), number=2)


def test_the_command_says_what_it_cannot_take():
    room = Room()
    for call, says in (
        (("nightly", "--operator", "nobody", "--day", "2025-07-12"), "no party has this code"),
        (("nightly", "--operator", room.party.code, "--day", "12 July"), "write a day as"),
        (("nightly", "--operator", room.party.code, "--day", "2025-07-12"), "has no gambling day"),
        (("nightly", "--day", "2025-07-12"), "Say which operator"),
        (("summary", "--day", "2025-07-12"), "nothing to sum up"),
        (("summary", "--day", "2025-07-12", "--again", "NA-1"), "there is no such summary"),
        (("summary", "--operator", room.party.code, "--day", "2025-07-12"), "leave --operator out"),
    ):
        with pytest.raises(CommandError, match=says) as refused:
            call_command("report", *call, stdout=StringIO())
        assert refused.value.returncode == 2


def test_many_findings_and_long_names_overflow_no_page():
    room = Room()
    with without_access_scope():
        Party.objects.filter(pk=room.party.pk).update(name=LONG_NAME)
    inputs = inputs_of(make_report(kind="nightly", about=about(played(room.party, rounds=4))))
    data = inputs["data"]
    (issue,) = data["issues"][:1]
    data["issues"] = [
        issue
        | {
            "short": f"{number:08}", "path": f"/{number}", "findings": 20,
            "headline": "straight flush on the three card wager " * 5,
            "tables": [f"T{'9' * 28}{number:03}"], "diagnosis": "Paid by the table layout. " * 3,
            "money": {"players": [999_999_999, 888_888_888], "house": [1, 2], "table": [3, 4]},
        }
        for number in range(150)
    ]  # fmt: skip
    text = squeezed("".join(text_of(typeset(inputs).content)))
    assert squeezed(LONG_NAME) in text
    assert "$9,999,999.99" in text
    assert "$1,499,999,998.50" in text  # 150 times as much
    assert "51morerowsareintheattacheddata" in text  # 50 issues, and the row of the sums


def test_replay_under_another_engine_is_compared():
    room = Room()
    report = make_report(kind="nightly", about=about(played(room.party, rounds=20)))
    other = "e" * 64
    with without_access_scope():
        assert compare_with_engine(report) == ""  # by today's engine
        assert "This one has not audited it" in compare_with_engine(report, other)
        Replay.objects.update(engine=other)
        says = compare_with_engine(report, other)
        assert says.endswith("has the same findings, byte for byte.")
        Replay.objects.update(digest="0" * 64, findings=7)
        was = inputs_of(report)["data"]["figures"]["findings"]
        says = f"finds 7 findings; the report has {was}. Of these, {was} are confirmed, 0 changed"
        assert says in compare_with_engine(report, other)


def test_huge_amounts_are_exact():
    room, rounds, much = Room(), 12, 10**15 - 10**10
    with without_access_scope():
        on_file(room.party, spoiled(dealt(rounds, tables=("T1",)), every=1, cents=much))
    replayed(room.party)
    report = make_report(kind="nightly", about=about(closed(room.party)))
    assert rounds * much > 2**53
    assert "Playersoverpaid$119,998,800,000,000.00" in printed(report)
    assert reproduce(report).outcome is Outcome.SAME
    summary = make_report(kind="summary", about=About(day=NIGHT))
    assert "$119,998,800,000,000.00" in printed(summary)


def test_summary_adds_up_and_names_missing_operators():
    room = Room()
    day = played(room.party, rounds=20)
    nightly = make_report(kind="nightly", about=about(day))
    person_as(Role.OPERATOR_MANAGER, "silent")
    with without_access_scope():
        silent = Party.objects.get(code="silent")
        GamblingDay.objects.create(
            party=silent, day=NIGHT, begins=day.begins, ends=day.ends, closes=day.closes
        )
    answer = answered("summary", "--day", str(NIGHT))
    with without_access_scope():
        summary = Report.objects.get(uuid=answer["report"])
        assert {each.party.kind for each in summary.shown_to.all()} == {"commission_unit"}
    figures = inputs_of(nightly)["data"]["figures"]
    text = printed(summary)
    assert "Notcomplete:1nightwithoutareport" in text
    rooms = {row[0]: row[1:] for row in sheet_of(inputs_of(summary)).tables["rooms"].rows}
    assert rooms[silent.name] == ("No report", *["–"] * 7)  # nothing is not zero
    assert rooms[room.party.name][:2] == ("1 of 1", str(figures["rounds"]))
    assert dollars(figures["received"]) in text
    assert nightly.body[:16] in text
