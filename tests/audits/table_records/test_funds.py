"""A jackpot's fund reconciles with itself, the day before, the law of the day, and the rounds."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from audits.intake.days.writes import keep_day
from audits.intake.filed_forms import filed_definitions
from audits.intake.table_records.comparison import FUND, Entry
from audits.intake.table_records.models import TableRecord
from audits.intake.table_records.writes import record_tables
from audits.replay.findings.models import Finding
from audits.review.nightly_run import funds
from audits.review.nightly_run.funds import faults_of_funds
from audits.review.nightly_run.writes import run_night
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from games.log.schema import PLAYER_SUPPORTED, PROGRESSIVE
from tests.audits.replay.nights import on_file
from tests.audits.replay.test_filed_games import HOLDEM, open_all_day, stolen
from tests.audits.submission.logs import ingested, written
from tests.compliance.controls.filing import Room, local
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for

pytestmark = pytest.mark.django_db
FRIDAY, SATURDAY = date(2025, 3, 7), date(2025, 3, 8)
MONDAY = local(2025, 3, 10, 12)


@pytest.fixture
def room() -> Room:
    party_for(Role.AGENT)
    return Room()


def fund(day: date, *amounts: int, kind: str = PLAYER_SUPPORTED) -> Entry:
    """Return a record: before, contributions, payouts, fee and after, in dollars."""
    names = ("before", "contributions", "payouts", "fee", "after")
    cents = {name: amount * 100 for name, amount in zip(names, amounts, strict=True)}
    return Entry(subject=FUND, fund="bad-beat", game="texas-holdem", kind=kind, day=day, **cents)


def keep(room: Room, *entries: Entry) -> None:
    with clock.standing_at(MONDAY):
        record_tables(party=room.party, entries=entries, by=room.manager)


def faults(room: Room, day: date) -> list[tuple[int, tuple[str, ...]]]:
    with without_access_scope():
        found = faults_of_funds(keep_day(party=room.party, day=day))
    return [(each.delta, each.cites) for each in found]


def test_fund_that_reconciles_has_no_finding(room: Room) -> None:
    # $10,000 + $400 - $3,000 - $40 (10 % of $400) = $7,360
    keep(room, fund(FRIDAY, 10_000, 400, 3_000, 40, 7_360), fund(SATURDAY, 7_360, 0, 0, 0, 7_360))
    assert faults(room, FRIDAY) == faults(room, SATURDAY) == []


def test_balance_fee_and_former_balance_are_each_named(room: Room) -> None:
    keep(room, fund(FRIDAY, 10_000, 400, 0, 41, 10_360), fund(SATURDAY, 10_300, 0, 0, 0, 10_300))
    law = ("WAC 230-15-390", funds.CONTROLS)
    # $10,359 is right; 10 % of $400 is $40; $10,360 was there the evening before.
    assert faults(room, FRIDAY) == [(1_00, law), (1_00, law)]
    assert faults(room, SATURDAY) == [(-60_00, law)]


def test_law_that_is_not_known_for_a_day_stays_unknown(room: Room) -> None:
    old = date(2007, 12, 31)
    keep(room, fund(old, 0, 100, 0, 50, 51), fund(FRIDAY, 0, 100, 0, 0, 99, kind=PROGRESSIVE))
    unknown = "No verified law on file for"
    assert faults(room, old) == [
        (1_00, (funds.CONTROLS, f"{unknown} 2007-12-31: jackpot_fee_percent"))
    ]
    (by_itself, by_former) = faults(room, FRIDAY)
    assert by_itself == (
        -1_00,
        (funds.CONTROLS, f"{unknown} 2025-03-07: progressive_reconciled"),
    )
    assert by_former[0] == -51_00


def test_correction_of_a_day_clears_the_next_days_finding(room: Room) -> None:
    keep(room, fund(FRIDAY, 100, 0, 0, 0, 100), fund(SATURDAY, 90, 0, 0, 0, 90))
    with clock.standing_at(MONDAY):
        run_night(operator=room.party)
    with without_access_scope():
        row = Finding.objects.select_related("issue").get(code="night.fund")
    assert (row.day, row.delta, row.issue.weight) == (SATURDAY, -10_00, "notice")
    assert row.logged == "fund bad-beat: a balance of $90.00 when the day began"
    assert row.expected == "$100.00, as recorded at the end of 2025-03-07"
    manager = browser_of(room.manager)
    with without_access_scope():
        wrong = TableRecord.objects.get(day=FRIDAY)
    with clock.standing_at(MONDAY):
        manager.post(reverse("table_record", args=[wrong.uuid]), {"reason": "A slip of the pen"})
        keep(room, fund(FRIDAY, 90, 0, 0, 0, 90))
        run_night(operator=room.party)
    row.refresh_from_db()
    assert row.standing == Finding.Standing.GONE


def test_log_records_a_fund_once_and_rejects_the_future(room: Room) -> None:
    line: dict[str, Any] = {
        "v": 2, "record": "jackpot_fund", "fund": "bad-beat", "game": "texas-holdem",
        "kind": PLAYER_SUPPORTED, "day": "2025-03-07", "before": 0, "contributions": 100,
        "payouts": 0, "fee": 10, "after": 90,
    }  # fmt: skip
    other, future = {**line, "after": 91}, {**line, "day": "2199-01-01"}
    log = ingested(room.party, written([line, line, other, future]))
    assert (log.records, log.rejected) == (2, 2)
    with without_access_scope():
        causes = {each.cause: each.examples[0]["field"] for each in log.rejected_causes.all()}
        assert TableRecord.objects.get().after == 90
    assert causes == {"overlaps": "day", "future": "day"}


def test_contributions_are_what_the_pots_of_the_day_paid() -> None:
    game = {"tables": {"T1": {"bet": [200, 30_000]}}}
    day = date(2025, 7, 12)
    with without_access_scope():
        room = Room(HOLDEM, {**open_all_day(), "games": {HOLDEM: game}})
        keep_entry = {"v": 2, "record": "jackpot_fund", "fund": "bad-beat", "game": HOLDEM,
                      "kind": PLAYER_SUPPORTED, "day": str(day), "before": 0, "payouts": 0,
                      "contributions": 500, "fee": 50, "after": 450}  # fmt: skip
        fees = {"rake": 0, "jackpot": 200}
        rounds = [{**stolen(name, 600), "fees": fees} for name in ("one", "two")]
        assert on_file(room.party, [*rounds, keep_entry]).good == 2
    # Two rounds paid $2 each; $5 are on record.
    assert faults(room, day) == [(1_00, ("WAC 230-15-390", funds.CONTROLS))]


def test_clerk_types_the_fund_of_an_approved_game() -> None:
    with without_access_scope():
        Room("three-card-poker")
        assert "three-card-poker" in filed_definitions()
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    place = reverse("record_fund", args=["room"])
    typed = {"fund": "major", "game": "three-card-poker", "kind": PROGRESSIVE,
             "day": "2025-03-07", "before": "$1,000.00", "contributions": "50", "payouts": "0",
             "fee": "0", "after": "1,050"}  # fmt: skip
    with clock.standing_at(MONDAY):
        refused = clerk.post(place, {**typed, "game": "faro"})
        assert (refused.status_code, "three-card-poker" in words(refused)) == (422, True)
        answer = clerk.post(place, typed, follow=True)
    assert "balance $1,050.00" in words(answer)
