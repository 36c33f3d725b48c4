"""After a removal the log is intact, and a backup misses nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from compliance import clock
from compliance.access.permissions import Role
from compliance.backup.create import back_up
from compliance.event_log.verification import verify_log
from compliance.event_log.writes import integrate
from compliance.retention.periods import years_after
from compliance.retention.writes import place_hold, retain
from tests.audits.submission.logs import evening, ingested, written
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from pathlib import Path


def test_log_is_intact_after_removal(own_database: str, settings, tmp_path: Path) -> None:
    settings.ARCHIVE_URL, settings.KEPT_CHECKPOINT = str(tmp_path / "archive"), tmp_path / "held"
    settings.RETENTION = {"rounds": 3}
    log = ingested(party_for(Role.OPERATOR_MANAGER, "cedar"), written(evening(2)))
    ingested(party_for(Role.OPERATOR_MANAGER, "birch"), written(evening(3)))
    place_hold(kind="operator", which="birch", reason="Order", by=person_as(Role.DIRECTOR))
    with clock.standing_at(years_after(log.at, 3) + timedelta(days=1)):
        assert len(retain(grace=0).removed) == 4
    integrate()
    assert verify_log().problems == []
    manifest = back_up(tmp_path / "backup")
    assert (manifest.missing, manifest.files_count) == ((), 4)
