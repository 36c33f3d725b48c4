"""The terms in effect for any operator, game, table and instant, or why play is not authorized."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.filings.controls.content import Choice, Content
from compliance.filings.controls.reads import (
    approved_controls,
    content_of,
    controls_in_effect,
)
from compliance.filings.games.models import Game, RuleVersion
from compliance.filings.games.named_tables import STANDARD, readable_pay_tables
from compliance.filings.licenses.models import Compact, CompactValue
from compliance.filings.licenses.reads import (
    ANY_CARD_ROOM,
    HOUSE_BANKED,
    SUPPLIERS,
    compact_value,
    holds_license,
    license_holders,
)
from compliance.filings.requests.models import Approval, Condition, ConditionMark, Withdrawal
from compliance.filings.requests.reads import (
    approvals_in_effect,
    approved_at_start,
    approved_from,
    chosen_readings,
    effective_approvals,
)
from compliance.law.reads import law_rules
from compliance.remembered import remembered
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from uuid import UUID

    from compliance.access.models import Party
    from compliance.filings.controls.content import GameControls
    from compliance.filings.controls.models import ControlsVersion
    from compliance.filings.games.named_tables import NamedPayTable


DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True)
class Reason:
    """Why play was not authorized: a code in the findings' contract, and a sentence."""

    code: str
    text: str


@dataclass(frozen=True, kw_only=True)
class TermsInEffect:
    """The terms in effect for a round at an instant, and who approved them."""

    operator: Party
    game: str
    table: str | None
    at: datetime
    reasons: tuple[Reason, ...]
    rule_version: RuleVersion | None
    """The version that the controls choose, if it was approved then."""
    chosen: RuleVersion | None
    """The version that the controls choose, approved or not."""
    definition: str | None
    """Digest of what was approved."""
    pay_tables: dict[str, NamedPayTable]
    """The approved pay table of each wager that pays by one."""
    interpretations: dict[str, str]
    controls_version: ControlsVersion | None
    controls: GameControls | None
    void_reasons: tuple[str, ...] = ()
    cap: dict[str, Any] | None = None
    approvals: tuple[Approval, ...] = field(default=())

    @property
    def authorized(self) -> bool:
        """Return whether the round could be dealt at all."""
        return not self.reasons

    @property
    def limits(self) -> dict[str, tuple[int, int]]:
        """Return the minimum and maximum by wager at the table."""
        if self.controls is None or self.table is None:
            return {}
        return dict(self.controls.tables.get(self.table, {}))


def find_terms(*, operator: Party, game: str, table: str | None, at: datetime) -> TermsInEffect:
    """Return the terms in effect at one instant."""
    with without_access_scope():
        return _at(operator, game, table, at)


def find_terms_between(
    *, operator: Party, game: str, table: str | None, begin: datetime, end: datetime
) -> list[tuple[datetime, datetime, TermsInEffect]]:
    """Return the terms in effect from `begin` to `end`, split at every change."""
    with without_access_scope():
        cuts = sorted({begin, *(c for c in _changes(operator, begin, end) if begin < c < end), end})
        return [(cut, after, _at(operator, game, table, cut)) for cut, after in pairwise(cuts)]


def controls_between(
    *, operator: Party, begin: datetime, end: datetime
) -> list[tuple[datetime, datetime, Content | None, bool]]:
    """Return the controls from `begin` to `end`, and whether their hours allowed play."""
    with without_access_scope():
        cuts = sorted({begin, *(c for c in _changes(operator, begin, end) if begin < c < end), end})
        spans = []
        for cut, after in pairwise(cuts):
            content = controls_in_effect(operator, cut)[2]
            is_open = content is not None and _is_open(content, cut.astimezone(zone()))
            spans.append((cut, after, content, is_open))
        return spans


def _by_clock(at: datetime) -> datetime:
    """Return an instant in the tables' local time; in UTC if it has no local date."""
    try:
        return at.astimezone(zone())
    except OverflowError:
        return at.astimezone(UTC)


def find_table_terms(found: TermsInEffect) -> dict[str, TermsInEffect]:
    """Return the terms of each table for which the controls choose something of its own."""
    if found.controls is None:
        return {}
    with without_access_scope():
        return {
            table: _at(found.operator, found.game, table, found.at)
            for table in found.controls.by_table
        }


def _at(operator: Party, game: str, table: str | None, at: datetime) -> TermsInEffect:
    local = _by_clock(at)
    on = local.date()
    reasons: list[Reason] = []
    version, approval, content = controls_in_effect(operator, at)
    naming: list[Reason] = []
    controls = _controls_of_game(content, game, table, naming)
    choice = controls.choice(table) if controls is not None else Choice()
    since = approval.in_effect_from if approval is not None and controls is not None else None
    rules = _rules(operator, game, choice.version, since, at, on)
    reasons += [rules.why] if rules.why else []
    reasons += naming
    _check_license(operator, game, rules.binding, on, reasons)
    if content is not None and not _is_open(content, local):
        reasons.append(Reason("approval.hours", "The approved hours do not cover this instant."))
    pay_tables = _chosen_pay_tables(rules.chosen, choice, controls, reasons)
    return TermsInEffect(
        operator=operator,
        game=game,
        table=table,
        at=at,
        reasons=tuple(reasons),
        rule_version=rules.binding,
        chosen=rules.chosen,
        definition=rules.definition,
        pay_tables=pay_tables,
        interpretations=rules.interpretations | dict(choice.interpretations),
        controls_version=version,
        controls=controls,
        void_reasons=content.void_reasons if content else (),
        cap=_cap(operator, game, on),
        approvals=(*rules.approvals, *([approval] if approval is not None else ())),
    )


@dataclass(frozen=True, kw_only=True)
class _Rules:
    """The version of a game's rules for an operator, and its approvals if it is binding."""

    chosen: RuleVersion | None = None
    binding: RuleVersion | None = None
    approvals: tuple[Approval, ...] = ()
    why: Reason | None = None
    """Why none is binding."""

    @property
    def definition(self) -> str | None:
        """Return the digest of what the commission approved: the definition, else the filing."""
        if self.binding is not None and self.binding.definition:
            return self.binding.definition
        return next((each.digest for each in self.approvals if _is_of_commission(each)), None)

    @property
    def interpretations(self) -> dict[str, str]:
        """Return the interpretations as filed, then as the approver chose them."""
        found = dict(self.chosen.interpretations) if self.chosen is not None else {}
        for each in self.approvals:
            if _is_of_commission(each):
                found |= chosen_readings(each)
        return found


def _is_of_commission(approval: Approval) -> bool:
    return bool(approval.kind == Approval.Kind.COMMISSION)


def _rules(
    operator: Party, slug: str, number: int | None, since: datetime | None, at: datetime, on: date
) -> _Rules:
    """Return the version that controls choose; without a choice, the one approved at their start.

    A newer approval changes nothing for controls that are in effect. Without controls (`since` is
    None) it is the newest version that is binding.
    """
    game = _find_game(slug)
    if game is None:
        return _Rules(why=Reason("approval.game", f"No game {slug!r} is on file."))
    versions = _versions_of(game)
    if number is not None:
        versions = [each for each in versions if each.number == number]
    elif since is not None:
        versions = approved_at_start(operator, versions, since) or versions
    if not versions:
        says = not_approved(game)
        if number is not None:
            says = f"The controls choose version {number} of {game.name}, which is not on file."
        return _Rules(why=Reason("approval.game", says))
    version, given, why = find_binding_version(
        operator,
        game,
        ((version, approvals_in_effect(version.uuid, at)) for version in versions),
        on=on,
        licensed=lambda supplier: holds_license(supplier, SUPPLIERS, on),
    )
    if version is not None:
        return _Rules(chosen=version, binding=version, approvals=tuple(given))
    chosen = None
    if number is not None or since is not None:
        chosen = versions[0] if approved_from(operator, versions[0]) else None
        if chosen is not None and why == not_approved(game):
            why = f"{chosen}, which the controls choose, was not approved at this instant."
    return _Rules(chosen=chosen, why=Reason("approval.game", why))


@remembered
def _find_game(slug: str) -> Game | None:
    return Game.objects.filter(slug=slug).select_related("supplier").first()


@remembered
def _versions_of(game: Game) -> list[RuleVersion]:
    return list(game.rule_versions.select_related("game").order_by("-number"))


def _chosen_pay_tables(
    version: RuleVersion | None,
    choice: Choice,
    controls: GameControls | None,
    reasons: list[Reason],
) -> dict[str, NamedPayTable]:
    """Return the chosen pay table of each wager; the only one where there is no choice."""
    found = {}
    for wager, names in (readable_pay_tables(version) if version is not None else {}).items():
        name = choice.pay_tables.get(wager)
        if name in names:
            found[wager] = names[name]
            continue
        found[wager] = names.get(STANDARD) or next(iter(names.values()))
        if controls is None or (name is None and len(names) == 1):
            continue
        of = f"pay table {name!r}" if name is not None else "none of the approved pay tables"
        says = f"The controls choose {of} for {wager.replace('_', ' ')}"
        text = f"{says}, which was not approved." if name is not None else f"{says}."
        reasons.append(Reason("approval.controls", text))
    return found


def find_binding_version(
    operator: Party,
    game: Game,
    standing: Iterable[tuple[RuleVersion, list[Approval]]],
    *,
    on: date,
    licensed: Callable[[Party], bool],
) -> tuple[RuleVersion | None, list[Approval], str]:
    """Return the operator's rule version in effect and its approvals, or why there is none.

    `standing` contains the game's versions, newest first, with the approvals in effect; `licensed`
    returns whether a supplier is licensed.
    """
    tribal = operator.kind == PartyKind.TRIBAL_OPERATION
    why = not_approved(game)
    for version, approvals in standing:
        given = [each for each in approvals if _binds(each, operator)]
        kinds = {each.kind for each in given}
        if Approval.Kind.COMMISSION not in kinds:
            continue
        if tribal and Approval.Kind.CONCURRENCE not in kinds:
            why = f"The commission has not concurred in {operator} offering {game.name}."
            continue
        unmet = [text for each in given if (text := _unmet(each, game, on, licensed))]
        if unmet:
            why = unmet[0]
            continue
        return version, given, ""
    return None, [], why


def not_approved(game: Game) -> str:
    """Return the sentence about a game without an approval."""
    return f"{game.name} was not approved at this instant."


def _binds(approval: Approval, operator: Party) -> bool:
    return approval.kind == Approval.Kind.COMMISSION or approval.party_id == operator.pk


def _unmet(approval: Approval, game: Game, on: date, licensed: Callable[[Party], bool]) -> str:
    """Return why a condition suspends an approval on a day; empty if none does."""
    for condition in approval.conditions.all():
        mark = _mark_on(condition, on)
        if mark == ConditionMark.Mark.NOT_MET:
            return f"A condition of the approval is not met: {condition.says}"
        if mark is not None:
            continue
        if (
            condition.kind == Condition.Kind.NO_MARKETING
            and game.supplier is not None
            and not licensed(game.supplier)
        ):
            return f"{game.supplier} was not licensed on {on}: {condition.says}"
        if condition.kind == Condition.Kind.SUBSTANTIAL_INTEREST:
            return f"A condition of the approval is open: {condition.says}"
    return ""


def _mark_on(condition: Condition, on: date) -> str | None:
    """Return a condition's state on a day; a waiver that has ended does not count."""
    stands = None
    for mark in condition.marks.all():
        if mark.at.astimezone(zone()).date() > on:
            continue
        waived = mark.mark == ConditionMark.Mark.WAIVED
        stands = None if waived and mark.until is not None and mark.until <= on else mark.mark
    return stands


def _controls_of_game(
    content: Content | None, game: str, table: str | None, reasons: list[Reason]
) -> GameControls | None:
    if content is None:
        reasons.append(Reason("approval.controls", "No internal controls were in effect."))
        return None
    controls = content.games.get(game)
    if controls is None:
        reasons.append(Reason("approval.controls", "The controls in effect do not name this game."))
    elif table is not None and table not in controls.tables:
        text = f"The controls in effect do not name table {table} for this game."
        reasons.append(Reason("approval.controls", text))
    return controls


def _check_license(
    operator: Party,
    game: str,
    rule_version: RuleVersion | None,
    on: date,
    reasons: list[Reason],
) -> None:
    if operator.kind == PartyKind.TRIBAL_OPERATION:
        assert operator.agency is not None  # noqa: S101 - a constraint says so
        if not operator.agency.compacts.filter(from_date__lte=on).exists():
            reasons.append(Reason("approval.license", f"No compact was on file on {on}."))
        return
    house = rule_version is None or rule_version.game.banked_by == Game.Banking.HOUSE
    if not holds_license(operator, HOUSE_BANKED if house else ANY_CARD_ROOM, on):
        text = f"{operator} held no license for this kind of game on {on}."
        reasons.append(Reason("approval.license", text))


def _is_open(content: Content, at: datetime) -> bool:
    """Return whether a local time is open; hours past midnight belong to the opening day."""
    today, before = content.hours[DAYS[at.weekday()]], content.hours[DAYS[at.weekday() - 1]]
    now = at.time()
    if today is not None:
        opens, closes = today
        if opens >= closes:
            if now >= opens:
                return True
        elif opens <= now < closes:
            return True
    if before is not None:
        opens, closes = before
        return opens >= closes and now < closes
    return False


def _cap(operator: Party, slug: str, on: date) -> dict[str, Any] | None:
    """Return the cap on a single wager that day: a tribe's from its compact, else the law's."""
    if operator.kind == PartyKind.TRIBAL_OPERATION:
        assert operator.agency is not None  # noqa: S101 - a constraint says so
        value = compact_value(operator.agency, CompactValue.Rule.WAGER, on)
        if value is None:
            return None
        return {
            "rule": "wager",
            "scope": value.compact.title,
            "value": value.value,
            "unit": "cents",
            "from": value.from_date.isoformat(),
            "to": None,
            "verified_through": None,
            "citation": value.citation,
            "filing": value.compact.title,
            "grade": value.grade,
        }
    if not _is_house_banked(slug):
        return None
    found = law_rules()["wager_house_banked"].on(on)
    return found.as_row() if found is not None else None


def _is_house_banked(slug: str) -> bool:
    """Return whether the law's cap for house-banked games applies, approved or not."""
    game = _find_game(slug)
    if game is not None:
        return game.banked_by == Game.Banking.HOUSE
    return slug in SLUGS and rule_set(slug).house_banked


def _changes(operator: Party, begin: datetime, end: datetime) -> set[datetime]:
    """Return every instant in a span when something in effect could have changed."""
    years = range(begin.year, end.year + 1)
    of_years = (each for year in years for each in _approval_changes(year))
    instants = {each for each in of_years if begin < each < end}
    clocks = {
        clock
        for _, version in approved_controls(operator)
        for hours in content_of(version).hours.values()
        for clock in hours or ()
    }
    day = begin.astimezone(zone()).date()
    while day <= end.astimezone(zone()).date():
        for clock in {time(0), *clocks}:
            instants.add(datetime.combine(day, clock, zone()).astimezone(UTC))
        instants.update(_where_clocks_change(day, clocks))
        day += timedelta(days=1)
    return instants


@remembered
def _approval_changes(year: int) -> set[datetime]:
    """Return every instant of a year, in UTC or in local time, when an approval begins or ends."""
    first, last = datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, tzinfo=UTC)
    begin = first if year == MINYEAR else first - timedelta(days=2)
    end = datetime.max.replace(tzinfo=UTC) if year == MAXYEAR else last + timedelta(days=2)
    near = (begin, end)
    begun = Approval.objects.filter(in_effect_from__range=near)
    ended = Withdrawal.objects.filter(in_effect_from__range=near)
    instants = (each.values_list("in_effect_from", flat=True) for each in (begun, ended))
    return {at for some in instants for at in some if at is not None}


def _where_clocks_change(day: date, clocks: set[time]) -> Iterator[datetime]:
    """Yield, on the two clock-change days a year, each hour and each time shown twice."""
    start, end = (
        datetime.combine(each, time(0), zone()) for each in (day, day + timedelta(days=1))
    )
    if start.utcoffset() == end.utcoffset():
        return
    instant = start.astimezone(UTC)
    while instant < end:
        yield instant
        instant += timedelta(hours=1)
    for clock in clocks:
        yield datetime.combine(day, clock.replace(fold=1), zone()).astimezone(UTC)


def find_offerable_games(operators: Iterable[Party], *, at: datetime) -> set[tuple[int, str]]:
    """Return the pairs of an operator's key and a game's short name."""
    on = at.astimezone(zone()).date()
    with without_access_scope():
        suppliers = license_holders(SUPPLIERS, on)
        rooms, house = license_holders(ANY_CARD_ROOM, on), license_holders(HOUSE_BANKED, on)
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
            version, _, _ = find_binding_version(
                operator, game, versions, on=on, licensed=lambda party: party.pk in suppliers
            )
            if licensed and version is not None:
                found.add((operator.pk, game.slug))
    return found


def _versions(at: datetime) -> list[tuple[Game, list[tuple[RuleVersion, list[Approval]]]]]:
    """Return every game with its rule versions, newest first, and the approvals in effect."""
    rules = RuleVersion.objects.order_by("-number")
    given: defaultdict[UUID, list[Approval]] = defaultdict(list)
    for approval in effective_approvals(
        Approval.objects.filter(subject__in=rules.order_by().values("uuid")), at
    ):
        given[approval.subject].append(approval)
    by_game: defaultdict[int, list[tuple[RuleVersion, list[Approval]]]] = defaultdict(list)
    for version in rules:
        by_game[version.game_id].append((version, given[version.uuid]))
    return [(game, by_game[game.pk]) for game in Game.objects.select_related("supplier")]
