"""A round explained: verdict, table and time, hands, each wager, findings and their authority.

The previous round at the table is included where the rules ask for it (PP-22, PP-25, P2-1), and the
amounts left by a maximum aggregate payout where one applies (PP-I9).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from games.cents import in_dollars
from games.checks import void_missing
from games.explanation.findings import describe_verdict, explain_finding
from games.explanation.model import (
    Clause,
    Interpretation,
    RoundExplanation,
    Section,
    Step,
    WagerExplanation,
)
from games.explanation.places import explain_places
from games.explanation.words import describe_name, name_in_words, result_in_words, time_in_words
from games.log.field_types import FormError
from games.maximums import forbidden_maximum, form_of_maximum
from games.rule_set import SLUGS
from games.settlement.outcomes import Settlement, capped, game
from games.setup import LETTERS, Setup
from games.strict_json import visible
from games.terms import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import tzinfo

    from games.explanation.findings import FindingExplanation
    from games.explanation.sections import Explainer
    from games.findings import Finding
    from games.log.round import Round
    from games.rule_set import RuleSet
    from games.settlement.outcomes import Capped
    from games.settlement.verdict import Verdict
    from games.terms import Before


def explain_round(
    round_: Round,
    setup: Setup,
    verdict: Verdict,
    *,
    before: Before = NOTHING,
    zone: tzinfo = UTC,
    findings: Iterable[Finding] | None = None,
    law: Mapping[str, Clause] | None = None,
    version: tuple[str, Mapping[str, str]] = ("", {}),
) -> RoundExplanation:
    """Explain a round with its verdict and the round before it, in a time zone's local time.

    `findings` replaces those of the verdict if others were added to them, with the text of the
    law that they cite. `version` names the approved rules and the interpretations they chose.
    """
    found = explain_findings(round_, verdict.findings if findings is None else findings)
    is_void_due = any(each.code == void_missing.CODE for each in verdict.findings)
    filed = setup.filed.get(round_.game)
    round_ = as_defined(round_, setup)
    is_void = is_void_due or not round_.played
    sections = tuple(
        _sections(round_, setup, is_void=is_void)
        if filed is None
        else map(_void_section, filed.sections(round_, setup, verdict))
        if is_void
        else filed.sections(round_, setup, verdict)
    )
    about = (*_about(round_, setup), *_before(round_, before, zone))
    ids = {id_ for step in (*about, *_steps(sections)) for id_ in step.cites}
    ids.update(id_ for finding in found for id_ in finding.cites)
    status = "" if filed is not None and not sections else verdict.status
    explanation = explain_logged_round(
        round_, found, zone=zone, setup=setup, status=status, why_not=NOT_SETTLED
    )
    return replace(
        explanation,
        about=about,
        sections=sections or explanation.sections,
        clauses=tuple(_clauses(round_.game, setup, ids, law or {})),
        interpretations=tuple(_interpretations(round_.game, setup, ids, *version)),
    )


NOT_SETTLED: Final = (
    "Not settled: no definition in effect settles this round. It was audited for everything that "
    "needs no settlement: authorization, hours, tables, limits, players, order and void rounds."
)


def as_defined(round_: Round, setup: Setup | None) -> Round:
    """Return a round of a filed game as its definition reads it, if it has that form."""
    filed = None if setup is None else setup.filed.get(round_.game)
    try:
        return round_ if filed is None else cast("Round", filed.as_defined(round_))
    except FormError:
        return round_


def explain_logged_round(
    round_: Round,
    findings: tuple[FindingExplanation, ...],
    *,
    zone: tzinfo,
    setup: Setup | None = None,
    status: str = "",
    why_not: str = "",
) -> RoundExplanation:
    """Explain a round as logged; `why_not` says why its audit is not shown."""
    is_known = round_.game in SLUGS or (setup is not None and round_.game in setup.filed)
    rules = (setup or Setup()).rules(round_.game) if is_known else None
    name = describe_name(round_.game) if rules is None else rules.name
    is_void = round_.void is not None
    reason = visible(round_.void or "") or "no reason given"
    return RoundExplanation(
        title=f"Round {round_.round}: {name}, table {round_.table}",
        round=round_.round,
        game_name=name,
        table=round_.table,
        began="" if round_.since is None else time_in_words(round_.since, zone),
        ended=time_in_words(round_.at, zone),
        dealt=_dealt(round_, rules),
        void=f"Void: {reason}. Every result must be $0.00." if is_void else "",
        verdict=describe_verdict(findings, status, is_void=is_void, why_not=why_not),
        status=status,
        places=explain_places(round_, setup),
        about=(),
        sections=() if status else tuple(_as_logged(round_)),
        findings=findings,
        clauses=(),
        interpretations=(),
    )


def explain_findings(round_: Round, findings: Iterable[Finding]) -> tuple[FindingExplanation, ...]:
    """Explain findings on a round, each with the player at its seat."""
    players = {seat.seat: seat.player for seat in round_.seats}
    return tuple(
        explain_finding(each, None if each.seat is None else players.get(each.seat))
        for each in findings
    )


def _dealt(round_: Round, rules: RuleSet | None) -> str:
    decks = round_.decks or (1 if rules is None else rules.decks.number)
    name = "" if not round_.deck else f", deck “{visible(round_.deck)}”"
    shuffled = "from a shuffling machine" if round_.shuffler else "shuffled by hand"
    return f"{decks} deck{'s' if decks > 1 else ''}{name}, {shuffled}"


def _as_logged(round_: Round) -> Iterator[Section]:
    """Yield the logged wagers and results of a round whose audit is not shown."""
    if round_.banker is not None:
        house = round_.house
        wager = WagerExplanation("Dealer", "house", house.wager, (), house.result, None)
        yield Section("Dealer", wagers=(replace(wager, is_audited=False),))
    for seat in round_.seats:
        place = f"Seat {seat.seat}"
        wagers = (
            WagerExplanation(place, key, seat.wagers.get(key), (), logged, None, is_audited=False)
            for key, logged in seat.result.items()
        )
        yield Section(place, wagers=tuple(wagers), seat=seat.seat)


def _sections(round_: Round, setup: Setup, *, is_void: bool) -> Iterator[Section]:
    """Explain each place; in a round that is void, or had to be, every expected result is 0."""
    name = f"games.explanation.{round_.game.replace('-', '_')}"
    explainer = cast("Explainer", import_module(name))
    settlement = Settlement() if is_void else game(round_.game).settle(round_, setup)
    sections = explainer.sections(round_, setup, settlement)
    if is_void:
        return (_void_section(section) for section in sections)
    if settlement.seats:
        return _cut_to_maximum(sections, round_, capped(round_, settlement.seats, setup))
    return sections


def _void_section(section: Section) -> Section:
    """Return a void round's section, with every result 0."""
    return replace(section, wagers=tuple(replace(wager, expected=0) for wager in section.wagers))


def _before(round_: Round, before: Before, zone: tzinfo) -> Iterator[Step]:
    """Explain the previous round's time, bank and deck, as far as this round is audited on them."""
    if before.at is not None and round_.at < before.at:
        yield Step(f"The previous round at this table ended {time_in_words(before.at, zone)}.")
    if round_.banker is not None and round_.played:
        cites = ("PP-22", "PP-25", "PP-I16") if round_.game == "pyramid-poker" else ()
        yield Step(_bank_before(round_, before), cites)
    if round_.game == "pick-2-poker" and round_.shuffler and round_.deck is not None:
        yield Step(_deck_before(before), ("P2-1", "P2-I8"))


def _bank_before(round_: Round, before: Before) -> str:
    if before.after_rejection:
        return "The previous line at this table was rejected, so the bank is not audited on it."
    if before.played is None:
        return "No previous round at this table is known."
    if before.played.banked:
        return "A player banked in the previous round at this table."
    player = next(seat.player for seat in round_.seats if seat.seat == round_.banker)
    if player is None:
        return "The house banked in the previous round; the log does not name the present banker."
    wagered = in_dollars(before.played.main_by_player.get(player, 0))
    return f"The house banked in the previous round, and {player} wagered {wagered} on main."


def _deck_before(before: Before) -> str:
    if before.after_rejection:
        return "The previous line at this table was rejected, so the deck is not audited on it."
    used = "is not known" if before.deck is None else f"was “{visible(before.deck)}”"
    return f"The deck of the previous round at this table {used}."


CITES: Final = {"pyramid-poker": ("PP-19", "PP-I8", "PP-I9")}
"""In Pick 2 Poker the only authority for a maximum is the law."""


def _cut_to_maximum(sections: Iterable[Section], round_: Round, after: Capped) -> Iterator[Section]:
    """Yield the sections with what the maximum leaves of each wager that it may cut."""
    left = {
        (seat.seat, key): outcome.amounts[key]
        for seat, outcome in zip(round_.seats, after.outcomes, strict=True)
        if outcome is not None
        for key in outcome.amounts
    }
    cites = CITES.get(round_.game, ())
    for section in sections:
        seat = section.seat
        wagers = (
            _cut_wager(wager, left[seat, wager.key], cites)
            if seat is not None and (seat, wager.key) in after.decided
            else wager
            for wager in section.wagers
        )
        yield replace(section, wagers=tuple(wagers))


def _cut_wager(wager: WagerExplanation, left: int, cites: tuple[str, ...]) -> WagerExplanation:
    says = "The maximum aggregate payout applies; this wager may be left uncut."
    if left != wager.expected:
        cut = result_in_words(left)
        says = f"The maximum aggregate payout applies; this wager may be cut to {cut}."
    return replace(wager, steps=(*wager.steps, Step(says, cites)), expected=left, is_in_sum=True)


def _about(round_: Round, setup: Setup) -> Iterator[Step]:
    """Yield interpretations chosen, lines replaced, maximums, and Chinese Poker's controls."""
    rules = setup.rules(round_.game)
    for id_, name in sorted(setup.interpretations.items()):
        if LETTERS.get(id_.partition("-")[0]) == round_.game:
            says = rules.interpretations[id_].readings[name]
            yield Step(f"The approved interpretation of {id_}: {says}", (id_,))
    yield from _pay_tables(round_, setup)
    yield from _maximum(round_, setup)
    if round_.game == "chinese-poker":
        yield from _chinese_controls(setup)


def _pay_tables(round_: Round, setup: Setup) -> Iterator[Step]:
    rules = setup.rules(round_.game)
    for name, lines in setup.pay_tables.get(round_.game, {}).items():
        table = rules.pay_tables[name]
        for line, to in lines.items():
            by_rules = table.lines.get(line)
            if to != by_rules:
                of = f"{name_in_words(name)}, {name_in_words(line)},"
                says = f"The approved controls pay {of} {to} to 1; the rules "
                says += "have no such line." if by_rules is None else f"pay {by_rules} to 1."
                yield Step(says, (table.clause,))


_CAPPED: Final = {
    "odds_only": "of a hand",
    "all_wagers": "of a hand",
    "per_player": "of a player in a round",
    "per_table": "of a table in a round",
}


def _maximum(round_: Round, setup: Setup) -> Iterator[Step]:
    form = form_of_maximum(round_.game, setup)
    if setup.max_aggregate is not None and form in _CAPPED:
        says = f"The maximum aggregate payout {_CAPPED[form]} is {in_dollars(setup.max_aggregate)}."
        yield Step(says, ("PP-19", "PP-I8"))
    law = forbidden_maximum(round_, setup)
    if law is not None:
        yield Step("The law did not allow this form of maximum, so it is not applied.", law.cites)
    for wager, most in setup.max_per_deal.get(round_.game, {}).items():
        of = name_in_words(wager)
        yield Step(f"The maximum aggregate payout of {of} in a deal is {in_dollars(most)}.")


def _chinese_controls(setup: Setup) -> Iterator[Step]:
    chinese = setup.chinese
    if chinese.scoring is not None:
        names = ", ".join(sorted(chinese.scoring)) or "none"
        yield Step(f"Scorings in the approved controls: {names}.", ("CP-14",))
    for what, units, clause in (
        ("bonuses", chinese.bonuses, "CP-10"),
        ("naturals", chinese.naturals, "CP-11"),
    ):
        if units:
            names = ", ".join(f"{name_in_words(name)} {value}" for name, value in units.items())
            yield Step(f"The approved controls pay {what}, in units: {names}.", (clause,))
    if chinese.surrender is not None:
        says = f"A surrender pays {chinese.surrender} units to each live player."
        yield Step(says, ("CP-12", "CP-I16"))


def _steps(sections: Iterable[Section]) -> Iterator[Step]:
    for section in sections:
        yield from section.steps
        for wager in section.wagers:
            yield from wager.steps


def _clauses(slug: str, setup: Setup, ids: set[str], law: Mapping[str, Clause]) -> Iterator[Clause]:
    """Yield the text of each cited id: the rules' clauses, then interpretations, then the law."""
    rules = setup.rules(slug)
    for clause in rules.clauses.values():
        if clause.id in ids:
            sources = tuple(f"{each.document}, {each.place}" for each in clause.sources)
            yield Clause(clause.id, clause.says, sources)
    for item in rules.interpretations.values():
        if item.id in ids:
            says = item.readings[setup.interpretations.get(item.id, item.default)]
            yield Clause(item.id, f"{item.asks} {says}", ("Interpretation",))
    for id_ in sorted(ids - rules.clauses.keys() - rules.interpretations.keys()):
        yield law.get(id_, Clause(id_, "", ()))


def _interpretations(
    slug: str, setup: Setup, ids: set[str], version: str, approved: Mapping[str, str]
) -> Iterator[Interpretation]:
    """Yield the cited interpretations, each with the choice in effect and who made it."""
    for id_, item in setup.rules(slug).interpretations.items():
        if id_ not in ids:
            continue
        name, chosen_by = setup.interpretations.get(id_), "Default of the rules"
        if name is not None:
            is_approved = approved.get(id_) == name
            chosen_by = f"{version}, as approved" if is_approved else "Approved internal controls"
        yield Interpretation(id_, item.asks, item.readings[name or item.default], chosen_by)
