"""A table's cash against its rounds: what is beyond the tolerance is named, nothing else."""

from __future__ import annotations

import json
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from django.urls import reverse

from audits.intake.days.writes import keep_day
from audits.intake.table_records.writes import record_tables
from audits.replay.findings.models import Finding
from audits.review.nightly_run.cash import checked_cash
from audits.review.nightly_run.missing import missing_of_day
from audits.review.nightly_run.writes import run_night
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from tests.audits.submission.logs import evening, ingested, played, written
from tests.audits.table_records.nights import HONEST, TABLES, TOLERANCE, entry, play_night
from tests.compliance.controls.filing import Room, bring_into_effect, local, only_pyramid, submitted
from tests.compliance.pages.browsing import browser_as, words
from tests.compliance.people import party_for

pytestmark = pytest.mark.django_db
# A Friday; the gambling day ends at six on Saturday morning and closes at noon.
DAY, NOON = date(2025, 3, 7), local(2025, 3, 8, 12)
SIX, NEXT_SIX = local(2025, 3, 7, 6), local(2025, 3, 8, 6)
CHANCE = Random("cash")


@pytest.fixture
def room() -> Room:
    party_for(Role.AGENT)
    return Room()


@pytest.mark.parametrize("number", range(6))
def test_changed_round_above_the_tolerance_is_named(number: int) -> None:
    deltas, named = play_night(number, "small")
    assert deltas[HONEST] == 0
    assert named == {t: deltas[t] for t in TABLES if abs(deltas[t]) > TOLERANCE}


def cash(room: Room, win: int, *span: Any, table: str = "T1") -> None:
    with clock.standing_at(NOON):
        record_tables(
            party=room.party,
            entries=[entry(CHANCE, table, win, *(span or (SIX, NEXT_SIX)))],
            by=room.manager,
        )


def found(room: Room, day: date = DAY) -> list[tuple[int, int, int]]:
    with without_access_scope():
        checked = checked_cash(keep_day(party=room.party, day=day))
    return [(each.rounds, each.by_rounds, each.by_cash) for each in checked]


# Each round of `evening` pays $5 twice: the house loses $10.
def test_span_counts_from_its_begin_to_before_its_end(room: Room) -> None:
    begin = local(2025, 3, 7, 21)
    ingested(room.party, written(evening(10, begin=begin, table="T1")))
    cash(room, -5000, begin, begin + timedelta(minutes=5))
    cash(room, 77, begin + timedelta(minutes=5), NEXT_SIX)
    assert found(room) == [(5, -5000, -5000), (5, -5000, 77)]


def test_span_across_midnight_and_cut_off_counts_both_days(room: Room) -> None:
    for hour, name in ((4, "late"), (7, "early")):
        begin = local(2025, 3, 8, hour)
        rounds = [{**line, "round": f"{name}-{line['round']}"} for line in
                  evening(4, begin=begin, table="T1")]  # fmt: skip
        ingested(room.party, written(rounds), f"{name}.jsonl")
    cash(room, -8000, local(2025, 3, 7, 23), local(2025, 3, 8, 8))
    assert found(room) == []
    assert found(room, date(2025, 3, 8)) == [(8, -8000, -8000)]


def test_late_rounds_of_the_day_before_are_compared_again(room: Room) -> None:
    cash(room, -40_00, local(2025, 3, 7, 23), local(2025, 3, 8, 8))
    cash(room, 0, local(2025, 3, 8, 8), local(2025, 3, 8, 9))
    with clock.standing_at(local(2025, 3, 9, 12)):
        run_night(operator=room.party)
    lines = [played(f"r{n}", local(2025, 3, 8, 4, n), "T1") for n in range(60)]
    for line in lines:
        line["seats"][0]["result"]["six_card"] = 1000
    ingested(room.party, written(lines))
    with clock.standing_at(local(2025, 3, 9, 13)):
        run_night(operator=room.party)
    with without_access_scope():
        (row,) = Finding.objects.filter(code="night.cash")
    # 60 rounds lose $15 each: $900, where the cash lost $40.
    assert (row.day, row.delta) == (date(2025, 3, 8), -860_00)


def test_cash_without_any_round_is_named(room: Room) -> None:
    cash(room, 500_00)
    with clock.standing_at(NOON):
        run_night(operator=room.party)
    with without_access_scope():
        row = Finding.objects.select_related("issue").get(code="night.cash")
    assert (row.table, row.delta, row.issue.weight) == ("T1", -500_00, "notice")
    assert row.logged == "$0.00 won by 0 rounds, 2025-03-07 06:00 to 2025-03-08 06:00"
    assert row.expected == "$500.00 won in cash, within $200.00"
    assert row.cites[0] == "WAC 230-15-425"
    assert "no section" in row.cites[1]


def test_tolerance_of_the_controls_is_applied_and_cited(room: Room) -> None:
    content = {**only_pyramid(), "cash_tolerance": 500_00}
    with clock.standing_at(local(2025, 3, 1, 12)):
        bring_into_effect(submitted(room.manager, content), room.officer, local(2025, 3, 2, 0))
    cash(room, 500_00)
    cash(room, 500_01, table="T2")
    with without_access_scope():
        lacks = missing_of_day(keep_day(party=room.party, day=DAY))
    (beyond,) = [each for each in lacks if each.code == "night.cash"]
    assert (beyond.table, beyond.delta) == ("T2", -500_01)
    assert beyond.cites[1].startswith("Internal controls, version 2: ")


def test_players_among_themselves_win_nothing_from_the_house(room: Room) -> None:
    seats = [
        {"seat": n, "player": f"p{n}", "front": "2c 3d 4h", "middle": "5c 6d 7h 9s Tc",
         "back": "Jd Qh Ks Ac 2d", "result": {"total": won}}
        for n, won in ((1, 90_000), (2, -90_000))
    ]  # fmt: skip
    line = {"v": 1, "round": "c1", "game": "chinese-poker", "table": "T1", "unit": 1000,
            "scoring": "unit", "at": local(2025, 3, 7, 22).isoformat(), "seats": seats}  # fmt: skip
    assert ingested(room.party, written([line])).good == 1
    cash(room, 0)
    assert found(room) == [(1, 0, 0)]


def test_overlapping_spans_are_refused_and_rejected(room: Room) -> None:
    cash(room, 0)
    with pytest.raises(RefusedError, match="the spans of one table may not overlap"):
        cash(room, 0, local(2025, 3, 8, 5), local(2025, 3, 8, 7))
    cash(room, 0, NEXT_SIX, local(2025, 3, 8, 7))
    amounts = dict.fromkeys(("opener", "fills", "credits", "closer", "drop"), 0)
    record = {"v": 2, "record": "table_cash", "table": "T1", **amounts,
              "from": "2025-03-07T23:00:00-08:00", "to": "2025-03-08T03:00:00-08:00"}  # fmt: skip
    log = ingested(room.party, written([record, {**record, "table": "T2"}]))
    assert (log.rejected, log.records) == (1, 1)
    with without_access_scope():
        (cause,) = log.rejected_causes.all()
    assert cause.examples[0]["field"] == "from"
    assert "cash of T1 from 2025-03-07T06:00-08:00" in cause.examples[0]["reason"]


def test_span_that_is_not_over_is_rejected(room: Room) -> None:
    amounts = dict.fromkeys(("opener", "fills", "credits", "closer", "drop"), 0)
    record = {"v": 2, "record": "table_cash", "table": "T1", **amounts,
              "from": "2025-03-07T23:00:00-08:00", "to": "2199-03-08T03:00:00-08:00"}  # fmt: skip
    log = ingested(room.party, json.dumps(record).encode() + b"\n" + written(evening(1)))
    with without_access_scope():
        assert [each.cause for each in log.rejected_causes.all()] == ["future"]


def test_clerk_types_the_cash_of_a_gambling_day(room: Room) -> None:
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    place = reverse("record_cash", args=["room"])
    typed = {"table": "T1", "day": "2025-03-07", "opener": "$12,500.00", "fills": "3000",
             "credits": "0", "closer": "14,025", "drop": "6110"}  # fmt: skip
    with clock.standing_at(NOON):
        refused = clerk.post(place, {**typed, "begins": "2025-03-07 06:00"})
        assert (refused.status_code, "Enter both times" in words(refused)) == (422, True)
        answer = clerk.post(place, typed, follow=True)
    # 14,025 + 0 + 6,110 - 12,500 - 3,000
    assert "win in cash +$4,635.00" in words(answer)
    (of_day,) = found(room)
    assert of_day == (0, 0, 4635_00)
