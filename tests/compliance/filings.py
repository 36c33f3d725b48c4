"""One filing of each kind of a party, for tests that try every address as everyone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.utils import timezone

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.digests import state_digest
from compliance.filings.controls.writes import submit_controls
from compliance.filings.licenses.models import LicenseClass
from compliance.filings.requests.models import GameRequest
from compliance.filings.requests.writes import approve_request, submit_request, take_step
from compliance.filings.suppliers.models import Equipment
from compliance.retention.models import LegalHold
from reports.documents.registry import About
from reports.schedules.making import make_report
from tests.audits.reached import NO_AUDITS, audits_of
from tests.audits.submission.reached import NO_LOGS, logs_of
from tests.compliance.controls.filing import licensed, only_pyramid
from tests.compliance.games.filing import filed_rules_of, readings
from tests.compliance.people import made_person, party_for
from tests.compliance.webhooks.reached import NO_WEBHOOKS, webhooks_made_for
from tests.reports.reached import NO_SENDING, sending_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.access.models import Party, Person
    from compliance.filings.games.models import RuleVersion

NO_FILINGS: dict[str, Any] = {
    "controls_version": uuid4(),
    "section": "tips",
    "definition_part": "clause",
    "definition_place": 0,
    "request": uuid4(),
    "approval": uuid4(),
    "condition": 0,
    "game": "no-such-game",
    "rule_version": uuid4(),
    "document": uuid4(),
    "document_version": uuid4(),
    "file": 0,
    "license": uuid4(),
    "equipment": uuid4(),
    "item": uuid4(),
    "law_rule": "no-such-rule",
    "hold": uuid4(),
    "report": uuid4(),
    "report_table": "pay-tables",
    "report_kind": "approval_letter",
    **NO_LOGS,
    **NO_AUDITS,
    **NO_SENDING,
    **NO_WEBHOOKS,
}
OF_A_GAME = (
    NO_FILINGS.keys()
    - {"controls_version", "section", "license", "equipment", "item"}
    - {"law_rule", "report_kind", "hold"}
    - {"definition_part", "definition_place"}
    - NO_LOGS.keys()
    - NO_AUDITS.keys()
    - NO_SENDING.keys()
    - NO_WEBHOOKS.keys()
)


def filings_of(party: Party, manager: Person, asked: Collection[str]) -> dict[str, Any]:
    """Create what the requested names need, and no more, because filings take time."""
    made: dict[str, Any] = {
        "law_rule": "wager_house_banked",
        "section": "tips",
        "definition_part": "clause",
        "definition_place": 0,
        "report_kind": "approval_letter",
        "report_table": "pay-tables",
        "item": uuid4(),
    }
    if "equipment" in asked:
        equipment = Equipment(
            supplier=party, kind=Equipment.Kind.SHOE, maker=party.name, model="Shoe 6",
            license_numbers=["MA-1"], by=manager.uuid, at=timezone.now(),
        )  # fmt: skip
        equipment.save()
        made["equipment"] = equipment.uuid
    if "license" in asked:
        officer = made_person(f"officer-{uuid4()}", party_for(Role.LICENSING), Role.LICENSING)
        licensed(party, LicenseClass.HOUSE_BANKED_CARD_ROOM, officer)
        with without_access_scope():
            made["license"] = party.licenses.get().uuid
    if "controls_version" in asked:
        version = submit_controls(operator=party, content=only_pyramid(), by=manager)
        made["controls_version"] = version.uuid
    if "hold" in asked:
        made["hold"] = LegalHold.objects.create(
            kind="operator", object=party.uuid, covers=party.uuid, name=str(party), reason="Order",
            by=manager.uuid, at=timezone.now(),
        ).uuid  # fmt: skip
    made |= logs_of(party, manager, asked)
    made |= audits_of(party, asked)
    made |= sending_of(party, manager, asked)
    made |= webhooks_made_for(party, manager, asked)
    if OF_A_GAME.intersection(asked):
        officer = made_person(f"officer-{uuid4()}", party_for(Role.LICENSING), Role.LICENSING)
        rules = filed_rules_of(party, by=officer)
        made |= {"game": rules.game.slug, "rule_version": rules.uuid} | _document_data(rules)
        if {"request", "approval", "report"}.intersection(asked):
            made |= _approved(rules, party, manager, officer)
        if "report" in asked:
            about = About(subject=made["approval"])
            made["report"] = make_report(kind="approval_letter", about=about).uuid
    return made


def _document_data(rules: RuleVersion) -> dict[str, Any]:
    with without_access_scope():
        document_file = (
            rules.documents.select_related("document_version__document").get().document_version
        )
    return {
        "document": document_file.document.uuid,
        "document_version": document_file.uuid,
        "file": 0,
    }


def _approved(rules: RuleVersion, party: Party, manager: Person, officer: Person) -> dict[str, Any]:
    request = submit_request(
        rule_version=rules, path=GameRequest.Path.COMMERCIAL, asked_by=party, by=manager
    )
    take_step(request=request, name="review", reason="complete", by=officer)
    approval = approve_request(
        request=request, seen=state_digest(rules), interpretations=readings(rules), by=officer
    )
    return {"request": request.uuid, "approval": approval.uuid, "condition": 0}
