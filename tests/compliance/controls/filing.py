"""An operator in order: licensed, with its game approved and its controls in effect."""

from __future__ import annotations

from copy import deepcopy
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from compliance import clock
from compliance.access.permissions import Role
from compliance.events.digests import state_digest
from compliance.filings.controls.writes import approve_controls, submit_controls
from compliance.filings.licenses.models import LicenseClass
from compliance.filings.licenses.writes import grant_license
from tests.compliance.controls.examples import GOOD
from tests.compliance.games.filing import approved, maker_and_officer
from tests.compliance.people import party_for, person_as

if TYPE_CHECKING:
    from compliance.access.models import Party, Person
    from compliance.filings.controls.models import ControlsVersion
    from compliance.filings.requests.models import Approval

WEST = ZoneInfo("America/Los_Angeles")


def local(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=WEST)


def only_pyramid() -> dict[str, Any]:
    """Return controls for one game, free to be changed."""
    content = deepcopy(GOOD)
    return {**content, "games": {"pyramid-poker": content["games"]["pyramid-poker"]}}


def at_table_two() -> dict[str, Any]:
    """Return the same with the game at another table: only a swap of games."""
    content = only_pyramid()
    game = content["games"]["pyramid-poker"]
    game["tables"] = {"T2": game["tables"]["T1"]}
    return content


def licensed(holder: Party, kind: LicenseClass, officer: Person, **dates: date) -> None:
    grant_license(
        holder=holder,
        kind=kind,
        number=f"{kind}-1",
        issuer=party_for(Role.LICENSING),
        by=officer,
        **{"from_date": date(2025, 1, 1), **dates},
    )


def submitted(
    manager: Person, content: dict[str, Any] | None = None, **more: Any
) -> ControlsVersion:
    return submit_controls(
        operator=party_for(Role.OPERATOR_MANAGER, "room"),
        content=content or only_pyramid(),
        by=manager,
        **more,
    )


def bring_into_effect(version: ControlsVersion, officer: Person, since: datetime) -> Approval:
    return approve_controls(
        version=version, seen=state_digest(version), in_effect_from=since, by=officer
    )


def only_three_card_poker() -> dict[str, Any]:
    """Return controls for a filed game, at two tables with two of its pay tables."""
    limits = {"ante": [500, 10_000], "play": [500, 10_000], "pair_plus": [100, 5_000]}
    game = {
        "tables": {"T1": limits, "T2": limits},
        "pay_tables": {"pair_plus": "standard"},
        "by_table": {"T2": {"pay_tables": {"pair_plus": "flush_3"}}},
    }
    return {**deepcopy(GOOD), "games": {"three-card-poker": game}}


class Room:
    """A card room that may offer a game since February 1, 2025: Pyramid Poker at table T1."""

    def __init__(self, slug: str = "pyramid-poker", content: dict[str, Any] | None = None) -> None:
        with clock.standing_at(local(2025, 1, 15, 12)):
            maker, self.officer = maker_and_officer()
            self.game_approval = approved(maker, self.officer, slug)
            self.manager = person_as(Role.OPERATOR_MANAGER, "room")
            self.party = party_for(Role.OPERATOR_MANAGER, "room")
            supplier = party_for(Role.SUPPLIER, "maker")
            licensed(supplier, LicenseClass.MANUFACTURER, self.officer)
            licensed(self.party, LicenseClass.HOUSE_BANKED_CARD_ROOM, self.officer)
            self.version = submitted(self.manager, content)
            bring_into_effect(self.version, self.officer, local(2025, 2, 1, 6))
