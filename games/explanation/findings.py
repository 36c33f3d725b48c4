"""Findings in words: the title of each code, where and what was wrong, and a round's verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.checks import describe_code, severity
from games.explanation.words import difference_in_words, name_in_words
from games.findings import MoneyOwner, Severity, money_owner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.findings import Finding


COUNTS: Final = frozenset({"limit.players", "deal.count", "deal.shoe"})
"""Codes whose numbers count cards, decks or people."""
CENTS_AS_TEXT: Final = frozenset({"limit.unverified", "wager.relation", "void.result"})
"""Codes that have amounts as text although they carry no money themselves."""


@dataclass(frozen=True, slots=True)
class FindingWords:
    """A finding as the cells of a table, and its amounts as a sentence."""

    title: str
    where: str
    logged: str
    expected: str
    difference: str
    sentence: str
    """Empty if the finding has no amounts or values."""


@dataclass(frozen=True, slots=True)
class FindingExplanation:
    """A finding of a round, as logged and in words."""

    code: str
    severity: str
    seat: int | None
    player: str | None
    wager: str | None
    logged: int | str | None
    expected: int | str | None
    delta: int
    cites: tuple[str, ...]
    words: FindingWords


@dataclass(frozen=True, slots=True)
class RoundVerdict:
    """What a round came to, in a heading and a sentence."""

    alert: str
    """The kind of alert that shows it: `info`, `success`, `warning` or `error`."""
    heading: str
    says: str


def describe_value(code: str, value: object) -> str:
    """Format a logged or expected value: amounts in dollars, numbers and texts as they are."""
    if value is None:
        return "–"
    if isinstance(value, int) and code not in COUNTS:
        return in_dollars(value)
    if code in CENTS_AS_TEXT:  # a filed game's wager may be "at most 1500", or "500 to 1000"
        return re.sub(r"-?[0-9]+", lambda found: in_dollars(int(found[0])), str(value))
    return str(value)


def describe_place(seat: int | None, player: str | None = None, wager: str | None = None) -> str:
    """Return where at the table a finding applies."""
    parts = (
        f"seat {seat}" if seat is not None else "",
        f"player {player}" if player else "",
        name_in_words(wager) if wager else "",
    )
    place = ", ".join(filter(None, parts)) or "table"
    return place[0].upper() + place[1:]


def describe_finding(
    code: str,
    *,
    seat: int | None = None,
    player: str | None = None,
    wager: str | None = None,
    logged: object = None,
    expected: object = None,
    delta: int = 0,
) -> FindingWords:
    """Put a finding into words."""
    values = (("logged", logged), ("expected", expected))
    known = [f"{name} {describe_value(code, it)}" for name, it in values if it is not None]
    difference = difference_in_words(delta)
    sentence = ", ".join(known) + (f": {difference}" if delta and known else "")
    return FindingWords(
        describe_code(code),
        describe_place(seat, player, wager),
        describe_value(code, logged),
        describe_value(code, expected),
        difference,
        f"{sentence[0].upper()}{sentence[1:]}." if sentence else "",
    )


def explain_finding(finding: Finding, player: str | None) -> FindingExplanation:
    """Explain a finding on a round, at the seat of a player if there is one."""
    words = describe_finding(
        finding.code,
        seat=finding.seat,
        player=player,
        wager=finding.wager,
        logged=finding.logged,
        expected=finding.expected,
        delta=finding.delta,
    )
    return FindingExplanation(
        finding.code,
        severity(finding.code),
        finding.seat,
        player,
        finding.wager,
        finding.logged,
        finding.expected,
        finding.delta,
        finding.cites,
        words,
    )


def sum_money(findings: Sequence[FindingExplanation], owner: MoneyOwner) -> tuple[int, int]:
    """Return the cents that an owner was overpaid and underpaid."""
    deltas = [each.delta for each in findings if money_owner(each.code, each.wager) is owner]
    return sum(each for each in deltas if each > 0), -sum(each for each in deltas if each < 0)


def describe_verdict(
    findings: Sequence[FindingExplanation], status: str, *, is_void: bool, why_not: str
) -> RoundVerdict:
    """Describe what a round came to; `why_not` says why it has no status."""
    if not findings:
        if not status:
            return RoundVerdict("info", "Round as logged", why_not)
        settled = "Every wager was settled as the rules of play require."
        says = "The round is void, and nobody won or lost anything." if is_void else settled
        return RoundVerdict("success", "No apparent violations", says)
    violations = sum(each.severity != Severity.NOTICE for each in findings)
    count, noun = (violations, "apparent violation") if violations else (len(findings), "notice")
    heading = f"{count:,} {noun}{'s' if count > 1 else ''}"
    owners = (MoneyOwner.PLAYERS, MoneyOwner.HOUSE)
    if money := [it for who in owners if (it := describe_money(who, *sum_money(findings, who)))]:
        says = "; ".join(money)
        return RoundVerdict("error", heading, f"{says[0].upper()}{says[1:]}.")
    says = "No wager was overpaid or underpaid."
    if status == "irregular":
        says = "The rules do not say how to settle what was logged, so no wager can be compared."
    return RoundVerdict("warning" if violations else "info", heading, says)


def describe_money(owner: MoneyOwner, over: int, under: int) -> str:
    """Describe what an owner was overpaid and underpaid, in cents; empty if nothing."""
    ways = [
        f"{way} {in_dollars(abs(cents))}"
        for way, cents in (("overpaid", over), ("underpaid", under))
        if cents
    ]
    verb = "was" if owner is MoneyOwner.HOUSE else "were"
    return f"{owner} {verb} {' and '.join(ways)}" if ways else ""
