"""A file submitted by a mapping: the file is the evidence, and its rounds are audited."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from audits.intake.ingestion import take_in_what_waits
from audits.intake.mapping.definition import read_definition
from audits.intake.mapping.models import LogMapping
from audits.intake.mapping.writes import save_mapping
from audits.intake.models import RoundLog
from audits.intake.repair import repair_converted_file, repair_segment
from audits.intake.rounds import find_round, line_as_submitted
from audits.replay.rehearsal.reads import rehearse
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.models import Event
from compliance.files.archive import current_archive, read_bytes
from tests.audits.mapping.files import BETS, mapping, of_workbook, workbook
from tests.audits.submission.logs import ingested, sha256
from tests.compliance.api.programs import program_of
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from pathlib import Path

    from compliance.access.models import Party

pytestmark = pytest.mark.django_db


@pytest.fixture
def room() -> Party:
    return party_for(Role.OPERATOR_CLERK, "room")


def test_mapped_file_is_evidence_and_its_rounds_are_on_file(room: Party) -> None:
    saved = save_mapping(party=room, content=of_workbook(), by=SYSTEM)
    content = workbook()
    log = ingested(room, content, name="night.xlsx", mapping=saved)
    assert (log.sha256, log.mapping, log.good) == (sha256(content), saved, 2)
    assert read_bytes(current_archive(), log.sha256) == content
    event = Event.objects.get(type="round_log.registered")
    assert event.payload["mapping"] == "pos export, version 1"
    with without_access_scope():
        found = find_round([room], "1001")
    assert found is not None
    assert found.found.round.house.low == found.found.round.house.cards[2:]
    assert b'"x_derived":["house.low"]' in line_as_submitted(log, 1)


def test_rows_that_make_no_round_are_rejected_lines(room: Party) -> None:
    saved = save_mapping(party=room, content=mapping(), by=SYSTEM)
    bad = BETS + "1003;Table 1;03/07/2025;9:17 PM;K♦;1;;;Lucky;5;0\n"
    log = ingested(room, bad.encode(), name="night.csv", mapping=saved)
    assert (log.lines, log.good, log.rejected) == (3, 2, 1)
    with without_access_scope():
        (cause,) = log.rejected_causes.all()
    (example,) = cause.examples
    assert (example["line"], example["round"], example["field"]) == (3, "1003", "bet.wager")
    assert example["reason"].startswith('row 5: "Lucky" is not a wager of pyramid-poker')


def test_conversion_is_made_again_from_the_evidence(room: Party) -> None:
    saved = save_mapping(party=room, content=mapping(), by=SYSTEM)
    log = ingested(room, BETS.encode(), name="night.csv", mapping=saved)
    archive = current_archive()
    before = read_bytes(archive, log.converted)
    archive.remove(log.converted, untouched_seconds=0)
    with without_access_scope():
        repair_converted_file(log)
        repair_segment(log.segments.get())
    assert read_bytes(archive, log.converted) == before


def test_rehearsal_converts_as_submission_does(room: Party) -> None:
    saved = save_mapping(party=room, content=mapping(), by=SYSTEM)
    found = rehearse(
        party=room,
        name="night.csv",
        content=io.BytesIO(BETS.encode()),
        mapping=read_definition(saved.content),
    ).as_json()
    assert (found["good"], found["sha256"]) == (2, sha256(BETS.encode()))
    with without_access_scope():
        assert not RoundLog.objects.exists()


def test_mapping_versions_are_kept_and_equal_ones_are_one(room: Party) -> None:
    clerk = person_as(Role.OPERATOR_CLERK, "room")
    first = save_mapping(party=room, content=mapping(), by=clerk)
    assert save_mapping(party=room, content=mapping(), by=clerk) == first
    second = save_mapping(party=room, content=mapping(money="cents"), by=clerk)
    assert (first.version, second.version) == (1, 2)
    with pytest.raises(RefusedError, match=r"The mapping cannot be used\. .*`rows`"):
        save_mapping(party=room, content=mapping(rows="x"), by=clerk)


@pytest.mark.usefixtures("room")
def test_ingest_maps_by_file_or_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export, given = tmp_path / "night.csv", tmp_path / "mapping.json"
    export.write_text(BETS)
    given.write_text(json.dumps(mapping()))
    call_command("ingest", "--operator", "room", "--map", str(given), "--json", str(export))
    answer = json.loads(capsys.readouterr().out)
    assert (answer["good"], answer["mapping"]) == (2, "pos export, version 1")
    assert answer["tables"] == [{"table": "T1", "game": "pyramid-poker", "rounds": 2}]
    export.write_text(BETS.replace("100", "200"))
    call_command("ingest", "--operator", "room", "--map", "pos export", "--json", str(export))
    assert json.loads(capsys.readouterr().out)["mapping"] == "pos export, version 1"
    with without_access_scope():
        assert LogMapping.objects.count() == 1


def test_program_saves_a_mapping_and_submits_by_it() -> None:
    program = program_of(Role.OPERATOR_MANAGER, "cedar")
    sent = {"operator": "cedar", "content": mapping()}
    answer = program.post("/api/v1/log-mappings", sent)
    assert (answer.status_code, answer.json()["version"]) == (201, 1)
    assert program.get(answer.headers["Location"]).json()["name"] == "pos export"
    assert len(program.get("/api/v1/log-mappings", operator="cedar").json()["items"]) == 1
    content = BETS.encode()
    check = "/api/v1/round-logs/check?operator=cedar&mapping=pos+export"
    assert program.put(check, content).json()["good"] == 2
    begin = {"operator": "cedar", "name": "a.csv", "size": len(content), "mapping": "pos export"}
    place = program.post("/api/v1/submissions", begin).headers["Location"]
    program.put(f"{place}/pieces/0", content, **{"Piece-SHA256": sha256(content)})
    program.post(f"{place}/finish")
    assert take_in_what_waits() == 1
    log = program.get(place).json()["log"]
    receipt = program.get(f"/api/v1/round-logs/{log}").json()
    assert (receipt["good"], receipt["mapping"]) == (2, "pos export, version 1")
    assert program.post("/api/v1/submissions", {**begin, "mapping": "other"}).status_code == 409
