"""Approved table limits near or above the legal cap on a single wager.

For all operators at once, in a fixed number of queries; uses the law of one civil day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.filings.controls.content import read_content
from compliance.filings.controls.models import ControlsVersion
from compliance.filings.games.models import Game
from compliance.filings.licenses.models import CompactValue
from compliance.filings.requests.models import Approval
from compliance.filings.requests.reads import is_in_effect
from compliance.in_effect.reads import find_offerable_games
from compliance.law.reads import law_rules
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from datetime import date, datetime
    from uuid import UUID

    from compliance.access.models import Party


NEAR = 90
"""The percentage of the cap from which a maximum counts as near."""


@dataclass(frozen=True, kw_only=True)
class NearCap:
    """A wager at a table whose approved maximum is near the cap, in cents."""

    operator: Party
    game: str
    table: str
    wager: str
    maximum: int
    cap: int

    @property
    def percent(self) -> int:
        """Return the maximum as a percentage of the cap, rounded down."""
        return self.maximum * 100 // self.cap


def limits_near_cap(*, at: datetime, operator: Party | None = None) -> list[NearCap]:
    """Return maximums of at least 90% of the cap, the nearest and highest first.

    From the controls in effect, for games that the operator is licensed and approved to offer.
    """
    with without_access_scope():
        on = at.astimezone(zone()).date()
        house = _house_banked()
        law = law_rules()["wager_house_banked"].on(on)
        commercial = law.value if law is not None and isinstance(law.value, int) else None
        compacts = _compact_caps(on)
        versions = _in_effect(at, operator)
        offered = find_offerable_games([version.operator for version in versions], at=at)
        found = []
        for version in versions:
            party = version.operator
            tribal = party.kind == PartyKind.TRIBAL_OPERATION
            for game, controls in read_content(version.content)[0].games.items():
                if (party.pk, game) not in offered:
                    continue
                if tribal:
                    cap = compacts.get(party.agency_id or 0)
                else:
                    cap = commercial if game in house else None
                if not cap:
                    continue
                found += [
                    NearCap(
                        operator=party, game=game, table=table, wager=wager, maximum=most, cap=cap
                    )
                    for table, wagers in controls.tables.items()
                    for wager, (_, most) in wagers.items()
                    if most * 100 >= cap * NEAR
                ]
    return sorted(
        found,
        key=lambda each: (-each.percent, each.operator.name, each.game, each.table, each.wager),
    )


def _in_effect(at: datetime, operator: Party | None) -> list[ControlsVersion]:
    """Return each operator's version in effect: the newest whose first approval is in effect."""
    versions = ControlsVersion.objects.all()
    if operator is not None:
        versions = versions.filter(operator=operator)
    owner = dict(versions.values_list("uuid", "operator_id"))
    given = Approval.objects.filter(subject__in=owner).order_by("in_effect_from", "at")
    first: dict[UUID, Approval] = {}
    for each in given.prefetch_related("withdrawals"):
        first.setdefault(each.subject, each)
    newest = {
        owner[subject]: subject for subject, approval in first.items() if is_in_effect(approval, at)
    }
    return list(ControlsVersion.objects.filter(uuid__in=newest.values()).select_related("operator"))


def _house_banked() -> set[str]:
    """Return the games subject to the legal cap, as filed and as defined in the engine."""
    filed = dict(Game.objects.values_list("slug", "banked_by"))
    known = {slug for slug in SLUGS if slug not in filed and rule_set(slug).house_banked}
    return known | {slug for slug, banked in filed.items() if banked == Game.Banking.HOUSE}


def _compact_caps(on: date) -> dict[int, int | None]:
    """Return the single-wager cap by agency, from its compact on a day."""
    values = CompactValue.objects.filter(rule=CompactValue.Rule.WAGER, from_date__lte=on)
    return dict(values.order_by("from_date", "id").values_list("compact__agency_id", "value"))
