"""What the records say of a condition: licenses, equipment, interests, approvals, a checklist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from compliance import clock
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.filings.games.models import RuleVersion
from compliance.filings.licenses.models import LicenseClass
from compliance.filings.licenses.reads import SUPPLIERS, holds_license
from compliance.filings.requests.models import Approval, Condition, GameRequest
from compliance.filings.requests.reads import get_checklist
from compliance.filings.suppliers.reads import (
    equipment_of_game,
    find_license_problems,
    interests_on,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class RecordCheck:
    """What the records show: whether a condition is met (None: a person decides), and why."""

    met: bool | None
    says: str


def check_by_records(condition: Condition) -> RecordCheck | None:
    """Check a condition by the records; None if nothing on file bears on it."""
    check = _CHECKS.get(Condition.Kind(condition.kind))
    if check is None:
        return None
    with without_access_scope():
        approval = condition.approval
        versions = RuleVersion.objects.select_related("game__supplier")
        version = versions.filter(uuid=approval.subject).first()
        return None if version is None else check(approval, version)


def _as_filed(_: Approval, version: RuleVersion) -> RecordCheck:
    says = "Each round is settled again by what was approved; what differs is a finding."
    if not version.definition and not version.rule_set:
        return RecordCheck(
            met=None, says="No family settles this game: inspections show how it is played."
        )
    return RecordCheck(met=True, says=says)


def _controls_first(_: Approval, __: RuleVersion) -> RecordCheck:
    says = "A table that deals the game without approved internal controls is a finding."
    return RecordCheck(met=True, says=says)


def _no_marketing(_: Approval, version: RuleVersion) -> RecordCheck:
    supplier = version.game.supplier
    if supplier is None:
        return RecordCheck(met=True, says="The game is the commission\u2019s own.")
    if holds_license(supplier, SUPPLIERS - {LicenseClass.STATE_CERTIFICATION}, clock.today()):
        return RecordCheck(met=True, says=f"{supplier} is licensed today.")
    return RecordCheck(
        met=False,
        says=f"{supplier} has no license of a manufacturer, distributor or service supplier in "
        "effect today.",
    )


def _licensed_makers(approval: Approval, version: RuleVersion) -> RecordCheck:
    equipment = equipment_of_game(version.game)
    if not equipment:
        return RecordCheck(met=None, says="No equipment is on file for this game.")
    is_tribal = approval.party.kind == PartyKind.TRIBAL_OPERATION
    operator = approval.party if is_tribal else None
    today = clock.today()
    problems = [say for each in equipment for say in find_license_problems(each, today, operator)]
    if problems:
        return RecordCheck(met=False, says=" ".join(problems))
    named = "; ".join(map(str, equipment))
    return RecordCheck(met=True, says=f"Licensed today: {named}. Each delivery is checked again.")


def _interests(_: Approval, version: RuleVersion) -> RecordCheck:
    supplier = version.game.supplier
    found = [] if supplier is None else interests_on(supplier, clock.today())
    if not found:
        return RecordCheck(met=None, says="No holder of a substantial interest is on file.")
    percent = sum(each.portion for each in found) / 100
    undocumented = sum(each.document is None for each in found)
    says = f"Holders on file: {len(found)}, with {percent:g}% of the shares"
    says += f"; without a document: {undocumented}." if undocumented else ", each with a document."
    return RecordCheck(met=None, says=f"{says} Financial investigations decides.")


def _agency_first(approval: Approval, version: RuleVersion) -> RecordCheck:
    given = Approval.objects.filter(
        kind=Approval.Kind.AGENCY, subject=version.uuid, party=approval.party
    ).first()
    if given is None:
        return RecordCheck(met=False, says="The tribe\u2019s agency has not approved the game.")
    return RecordCheck(
        met=True, says=f"{given.by_party} approved it on {given.at:%B} {given.at.day}."
    )


def _supplement(approval: Approval, version: RuleVersion) -> RecordCheck:
    request = GameRequest.objects.filter(
        rule_version=version, path=GameRequest.Path.TRIBAL, asked_by=approval.party
    ).last()
    lines = get_checklist(request) if request is not None else []
    if not lines:
        return RecordCheck(met=None, says="No checklist of the compact is on file.")
    missing = [each.item.asks for each in lines if not each.is_met]
    if missing:
        return RecordCheck(met=False, says=f"Not found by the agency: {'; '.join(missing)}.")
    return RecordCheck(met=True, says=f"The agency found all {len(lines)} items of the compact.")


_CHECKS: Final[dict[Condition.Kind, Callable[[Approval, RuleVersion], RecordCheck]]] = {
    Condition.Kind.AS_FILED: _as_filed,
    Condition.Kind.CONTROLS_FIRST: _controls_first,
    Condition.Kind.NO_MARKETING: _no_marketing,
    Condition.Kind.LICENSED_MAKERS: _licensed_makers,
    Condition.Kind.SUBSTANTIAL_INTEREST: _interests,
    Condition.Kind.AGENCY_FIRST: _agency_first,
    Condition.Kind.COMPACT_SUPPLEMENT: _supplement,
}
