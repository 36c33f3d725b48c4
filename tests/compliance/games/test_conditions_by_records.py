"""Conditions of approvals are met by licenses, equipment, interests and a compact's checklist."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from compliance.access.models import Person
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.digests import state_digest
from compliance.filings.documents.writes import ReceivedFile
from compliance.filings.licenses.models import LicenseChange, LicenseClass
from compliance.filings.licenses.writes import (
    add_compact_item,
    change_license,
    enter_compact,
    grant_license,
)
from compliance.filings.requests.approvals import NewCondition, mark_condition
from compliance.filings.requests.condition_records import check_by_records
from compliance.filings.requests.conditions import condition_state, find_blocking
from compliance.filings.requests.models import Approval, Condition, ConditionMark, GameRequest
from compliance.filings.requests.reads import get_checklist
from compliance.filings.requests.writes import (
    add_checklist_document,
    approve_request,
    submit_request,
    take_step,
    tick_checklist,
)
from compliance.filings.suppliers.models import Equipment, Interest
from compliance.filings.suppliers.reads import interests_on
from compliance.filings.suppliers.writes import file_equipment, record_delivery, report_interest
from tests.compliance.controls.filing import bring_into_effect, local, submitted
from tests.compliance.games.filing import approved, maker_and_officer, readings, under_review
from tests.compliance.pages.browsing import browser_of
from tests.compliance.people import made_party, made_person, party_for, person_as

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from compliance.access.models import Party

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
Kind = Condition.Kind
DAY = date(2025, 7, 1)


def licensed_approval() -> tuple[Person, Person, Approval]:
    """Return the supplier, the officer, and an approval of a licensed supplier's game."""
    maker, officer = maker_and_officer()
    grant_license(
        holder=party_for(Role.SUPPLIER, "maker"), kind=LicenseClass.MANUFACTURER, number="MA-1",
        issuer=party_for(Role.LICENSING), from_date=date(2020, 1, 1), by=officer,
    )  # fmt: skip
    return maker, officer, approved(maker, officer)


@pytest.fixture(autouse=True)
def _beyond_the_scope() -> Iterator[None]:
    with without_access_scope():
        yield


def layout(maker: Person, *numbers: str) -> Equipment:
    condition = Condition.objects.get(kind=Kind.LICENSED_MAKERS)
    game = GameRequest.objects.get(rule_version__uuid=condition.approval.subject).rule_version.game
    supplier = party_for(Role.SUPPLIER, "maker")
    return file_equipment(
        supplier=supplier, kind=Equipment.Kind.LAYOUT, maker=supplier.name, model="Felt 7",
        license_numbers=numbers, game=game, by=maker,
    )  # fmt: skip


def states() -> dict[str, str]:
    return {each.kind: condition_state(each).state for each in Condition.objects.all()}


def test_conditions_follow_licenses_and_equipment() -> None:
    maker, _officer, _ = licensed_approval()
    assert states() == {
        "as_filed": "met", "controls_first": "met", "licensed_makers": "open",
        "no_marketing": "met",
    }  # fmt: skip
    layout(maker, "XX-9")
    assert states()["licensed_makers"] == "not_met"
    layout(maker, "MA-1")
    (unlicensed,) = Equipment.objects.filter(license_numbers=["XX-9"])
    says = check_by_records(Condition.objects.get(kind=Kind.LICENSED_MAKERS))
    assert says is not None
    assert "no manufacturer's or distributor's license" in says.says
    assert str(unlicensed) in says.says


def test_delivery_needs_the_licenses_of_its_operator() -> None:
    maker, officer, _ = licensed_approval()
    supplier, room = party_for(Role.SUPPLIER, "maker"), party_for(Role.OPERATOR_MANAGER, "room")
    agency = made_party(PartyKind.TRIBAL_AGENCY, "agency")
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    made = layout(maker, "MA-1", "SC-1", "TL-1")
    record_delivery(equipment=made, operator=room, from_date=DAY, by=maker)
    with pytest.raises(RefusedError, match=r"no state certification .* no license of"):
        record_delivery(equipment=made, operator=casino, from_date=DAY, by=maker)
    for kind, number, issuer in (
        (LicenseClass.STATE_CERTIFICATION, "SC-1", party_for(Role.LICENSING)),
        (LicenseClass.TRIBAL_LICENSE, "TL-1", agency),
    ):
        grant_license(holder=supplier, kind=kind, number=number, issuer=issuer,
                      from_date=date(2025, 1, 1), by=officer)  # fmt: skip
    record_delivery(equipment=made, operator=casino, from_date=DAY, by=maker)
    with pytest.raises(RefusedError, match="already on file"):
        record_delivery(equipment=made, operator=casino, from_date=DAY, by=maker)
    license = supplier.licenses.get(number="MA-1")
    change_license(license=license, effect=LicenseChange.Effect.SUSPENDED,
                   from_date=date(2025, 6, 1), reason="Fees.", by=officer)  # fmt: skip
    with pytest.raises(RefusedError, match="is in effect on July 2, 2025"):
        record_delivery(equipment=made, operator=room, from_date=date(2025, 7, 2), by=maker)


def test_unlicensed_supplier_blocks_controls_until_waived() -> None:
    _, officer, approval = licensed_approval()
    license = party_for(Role.SUPPLIER, "maker").licenses.get()
    change_license(license=license, effect=LicenseChange.Effect.REVOKED,
                   from_date=date(2025, 1, 1), reason="Fees.", by=officer)  # fmt: skip
    manager = person_as(Role.OPERATOR_MANAGER, "room")
    controls = submitted(manager)
    since = local(2030, 1, 1)
    with pytest.raises(RefusedError, match="condition of the game's approval comes first"):
        bring_into_effect(controls, officer, since)
    mark_condition(
        condition=approval.conditions.get(kind=Kind.NO_MARKETING),
        mark=ConditionMark.Mark.WAIVED, until=date(2099, 1, 1), reason="Renewal.", by=officer,
    )  # fmt: skip
    assert bring_into_effect(controls, officer, since).party == controls.operator


def test_condition_before_play_blocks_until_a_person_marks_it() -> None:
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    version = request.rule_version
    approval = approve_request(
        request=request, seen=state_digest(version), interpretations=readings(version),
        conditions=[NewCondition(Kind.BEFORE_PLAY, "Dealers are trained.")], by=officer,
    )  # fmt: skip
    assert len(find_blocking(version)) == 1
    mark_condition(condition=approval.conditions.get(), mark=ConditionMark.Mark.MET,
                   reason="The records of training were seen.", by=officer)  # fmt: skip
    assert find_blocking(version) == []


def test_interests_come_to_the_whole_and_end() -> None:
    maker, _ = maker_and_officer()
    supplier = party_for(Role.SUPPLIER, "maker")

    def report(holder: str, portion: int, day: int, basis: str = "ownership") -> Interest:
        return report_interest(
            supplier=supplier, holder=holder, basis=Interest.Basis(basis), portion=portion,
            from_date=date(2025, 1, day), by=maker,
        )  # fmt: skip

    report("Ada Lum", 6_000, 1)
    report("Bo Ray", 4_000, 1)
    with pytest.raises(RefusedError, match=r"would come to 110%"):
        report("Cy Fox", 1_000, 2)
    report("ada lum", 5_000, 3)
    report("Bo Ray", 0, 4, "ended")
    found = [(each.holder, each.percent) for each in interests_on(supplier, date(2025, 1, 5))]
    assert found == [("ada lum", "50%")]
    assert len(interests_on(supplier, date(2025, 1, 2))) == 2
    with pytest.raises(RefusedError, match="No interest of Cy Fox"):
        report("Cy Fox", 0, 5, "ended")


@pytest.fixture
def tribal() -> tuple[GameRequest, Person, Person, Party]:
    _, officer, approval = licensed_approval()
    version_id = approval.subject
    agency = made_party(PartyKind.TRIBAL_AGENCY, "agency")
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    manager = made_person("casino-manager", casino, Role.OPERATOR_MANAGER)
    reviewer = made_person("casino-reviewer", agency, Role.AGENCY_REVIEWER)
    compact = enter_compact(agency=agency, title="Compact", from_date=date(1996, 1, 1),
                            source="Test", by=officer)  # fmt: skip
    for asks in ("Rules of play", "Surveillance plan"):
        add_compact_item(compact=compact, asks=asks, citation="Appendix A, 18", by=officer)
    request = submit_request(
        rule_version=GameRequest.objects.get(rule_version__uuid=version_id).rule_version,
        path=GameRequest.Path.TRIBAL, asked_by=casino, by=manager,
    )  # fmt: skip
    return request, manager, reviewer, casino


def test_concurrence_past_an_unmet_item_needs_a_reason(
    tribal: tuple[GameRequest, Person, Person, Party],
) -> None:
    request, _, reviewer, _ = tribal
    officer = Person.objects.get(email="licensing-one@example.org")
    first, second = get_checklist(request)
    tick_checklist(request=request, there=[first.item], by=reviewer)
    seen = state_digest(request.rule_version)
    approve_request(request=request, seen=seen, by=reviewer)
    take_step(request=request, name="seek_concurrence", reason="The compact.", by=reviewer)
    with pytest.raises(RefusedError, match=f"has not found these items .*{second.item.asks}"):
        approve_request(request=request, seen=seen, by=officer)
    given = approve_request(request=request, seen=seen, by=officer, despite="It follows in May.")
    assert given.note == (f"Concurred without: {second.item.asks}. Reason: It follows in May.")
    condition = given.conditions.get(kind=Kind.COMPACT_SUPPLEMENT)
    assert condition_state(condition).state == "not_met"


def test_each_item_takes_its_own_document(
    tribal: tuple[GameRequest, Person, Person, Party], tmp_path: Path
) -> None:
    request, manager, reviewer, casino = tribal
    first, _ = get_checklist(request)
    plan = tmp_path / "plan.txt"
    plan.write_text("Camera 7 covers the table.")
    made = add_checklist_document(
        request=request, item=first.item, received=[ReceivedFile(plan, "plan.txt")],
        evidence_date=DAY, by=manager,
    )  # fmt: skip
    assert [each.documents for each in get_checklist(request)] == [[made], []]
    assert made.document_version.document.owner == casino
    with pytest.raises(RefusedError, match="not open to your role"):
        add_checklist_document(
            request=request, item=first.item, received=[ReceivedFile(plan, "plan.txt")],
            evidence_date=DAY, by=reviewer,
        )  # fmt: skip


def test_agency_opens_each_document_of_a_request_on_its_own(
    tribal: tuple[GameRequest, Person, Person, Party],
) -> None:
    """The supplier's rules are not shared: only this version of them, as part of the request."""
    request, _, reviewer, _ = tribal
    agency = browser_of(reviewer)
    rules = request.rule_version.documents.get().document_version
    place = f"/requests/{request.uuid}/documents/{rules.uuid}/"
    assert agency.get(place).status_code == 200
    file = agency.get(f"{place}files/0/")
    assert file.status_code == 200
    assert file.content.startswith(b"%PDF")
    assert agency.get(f"/documents/versions/{rules.uuid}/").status_code == 404
    stranger = person_as(Role.OPERATOR_MANAGER, "room")
    assert browser_of(stranger).get(place).status_code == 404
