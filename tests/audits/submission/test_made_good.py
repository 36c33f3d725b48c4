"""A changed byte in the archive is reported with what it belongs to, and repaired if possible."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.management import call_command

from audits.intake.index_copies import folder as folder_of_indexes
from audits.intake.models import Segment
from audits.intake.repair import RepairError, repair_segment
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.files.archive import DamagedError, FolderArchive, current_archive, read_bytes
from tests.audits.submission.logs import EVENING, evening, ingested, played, written
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from audits.intake.models import RoundLog
    from compliance.access.models import Party

pytestmark = pytest.mark.django_db


@pytest.fixture
def room(settings: Any, tmp_path: Path) -> Party:
    settings.ARCHIVE_URL = str(tmp_path / "archive")
    shutil.rmtree(folder_of_indexes(), ignore_errors=True)
    return party_for(Role.OPERATOR_CLERK, "room")


def damage(digest: str) -> None:
    """Change one bit behind the archive's back."""
    archive = current_archive()
    assert isinstance(archive, FolderArchive)
    place = archive.place(digest)
    place.chmod(0o600)
    content = bytearray(place.read_bytes())
    content[len(content) // 2] ^= 1
    place.write_bytes(content)
    with pytest.raises(DamagedError):
        read_bytes(archive, digest)


def verified(capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, str]]]:
    status = 0
    try:
        call_command("verify", "archive", "--json")
    except SystemExit as ended:
        status = int(ended.code or 0)
    return status, json.loads(capsys.readouterr().out)["problems"]


def segments() -> list[Segment]:
    with without_access_scope():
        return list(Segment.objects.order_by("pk"))


@pytest.fixture
def log(room: Party) -> RoundLog:
    return ingested(room, written(evening(40)) + b"{}\n")


def test_unchanged_archive_is_intact(log, capsys):
    assert verified(capsys) == (0, [])


@pytest.mark.parametrize("kind", ["sha256", "index_sha256", "tails_sha256"])
def test_a_damaged_file_of_a_segment_is_named_and_made_again(log, capsys, kind):
    (segment,) = segments()
    damage(getattr(segment, kind))
    status, (problem,) = verified(capsys)
    assert status == 1
    assert "pyramid-poker of 2026-03-06" in problem["where"]
    assert "The room" in problem["where"]
    assert problem["what"].endswith("It was made again.")
    assert verified(capsys) == (0, [])
    event = Event.objects.get(type="round_log.segment_made_good")
    assert event.payload["identity"] == segment.identity


def test_damaged_rejections_file_is_named_and_rebuilt(log, capsys):
    damage(log.rejected_file)
    status, (problem,) = verified(capsys)
    assert status == 1
    assert problem["where"].startswith("rejected lines of round log night.jsonl of The room")
    assert verified(capsys) == (0, [])


def test_damaged_evidence_is_named_and_cannot_be_made_again(log, capsys):
    damage(log.sha256)
    status, (problem,) = verified(capsys)
    assert status == 1
    assert str(log.uuid) in problem["where"]
    assert verified(capsys)[0] == 1


def test_segment_without_evidence_is_reported(log):
    (segment,) = segments()
    damage(segment.sha256)
    damage(log.sha256)
    with pytest.raises(RepairError, match="cannot be made again"):
        repair_segment(segment)


def test_every_generation_is_rebuilt_with_its_corrections(room, log, capsys):
    second = ingested(room, written(evening(60, first=41)))
    ingested(
        room,
        written([played("T3-000007", EVENING, deck="blue")]),
        corrects=log,
        reason="the deck was not noted",
    )
    ingested(room, written(evening(5, first=500, table="T1")))
    assert second.good == 60
    made = segments()
    assert [each.generation for each in made] == [1, 2, 3, 4]
    for each in made:
        damage(each.sha256)
        damage(each.index_sha256)
    shutil.rmtree(folder_of_indexes(), ignore_errors=True)
    status, problems = verified(capsys)
    assert status == 1
    assert all(problem["what"].endswith("It was made again.") for problem in problems)
    assert verified(capsys) == (0, [])


def test_damaged_segment_is_rebuilt_for_the_next_log(room, log):
    (first,) = segments()
    damage(first.sha256)
    shutil.rmtree(folder_of_indexes(), ignore_errors=True)
    damage(first.index_sha256)
    assert ingested(room, written(evening(45)[35:])).already == 5
    assert [each.rounds for each in segments()] == [40, 45]
    assert Event.objects.filter(type="round_log.segment_made_good").count() >= 1


def test_damaged_copy_of_index_is_rebuilt_before_use(room, log):
    (segment,) = segments()
    ingested(room, written(evening(1, first=41)))
    for copy in folder_of_indexes().glob("*/*"):
        copy.write_bytes(b"")
    assert ingested(room, written(evening(3))).already == 3
    assert segment.identity in {each.identity for each in segments()}


def test_everything_lies_under_var(log):
    assert not list((Path(settings.VAR) / "intake").glob("*"))
