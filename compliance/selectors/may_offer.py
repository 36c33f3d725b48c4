"""Which games operators are licensed and approved to offer, for all at once.

In a fixed number of queries, however many operators and games there are. What their own controls
and hours say is not asked here.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from compliance.choices import PartyKind
from compliance.models import Approval, Compact, Game, RuleVersion
from compliance.selectors.in_force import newest_that_binds, standing, zone
from compliance.selectors.licences import ANY_CARD_ROOM, HOUSE_BANKED, SUPPLIERS, licence_holders
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from compliance.models import Party


def may_offer(operators: Iterable[Party], *, at: datetime) -> set[tuple[int, str]]:
    """The pairs of an operator's key and a game's name in addresses."""
    on = at.astimezone(zone()).date()
    with without_walls():
        suppliers = licence_holders(SUPPLIERS, on)
        rooms, house = licence_holders(ANY_CARD_ROOM, on), licence_holders(HOUSE_BANKED, on)
        compacts = set(
            Compact.objects.filter(from_date__lte=on).values_list("agency_id", flat=True)
        )
        games = _versions(at)
    found = set()
    for operator in operators:
        for game, versions in games:
            if operator.kind == PartyKind.TRIBAL_OPERATION:
                licensed = operator.agency_id in compacts
            else:
                licensed = operator.pk in (house if game.banked_by == Game.Banking.HOUSE else rooms)
            version, _, _ = newest_that_binds(
                operator, game, versions, on=on, licensed=lambda party: party.pk in suppliers
            )
            if licensed and version is not None:
                found.add((operator.pk, game.slug))
    return found


def _versions(at: datetime) -> list[tuple[Game, list[tuple[RuleVersion, list[Approval]]]]]:
    """Every game with its rule versions, the newest first, and the approvals that hold."""
    rules = RuleVersion.objects.order_by("-number")
    given: defaultdict[UUID, list[Approval]] = defaultdict(list)
    for approval in standing(
        Approval.objects.filter(subject__in=rules.order_by().values("uuid")), at
    ):
        given[approval.subject].append(approval)
    by_game: defaultdict[int, list[tuple[RuleVersion, list[Approval]]]] = defaultdict(list)
    for version in rules:
        by_game[version.game_id].append((version, given[version.uuid]))
    return [(game, by_game[game.pk]) for game in Game.objects.select_related("supplier")]
