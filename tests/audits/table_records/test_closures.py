"""A table that the room said was closed is not missing; a wrong record can be withdrawn."""

from __future__ import annotations

import io
import json
import re
from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from audits.intake.ingestion import take_in_here
from audits.intake.repair import repair_rejected_file
from audits.intake.submission import OnFileError, submit_whole
from audits.intake.table_records.comparison import CLOSED, Entry
from audits.intake.table_records.models import TableRecord
from audits.intake.table_records.writes import record_tables, withdraw_record
from audits.replay.findings.models import Finding
from audits.replay.rehearsal.reads import rehearse
from audits.review.nightly_run.writes import run_night
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.event_log.verification import check_history
from compliance.event_log.verifier import Answer
from compliance.events.actor import SYSTEM
from tests.audits.submission.logs import evening, ingested, written
from tests.compliance.api.programs import program_of
from tests.compliance.controls.filing import Room, bring_into_effect, local, only_pyramid, submitted
from tests.compliance.pages.browsing import browser_as, words
from tests.compliance.people import party_for, with_second_factor

pytestmark = pytest.mark.django_db
# A Friday; the controls name T1 and, since March 1, T2. The log is due at noon on Saturday.
DAY, BEGIN = date(2025, 3, 7), local(2025, 3, 7, 21)
NOON = local(2025, 3, 8, 12)
CLOSURE = {
    "v": 2,
    "record": "table_closed",
    "table": "T2",
    "day": "2025-03-07",
    "reason": "no dealer",
}


@pytest.fixture
def room() -> Room:
    party_for(Role.AGENT)
    room = Room()
    pyramid = only_pyramid()["games"]["pyramid-poker"]
    tables = dict.fromkeys(("T1", "T2"), pyramid["tables"]["T1"])
    games = {"pyramid-poker": {**pyramid, "tables": tables}}
    with clock.standing_at(local(2025, 3, 1, 12)):
        new = submitted(room.manager, {**only_pyramid(), "games": games})
        bring_into_effect(new, room.officer, local(2025, 3, 2, 0))
    return room


def lines(*records: dict[str, Any]) -> bytes:
    return written(list(records))


def night_of(rounds: int = 3, *records: dict[str, Any]) -> bytes:
    return written(evening(rounds, begin=BEGIN, table="T1")) + lines(*records)


def silent() -> list[tuple[str, str]]:
    with without_access_scope():
        found = Finding.objects.filter(code="night.table_silent")
        return list(found.values_list("table", "standing"))


def closed(table: str = "T2", day: date = DAY, reason: str = "no dealer") -> Entry:
    return Entry(subject=CLOSED, table=table, day=day, reason=reason)


def test_closed_table_of_the_log_is_not_missing(room: Room) -> None:
    content = night_of(3, CLOSURE)
    answer = rehearse(party=room.party, name="n", content=io.BytesIO(content)).as_json()
    assert (answer["records"], answer["missing"]) == (1, [])
    log = ingested(room.party, content)
    assert (log.records, log.totals["missing"]) == (1, [])
    with without_access_scope():
        row = TableRecord.objects.get()
    assert (row.table, row.day, row.reason, row.line) == ("T2", DAY, "no dealer", 4)


def test_closed_table_is_no_longer_missing(room: Room) -> None:
    log = ingested(room.party, night_of())
    assert [each["table"] for each in log.totals["missing"]] == ["T2"]
    with clock.standing_at(NOON):
        run_night(operator=room.party)
        assert silent() == [("T2", "new")]
        record_tables(party=room.party, entries=[closed()], by=room.manager)
        assert run_night(operator=room.party) == 1
        assert silent() == [("T2", "gone")]
        assert run_night(operator=room.party) == 0
        with without_access_scope():
            row = TableRecord.objects.get()
        withdraw_record(row=row, reason="It was T3.", by=room.manager)
        run_night(operator=room.party)
        assert silent() == [("T2", "confirmed")]


def test_closed_room_submits_no_log(room: Room) -> None:
    ingested(room.party, lines(CLOSURE, {**CLOSURE, "table": "T1"}))
    with clock.standing_at(NOON):
        run_night(operator=room.party)
    with without_access_scope():
        assert not Finding.objects.filter(day=DAY).exists()


def test_table_with_rounds_was_not_closed(room: Room) -> None:
    ingested(room.party, night_of())
    with pytest.raises(RefusedError, match="T1 has 3 rounds on file for March 7, 2025"):
        record_tables(party=room.party, entries=[closed("T1")], by=room.manager)


def test_second_reason_for_a_closure_is_rejected_with_its_line(room: Room) -> None:
    record_tables(party=room.party, entries=[closed()], by=room.manager)
    assert record_tables(party=room.party, entries=[closed()], by=room.manager) is None
    log = ingested(room.party, night_of(1, {**CLOSURE, "reason": "flooded"}, CLOSURE))
    assert (log.good, log.rejected, log.records) == (1, 1, 1)
    with without_access_scope():
        cause = log.rejected_causes.get()
    assert cause.cause == "overlaps"
    assert "that T2 was closed on 2025-03-07 is on file already" in cause.examples[0]["reason"]


def test_rejected_records_stay_the_same_after_later_ones(room: Room) -> None:
    record_tables(party=room.party, entries=[closed()], by=room.manager)
    log = ingested(room.party, night_of(1, {**CLOSURE, "reason": "flooded"}))
    with without_access_scope():
        withdraw_record(row=TableRecord.objects.first(), reason="wrong", by=room.manager)
    record_tables(party=room.party, entries=[closed("T1", date(2025, 3, 8))], by=room.manager)
    repair_rejected_file(log)  # raises where the file differs


def test_correction_replaces_the_records_of_its_log(room: Room) -> None:
    first = ingested(room.party, night_of(1, CLOSURE))
    ingested(room.party, night_of(1, {**CLOSURE, "reason": "flooded"}), "again.jsonl",
          corrects=first, reason="another reason")  # fmt: skip
    with without_access_scope():
        counting = TableRecord.objects.filter(subject="closed", withdrawal__isnull=True)
        assert [row.reason for row in counting] == ["flooded"]


def test_file_with_records_alone_is_registered_once(room: Room) -> None:
    content = lines(CLOSURE)
    assert ingested(room.party, content).records == 1
    with pytest.raises(OnFileError):
        ingested(room.party, content)


def test_events_bind_what_was_recorded(room: Room) -> None:
    record_tables(party=room.party, entries=[closed()], by=room.manager)
    answer = Answer()
    check_history(answer)
    assert (answer.problems, answer.checked > 0) == ([], True)


def test_clerk_records_a_closed_table_from_the_checklist(room: Room) -> None:
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    ingested(room.party, night_of())
    with clock.standing_at(NOON):
        shown = clerk.get(reverse("checklist", args=["room"])).content.decode()
        place = reverse("close_table", args=["room"])
        assert f"{place}?table=T2&day=2025-03-07" in shown.replace("&amp;", "&")
        form = clerk.get(f"{place}?table=T2&day=2025-03-07").content.decode()
        assert re.search(r'<option value="T2"\s+selected', form), form[form.index("<select") :][
            :900
        ]
        sent = {"table": "T2", "day": "2025-03-07", "reason": "no dealer"}
        answer = clerk.post(place, sent, follow=True)
        assert "T2 counts as closed on March 7, 2025." in words(answer)
        assert "T2, March 7, 2025 : closed, no dealer." in words(
            clerk.get(reverse("checklist", args=["room"]))
        )


def test_refused_closure_says_why(room: Room) -> None:
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    ingested(room.party, night_of())
    place = reverse("close_table", args=["room"])
    with clock.standing_at(NOON):
        answer = clerk.post(place, {"table": "T1", "day": "2025-03-07", "reason": "x"})
    assert answer.status_code == 422
    assert "so it was not closed" in words(answer)


def test_program_records_lists_and_withdraws(room: Room) -> None:
    with_second_factor(room.manager)
    program = program_of(Role.OPERATOR_MANAGER, "room")
    place = "/api/v1/table-records"
    bad = {"operator": "room", "records": [CLOSURE, {**CLOSURE, "day": "tomorrow"}]}
    answer = program.post(place, bad)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (
        422,
        "/records/1/day",
    )
    assert program.get(place).json()["items"] == []
    (made,) = program.post(place, {"operator": "room", "records": [CLOSURE]}).json()["records"]
    assert (made["table"], made["day"], made["withdrawn"]) == ("T2", "2025-03-07", None)
    withdrawn = program.post(
        f"{place}/{made['table_record']}/withdrawal", {"reason": "wrong table"}
    )
    assert withdrawn.json()["withdrawn"] == "wrong table"
    assert json.loads(program.get(f"{place}?day=2025-03-07").content)["items"][0]["withdrawn"]


def test_submission_in_the_meantime_is_compared_again(room: Room) -> None:
    submission = submit_whole(
        party=room.party, name="n", content=io.BytesIO(lines(CLOSURE)), by=SYSTEM, read_here=True
    )
    record_tables(party=room.party, entries=[closed(reason="flooded")], by=room.manager)
    assert take_in_here(submission).rejected == 1
