"""Check controls before they are submitted; each check cites its rule. Pure: no database."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from compliance.filings.controls.choices import ApprovedVersion, find_unapproved_choices, top_odds
from compliance.filings.controls.content import (
    DAYS,
    TEXTS,
    Content,
    GameControls,
    Problem,
    time_in_words,
)
from compliance.filings.games.checks import OddsWager, find_low_maximum
from games.cents import in_dollars

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import date

    from compliance.law.values import LawRule
    from games.rule_set import RuleSet


PER_DEAL_SINCE: Final = "2021-06-14"
MULTIPLES: Final = {"pick-2-poker": {"ante": ("play", 2, "P2-4")}}
"""Wagers that a later, mandatory wager multiplies: which, by how much, and the clause."""


@dataclass(frozen=True, kw_only=True)
class CheckedControls:
    """Controls as they would be in effect on a day, and the law of that day."""

    content: Content
    law: Mapping[str, LawRule]
    on: date
    tribal: bool
    cap: int | None
    """The largest single wager under the compact; for a card room it follows from the law."""
    approved: Mapping[str, Sequence[ApprovedVersion]] = field(default_factory=dict)
    """By game, the versions of its rules that the operator may choose, newest first."""
    rules: Mapping[str, RuleSet] = field(default_factory=dict)
    """The rules of those games that are known here."""

    def cap_for(self, rules: RuleSet) -> tuple[int | None, str]:
        """Return the cap on a game's wagers and its citation.

        In poker, it is the one of licensed rooms: the audit knows each room's license.
        """
        if self.tribal:
            return self.cap, "the compact"
        name = "wager_house_banked" if rules.house_banked else "wager_nonhouse_banked"
        value = self.law[name].on(self.on)
        if value is None or not isinstance(value.value, int):
            return None, ""
        if rules.house_banked or value.conditional_value is None:
            return value.value, value.citation
        return value.conditional_value, value.citation


def problems_of(judged: CheckedControls) -> list[Problem]:
    """Return every problem that prevents submission, in the order of the sections."""
    return [problem for check in CHECKS for problem in check(judged)]


def sections_are_written(judged: CheckedControls) -> Iterator[Problem]:
    """Require text in each section that the rules ask for."""
    for name, heading in TEXTS.items():
        if not judged.content.texts.get(name):
            yield Problem(f"texts.{name}", f"{heading}: write this section.", "WAC 230-15-430")


def hours_are_given(judged: CheckedControls) -> Iterator[Problem]:
    """Require the hours of operation."""
    if not any(judged.content.hours.values()):
        yield Problem("hours", "Say when the room is open, day by day.", "WAC 230-15-025")


def hours_do_not_overlap(judged: CheckedControls) -> Iterator[Problem]:
    """Require that a day closing after midnight closes before the next one opens."""
    hours = judged.content.hours
    for day, following in zip(DAYS, (*DAYS[1:], DAYS[0]), strict=True):
        night, morning = hours[day], hours[following]
        if night is None or morning is None or night[0] < night[1]:
            continue
        round_the_clock = morning[0] == morning[1]
        if morning[0] < night[1] and not round_the_clock:
            says = (
                f"{day.capitalize()}’s hours go on until {time_in_words(night[1])} on "
                f"{following.capitalize()}, which opens at {time_in_words(morning[0])} already. "
                "Change one of the two."
            )
            yield Problem(f"hours.{following}", says, "WAC 230-15-025")


def games_are_known(judged: CheckedControls) -> Iterator[Problem]:
    """Require known games and tables, and limits for every mandatory wager."""
    if not judged.content.games:
        yield Problem("games", "Name at least one game and its tables.", "WAC 230-15-425")
    for slug, game in judged.content.games.items():
        rules = judged.rules.get(slug)
        if rules is None:
            yield Problem(f"games.{slug}", f"No game “{slug}” is approved. Take it out.")
            continue
        if not game.tables:
            yield Problem(f"games.{slug}.tables", "Name the tables of this game.")
        if rules.wagers:
            yield from _wagers_have_limits(game, rules)


def _wagers_have_limits(game: GameControls, rules: RuleSet) -> Iterator[Problem]:
    for table, limits in game.tables.items():
        place = f"games.{game.game}.tables.{table}"
        for key in limits:
            if key not in rules.wagers:
                yield Problem(f"{place}.{key}", f"{rules.name} has no wager “{_said(key)}”.")
        for key, wager in rules.wagers.items():
            if wager.mandatory and key not in limits and rules.house_banked:
                says = "Give the minimum and the maximum."
                yield Problem(f"{place}.{key}", says, "WAC 230-15-060")


def limits_are_within_the_cap(judged: CheckedControls) -> Iterator[Problem]:
    """Reject wagers over the cap, whether alone or with the later wagers they oblige."""
    for game, rules in _known(judged):
        cap, cites = judged.cap_for(rules)
        if cap is None:
            continue
        multiples = MULTIPLES.get(game.game, {})
        for table, limits in game.tables.items():
            for key, (_, most) in limits.items():
                place = f"games.{game.game}.tables.{table}.{key}"
                if most > cap:
                    says = f"{in_dollars(most)} is above the cap of {in_dollars(cap)}."
                    yield Problem(place, says, cites)
                elif key in multiples and most * multiples[key][1] > cap:
                    later, times, clause = multiples[key]
                    says = (
                        f"{later.capitalize()} is {times} times {_said(key)}: a maximum of "
                        f"{in_dollars(most)} leads to {in_dollars(most * times)}, above the cap of "
                        f"{in_dollars(cap)}."
                    )
                    yield Problem(place, says, f"{cites}, {clause}")


def readings_are_acceptable(judged: CheckedControls) -> Iterator[Problem]:
    """Allow only interpretations that the commission could accept, and only where lawful."""
    for game, rules in _known(judged):
        for id_, reading in game.interpretations.items():
            place = f"games.{game.game}.interpretations.{id_}"
            known = rules.interpretations.get(id_)
            if known is None:
                yield Problem(place, f"{rules.name} has no reading {id_}.")
            elif reading not in known.readings:
                yield Problem(
                    place,
                    f"“{_said(reading)}” is none of: {', '.join(map(_said, known.readings))}.",
                )
        yield from _aggregate_fits_its_reading(judged, game)


def _aggregate_fits_its_reading(judged: CheckedControls, game: GameControls) -> Iterator[Problem]:
    since = judged.on.isoformat() >= PER_DEAL_SINCE
    if game.aggregate.per_hand is not None and since and not judged.tribal:
        yield Problem(
            f"games.{game.game}.max_aggregate",
            "A maximum aggregate is given per wager over all hands of a deal.",
            "WAC 230-15-490(2), (3)(a)",
        )


def choices_are_approved(checked: CheckedControls) -> Iterator[Problem]:
    """Require that each table plays an approved version, pay table and interpretation."""
    for slug, game in checked.content.games.items():
        yield from find_unapproved_choices(game, checked.approved.get(slug, ()))


def aggregates_are_high_enough(judged: CheckedControls) -> Iterator[Problem]:
    """Reject a maximum aggregate below the floor of its day."""
    if judged.tribal:
        return
    for game, rules in _known(judged):
        for key, maximum in game.aggregate.per_deal.items():
            place = f"games.{game.game}.max_aggregate.{key}"
            wager = rules.wagers.get(key)
            if wager is None or not wager.odds_based:
                yield Problem(
                    place, f"{_said(key).capitalize()} pays no odds: it has no maximum aggregate."
                )
                continue
            limits = [table[key] for table in game.tables.values() if key in table]
            if not limits:
                continue
            odds = OddsWager(
                _said(key).capitalize(),
                min(low for low, _ in limits),
                max(high for _, high in limits),
                top_odds(game, key, judged.approved.get(game.game, ())) or _top_odds(rules, key),
            )
            for found in find_low_maximum(maximum, odds, judged.law, judged.on):
                yield Problem(place, found.says, ", ".join(found.cites))


def chinese_poker_is_whole(judged: CheckedControls) -> Iterator[Problem]:
    """Require that Thirteen Card Poker has a scoring and a unit within the rules (CP-3, CP-13)."""
    game = judged.content.games.get("chinese-poker")
    if game is None:
        return
    place = "games.chinese-poker.chinese"
    if game.chinese is None:
        yield Problem(place, "Say which scoring, bonuses and naturals are played.", "CP-13")
        return
    for scoring in game.chinese.scoring:
        if scoring not in {"unit", "2-4", "1-6"}:
            yield Problem(f"{place}.scoring", f"{scoring!r} is none of unit, 2-4, 1-6.", "CP-8")
    limit = judged.law["unit_chinese_poker"].on(judged.on)
    unit = game.chinese.largest_unit
    if limit is not None and isinstance(limit.value, int) and (unit or 0) > limit.value:
        yield Problem(f"{place}.largest_unit", "A unit is at most $10.", "CP-3")


def _known(judged: CheckedControls) -> Iterator[tuple[GameControls, RuleSet]]:
    for slug, game in judged.content.games.items():
        if slug in judged.rules:
            yield game, judged.rules[slug]


def _top_odds(rules: RuleSet, wager: str) -> int:
    tables = [table for table in rules.pay_tables.values() if table.wager == wager]
    # Two tables of one wager pay together (P2-I3): their best lines apply to the same hand.
    return ceil(sum(max(table.lines.values()) for table in tables))


def _said(word: str) -> str:
    return word.replace("_", " ")


CHECKS: Final[tuple[Callable[[CheckedControls], Iterator[Problem]], ...]] = (
    sections_are_written,
    hours_are_given,
    hours_do_not_overlap,
    games_are_known,
    limits_are_within_the_cap,
    readings_are_acceptable,
    choices_are_approved,
    aggregates_are_high_enough,
    chinese_poker_is_whole,
)


def only_games_are_swapped(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether games were only added, removed or moved to other tables.

    A game that stays is played as before, and at each table where it stays under the same limits.
    """
    if _but(before, "games") != _but(after, "games"):
        return False
    old, new = before.get("games", {}), after.get("games", {})
    stay = old.keys() & new.keys()
    return old != new and all(_stays(old[game], new[game]) for game in stay)


def _stays(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    tables, others = old.get("tables", {}), new.get("tables", {})
    same = all(tables[table] == others[table] for table in tables.keys() & others.keys())
    return same and _but(old, "tables") == _but(new, "tables")


def _but(content: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key != name}
