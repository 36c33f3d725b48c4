"""After retention, bytes are deleted and rows stay; legal holds win; nothing is called missing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from audits.intake.models import RoundLog
from audits.replay.writes import Scope, begin_replay
from audits.review.cases.models import Case
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.files.archive import RemovedError, current_archive, read_bytes, store_bytes
from compliance.retention import writes as retention
from compliance.retention.models import Removal, Tombstone
from compliance.retention.periods import read_years, years_after
from compliance.retention.verification import verify_archive
from compliance.retention.writes import lift_hold, place_hold, retain
from reports.library.reads import Outcome, reproduce
from tests.audits.submission.logs import evening, ingested, written
from tests.compliance.api.programs import program_of
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, person_as
from tests.reports.made import approval_letter

if TYPE_CHECKING:
    from pathlib import Path

    from compliance.access.models import Party

pytestmark = pytest.mark.django_db
NIGHT = written(evening(3))


@pytest.fixture(autouse=True)
def own_archive(settings, tmp_path: Path) -> None:
    settings.ARCHIVE_URL = str(tmp_path / "archive")
    settings.KEPT_CHECKPOINT = tmp_path / "held"
    settings.RETENTION = {"rounds": 3}


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_MANAGER, "cedar")


def later(years: int, log: RoundLog, days: int = 0) -> Any:
    """Return the instant `years` and `days` after a log arrived."""
    return clock.standing_at(years_after(log.at, years) + timedelta(days=days))


def removed(**how: Any) -> set[str]:
    return {each.digest for each in retain(grace=0, **how).removed}


def test_bytes_go_after_three_years_and_rows_stay(room):
    log = ingested(room, NIGHT)
    with without_access_scope():
        segment = log.segments.get()
        files = {log.sha256, segment.sha256, segment.index_sha256, segment.tails_sha256}
    with later(3, log, days=-1):
        assert removed() == set()
    with later(3, log, days=1):
        assert removed(dry_run=True) == files
        assert all(current_archive().has(each) for each in files)
        assert removed() == files
        assert removed() == set()
    assert not any(current_archive().has(each) for each in files)
    with without_access_scope():
        assert RoundLog.objects.get().segments.count() == 1
    assert set(Tombstone.objects.values_list("digest", flat=True)) == files
    removal = Removal.objects.get()
    assert (removal.under, removal.years) == ("rounds", 3)
    assert "WAC 230-15-195" in removal.rule
    assert set(Event.objects.get(type="retention.removed").payload["digests"]) == files


def test_removed_files_are_removed_not_missing(room, capsys):
    log = ingested(room, NIGHT)
    with later(3, log, days=1):
        removed()
        data = f"removed on {clock.today()} under rounds"
    with pytest.raises(RemovedError, match=data):
        read_bytes(current_archive(), log.sha256)
    answer = verify_archive()
    assert answer.problems == []
    assert len(answer.notes) == 4
    assert all(data in note for note in answer.notes)
    call_command("verify", "archive")
    assert capsys.readouterr().out.count("NOTE") == 4
    page = browser_as(Role.AGENT).get(reverse("round", args=["cedar", evening(1)[0]["round"]]))
    assert page.status_code == 410
    assert data in words(page)
    answered = program_of(Role.OPERATOR_MANAGER, "cedar").get(f"/api/v1/round-logs/{log.uuid}/file")
    assert answered.status_code == 410
    assert (answered.json()["code"], data in answered.json()["detail"]) == ("removed", True)
    with pytest.raises(RefusedError, match=f"cannot be judged again. It was {data}"):
        begin_replay(operator=room, scope=Scope(), by=None)


def test_without_years_configured_nothing_ever_goes(room, settings):
    settings.RETENTION = {}
    log = ingested(room, NIGHT)
    with later(900, log):
        assert removed() == set()
    data = StringIO()
    call_command("retain", stdout=data)
    assert "nothing is ever removed" in data.getvalue()


@pytest.mark.parametrize("kind", ["operator", "log", "case"])
def test_a_legal_hold_wins_until_it_is_lifted(room, kind):
    log = ingested(room, NIGHT)
    boss = person_as(Role.SUPERVISOR)
    which = {"operator": "cedar", "log": log.sha256, "case": "CR 2025-00012"}[kind]
    if kind == "case":
        with without_access_scope():
            Case.objects.create(
                unit=party_for(Role.AGENT), party=room, year=2025, serial=12, title="Pays",
                opened=clock.now(),
            )  # fmt: skip
    hold = place_hold(kind=kind, which=which, reason="Order 12", by=boss)
    with later(3, log, days=1):
        assert removed() == set()
        assert retain(dry_run=True).on_hold == 4
        lift_hold(hold=hold, reason="Settled", by=boss)
        assert log.sha256 in removed()
    assert set(
        Event.objects.filter(type__startswith="retention.").values_list("type", flat=True)
    ) == {"retention.hold_placed", "retention.hold_lifted", "retention.removed"}


def test_hold_on_one_log_keeps_a_common_segment(room):
    first = ingested(room, NIGHT)
    second = ingested(room, written(evening(2, first=10)))
    boss = person_as(Role.DIRECTOR)
    place_hold(kind="log", which=str(first.uuid), reason="Order", by=boss)
    with later(3, second, days=1):
        gone = removed()
    with without_access_scope():
        shared = second.segments.get()
    assert second.sha256 in gone
    assert shared.sha256 not in gone
    assert first.sha256 not in gone


def test_bytes_still_in_use_are_kept(room):
    """Two operators submit the same file, one of them a year later."""
    log = ingested(room, NIGHT)
    other = party_for(Role.OPERATOR_MANAGER, "birch")
    with clock.standing_at(log.at + timedelta(days=365)):
        ingested(other, NIGHT)
    with later(3, log, days=1):
        assert log.sha256 not in removed()


def test_what_was_stored_again_today_stays(room):
    log = ingested(room, NIGHT)
    with later(3, log, days=1):
        retain()  # with its grace period: the file is minutes old on this disk
    assert current_archive().has(log.sha256)


def test_report_without_bytes_says_so_when_made_again(settings):
    settings.RETENTION = {"reports": 10}
    report = approval_letter()
    with clock.standing_at(years_after(report.at, 10) + timedelta(days=1)):
        assert {report.body, report.inputs} <= removed()
    again = reproduce(report)
    assert again.outcome is Outcome.INPUTS_GONE
    assert "under reports (kept for 10 years" in again.says


@pytest.mark.parametrize("role", [Role.AGENT, Role.AUDITOR, Role.OPERATOR_MANAGER])
def test_only_supervisors_and_directors_keep_holds(room, role):
    with pytest.raises(NotAllowedError):
        place_hold(kind="operator", which="cedar", reason="Order", by=person_as(role, None))


def test_the_page_places_lifts_and_refuses_in_sentences(room):
    boss = browser_of(person_as(Role.SUPERVISOR))
    assert "There are no holds." in words(boss.get("/holds/"))
    sent = {"place-kind": "operator", "place-which": "nobody", "place-reason": "Order 12"}
    refused = boss.post("/holds/place/", sent)
    assert (refused.status_code, "There is no operator" in words(refused)) == (422, True)
    shown = boss.post("/holds/place/", {**sent, "place-which": "cedar"}, follow=True)
    assert "operator The cedar Order 12" in words(shown)
    twice = boss.post("/holds/place/", {**sent, "place-which": "cedar"})
    assert "already" in words(twice)
    hold = retention.LegalHold.objects.get()
    address, reason = f"/holds/{hold.uuid}/lift/", f"lift-{hold.uuid}-reason"
    assert "required" in words(boss.post(address, {reason: ""}))
    assert "Settled" in words(boss.post(address, {reason: "Settled"}, follow=True))
    assert "was lifted before" in words(boss.post(address, {reason: "Again"}))


@pytest.mark.parametrize(
    "text", ["rounds=2", "rounds=0", "rounds=-3", "letters=5", "rounds", "rounds=x", "rounds=9999"]
)
def test_years_that_cannot_be_are_refused(text):
    with pytest.raises(ValueError, match="=" if "=" in text else "class"):
        read_years(text)


def test_years_are_counted_by_the_calendar():
    assert read_years(" rounds=3, reports=10 ") == {"rounds": 3, "reports": 10}
    assert years_after(datetime(2024, 2, 29, 12, tzinfo=UTC), 3) == datetime(
        2027, 3, 1, 12, tzinfo=UTC
    )
    assert years_after(datetime(2025, 7, 12, tzinfo=UTC), 3) == datetime(2028, 7, 12, tzinfo=UTC)


def test_content_that_comes_back_is_read_again(room):
    log = ingested(room, NIGHT)
    with later(3, log, days=1):
        removed()
    store_bytes(current_archive(), NIGHT)
    assert read_bytes(current_archive(), log.sha256) == NIGHT
