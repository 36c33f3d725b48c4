"""Only what is approved and chosen for a table settles its rounds, from its instant on."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from audits.replay.terms import terms_of
from compliance import clock
from compliance.access.models import Person
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.digests import state_digest
from compliance.filings.controls.writes import NotReadyError, submit_controls
from compliance.filings.games.models import RuleVersion
from compliance.filings.games.writes import FiledDocuments, file_rule_version, pay_tables_of_rules
from compliance.filings.licenses.models import LicenseClass
from compliance.filings.requests.approvals import step_withdrawal
from compliance.filings.requests.models import Approval, Withdrawal
from compliance.filings.requests.writes import approve_request, take_step
from compliance.in_effect.reads import find_terms
from compliance.notifications.models import Notice
from tests.audits.auditing.nights import local as logged
from tests.audits.auditing.nights import pyramid, straight_flush
from tests.audits.auditing.segments import audited
from tests.compliance.controls.filing import (
    Room,
    bring_into_effect,
    licensed,
    local,
    only_pyramid,
)
from tests.compliance.games.filing import asked, readings
from tests.compliance.people import party_for, person_as
from tests.games.written_rounds import pyramid_seat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from audits.replay.auditing.terms import Terms
    from compliance.access.models import Party

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
PYRAMID = "pyramid-poker"
ALL_DAY = {day: ["00:00", "00:00"] for day in ("friday", "saturday", "sunday", "monday")}
MIDNIGHT = local(2025, 7, 13)


@pytest.fixture
def room() -> Iterator[Room]:
    with without_access_scope():
        yield Room()


def file_second(room: Room, tables: dict[str, dict[str, int]]) -> RuleVersion:
    """File version 2 of the rules with these pay tables."""
    version = RuleVersion.objects.get(game__slug=PYRAMID)
    documents = [each.document_version for each in version.documents.all()]
    return file_rule_version(
        game=version.game,
        papers=FiledDocuments(rules=documents, pay_tables={"rules": tables}),
        as_of=date(2025, 6, 1),
        by=Person.objects.get(email="supplier-maker@example.org"),
    )


def two_tables() -> dict[str, dict[str, int]]:
    """Return a second pay table by name: straight flush 40 to 1, and no line for a flush."""
    tables = pay_tables_of_rules(PYRAMID)
    tables["three_card:high"] = {
        line: 40 if line == "straight_flush" else pays
        for line, pays in tables["three_card"].items()
        if line != "flush"
    }
    return tables


def approve_second(room: Room) -> RuleVersion:
    """Approve version 2 in the afternoon of June 20, 2025."""
    with clock.standing_at(local(2025, 6, 20, 15)):
        version = file_second(room, two_tables())
        request = asked(Person.objects.get(email="supplier-maker@example.org"), version)
        take_step(request=request, name="review", reason="complete", by=room.officer)
        approve_request(
            request=request,
            seen=state_digest(version),
            interpretations=readings(version),
            by=room.officer,
        )
    return version


def controls(**choice: Any) -> dict[str, Any]:
    """Return controls for tables T1 and T2, open all day, with these choices."""
    content = only_pyramid() | {"hours": ALL_DAY}
    game = content["games"][PYRAMID]
    game["tables"]["T2"] = game["tables"]["T1"]
    game |= choice
    return content


def begin(party: Party, manager: Person, officer: Person, since: Any, **choice: Any) -> None:
    with clock.standing_at(since - timedelta(days=2)):
        version = submit_controls(operator=party, content=controls(**choice), by=manager)
        bring_into_effect(version, officer, since)


def of_night(party: Party) -> Terms:
    start = local(2025, 7, 12, 6)
    return terms_of(operator=party, game=PYRAMID, begin=start, end=start + timedelta(days=1))


def flush(result: int) -> dict[str, Any]:
    """Return a seat with A-J-9 of spades against K-8 over T: main wins, six cards lose."""
    seat = pyramid_seat("As Js 9s", "Js", (1000, 1000, 1000), player="p-4")
    return {**seat, "result": {"main": 1000, "three_card": result, "six_card": -1000}}


def play(name: str, table: str, at: str, seat: dict[str, Any]) -> bytes:
    return pyramid(name, at, seat, table=table)


EVENING, NIGHT = logged(2025, 7, 12, 23, 59), logged(2025, 7, 13, 0, 1)


def found_in(folder: Path, party: Party, *lines: bytes) -> list[tuple[Any, ...]]:
    _, found = audited(folder, lines, of_night(party))
    return [(one["round"], one["code"], one["wager"], one["expected"]) for one in found]


def test_table_changes_its_pay_table_at_midnight(room: Room, tmp_path: Path) -> None:
    approve_second(room)
    begin(room.party, room.manager, room.officer, local(2025, 7, 1), version=1)
    high = {"version": 2, "pay_tables": {"three_card": "high"}}
    begin(room.party, room.manager, room.officer, MIDNIGHT, version=1, by_table={"T1": high})
    assert found_in(
        tmp_path,
        room.party,
        play("a", "T1", EVENING, straight_flush(30)),
        play("b", "T1", NIGHT, straight_flush(40)),
        play("c", "T1", logged(2025, 7, 13, 0, 2), flush(-1000)),
        play("d", "T1", logged(2025, 7, 13, 0, 3), straight_flush(30)),
        play("e", "T1", logged(2025, 7, 13, 0, 4), flush(2000)),
        play("f", "T2", EVENING, straight_flush(30)),
        play("g", "T2", NIGHT, straight_flush(40)),
        play("h", "T2", logged(2025, 7, 13, 0, 2), flush(2000)),
    ) == [
        ("d", "settlement.three_card", "three_card", 40_000),
        ("e", "settlement.three_card", "three_card", -1_000),
        ("g", "settlement.three_card", "three_card", 30_000),
    ]


def test_two_rooms_run_two_approved_pay_tables(room: Room, tmp_path: Path) -> None:
    approve_second(room)
    begin(room.party, room.manager, room.officer, local(2025, 7, 1), version=1)
    manager = person_as(Role.OPERATOR_MANAGER, "harbor")
    harbor = party_for(Role.OPERATOR_MANAGER, "harbor")
    licensed(harbor, LicenseClass.HOUSE_BANKED_CARD_ROOM, room.officer)
    high = {"three_card": "high"}
    begin(harbor, manager, room.officer, local(2025, 7, 1), version=2, pay_tables=high)
    lines = (
        play("a", "T1", EVENING, straight_flush(30)),
        play("b", "T1", NIGHT, straight_flush(40)),
    )
    (one,) = found_in(tmp_path, room.party, *lines)
    (other,) = found_in(tmp_path, harbor, *lines)
    assert (one[0], other[0]) == ("b", "a")
    for party, number, name in ((room.party, 1, "standard"), (harbor, 2, "high")):
        terms = find_terms(operator=party, game=PYRAMID, table="T1", at=local(2025, 7, 12, 22))
        assert terms.authorized
        assert terms.rule_version is not None
        assert terms.rule_version.number == number
        assert terms.pay_tables["three_card"].name == name


def test_newer_approval_changes_nothing(room: Room, tmp_path: Path) -> None:
    before = of_night(room.party)
    approve_second(room)
    after = of_night(room.party)
    assert after.spans == before.spans  # controls that name no version keep the one they began with
    assert find_terms(
        operator=room.party, game=PYRAMID, table="T1", at=local(2025, 7, 12, 22)
    ).authorized


def test_operator_hears_of_new_version_and_withdrawal(room: Room) -> None:
    version = approve_second(room)
    notices = Notice.objects.filter(person=room.manager).order_by("id")
    (heard,) = notices.filter(kind="version_approved")
    assert str(version) in heard.says
    assert "Nothing changes at your tables until you choose it" in heard.says
    for approval in (Approval.objects.get(subject=version.uuid), room.game_approval):
        step_withdrawal(
            approval=approval, step=Withdrawal.Step.NOTICED, reason="r", by=room.officer
        )
    (heard,) = notices.filter(kind="approval_withdrawn")
    assert heard.says == (
        "The approval of Pyramid Poker, version 1: withdrawal noticed. Your controls choose it."
    )


def test_withdrawal_ends_what_was_chosen(room: Room) -> None:
    approve_second(room)
    step = Withdrawal.Step
    with clock.standing_at(local(2025, 7, 1, 12)):
        given = Approval.objects.get(pk=room.game_approval.pk)
        step_withdrawal(approval=given, step=step.NOTICED, reason="r", by=room.officer)
        step_withdrawal(
            approval=given,
            step=step.FINAL,
            reason="r",
            by=room.officer,
            in_effect_from=local(2025, 7, 12, 22),
        )
    at = {"operator": room.party, "game": PYRAMID, "table": "T1"}
    assert find_terms(**at, at=local(2025, 7, 12, 21, 59)).authorized
    (reason,) = find_terms(**at, at=local(2025, 7, 12, 22)).reasons
    assert reason.code == "approval.game"
    assert "version 1, which the controls choose, was not approved" in reason.text


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        ({"three_card": {"mini_royal_spades": 200}}, "cannot produce: `mini_royal_spades`"),
        ({"three_card:high": {"royal": 9}}, "three_card, high: .*cannot produce: `royal`"),
        ({"seven_card": {"flush": 9}}, "has no pay table `seven_card`"),
        ({"six_card": {}}, "`six_card` is missing"),
    ],
)
def test_filing_names_the_line_it_cannot_take(
    room: Room, tables: dict[str, dict[str, int]], says: str
) -> None:
    filed = pay_tables_of_rules(PYRAMID)
    for table, lines in tables.items():
        filed[table] = {**filed.get(table, {}), **lines} if lines else {}
    with pytest.raises(RefusedError, match=says):
        file_second(room, filed)


@pytest.mark.parametrize(
    ("choice", "place", "says"),
    [
        ({}, "version", "Approved are 2, 1"),
        ({"version": 3}, "version", "Version 3 is not approved"),
        ({"version": 2}, "pay_tables.three_card", "Approved are standard, high"),
        (
            {"version": 1, "pay_tables": {"three_card": "high"}},
            "pay_tables.three_card",
            "no approved pay table “high”",
        ),
        (
            {"version": 1, "by_table": {"T1": {"version": 9}}},
            "by_table.T1.version",
            "Version 9 is not approved",
        ),
    ],
)
def test_controls_choose_only_what_is_approved(
    room: Room, choice: dict[str, Any], place: str, says: str
) -> None:
    approve_second(room)
    with pytest.raises(NotReadyError, match=says) as refused:
        submit_controls(operator=room.party, content=controls(**choice), by=room.manager)
    assert refused.value.problems[0].place == f"games.{PYRAMID}.{place}"


def test_controls_read_a_question_only_as_allowed(room: Room) -> None:
    given = Approval.objects.get(pk=room.game_approval.pk)
    assert given.interpretations is not None
    version = file_second(room, two_tables())
    request = asked(Person.objects.get(email="supplier-maker@example.org"), version)
    take_step(request=request, name="review", reason="complete", by=room.officer)
    strict = [replace(each, allowed=()) for each in readings(version)]
    approve_request(
        request=request, seen=state_digest(version), interpretations=strict, by=room.officer
    )
    choice = {"version": 2, "pay_tables": {"three_card": "high"}}
    for reading, refused in (("dealer_wins", True), ("push", False)):
        content = controls(**choice, interpretations={"PP-I1": reading})
        if refused:
            with pytest.raises(NotReadyError, match="does not allow “dealer wins”"):
                submit_controls(operator=room.party, content=content, by=room.manager)
        else:
            submit_controls(operator=room.party, content=content, by=room.manager)


@pytest.mark.parametrize(
    ("lacks", "says"), [("reading", "choose how"), ("reason", "say why"), ("all", "choose how")]
)
def test_approver_reads_each_question_with_a_reason(room: Room, lacks: str, says: str) -> None:
    version = file_second(room, two_tables())
    request = asked(Person.objects.get(email="supplier-maker@example.org"), version)
    take_step(request=request, name="review", reason="complete", by=room.officer)
    first, *others = readings(version)
    without = {
        "reading": [replace(first, reading=""), *others],
        "reason": [replace(first, reason=" "), *others],
        "all": [],
    }[lacks]
    with pytest.raises(RefusedError, match=f"{first.id}: {says}"):
        approve_request(
            request=request, seen=state_digest(version), interpretations=without, by=room.officer
        )
    assert Approval.objects.filter(subject=version.uuid).count() == 0
