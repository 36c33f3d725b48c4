"""A rehearsal answers what submitting would, and keeps nothing."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from audits.intake import totals
from audits.intake.models import RoundLog, Segment, Submission
from audits.replay.rehearsal.reads import rehearse
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.files.archive import current_archive
from tests.audits.submission.logs import evening, ingested, played, sha256, written
from tests.compliance.api.programs import program_of
from tests.compliance.controls.filing import Room, local
from tests.compliance.pages.browsing import browser_as, words
from tests.compliance.people import party_for, with_second_factor

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db
# A Friday at nine in the evening: the controls name table T1, and the room is open.
BEGIN = local(2025, 3, 7, 21)


def rehearsed(party, content: bytes) -> Any:
    return rehearse(party=party, name="night.jsonl", content=io.BytesIO(content)).as_json()


@pytest.fixture
def room() -> Room:
    return Room()


def test_rehearsal_answers_as_submission_and_keeps_nothing(room: Room) -> None:
    content = written(evening(3, begin=BEGIN, table="T1")) + b"{}\n"
    events = Event.objects.count()
    answer = rehearsed(room.party, content)
    assert answer["tables"] == [{"table": "T1", "game": "pyramid-poker", "rounds": 3}]
    assert (answer["lines"], answer["good"], answer["rejected"]) == (4, 3, 1)
    assert (answer["missing"], answer["unknown_tables"]) == ([], [])
    with without_access_scope():
        for model in (RoundLog, Segment, Submission):
            assert not model.objects.exists()
    assert Event.objects.count() == events
    assert not current_archive().has(sha256(content))
    log = ingested(room.party, content)
    assert (log.lines, log.good, log.rejected) == (4, 3, 1)


def test_wrong_room_shows_before_submission(room: Room) -> None:
    answer = rehearsed(room.party, written(evening(2, begin=BEGIN, table="B9")))
    assert answer["unknown_tables"] == [{"table": "B9", "game": "pyramid-poker", "rounds": 2}]
    assert answer["missing"] == [{"day": "2025-03-07", "game": "pyramid-poker", "table": "T1"}]
    assert answer["findings"]["approval.controls"] == 2


def test_findings_are_counted_for_this_log_alone(room: Room) -> None:
    # Player 1 wins the three-card wager in each round, and is paid 4 of 5 dollars in the second.
    first = played("T1-1", BEGIN, "T1")
    wrong = json.loads(json.dumps(played("T1-2", BEGIN, "T1")))
    wrong["seats"][0]["result"]["three_card"] = 400
    before = rehearsed(room.party, written([first]))["findings"]
    ingested(room.party, written([first]))
    after = rehearsed(room.party, written([wrong]))["findings"]
    added = {code: n - before.get(code, 0) for code, n in after.items() if n != before.get(code, 0)}
    assert added == {"settlement.three_card": 1}


def test_rounds_on_file_are_already_known(room: Room) -> None:
    content = written(evening(2, begin=BEGIN, table="T1"))
    ingested(room.party, content)
    answer = rehearsed(room.party, content)
    assert (answer["good"], answer["already"], answer["findings"]) == (0, 2, {})


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"{}\n", 1), (b"Round,Table\n1,T1\n", 2), (b"", 2)],
    ids=["rejected line", "other file", "empty"],
)
def test_check_log_ends_with_the_status_of_the_contract(
    content: bytes, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    party_for(Role.OPERATOR_CLERK, "room")
    place = tmp_path / "night"
    good = written(evening(1)) if status == 1 else b""
    place.write_bytes(good + content)
    with pytest.raises(SystemExit) as ended:
        call_command("check_log", "--operator", "room", "--json", str(place))
    assert ended.value.code == status
    assert len(capsys.readouterr().out.splitlines()) == (status == 1)


def test_check_page_shows_the_answer(room: Room) -> None:
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    content = written(evening(2, begin=BEGIN, table="B9")) + b"{}\n"
    sent = {"operator": room.party.code, "file": SimpleUploadedFile("night.jsonl", content)}
    shown = words(clerk.post(reverse("check_log"), sent))
    assert "Some tables are not this operator’s" in shown
    assert "Would be accepted 2" in shown
    sent["file"] = SimpleUploadedFile("night.pdf", b"%PDF-1.7\n")
    answer = clerk.post(reverse("check_log"), sent)
    assert answer.status_code == 422
    assert "night.pdf is a PDF document, not a round log." in words(answer)


def test_program_checks_a_log(room: Room) -> None:
    with_second_factor(room.manager)
    program = program_of(Role.OPERATOR_MANAGER, "room")
    place = "/api/v1/round-logs/check?operator=room"
    content = written(evening(2, begin=BEGIN, table="T1"))
    answer = program.put(place, content)
    assert answer.status_code == 200, answer.text
    assert answer.json()["tables"] == [{"table": "T1", "game": "pyramid-poker", "rounds": 2}]
    assert program.put(place, b"%PDF-1.7\n").status_code == 409
    assert program.put(f"{place[:-4]}cedar", content).status_code == 404


def test_days_that_were_not_compared_are_counted(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals, "MOST_DAYS", 1)
    two = [played("A-1", local(2025, 3, 6, 21), "B9"), played("A-2", BEGIN, "T1")]
    answer = rehearsed(room.party, written(two))
    assert (answer["days_not_compared"], answer["unknown_tables"]) == (1, [])
