"""What is in force: for any operator, game, table and instant, past or present, or why nothing is.

One selector. A replay asks once per operator, game, table and day for the spans of that day; a page
or a program asks for one instant.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.conf import settings

from compliance.choices import PartyKind
from compliance.controls.content import Content, read_content
from compliance.gambling_day import CutOff
from compliance.models import (
    Approval,
    CompactValue,
    Condition,
    ConditionMark,
    ControlsVersion,
    Game,
    RuleVersion,
    Withdrawal,
)
from compliance.selectors.law import law_rules
from compliance.selectors.licences import (
    ANY_CARD_ROOM,
    HOUSE_BANKED,
    SUPPLIERS,
    compact_value,
    holds_licence,
)
from compliance.walls import without_walls
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.controls.content import GameControls
    from compliance.models import Party

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True)
class Reason:
    """Why play was not authorised: a code of the findings' contract, in words."""

    code: str
    text: str


@dataclass(frozen=True, kw_only=True)
class InForce:
    """What bound a round at an instant, and by whose word."""

    operator: Party
    game: str
    table: str | None
    at: datetime
    reasons: tuple[Reason, ...]
    rule_version: RuleVersion | None
    interpretations: dict[str, str]
    controls_version: ControlsVersion | None
    controls: GameControls | None
    void_reasons: tuple[str, ...] = ()
    cap: dict[str, Any] | None = None
    approvals: tuple[Approval, ...] = field(default=())

    @property
    def authorised(self) -> bool:
        """Whether the round could be dealt at all."""
        return not self.reasons

    @property
    def limits(self) -> dict[str, tuple[int, int]]:
        """Minimum and maximum by wager at the table."""
        if self.controls is None or self.table is None:
            return {}
        return dict(self.controls.tables.get(self.table, {}))

    def as_answer(self) -> dict[str, Any]:
        """What other programs are given."""
        return {
            "authorised": self.authorised,
            "reasons": [{"code": each.code, "text": each.text} for each in self.reasons],
            "game": self.game,
            "rule_version": str(self.rule_version.uuid) if self.rule_version else None,
            "rule_set": self.rule_version.rule_set if self.rule_version else None,
            "interpretations": self.interpretations,
            "controls_version": str(self.controls_version.uuid) if self.controls_version else None,
            "limits": {wager: list(span) for wager, span in self.limits.items()},
            "cap": self.cap,
            "approvals": [
                {
                    "by": str(each.by),
                    "at": each.at.astimezone(zone()).isoformat(),
                    "digest": each.digest,
                    "conditions": [condition.says for condition in each.conditions.all()],
                }
                for each in self.approvals
            ],
        }


def zone() -> ZoneInfo:
    """The clock at the places of play."""
    return ZoneInfo(settings.TIME_ZONE)


def in_force(*, operator: Party, game: str, table: str | None, at: datetime) -> InForce:
    """What was in force at one instant."""
    with without_walls():
        return _at(operator, game, table, at)


def in_force_between(
    *, operator: Party, game: str, table: str | None, begin: datetime, end: datetime
) -> list[tuple[datetime, datetime, InForce]]:
    """What was in force from `begin` to `end`, cut wherever anything changed."""
    with without_walls():
        cuts = sorted({begin, *(c for c in _changes(operator, begin, end) if begin < c < end), end})
        return [(cut, after, _at(operator, game, table, cut)) for cut, after in pairwise(cuts)]


def cut_offs_of(operator: Party) -> list[CutOff]:
    """Every cut-off of an operator's controls with the instant since when it applies."""
    with without_walls():
        found = [
            CutOff(approval.in_effect_from, read_content(version.content)[0].cut_off)
            for approval, version in _approved_controls(operator)
        ]
    return found or [CutOff(datetime.min.replace(tzinfo=UTC), time(6))]


def controls_at(*, operator: Party, at: datetime) -> Content | None:
    """What an operator's internal controls said at an instant; None where none were in effect."""
    with without_walls():
        return _controls(operator, at)[2]


def controls_version_at(*, operator: Party, at: datetime) -> ControlsVersion | None:
    """The version of an operator's internal controls in effect at an instant, if there was one."""
    with without_walls():
        return _controls(operator, at)[0]


def controls_between(
    *, operator: Party, begin: datetime, end: datetime
) -> list[tuple[datetime, datetime, Content | None, bool]]:
    """What the controls said from `begin` to `end`, and whether their hours let play then."""
    with without_walls():
        cuts = sorted({begin, *(c for c in _changes(operator, begin, end) if begin < c < end), end})
        spans = []
        for cut, after in pairwise(cuts):
            content = _controls(operator, cut)[2]
            is_open = content is not None and _is_open(content, cut.astimezone(zone()))
            spans.append((cut, after, content, is_open))
        return spans


def _by_clock(at: datetime) -> datetime:
    """An instant by the clock of the place of play; in UTC where no local date has it."""
    try:
        return at.astimezone(zone())
    except OverflowError:
        return at.astimezone(UTC)


def _at(operator: Party, game: str, table: str | None, at: datetime) -> InForce:
    local = _by_clock(at)
    on = local.date()
    reasons: list[Reason] = []
    rule_version, approvals = _rules(operator, game, at, on, reasons)
    version, approval, content = _controls(operator, at)
    if approval is not None:
        approvals.append(approval)
    controls = _controls_of_game(content, game, table, reasons)
    _judge_licence(operator, game, rule_version, on, reasons)
    if content is not None and not _is_open(content, local):
        reasons.append(Reason("approval.hours", "The approved hours do not cover this instant."))
    readings = dict(rule_version.interpretations) if rule_version else {}
    if controls is not None:
        readings |= controls.interpretations
    return InForce(
        operator=operator,
        game=game,
        table=table,
        at=at,
        reasons=tuple(reasons),
        rule_version=rule_version,
        interpretations=readings,
        controls_version=version,
        controls=controls,
        void_reasons=content.void_reasons if content else (),
        cap=_cap(operator, game, on),
        approvals=tuple(approvals),
    )


def _rules(
    operator: Party, slug: str, at: datetime, on: date, reasons: list[Reason]
) -> tuple[RuleVersion | None, list[Approval]]:
    """The newest rule version that binds the operator, with the approvals it rests on."""
    game = Game.objects.filter(slug=slug).select_related("supplier").first()
    if game is None:
        reasons.append(Reason("approval.game", f"No game {slug!r} is on file."))
        return None, []
    versions = game.rule_versions.order_by("-number")
    version, given, why = newest_that_binds(
        operator,
        game,
        ((version, _standing(version.uuid, at)) for version in versions),
        on=on,
        licensed=lambda supplier: holds_licence(supplier, SUPPLIERS, on),
    )
    if version is None:
        reasons.append(Reason("approval.game", why))
    return version, given


def newest_that_binds(
    operator: Party,
    game: Game,
    standing: Iterable[tuple[RuleVersion, list[Approval]]],
    *,
    on: date,
    licensed: Callable[[Party], bool],
) -> tuple[RuleVersion | None, list[Approval], str]:
    """The rule version that binds the operator with its approvals, or why none does.

    `standing` are the game's versions, the newest first, with the approvals that hold; `licensed`
    says of a supplier whether it is.
    """
    tribal = operator.kind == PartyKind.TRIBAL_OPERATION
    why = f"{game.name} was not approved at this instant."
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


def _binds(approval: Approval, operator: Party) -> bool:
    return approval.kind == Approval.Kind.COMMISSION or approval.party_id == operator.pk


def _standing(subject: UUID, at: datetime) -> list[Approval]:
    return standing(Approval.objects.filter(subject=subject), at)


def standing(approvals: QuerySet[Approval], at: datetime) -> list[Approval]:
    """Those of these approvals that hold at an instant, with what became of their conditions."""
    given = approvals.filter(in_effect_from__lte=at)
    told = given.prefetch_related("withdrawals", "conditions__marks")
    return [each for each in told if stands(each, at)]


def stands(approval: Approval, at: datetime) -> bool:
    """Whether an approval holds at an instant: in effect, and not withdrawn yet."""
    return approval.in_effect_from <= at and not any(
        step.step == Withdrawal.Step.FINAL
        and step.in_effect_from is not None
        and step.in_effect_from <= at
        for step in approval.withdrawals.all()
    )


def _unmet(approval: Approval, game: Game, on: date, licensed: Callable[[Party], bool]) -> str:
    """A condition that keeps an approval from working on a day; empty where none does."""
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
    """How a condition stood on a day; a waiver that has ended counts for nothing."""
    stands = None
    for mark in condition.marks.all():
        if mark.at.astimezone(zone()).date() > on:
            continue
        waived = mark.mark == ConditionMark.Mark.WAIVED
        stands = None if waived and mark.until is not None and mark.until <= on else mark.mark
    return stands


def _approved_controls(operator: Party) -> list[tuple[Approval, ControlsVersion]]:
    """Approved versions in the order in which they take effect, each by its first approval."""
    versions = {each.uuid: each for each in operator.controls_versions.all()}
    given = Approval.objects.filter(subject__in=versions).order_by("in_effect_from", "at")
    first: dict[UUID, Approval] = {}
    for each in given:
        first.setdefault(each.subject, each)
    return [(each, versions[each.subject]) for each in first.values()]


def _controls(
    operator: Party, at: datetime
) -> tuple[ControlsVersion | None, Approval | None, Content | None]:
    standing = [
        (approval, version)
        for approval, version in _approved_controls(operator)
        if approval.in_effect_from <= at
        and approval.pk in {each.pk for each in _standing(version.uuid, at)}
    ]
    if not standing:
        return None, None, None
    approval, version = standing[-1]
    return version, approval, read_content(version.content)[0]


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


def _judge_licence(
    operator: Party,
    game: str,
    rule_version: RuleVersion | None,
    on: date,
    reasons: list[Reason],
) -> None:
    if operator.kind == PartyKind.TRIBAL_OPERATION:
        assert operator.agency is not None  # noqa: S101 - a constraint says so
        if not operator.agency.compacts.filter(from_date__lte=on).exists():
            reasons.append(Reason("approval.licence", f"No compact was on file on {on}."))
        return
    house = rule_version is None or rule_version.game.banked_by == Game.Banking.HOUSE
    if not holds_licence(operator, HOUSE_BANKED if house else ANY_CARD_ROOM, on):
        text = f"{operator} held no licence for this kind of game on {on}."
        reasons.append(Reason("approval.licence", text))


def _is_open(content: Content, at: datetime) -> bool:
    """Whether the hours cover a local time; hours that close after midnight belong to their day."""
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
    """The legal cap of a single wager that day: for a tribe its compact's, else the law's."""
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
    """Whether the law's cap for house-banked games binds it, approved or not."""
    game = Game.objects.filter(slug=slug).first()
    if game is not None:
        return game.banked_by == Game.Banking.HOUSE
    return slug in SLUGS and rule_set(slug).house_banked


def _changes(operator: Party, begin: datetime, end: datetime) -> set[datetime]:
    """Every instant of a span at which something in force could have changed."""
    instants = set(
        Approval.objects.filter(in_effect_from__gt=begin, in_effect_from__lt=end).values_list(
            "in_effect_from", flat=True
        )
    )
    instants |= {
        each
        for each in Withdrawal.objects.filter(
            in_effect_from__gt=begin, in_effect_from__lt=end
        ).values_list("in_effect_from", flat=True)
        if each is not None
    }
    clocks = {
        clock
        for _, version in _approved_controls(operator)
        for hours in read_content(version.content)[0].hours.values()
        for clock in hours or ()
    }
    day = begin.astimezone(zone()).date()
    while day <= end.astimezone(zone()).date():
        for clock in {time(0), *clocks}:
            instants.add(datetime.combine(day, clock, zone()).astimezone(UTC))
        instants.update(_where_clocks_change(day, clocks))
        day += timedelta(days=1)
    return instants


def _where_clocks_change(day: date, clocks: set[time]) -> Iterator[datetime]:
    """On the two days a year on which clocks jump: each hour, and each time they show twice."""
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
