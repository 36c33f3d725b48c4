"""The terms in effect at each of an operator's tables now, and the next day they change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from typing import TYPE_CHECKING

from django.db.models import Q

from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS
from compliance.access.scope import without_access_scope
from compliance.acts.touched import TablesOfGame
from compliance.clock import zone
from compliance.filings.controls.models import ControlsVersion
from compliance.filings.controls.reads import find_controls_content
from compliance.filings.games.models import RuleVersion
from compliance.filings.licenses.models import CompactValue, License, LicenseChange
from compliance.filings.requests.models import Approval, ConditionMark, Withdrawal
from compliance.in_effect.reads import find_terms
from compliance.law.reads import law_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from django.db.models import QuerySet

    from compliance.in_effect.reads import Reason, TermsInEffect


HOURS = "approval.hours"
"""Opening and closing every day does not change the terms in effect."""


@dataclass(frozen=True)
class Change:
    """The next instant when a game's terms in effect change, and the change in words."""

    at: datetime
    says: str


@dataclass(frozen=True, kw_only=True)
class GameInEffect:
    """One of an operator's games now: its rules, tables and limits."""

    game: str
    rule_version: RuleVersion | None
    controls_version: ControlsVersion | None
    reasons: tuple[Reason, ...]
    """Why it could not be dealt now."""
    tables: dict[str, dict[str, tuple[int, int]]]
    """The minimum and maximum of each wager by table, in cents."""
    change: Change | None

    @property
    def closed(self) -> bool:
        """Return whether only the hours prevent it from being dealt."""
        return [each.code for each in self.reasons] == [HOURS]


def list_tables_in_effect(operator: Party, at: datetime | None = None) -> list[GameInEffect]:
    """Return every game in the current or future controls, by name."""
    at = at or clock.now()
    with without_access_scope():
        later = sorted(set(_instants(operator, at)))
    games: set[str] = set()
    for instant in (at, *later):
        content = find_controls_content(operator=operator, at=instant)
        games |= content.games.keys() if content else set()
    with without_access_scope():
        suppliers = {game: list(_midnights(_days_of_supplier(game), at)) for game in games}
    return [_game(operator, game, at, sorted({*later, *suppliers[game]})) for game in sorted(games)]


def find_tables_of_game(game: str) -> list[TablesOfGame]:
    """Return the tables at which operators' controls in effect deal a game.

    Only operators are returned whose controls are in the access scope.
    """
    found = []
    shown = set(ControlsVersion.objects.values_list("operator", flat=True))
    with without_access_scope():
        operators = Party.objects.filter(kind__in=OPERATOR_KINDS, pk__in=shown)
        for operator in operators.order_by("name"):
            content = find_controls_content(operator=operator, at=clock.now())
            if content is not None and game in content.games:
                found.append(TablesOfGame(operator, tuple(sorted(content.games[game].tables))))
    return found


def _game(operator: Party, game: str, at: datetime, later: list[datetime]) -> GameInEffect:
    now = find_terms(operator=operator, game=game, table=None, at=at)
    change = None
    for instant in later:
        then = find_terms(operator=operator, game=game, table=None, at=instant)
        if says := _difference(now, then):
            change = Change(instant, says)
            break
    return GameInEffect(
        game=game,
        rule_version=now.rule_version,
        controls_version=now.controls_version,
        reasons=now.reasons,
        tables={name: dict(limits) for name, limits in now.controls.tables.items()}
        if now.controls
        else {},
        change=change,
    )


def _difference(now: TermsInEffect, then: TermsInEffect) -> str:
    """Return what differs, apart from hours; empty if nothing does."""
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


def _barred(found: TermsInEffect) -> str:
    return " ".join(each.text for each in found.reasons if each.code != HOURS)


def _instants(operator: Party, at: datetime) -> Iterator[datetime]:
    """Yield every future instant when something in effect may change."""
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
    """Yield days of licenses, waivers, the law and a tribe's compact, past and future."""
    yield from _days_of_licenses(License.objects.filter(holder=operator))
    waivers = ConditionMark.objects.filter(until__isnull=False)
    yield from (day for day in waivers.values_list("until", flat=True) if day)
    if operator.agency is None:
        yield from (value.from_ for value in law_rules()["wager_house_banked"].values)
        return
    yield from operator.agency.compacts.values_list("from_date", flat=True)
    values = CompactValue.objects.filter(compact__agency=operator.agency)
    yield from values.values_list("from_date", flat=True)


def _days_of_supplier(game: str) -> Iterator[date]:
    """Yield the days of the supplier's licenses: without one its game may not be marketed."""
    return _days_of_licenses(License.objects.filter(holder__games__slug=game))


def _days_of_licenses(licenses: QuerySet[License]) -> Iterator[date]:
    for begins, ends in licenses.values_list("from_date", "to_date"):
        yield from (day for day in (begins, ends) if day)
    changes = LicenseChange.objects.filter(license__in=licenses)
    yield from changes.values_list("from_date", flat=True)


def _midnights(days: Iterable[date], at: datetime) -> Iterator[datetime]:
    """Yield the start of each of these days that is in the future."""
    today = at.astimezone(zone()).date()
    return (datetime.combine(day, time(), zone()) for day in days if day > today)
