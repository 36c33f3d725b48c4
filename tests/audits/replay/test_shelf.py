"""A sealed release runs a replay, and sets a report, again: in a process of its own."""

from __future__ import annotations

import json
import shutil
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from audits.replay.auditing.findings import FindingsWriter
from audits.replay.engine import engine_version
from audits.replay.shelf import check_again
from compliance.access.scope import without_access_scope
from compliance.event_log.verifier import Answer
from compliance.events.actor import SYSTEM
from compliance.events.models import Event
from compliance.verification import release
from compliance.verification.shelf import NoReleaseError, Unpacked, find_artifact, unpacked
from games.kernel import cache_directory
from reports.documents.sheets import software
from reports.library.reads import Outcome, reproduce, reproduce_with_release
from reports.rendering.typography import files_of_faces
from reports.schedules.making import make_report
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.compliance.controls.filing import Room
from tests.reports.nights import about, closed, replayed

if TYPE_CHECKING:
    from pathlib import Path

    from reports.documents.models import Report

pytestmark = pytest.mark.django_db
OTHER = "e" * 64


@pytest.fixture(autouse=True)
def compiled_kernels(monkeypatch) -> None:
    """Spare each process the compilation, and each release the digests of its libraries."""
    monkeypatch.setattr(release, "library_digests", lambda _: {})
    monkeypatch.setattr(Unpacked, "kernels", cache_directory().parent)


def seal(engine: str) -> release.Sealed:
    return release.seal_release(
        engine=engine, reports=software()["reports"], fonts=files_of_faces(), by=SYSTEM
    )


def spoiled_night() -> tuple[Room, Report]:
    """Audit a night with three wrong results, and report it."""
    room = Room()
    with without_access_scope():
        on_file(room.party, spoiled(dealt(30, tables=("T1",)), every=10, cents=500))
    replayed(room.party)
    return room, make_report(kind="nightly", about=about(closed(room.party)))


def run(room: Room, engine: str) -> dict[str, Any]:
    out, status = StringIO(), 0
    call = ["replay", "--operator", room.party.code, "--day", str(NIGHT), "--engine", engine]
    try:
        call_command(*call, "--json", stdout=out)
    except SystemExit as ended:
        status = int(str(ended.code))
    return {"status": status, **json.loads(out.getvalue())}


def other_release(folder: Path, monkeypatch: pytest.MonkeyPatch) -> release.Sealed:
    """Seal a copy of this installation whose findings say one thing more."""
    for name, place in release.installed_files().items():
        copied = folder / name
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(place, copied)
    file = folder / "audits" / "replay" / "auditing" / "findings.py"
    identity = '"id": self.identity(finding),'
    file.write_text(file.read_text().replace(identity, f'{identity} "former": True,'))
    with monkeypatch.context() as patched:
        patched.setattr(release, "ROOT", folder)
        return seal(OTHER)


def test_release_on_shelf_runs_a_replay_again(tmp_path, monkeypatch):
    room, report = spoiled_night()
    seal(engine_version())
    former = other_release(tmp_path / "former", monkeypatch)

    same = run(room, engine_version()[:16])
    assert (same["status"], same["same"], same["gone"], same["new"]) == (0, True, 0, 0)
    assert same["confirmed"] == same["findings"] > 0
    event = Event.objects.filter(type="replay.run_again").latest("pk")
    assert event.payload["confirmed"] == same["findings"]

    other = run(room, OTHER)
    assert (other["status"], other["artifact"]) == (1, former.artifact)
    assert other["changed"] == same["findings"]
    assert other["examples"][0]["fields"] == ["former"]
    assert other["differing"] == ["audits/replay/auditing/findings.py"]

    kept = software()
    monkeypatch.setattr("reports.library.reads.software", lambda: {**kept, "reports": "0" * 64})
    monkeypatch.setattr("reports.library.reads.body_of", lambda _: former_body())
    assert reproduce(report).outcome is Outcome.OTHER_TOOLS
    again = reproduce_with_release(report)
    assert (again.outcome, again.body) == (Outcome.SAME, report.body)


def former_body() -> Any:
    class Body:
        content = b"set by a later writer"

    return Body


def test_release_that_is_not_on_the_shelf_is_named(tmp_path, monkeypatch):
    room, sealed = Room(), seal(engine_version())
    assert find_artifact(sealed.reports[:10]) == sealed.artifact
    with pytest.raises(NoReleaseError, match="No release was sealed with ffff"):
        find_artifact("ffff")
    with unpacked(sealed.artifact) as found:
        (found.folder / "games" / "__main__.py").unlink()
        with pytest.raises(NoReleaseError, match="no games/"):
            found.run("games")
    with pytest.raises(CommandError, match="No completed replay"):
        run(room, engine_version())


def test_findings_of_a_poisoned_kernel_are_named(monkeypatch):
    written = FindingsWriter.write
    with monkeypatch.context() as poisoned:
        poisoned.setattr(
            FindingsWriter,
            "write",
            lambda self, line: written(self, line[:-1] + b',"poisoned":true}'),
        )
        spoiled_night()
    answer = Answer()
    check_again(answer, days=1)
    (problem,) = answer.problems
    assert "other findings: 0 confirmed" in problem["what"]
    assert problem["what"].endswith("0 gone, 0 new")
