"""Diagnosis of an issue: its rounds replayed under every other interpretation on file."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import orjson

from audits.replay.judging.terms import TermsInEffect
from games.cards import rank
from games.log.form import Rejection, read_line
from games.pick_2_poker.settle import settle_play
from games.pyramid_poker.settle import settle_main
from games.ranking.three_card import three_card
from games.rule_set import rule_set
from games.settlement.verdict import settle_round
from games.setup import LETTERS
from games.terms import NOTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from audits.replay.judging.tally import Example
    from audits.replay.judging.terms import Terms
    from games.cards import Cards
    from games.findings import Finding
    from games.log.round import Round, Seat
    from games.setup import Setup


def settled_against_dealer_as_set(round_: Round, finding: Mapping[str, Any], setup: Setup) -> bool:
    """Return whether the logged amount is the result with the dealer's hand as it was set."""
    seat = next((each for each in round_.seats if each.seat == finding["seat"]), None)
    settle = _SETTLED.get((round_.game, finding["code"]))
    if seat is None or settle is None:
        return False
    return bool(settle(round_, seat, finding["wager"], setup) == finding["logged"])


def _pyramid(round_: Round, seat: Seat, _key: str, setup: Setup) -> int | None:
    """Settle the main wager against the house's low card as it was set."""
    if round_.banker is not None:
        return None
    mine, theirs = _set(seat.cards, seat.low), _set(round_.house.cards, round_.house.low)
    if mine is None or theirs is None:
        return None
    equal = -1 if setup.reading("PP-I1") == "dealer_wins" else 0
    amount, _ = settle_main(
        *mine, *theirs, seat.wagers["main"], both_equal=equal, wins_at_once=True
    )
    return amount


def _set(cards: Cards, low: Cards) -> tuple[int, int, int] | None:
    if len(cards) != 3 or len(low) != 1 or low[0] not in cards:
        return None
    one, other = cards.replace(low, b"", 1)
    return rank(low[0]), rank(one), rank(other)


def _pick_2(round_: Round, seat: Seat, key: str, _setup: Setup) -> int | None:
    """Settle a three-card hand against the three cards that the dealer showed."""
    shown = round_.house.three
    mine = seat.three
    if seat.play != "three" or not shown or len(shown) != 3 or len(mine) != 3:
        return None
    ante, play, _ = settle_play(
        three_card(*mine), three_card(*shown), seat.wagers["ante"], seat.wagers["play"]
    )
    return {"ante": ante, "play": play}[key]


_SETTLED: Final[Mapping[tuple[str, str], Callable[[Round, Seat, str, Setup], int | None]]] = {
    ("pyramid-poker", "settlement.main"): _pyramid,
    ("pick-2-poker", "settlement.ante"): _pick_2,
    ("pick-2-poker", "settlement.play"): _pick_2,
}


if TYPE_CHECKING:
    Changed = Callable[[Setup], Setup]

WITHOUT_WHAT_CAME_BEFORE: Final = ("settlement.", "setting.dealer", "wager.relation", "bank.cover")
"""Codes of findings that depend on the round alone, and that an interpretation may explain."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The interpretation that explains an issue."""

    kind: str
    """`layout`, `reading`, `odds_for`, `dealer_as_set`, `other_rules` or `no_maximum`."""
    says: str


@dataclass(frozen=True, slots=True)
class _Logged:
    """An example with its parsed round, ready for replay."""

    round: Round
    finding: Mapping[str, Any]


def diagnose(examples: Sequence[Example], terms: Terms) -> Diagnosis | None:
    """Return the one interpretation that explains all of an issue's examples, if any does.

    Raises:
        TermsError: rounds cannot be audited under these terms.
    """
    kept = [example for example in examples if example.round]
    logged = list(_read(kept))
    if not logged or len(logged) < len(kept):
        return None
    held = TermsInEffect(terms)
    for diagnosis, changed in _readings(terms, logged, held):
        if _explains(changed, logged, held):
            return diagnosis
    if all(
        settled_against_dealer_as_set(
            each.round, each.finding, held.setups[held.of_round(each.round)]
        )
        for each in logged
    ):
        says = "Settled against the dealer's hand as it was set, not as the rules set it."
        return Diagnosis("dealer_as_set", says)
    return next(
        (
            diagnosis
            for diagnosis, changed in _other_rules(terms, logged, held)
            if _explains(changed, logged, held)
        ),
        None,
    )


def _read(examples: Sequence[Example]) -> Iterator[_Logged]:
    """Yield the examples that can be replayed; a round with several is parsed once."""
    for text, of_round in groupby(examples, key=lambda example: example.round):
        findings = [orjson.loads(example.finding) for example in of_round]
        alone = [each for each in findings if each["code"].startswith(WITHOUT_WHAT_CAME_BEFORE)]
        if alone and not isinstance(read := read_line(text), Rejection):
            yield from (_Logged(read, finding) for finding in alone)


def _explains(changed: Changed, logged: Sequence[_Logged], held: TermsInEffect) -> bool:
    """Return whether all of the findings disappear under other terms."""
    setups = [changed(setup) for setup in held.setups]
    return not any(
        _any_stands([each.finding for each in of_round], round_, setups[held.of_round(round_)])
        for round_, of_round in groupby(logged, key=lambda each: each.round)
    )


def _any_stands(findings: Sequence[Mapping[str, Any]], round_: Round, setup: Setup) -> bool:
    """Return whether any finding of a round remains; the round is settled once for all of them."""
    verdict = settle_round(round_, setup, NOTHING)
    unsettled = {seat for seat, expected in verdict.seats if expected is None}
    by_seat: defaultdict[int | None, list[Finding]] = defaultdict(list)
    for found in verdict.findings:
        by_seat[found.seat].append(found)
    return verdict.status == "irregular" or any(
        finding["seat"] in unsettled
        or any(_is_same(found, finding) for found in by_seat[finding["seat"]])
        or any(
            _is_same(found, finding) for found in verdict.findings if _within_a_deal(found, finding)
        )
        for finding in findings
    )


def _within_a_deal(found: Finding, finding: Mapping[str, Any]) -> bool:
    """Return whether one is the maximum for a deal's hands (PP-I8), the other one hand's wager."""
    codes = {found.seat: found.code, finding["seat"]: finding["code"]}
    return len(codes) > 1 and codes.get(None) == "settlement.aggregate"


def _is_same(found: Finding, finding: Mapping[str, Any]) -> bool:
    wagers = (found.wager, finding["wager"])
    return _same_matter(found.code, finding["code"]) and (wagers[0] == wagers[1] or None in wagers)


def _same_matter(one: str, other: str) -> bool:
    """Match codes: an amount is wrong by itself, or within a sum that a maximum limited."""
    return one == other or (one.startswith("settlement.") and other.startswith("settlement."))


def _readings(
    terms: Terms, logged: Sequence[_Logged], lookup: TermsInEffect
) -> Iterator[tuple[Diagnosis, Changed]]:
    """Yield layout drawings, interpretations of open questions, and odds for one, not to one."""
    rules = rule_set(terms.game)
    for reading in terms.readings:
        if not reading.rules:
            says = f"Paid by {reading.says}: {_lines(lookup, reading.pay_tables, logged)}"
            yield Diagnosis("layout", says), _paying(terms.game, reading.pay_tables)
    for id_, item in rules.interpretations.items():
        if LETTERS.get(id_.partition("-")[0]) == terms.game and len(item.readings) > 1:
            for name, text in item.readings.items():
                says = f"Settled by another reading of {id_}, `{name}`: {text}"
                yield Diagnosis("reading", says), _reading(id_, name)
    if rules.pay_tables:
        says = "Odds paid N for 1 instead of N to 1: the stake was kept."
        yield Diagnosis("odds_for", says), _one_less(terms.game)


def _other_rules(
    terms: Terms, logged: Sequence[_Logged], lookup: TermsInEffect
) -> Iterator[tuple[Diagnosis, Changed]]:
    """Yield versions of the rules that were not in effect, and no maximum aggregate payout."""
    for reading in terms.readings:
        if reading.rules:
            says = f"Settled by {reading.says}"
            if lines := _lines(lookup, reading.pay_tables, logged):
                says += f": {lines}"
            paying = _paying(terms.game, reading.pay_tables)
            yield Diagnosis("other_rules", says), _both(paying, reading.interpretations)
    says = "Paid in full: the maximum aggregate payout was not applied."
    yield Diagnosis("no_maximum", says), _without_maximum


def _paying(game: str, tables: Mapping[str, Mapping[str, int]]) -> Changed:
    def changed(setup: Setup) -> Setup:
        now = setup.pay_tables.get(game, {})
        merged = {name: {**now.get(name, {}), **tables.get(name, {})} for name in {*now, *tables}}
        return replace(setup, pay_tables={**setup.pay_tables, game: merged})

    return changed


def _reading(id_: str, name: str) -> Changed:
    return lambda setup: replace(setup, interpretations={**setup.interpretations, id_: name})


def _both(paying: Changed, readings: Mapping[str, str]) -> Changed:
    return lambda setup: replace(
        paying(setup), interpretations={**setup.interpretations, **readings}
    )


def _one_less(game: str) -> Changed:
    def changed(setup: Setup) -> Setup:
        tables = {
            name: {line: max(pays - 1, 0) for line, pays in setup.lines(game, name).items()}
            for name in setup.rules(game).pay_tables
        }
        return _paying(game, tables)(setup)

    return changed


def _without_maximum(setup: Setup) -> Setup:
    return replace(setup, max_aggregate=None, max_per_deal={})


def _lines(
    lookup: TermsInEffect, tables: Mapping[str, Mapping[str, int]], logged: Sequence[_Logged]
) -> str:
    """Describe the lines with other odds, limited to those that the examples reached if any did."""
    first = logged[0]
    approved = lookup.setups[lookup.of_round(first.round)].rules(first.round.game).pay_tables
    wager = first.finding["wager"]
    differ = [
        (line, pays, approved[name].lines.get(line))
        for name, lines in tables.items()
        for line, pays in lines.items()
        if approved[name].wager == wager and approved[name].lines.get(line) != pays
    ]
    met = {part for each in logged for part in str(each.finding["line"]).split("+")}
    hit = [each for each in differ if any(part.startswith(each[0]) for part in met)]
    return "; ".join(
        f"{line.replace('_', ' ')} {pays} to 1 "
        f"({'no such line in the rules' if right is None else f'rules: {right} to 1'})"
        for line, pays, right in hit or differ
    )
