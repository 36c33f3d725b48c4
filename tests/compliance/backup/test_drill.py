"""The drill: a backup made while work continues is everything needed after a disaster."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management import call_command
from django.db import connection

from compliance import history as guards
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.event_log.writes import integrate
from compliance.events.actor import SYSTEM
from compliance.events.models import Event
from compliance.verification.anchoring import anchor_rows
from reports.documents.models import Report
from reports.library.reads import Outcome, reproduce
from reports.schedules.making import make_report
from tests.audits.submission.logs import evening, ingested, written
from tests.compliance.controls.filing import Room
from tests.compliance.people import party_for
from tests.reports.nights import about, played, replayed

if TYPE_CHECKING:
    import pytest

    from compliance.access.models import Party


class Sender(threading.Thread):
    """Submits one log after another until it is stopped."""

    def __init__(self, party: Party) -> None:
        super().__init__()
        self.party, self.first, self.enough = party, threading.Event(), threading.Event()
        self.sent = 0

    def run(self) -> None:
        while not self.enough.is_set():
            ingested(self.party, written(evening(20, first=1 + 20 * self.sent, table="T8")))
            self.sent += 1
            self.first.set()
        connection.close()


def wipe(archive: Path) -> None:
    """Simulate the disaster: nothing is left of database and archive."""
    if connection.vendor == "sqlite":
        place = Path(connection.settings_dict["NAME"])
        connection.close()
        for each in place.parent.glob(f"{place.name}*"):
            each.unlink()
    else:
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute("CREATE SCHEMA public")
        connection.close()
    archive.rename(archive.with_name("lost"))


def answered(capsys: pytest.CaptureFixture[str], *call: object) -> dict[str, Any]:
    capsys.readouterr()
    call_command(*map(str, call), "--json")
    output: dict[str, Any] = json.loads(capsys.readouterr().out)
    return output


def test_restored_backup_matches_signed_log(own_database, settings, tmp_path, capsys):
    archive, target, elsewhere = tmp_path / "archive", tmp_path / "backup", tmp_path / "checkpoint"
    settings.ARCHIVE_URL, settings.KEPT_CHECKPOINT = str(archive), tmp_path / "held"
    day = played(Room().party)
    report = make_report(kind="nightly", about=about(day))
    assert day.current is not None
    busy = party_for(Role.OPERATOR_CLERK, "busy")
    anchor_rows(by=SYSTEM, reason="Tests make people without events.")
    sender = Sender(busy)
    sender.start()
    try:
        assert sender.first.wait(60)
        backed_up = answered(capsys, "backup", target)
    finally:
        sender.enough.set()
        sender.join()
    elsewhere.write_text(backed_up["checkpoint"])
    events = Event.objects.count()
    wipe(archive)
    settings.KEPT_CHECKPOINT.unlink()

    restored = answered(capsys, "restore", target, "--checkpoint", elsewhere)
    assert (restored["ok"], restored["problems"]) == (True, [])
    assert backed_up["missing"] == []
    assert guards.missing(connection) == []
    assert Event.objects.count() < events  # the sender continued: anything later isn't in it
    assert Event.objects.filter(type="log.restored").count() == 1
    integrate()
    assert answered(capsys, "verify", "log", "--held", elsewhere)["ok"]
    with without_access_scope():
        again = reproduce(Report.objects.get(uuid=report.uuid))
    assert (again.outcome, again.body) == (Outcome.SAME, report.body)
    anew = replayed(day.party)
    assert anew.uuid != day.current.uuid
    assert (anew.fingerprint, anew.digest) == (day.current.fingerprint, day.current.digest)
    # new items get numbers and places after the restored ones
    assert ingested(sender.party, written(evening(1, table="T9"))).good == 1
