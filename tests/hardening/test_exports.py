"""Everything that leaves the system as a file, or in bulk, is an event in the log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.http import StreamingHttpResponse

from audits.replay.models import Replay, ReplaySegment
from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.exports import record_export
from compliance.events.models import Event, PersonalData
from compliance.files.downloads import as_file
from compliance.project.settings import BASE_DIR
from tests.compliance.accounts.test_addresses import as_role, of_party, reach
from tests.compliance.addresses import ANYONE, ROWS, SIGNED_IN
from tests.compliance.api.addresses import OPENED
from tests.compliance.api.programs import Program, key_for, maker_of
from tests.compliance.api.test_access_scope import path_of
from tests.compliance.filings import filings_of
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

pytestmark = pytest.mark.anywhere

EXPORTS = {"export.made", "log.exported"}
NOT_AN_EXPORT = {
    "log_verifier": "the script, open to anyone",
    "log_witness": "the program, open to anyone",
    "event_proof": "hashes alone",
    "round_log_proof": "hashes alone",
    "api_round_log_proof": "hashes alone",
    "log_schema": "the format of a game's lines, without any operator's data",
    "csv_template": "the columns of a game, without any operator's data",
    "xlsx_template": "the columns of a game, without any operator's data",
    "mfa_download_recovery_codes": "allauth's, of the reader's own codes",
}
ATTACHED = {
    *("event_content", "export_events", "document_file", "round_log_file", "rejected_lines"),
    *("request_document_file", "sealed_exhibits"),
    *("export_work", "export_issues", "mapping_file", "report_file", "report_data", "report_table"),
    *("api_document_file", "api_round_log_file", "api_rejected_lines", "api_findings_of_replay"),
    *("api_report_file", "api_report_data", "api_report_table"),
}
"""The addresses that answered with a file when this was written; new exports add theirs."""


def is_attached(answer: HttpResponseBase) -> bool:
    return answer.headers.get("Content-Disposition", "").startswith("attachment")


def newest() -> tuple[int, Event | None]:
    event = Event.objects.order_by("pk").last()
    return (event.pk if event else 0), event


def drained(answer: HttpResponseBase) -> None:
    if answer.streaming:
        b"".join(answer.streaming_content)


@pytest.mark.django_db
def test_every_attachment_of_a_page_is_an_event(settings, tmp_path):
    settings.ARCHIVE_URL = str(tmp_path)
    person_as(Role.OPERATOR_MANAGER, "cedar")
    things = of_party(party_for(Role.OPERATOR_MANAGER, "cedar"))
    attached = set()
    closed = [name for name, row in ROWS.items() if row.open_to not in {ANYONE, SIGNED_IN}]
    reads = [name for name in closed if ROWS[name].method == "get" or name == "export_events"]
    for role in (Role.AUDITOR, Role.SUPERVISOR):
        client = as_role(role)
        for name in reads:
            before, _ = newest()
            answer = reach(client, name, things)
            if is_attached(answer) and name not in NOT_AN_EXPORT:
                number, event = newest()
                assert number > before, name
                assert event.type in EXPORTS, name
                attached.add(name)
            drained(answer)
    assert attached == {name for name in ATTACHED if not name.startswith("api_")}


@pytest.mark.django_db
def test_every_api_attachment_and_list_is_an_event(settings, tmp_path):
    settings.ARCHIVE_URL = str(tmp_path)
    maker_of(Role.OPERATOR_MANAGER, "there")
    party = party_for(Role.OPERATOR_MANAGER, "there")
    with without_access_scope():
        manager = Membership.objects.filter(party=party).latest("pk").person
    of = {each for row in OPENED.values() for each in row.of}
    things = filings_of(party, manager, of)
    with without_access_scope():
        Replay.objects.filter(uuid=things["replay"]).update(state=Replay.State.DONE)
        ReplaySegment.objects.filter(replay__uuid=things["replay"]).delete()
    attached, listed = set(), set()
    for role in (Role.SUPERVISOR, Role.OPERATOR_MANAGER):
        key, secret = key_for(role, "there" if role is Role.OPERATOR_MANAGER else None)
        key.scopes = sorted({scope for row in OPENED.values() for scope in row.by})
        key.save(update_fields=["scopes"])
        for name in [name for name, row in OPENED.items() if row.method == "get"]:
            before, _ = newest()
            answer = Program(secret).get(path_of(name, things))
            number, event = newest()
            if is_attached(answer) and name not in NOT_AN_EXPORT:
                assert (number > before, event.type) == (True, "export.made"), name
                attached.add(name)
            elif not answer.streaming and b'"items":[{' in answer.content.replace(b" ", b""):
                assert (number > before, event.type) == (True, "data.read"), name
                assert event.payload["count"] == len(answer.json()["items"])
                assert event.actor == key.uuid
                listed.add(name)
            drained(answer)
    assert attached == {name for name in ATTACHED if name.startswith("api_")}
    assert {"api_issues", "api_round_logs", "api_events", "api_cases", "api_reports"} <= listed


@pytest.mark.django_db
def test_download_that_breaks_off_is_an_event():
    export = record_export(by=person_as(Role.AUDITOR), what="a list", format="CSV", count=3)
    rows = (row for row in [b"one\n", b"two\n", b"three\n"])
    answer = as_file(StreamingHttpResponse(rows), "a.csv", recorded=export)
    pieces = answer.streaming_content
    assert next(pieces) == b"one\n"
    assert next(pieces) == b"two\n"
    for close in answer._resource_closers:  # as the server does when the reader disconnects
        close()
    cut_off = Event.objects.last()
    assert cut_off.type == "export.cut_off"
    # The second piece may have been on its way: the count is of the pieces requested.
    assert cut_off.payload == {
        "what": "a list",
        "export": str(export.uuid),
        "sent": 4,
        "unit": "bytes",
    }


@pytest.mark.django_db
def test_whole_download_leaves_one_event_alone():
    export = record_export(by=person_as(Role.AUDITOR), what="a list", format="CSV", count=1)
    answer = as_file(StreamingHttpResponse(iter([b"one\n"])), "a.csv", recorded=export)
    assert b"".join(answer.streaming_content) == b"one\n"
    for close in answer._resource_closers:
        close()
    assert Event.objects.last() == export


@pytest.mark.django_db
def test_findings_command_names_the_account_it_ran_under(capsys, monkeypatch):
    monkeypatch.setenv("LOGNAME", "nightshift")
    person_as(Role.OPERATOR_MANAGER, "cedar")
    call_command("findings", "--operator", "cedar", "--format", "csv")
    event = Event.objects.last()
    assert event.type == "export.made"
    assert event.payload == {
        "what": "findings",
        "filters": {"operator": "cedar"},
        "count": 0,
        "format": "CSV",
    }
    assert PersonalData.objects.get(event=event).data["actor"] == "nightshift, at the command line"


def test_one_place_alone_makes_attachments():
    """`as_file` requires the event; a header written elsewhere would bypass it."""
    attaches = re.compile(r"Content-Disposition|as_attachment|FileResponse\(")
    places = {
        str(path.relative_to(BASE_DIR))
        for room in ("compliance", "audits", "reports")
        for path in (BASE_DIR / room).rglob("*.py")
        if attaches.search(path.read_text())
    }
    assert places == {
        "compliance/files/downloads.py",
        "compliance/notifications/pages.py",  # inline, for calendar programs: dates alone
        "audits/review/issues/exports.py",  # a workbook, which goes through `as_file`
    }
