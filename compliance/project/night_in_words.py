"""A night as `make audit` prints it: what an agent wants to know first, and where the rest lies."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from games.cents import in_dollars
from games.rule_set import rule_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from audits.models import PatternNight
    from audits.selectors.night_summary import Summary

MOST_PATTERNS = 12
MOST_PLAYERS = 5


def summary_in_words(night: Summary) -> str:
    """The whole summary of one night."""
    parts = (_figures(night), _patterns(night), _restitution(night), _lacking(night))
    return "\n".join(line for part in parts for line in part)


def other_days_in_words(nights: Sequence[Summary]) -> str:
    """Days beside the night, a line each."""
    lines = ["", "Days beside it"]
    for night in nights:
        codes: dict[str, int] = defaultdict(int)
        for each in night.patterns:
            codes[each.pattern.code] += each.findings
        for lack in night.lacking:
            codes[lack.pattern.code] += 1
        told = ", ".join(f"{code} ({count:,})" for code, count in sorted(codes.items()))
        lines.append(f"  {night.day}  {night.rounds:,} rounds: {told or 'nothing found'}")
    return "\n".join(lines)


def _figures(night: Summary) -> Iterator[str]:
    games = "; ".join(f"{count:,} of {rule_set(game).name}" for game, count in night.games.items())
    tables = sum(len(each.tables) for each in night.operators)
    yield ""
    yield f"The night of {night.day:%B} {night.day.day}, {night.day.year}"
    yield ""
    yield f"Rounds judged     {night.rounds:,} at {tables} tables: {games}"
    for each in night.operators:
        more = f", {each.supplements} supplement" if each.supplements else ""
        yield f"  {each.name:<24} {each.rounds:>8,}  {', '.join(each.tables)}{more}"
        yield f"{'':37}{each.findings:,} findings {each.digest[:16]}…"
    yield f"Findings          {night.findings:,} in {len(night.patterns)} patterns"
    yield f"Rejected lines    {night.rejected}"
    yield (
        f"Players           overpaid {in_dollars(night.overpaid)}, "
        f"underpaid {in_dollars(night.underpaid)}"
    )


def _patterns(night: Summary) -> Iterator[str]:
    yield ""
    yield f"To be looked at first, of {len(night.patterns)} patterns"
    for each in night.patterns[:MOST_PATTERNS]:
        yield f"  {_money(each):>16}  {each.findings:>6,} ×  {_told(each)}"
        if each.pattern.diagnosis:
            yield f"{'':28}{each.pattern.diagnosis}"


def _money(night: PatternNight) -> str:
    if night.over >= night.under:
        return f"{in_dollars(night.over)} over" if night.over else "-"
    return f"{in_dollars(night.under)} under"


def _told(night: PatternNight) -> str:
    pattern = night.pattern
    what = " ".join(filter(None, (pattern.code, pattern.line.replace("_", " "))))
    where = " ".join(filter(None, (pattern.party.name, pattern.table)))
    return f"{what} at {where}"


def _restitution(night: Summary) -> Iterator[str]:
    owed = [each for each in night.owed if each.owed]
    players = {(each.operator, each.player) for each in owed}
    yield ""
    yield f"Restitution       {in_dollars(night.underpaid)} are owed to {len(players)} players"
    for each in owed[:MOST_PLAYERS]:
        name = each.player or "no one player"
        yield f"  {in_dollars(each.owed):>14}  {name} at {each.operator} {each.table}"


def _lacking(night: Summary) -> Iterator[str]:
    yield ""
    yield "Missing"
    lines = [
        f"  {' '.join(filter(None, (each.pattern.party.name, each.pattern.table)))}: "
        f"{each.logged}; awaited: {each.expected} ({each.pattern.code})"
        for each in night.lacking
    ]
    yield from _or_nothing(lines)


def _or_nothing(lines: Iterable[str]) -> Iterator[str]:
    told = list(lines)
    yield from told or ["  nothing"]
