"""What is in force at each table of an operator now, and the next day on which that changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from typing import TYPE_CHECKING

from django.db.models import Q

from compliance import clock
from compliance.models import (
    Approval,
    CompactValue,
    ConditionMark,
    Licence,
    LicenceChange,
    RuleVersion,
    Withdrawal,
)
from compliance.selectors.in_force import controls_at, in_force, zone
from compliance.selectors.law import law_rules
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from django.db.models import QuerySet

    from compliance.models import ControlsVersion, Party
    from compliance.selectors.in_force import InForce, Reason

HOURS = "approval.hours"
"""Doors open and close every day: that is no change of what is in force."""


@dataclass(frozen=True)
class Change:
    """The next instant at which something else is in force for a game, and what it is in words."""

    at: datetime
    says: str


@dataclass(frozen=True, kw_only=True)
class GameInForce:
    """One game of an operator now: by whose rules, at which tables, within which limits."""

    game: str
    rule_version: RuleVersion | None
    controls_version: ControlsVersion | None
    reasons: tuple[Reason, ...]
    """Why it could not be dealt now."""
    tables: dict[str, dict[str, tuple[int, int]]]
    """By table the least and the most of each wager, in cents."""
    change: Change | None

    @property
    def closed(self) -> bool:
        """Whether nothing but the hours keeps it from being dealt."""
        return [each.code for each in self.reasons] == [HOURS]


def tables_in_force(operator: Party, at: datetime | None = None) -> list[GameInForce]:
    """Every game that the controls name now or from a day to come, by its name."""
    at = at or clock.now()
    with without_walls():
        later = sorted(set(_instants(operator, at)))
    games: set[str] = set()
    for instant in (at, *later):
        content = controls_at(operator=operator, at=instant)
        games |= content.games.keys() if content else set()
    with without_walls():
        suppliers = {game: list(_midnights(_days_of_supplier(game), at)) for game in games}
    return [_game(operator, game, at, sorted({*later, *suppliers[game]})) for game in sorted(games)]


def _game(operator: Party, game: str, at: datetime, later: list[datetime]) -> GameInForce:
    now = in_force(operator=operator, game=game, table=None, at=at)
    change = None
    for instant in later:
        then = in_force(operator=operator, game=game, table=None, at=instant)
        if says := _difference(now, then):
            change = Change(instant, says)
            break
    return GameInForce(
        game=game,
        rule_version=now.rule_version,
        controls_version=now.controls_version,
        reasons=now.reasons,
        tables={name: dict(limits) for name, limits in now.controls.tables.items()}
        if now.controls
        else {},
        change=change,
    )


def _difference(now: InForce, then: InForce) -> str:
    """What differs, hours aside; empty where nothing does."""
    barred, opened = _barred(then), _barred(now)
    if barred != opened:
        return (
            f"As things stand it may not be dealt then. {barred}" if barred else "It may be dealt."
        )
    if now.controls_version != then.controls_version and now.controls != then.controls:
        return f"{str(then.controls_version).capitalize()} takes effect."
    if now.rule_version != then.rule_version:
        return f"{then.rule_version} takes effect."
    if then.cap and (now.cap is None or now.cap["value"] != then.cap["value"]):
        return f"Another cap of a single wager applies ({then.cap['citation']})."
    return ""


def _barred(found: InForce) -> str:
    return " ".join(each.text for each in found.reasons if each.code != HOURS)


def _instants(operator: Party, at: datetime) -> Iterator[datetime]:
    """Every instant to come at which something in force may change."""
    rules = RuleVersion.objects.values("uuid")
    given = Approval.objects.filter(Q(party=operator) | Q(subject__in=rules))
    coming = given.filter(in_effect_from__gt=at)
    yield from coming.values_list("in_effect_from", flat=True)
    withdrawn = Withdrawal.objects.filter(approval__in=given, in_effect_from__gt=at)
    for instant in withdrawn.values_list("in_effect_from", flat=True):
        if instant is not None:
            yield instant
    yield from _midnights(_days(operator), at)


def _days(operator: Party) -> Iterator[date]:
    """Days of licences, waivers and the law, of a tribe's compact too, past and to come."""
    yield from _days_of_licences(Licence.objects.filter(holder=operator))
    waivers = ConditionMark.objects.filter(until__isnull=False)
    yield from (day for day in waivers.values_list("until", flat=True) if day)
    if operator.agency is None:
        yield from (value.from_ for value in law_rules()["wager_house_banked"].values)
        return
    yield from operator.agency.compacts.values_list("from_date", flat=True)
    values = CompactValue.objects.filter(compact__agency=operator.agency)
    yield from values.values_list("from_date", flat=True)


def _days_of_supplier(game: str) -> Iterator[date]:
    """Days of the licences of a game's supplier: without one its game may not be marketed."""
    return _days_of_licences(Licence.objects.filter(holder__games__slug=game))


def _days_of_licences(licences: QuerySet[Licence]) -> Iterator[date]:
    for begins, ends in licences.values_list("from_date", "to_date"):
        yield from (day for day in (begins, ends) if day)
    changes = LicenceChange.objects.filter(licence__in=licences)
    yield from changes.values_list("from_date", flat=True)


def _midnights(days: Iterable[date], at: datetime) -> Iterator[datetime]:
    """When each of these days begins, of those to come."""
    today = at.astimezone(zone()).date()
    return (datetime.combine(day, time(), zone()) for day in days if day > today)
