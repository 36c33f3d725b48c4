"""What controls may choose for a table: approved versions, pay tables, interpretations. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.filings.controls.content import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from compliance.filings.controls.content import Choice, GameControls


@dataclass(frozen=True, kw_only=True)
class ApprovedVersion:
    """A version of a game's rules that an operator may choose."""

    number: int
    since: datetime
    pay_tables: Mapping[str, Mapping[str, int]]
    """The best odds of each approved pay table, by wager and name."""
    allowed: Mapping[str, tuple[str, ...]] | None
    """By open question, the approver's reading and the others that controls may choose.

    None where the approver chose none: approvals were once given so.
    """


def find_unapproved_choices(
    game: GameControls, approved: Sequence[ApprovedVersion]
) -> Iterator[Problem]:
    """Yield each choice of a game's tables that no approval allows, and each one that is missing.

    A game that is not approved yet has nothing to choose from.
    """
    place = f"games.{game.game}"
    yield from _find_in_choice(place, game.choice(None), approved)
    for table, own in game.by_table.items():
        at = f"{place}.by_table.{table}"
        known = {each.place for each in _find_in_choice(at, game.choice(None), approved)}
        for each in _find_in_choice(at, game.choice(table), approved):
            if own.version is not None or each.place not in known:
                yield each


def _find_in_choice(
    place: str, choice: Choice, approved: Sequence[ApprovedVersion]
) -> Iterator[Problem]:
    numbers = ", ".join(str(each.number) for each in approved)
    if choice.version is None and len(approved) > 1:
        says = f"Choose the version of the rules. Approved are {numbers}."
        yield Problem(f"{place}.version", says, "WAC 230-15-425")
        return
    chosen = [each for each in approved if choice.version in {None, each.number}]
    if not chosen:
        if choice.version is not None:
            says = f"Version {choice.version} is not approved. Approved: {numbers or 'none'}."
            yield Problem(f"{place}.version", says, "WAC 230-15-425")
        return
    yield from _find_pay_tables(place, choice, chosen[0])
    yield from _find_interpretations(place, choice, chosen[0])


def _find_pay_tables(place: str, choice: Choice, version: ApprovedVersion) -> Iterator[Problem]:
    for wager, name in choice.pay_tables.items():
        names = version.pay_tables.get(wager, {})
        if name not in names:
            says = (
                f"Version {version.number} has no approved pay table “{name}” for "
                f"{_in_words(wager)}. Choose one of: {', '.join(names) or 'none'}."
            )
            yield Problem(f"{place}.pay_tables.{wager}", says, "WAC 230-15-425")
    for wager, names in version.pay_tables.items():
        if len(names) > 1 and wager not in choice.pay_tables:
            says = f"Choose the pay table of {_in_words(wager)}. Approved are {', '.join(names)}."
            yield Problem(f"{place}.pay_tables.{wager}", says, "WAC 230-15-425")


def _find_interpretations(
    place: str, choice: Choice, version: ApprovedVersion
) -> Iterator[Problem]:
    if version.allowed is None:
        return
    for id_, reading in choice.interpretations.items():
        allowed = version.allowed.get(id_)
        if allowed is not None and reading not in allowed:
            says = (
                f"The approval of version {version.number} reads {id_} as "
                f"“{_in_words(allowed[0])}” and does not allow “{_in_words(reading)}”."
            )
            yield Problem(f"{place}.interpretations.{id_}", says, "WAC 230-15-425")


def top_odds(game: GameControls, wager: str, approved: Sequence[ApprovedVersion]) -> int | None:
    """Return the best odds that a game's tables pay on a wager; None if nothing is approved."""
    found = []
    for table in game.tables:
        choice = game.choice(table)
        for version in approved:
            names = version.pay_tables.get(wager, {})
            if names and choice.version in {None, version.number}:
                name = choice.pay_tables.get(wager, "")
                found.append(names.get(name, max(names.values())))
    return max(found, default=None)


def _in_words(word: str) -> str:
    return word.replace("_", " ")
