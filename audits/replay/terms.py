"""The terms of a gambling day from what is on file: approvals, controls, law or compact."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from audits.replay.auditing.terms import (
    COMPACT,
    WAC,
    Cap,
    Filed,
    PayTables,
    Players,
    Reading,
    Refusal,
    Span,
    TableTerms,
    Terms,
    canonical,
)
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.clock import zone
from compliance.errors import RefusedError
from compliance.files.archive import current_archive, read_bytes
from compliance.filings.games.definitions import definition_of
from compliance.filings.games.models import FiledPayLine, RuleVersion
from compliance.filings.games.named_tables import STANDARD, lines_of, readable_pay_tables
from compliance.filings.games.rules import rules_of_version
from compliance.filings.licenses.models import CompactValue, LicenseClass
from compliance.filings.licenses.reads import holds_license
from compliance.filings.requests.reads import rules_of
from compliance.in_effect.reads import find_table_terms, find_terms_between
from compliance.law.reads import law_rules
from games.families.filed import UnsettledGame
from games.law import POKER_RULES, AggregateForm, DatedLimit, PokerLaw
from games.rule_set import SLUGS, rule_set
from games.setup import BONUSES, NATURALS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from compliance.access.models import Party
    from compliance.filings.controls.content import Chinese, GameControls
    from compliance.filings.games.named_tables import NamedPayTable
    from compliance.in_effect.reads import Reason, TermsInEffect
    from compliance.law.values import LawRule, LawValue
    from games.rounding import Odds
    from games.rule_set import RuleSet


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
BEGINNING = -(2**63)
LICENSED = frozenset({LicenseClass.HOUSE_BANKED_CARD_ROOM, LicenseClass.CLASS_F_CARD_ROOM})
LAW_OF_REFUSAL = {"approval.hours": "hours_closed"}
CITES_OF_REFUSAL = {
    "approval.controls": ("WAC 230-15-425",),
    "approval.game": ("WAC 230-15-040",),
    "approval.license": ("RCW 9.46.0282",),
}
OLDER_NUMBERS = {"approval.game": (date(2009, 1, 1), ("WAC 230-15-035",))}
"""Citations of a code before a day: WSR 08-21-086 swapped the numbers of two sections."""


def terms_of(*, operator: Party, game: str, begin: datetime, end: datetime) -> Terms:
    """Return the terms for an operator's rounds of a game that ended between two instants."""
    with without_access_scope():
        rules = rules_of(game)
        if rules is None:
            rules = UnsettledGame(game, game, is_house_banked=True).rules
        spans = [
            _span(begun, ended, found)
            for begun, ended, found in find_terms_between(
                operator=operator, game=game, table=None, begin=begin, end=end
            )
        ]
        bound = rules.house_banked
        return Terms(
            game=game,
            rule_set=rules.digest if game in SLUGS else "",
            spans=tuple(_joined(spans)),
            caps=tuple(_caps(operator, _civil(end))) if bound else (),
            players=tuple(_players(operator, _civil(end))) if bound else (),
            forms=tuple(_forms(operator, _civil(end))) if bound else (),
            readings=tuple(_readings(rules, spans, end)),
            filed=_filed(rules, spans),
            poker=_poker(operator, rules, _civil(end)),
        )


def _filed(rules: RuleSet, spans: Iterable[Span]) -> Filed | None:
    """Return a filed game with the texts of the definitions that its spans are settled by.

    None for a game of the engine for which no definition was filed.
    """
    archive = current_archive()
    used: list[Span | TableTerms] = []
    for span in spans:
        used += [span, *span.chosen.values()]
    files = {each.text for each in used if each.text}
    if rules.slug in SLUGS and all(each.text is None for each in used):
        return None
    return Filed(
        name=rules.name,
        is_house_banked=rules.house_banked,
        definitions={file: read_bytes(archive, file).decode() for file in sorted(files)},
    )


def micros(at: datetime) -> int:
    """Convert an instant to microseconds since 1970, as in round logs."""
    return (at - EPOCH) // timedelta(microseconds=1)


def _midnight(day: date) -> int:
    return micros(datetime.combine(day, time(0), zone()).astimezone(UTC))


def _civil(at: datetime) -> date:
    return at.astimezone(zone()).date()


def _joined(spans: list[Span]) -> Iterator[Span]:
    """Merge adjacent spans with the same terms, since most boundaries change nothing."""
    former: Span | None = None
    for span in spans:
        if former is not None and _says(former) == _says(span):
            former = Span(**{**_says(former), "begin": former.begin, "end": span.end})
            continue
        if former is not None:
            yield former
        former = span
    if former is not None:
        yield former


def _says(span: Span) -> dict[str, Any]:
    return {name: getattr(span, name) for name in span.__slots__ if name not in {"begin", "end"}}


def _span(begin: datetime, end: datetime, found: TermsInEffect) -> Span:
    version, controls, on = found.rule_version, found.controls, _civil(begin)
    at_tables = find_table_terms(found)
    return Span(
        begin=micros(begin),
        end=micros(end),
        setup=canonical(_setup(found)).decode(),
        refused=_refusals(found, on),
        tables=None if controls is None else tuple(sorted(controls.tables)),
        rule_version=_id(version),
        rule_set=None if version is None else version.rule_set,
        controls_version=(
            None if found.controls_version is None else str(found.controls_version.uuid)
        ),
        pay_tables=_pay_tables(found),
        definition=found.definition,
        text=_text(found),
        chosen={
            table: TableTerms(
                setup=canonical(_setup(each)).decode(),
                pay_tables=_pay_tables(each),
                rule_version=_id(each.rule_version),
                definition=each.definition,
                text=_text(each),
            )
            for table, each in at_tables.items()
        },
        refused_at={
            table: _refusals(each, on)
            for table, each in at_tables.items()
            if each.reasons != found.reasons
        },
    )


def _id(version: RuleVersion | None) -> str | None:
    return None if version is None else str(version.uuid)


def _text(found: TermsInEffect) -> str | None:
    """Return the digest of the definition's text that rounds are settled by; empty if it can't be.

    That is the version that the controls choose; if it was not approved, that is another finding.
    """
    if found.chosen is None or not found.chosen.definition_file:
        return None
    try:
        definition_of(found.chosen)
    except RefusedError:
        return ""  # this release reads it otherwise than it was approved
    return str(found.chosen.definition_file)


def _pay_tables(found: TermsInEffect) -> PayTables | None:
    """Return the approved pay tables; None for a game that was never approved or pays by none.

    A filed game's are those of its definition, which the set-up names.
    """
    return _written(found.pay_tables) if found.pay_tables and found.game in SLUGS else None


def _written(tables: Mapping[str, NamedPayTable]) -> PayTables:
    return _in_terms(lines_of(tables))


def _in_terms(tables: Mapping[str, Mapping[str, Odds]]) -> PayTables:
    """Return pay tables as terms keep them: odds that aren't whole are texts such as 3/2."""
    return {
        table: {
            line: int(pays) if pays.denominator == 1 else str(pays) for line, pays in lines.items()
        }
        for table, lines in tables.items()
    }


def _refusals(found: TermsInEffect, on: date) -> tuple[Refusal, ...]:
    return tuple(_refusal(reason, on) for reason in found.reasons)


def _refusal(reason: Reason, on: date) -> Refusal:
    """Return a reason with its citation, as numbered that day."""
    cites = CITES_OF_REFUSAL.get(reason.code, ())
    if reason.code in OLDER_NUMBERS and on < OLDER_NUMBERS[reason.code][0]:
        cites = OLDER_NUMBERS[reason.code][1]
    if reason.code in LAW_OF_REFUSAL:
        value = law_rules()[LAW_OF_REFUSAL[reason.code]].on(on)
        cites = () if value is None else (value.citation,)
    return Refusal(reason.code, reason.text, cites)


def _setup(found: TermsInEffect) -> dict[str, Any]:
    """Return what was approved as the engine's SETUP.json; legal limits are added by date."""
    setup: dict[str, Any] = {
        "interpretations": found.interpretations,
        "void_reasons": sorted(found.void_reasons),
    }
    rules = rule_set(found.game) if found.game in SLUGS else None
    if found.chosen is not None and (rules is None or found.chosen.definition_file):
        rules = rules_of_version(found.chosen)
        setup["interpretations"] = {
            id_: reading
            for id_, reading in found.interpretations.items()
            if id_ in rules.interpretations
        }
        if found.pay_tables:
            chosen = {wager: table.name for wager, table in found.pay_tables.items()}
            setup["pay_tables"] = {found.game: chosen}
    if found.controls is not None:
        setup |= _of_controls(found.game, rules, found.controls, found.interpretations)
    return setup


def _of_controls(
    game: str, rules: RuleSet | None, controls: GameControls, readings: dict[str, str]
) -> dict[str, Any]:
    """Return table limits, maximum aggregate, the banker's minimum and Chinese Poker's terms."""
    known = None if rules is None else rules.wagers
    parts: dict[str, Any] = {
        "limits": {
            table: {wager: list(limits[wager]) for wager in known or limits if wager in limits}
            for table, limits in controls.tables.items()
        }
    }
    most = controls.aggregate
    if most.per_deal:
        parts["max_aggregate"] = {game: dict(most.per_deal)}
    elif most.per_hand is not None and readings.get("PP-I8") != "per_deal":
        parts["max_aggregate"] = most.per_hand
    if controls.banker_min:
        parts["banker"] = {"min": dict(controls.banker_min)}
    if controls.chinese is not None:
        parts["chinese"] = _chinese(controls.chinese)
    return parts


def _chinese(chinese: Chinese) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "scoring": sorted(chinese.scoring),
        "bonuses": {name: chinese.bonuses[name] for name in BONUSES if name in chinese.bonuses},
        "naturals": {name: chinese.naturals[name] for name in NATURALS if name in chinese.naturals},
    }
    if chinese.surrender is not None:
        parts["surrender"] = chinese.surrender
    return parts


def _caps(operator: Party, until: date) -> Iterator[Cap]:
    """Yield caps on single wagers up to a civil date: a tribe's by its compact, others by law."""
    tribal = operator.kind == PartyKind.TRIBAL_OPERATION
    yield Cap(begin=BEGINNING, kind=COMPACT if tribal else WAC, amount=None)
    if tribal:
        for value in _compact_values(operator, CompactValue.Rule.WAGER, until):
            yield Cap(
                begin=_midnight(value.from_date),
                kind=COMPACT,
                amount=value.value,
                cites=(value.citation,),
                filing=value.compact.title,
                grade=value.grade,
            )
        return
    for step in _steps(law_rules()["wager_house_banked"], until):
        yield Cap(kind=WAC, **step)


def _players(operator: Party, until: date) -> Iterator[Players]:
    """Yield the player limits of a table, by compact or by law."""
    if operator.kind == PartyKind.TRIBAL_OPERATION:
        for value in _compact_values(operator, CompactValue.Rule.PLAYERS, until):
            begin = _midnight(value.from_date)
            yield Players(begin=begin, most=value.value, cites=(value.citation,))
        return
    for step in _steps(law_rules()["players_house_banked"], until):
        yield Players(
            begin=step["begin"],
            most=step["amount"],
            cites=step["cites"],
            carried_since=step["carried_since"],
        )


def _forms(operator: Party, until: date) -> Iterator[AggregateForm]:
    """Yield what the law allowed a maximum aggregate payout to cap; a compact doesn't say."""
    if operator.kind == PartyKind.TRIBAL_OPERATION:
        return
    for value in law_rules()["aggregate_form"].values:
        if value.from_ <= until and isinstance(value.value, str):
            end = None if value.to is None else _midnight(value.to)
            cites = tuple(value.citation.split(", "))
            yield AggregateForm(_midnight(value.from_), end, value.value, cites)


LICENSED_ROOMS = "house-banked and Class F rooms"
"""The condition of limits that a license meets, as the law's values state it."""


def _poker(operator: Party, rules: RuleSet, until: date) -> PokerLaw | None:
    """Return what the law allows of a filed game between players; a compact doesn't say."""
    if operator.kind == PartyKind.TRIBAL_OPERATION or rules.house_banked or rules.slug in SLUGS:
        return None
    licensed = holds_license(operator, LICENSED, until)
    return PokerLaw(
        **{
            kind: tuple(
                _dated(value, is_met=licensed and value.condition.startswith(LICENSED_ROOMS))
                for value in law_rules()[name].values
                if value.from_ <= until
            )
            for kind, name in POKER_RULES.items()
        }
    )


def _dated(value: LawValue, *, is_met: bool) -> DatedLimit:
    amount = value.value if isinstance(value.value, int) else None
    most = value.conditional_value or amount
    end = None if value.to is None else _midnight(value.to)
    cites = tuple(value.citation.split(", "))
    return DatedLimit(_midnight(value.from_), end, most if is_met else amount, most, cites)


def _steps(rule: LawRule, until: date) -> Iterator[dict[str, Any]]:
    """Yield what a rule allowed from each midnight on; the end of verification is a step too."""
    ended: date | None = None
    for value in rule.values:
        if value.from_ > until:
            return
        if ended is not None and ended < value.from_:
            yield _step(ended, amount=None)
        amount = value.value if isinstance(value.value, int) else None
        known: dict[str, Any] = {
            # The conditional value is the cap: a wager within it is no certain violation, but may
            # be one if the condition is not met.
            "amount": value.conditional_value or amount,
            "sure": amount if value.conditional_value else None,
            "cites": tuple(value.citation.split(", ")),
            "filing": value.filing,
            "grade": value.grade.value,
        }
        yield _step(value.from_, **known)
        looked = value.verified_through
        if looked is not None and looked < until:
            after = max(looked + timedelta(days=1), value.from_)
            yield _step(after, **known, carried_since=looked.isoformat())
        ended = value.to
    if ended is not None and ended <= until:
        yield _step(ended, amount=None)


def _step(day: date, **known: Any) -> dict[str, Any]:
    return (
        {"cites": (), "filing": "", "grade": "", "carried_since": None, "sure": None}
        | known
        | {"begin": _midnight(day)}
    )


def _compact_values(
    operator: Party, rule: CompactValue.Rule, until: date
) -> Iterator[CompactValue]:
    """Yield a tribe's values in order of effect, only the last one for each day."""
    values = CompactValue.objects.filter(
        compact__agency=operator.agency, rule=rule, from_date__lte=until
    )
    last = {
        value.from_date: value
        for value in values.select_related("compact").order_by("from_date", "id")
    }
    yield from last.values()


def _readings(rules: RuleSet, spans: Iterable[Span], until: datetime) -> Iterator[Reading]:
    """Yield pay lines that were not in effect but that a table may have paid by.

    Layout drawings, approved pay tables that the controls do not choose, and other versions.
    """
    used: list[Span | TableTerms] = []
    for span in spans:
        used += [span, *span.chosen.values()]
    bound = {each.rule_version for each in used}
    versions = RuleVersion.objects.filter(game__slug=rules.slug, at__lt=until).order_by("number")
    own = _in_terms({name: table.lines for name, table in rules.pay_tables.items()})
    layout = _layout(rules, [each for each in versions if str(each.uuid) in bound])
    if drawn := _otherwise(layout, [each.pay_tables or own for each in used]):
        yield Reading(says="the table layout", pay_tables=drawn)
    for version in versions:
        if str(version.uuid) in bound:
            yield from _alternatives(version)
        else:
            yield _other_version(version)


def _layout(rules: RuleSet, versions: Iterable[RuleVersion]) -> dict[str, dict[str, int]]:
    """Return the lines that layout drawings print for the game's pay tables."""
    layout = {name: dict(each.lines) for name, each in rules.layouts.items()}
    for version in versions:
        for each in version.pay_lines.filter(origin=FiledPayLine.Origin.LAYOUT):
            if each.table in rules.pay_tables:
                layout.setdefault(each.table, {})[each.line] = each.pays
    return layout


def _alternatives(version: RuleVersion) -> Iterator[Reading]:
    """Yield the approved pay tables of each wager that has several."""
    for wager, names in readable_pay_tables(version).items():
        for name, table in names.items() if len(names) > 1 else ():
            says = f"the approved pay table “{name}” of {wager.replace('_', ' ')}"
            yield Reading(says=says, rules=True, pay_tables=_written({wager: table}))


def _other_version(version: RuleVersion) -> Reading:
    tables = {
        wager: names.get(STANDARD) or next(iter(names.values()))
        for wager, names in readable_pay_tables(version).items()
    }
    return Reading(
        says=f"version {version.number} of the rules",
        rules=True,
        pay_tables=_written(tables),
        interpretations=dict(version.interpretations),
    )


def _otherwise(layout: PayTables, approved: Sequence[PayTables]) -> PayTables:
    """Return the lines of a layout that pay otherwise than an approved pay table does."""
    tables = {
        name: {
            line: pays
            for line, pays in lines.items()
            if any(each.get(name, {}).get(line) != pays for each in approved)
        }
        for name, lines in layout.items()
    }
    return {name: lines for name, lines in tables.items() if lines}
