"""The odds of a filed definition in words: what reviewers see before they decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import django_tables2 as tables

from compliance.filings.games.models import DefinitionOdds
from compliance.filings.games.odds import MOST_COMBINATIONS, counted_definition, has_odds
from compliance.ui.tables import AMOUNT, ListTable
from games.explanation.words import name_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from compliance.filings.games.models import RuleVersion
    from games.definition import Definition

ERRORS: Final = 3
"""Standard errors by which an estimated edge must be below zero to be called the player's."""
ALL_DEFAULTS: Final = "Each first pay table and default interpretation"
HOW: Final = {
    "none": "Counted exactly; nothing is decided",
    "optimal": "Counted exactly, played the best way",
    "best_by_hand": "Counted with the best play of each hand, to within 0.01 %",
}
TOO_LARGE: Final = (
    "Too large to compute exactly, and the definition has no strategy to estimate it by."
)
BEFORE_ROUNDING: Final = (
    "Payouts are counted before they are rounded, so at small wagers the house's part differs."
)
BETWEEN_PLAYERS: Final = (
    "Players play each other, so the house has no edge and there are no odds to state"
)
NOT_COUNTED: Final = "Envy bonuses, jackpots and maximum payouts are not counted."


class OddsTable(ListTable):
    """Edge, hit rate and variance by wager, under each choice of pay tables and readings."""

    terms = tables.Column(verbose_name="Under")
    wager = tables.Column()
    edge = tables.Column(verbose_name="House edge", attrs=AMOUNT)
    hit = tables.Column(verbose_name="Wins", attrs=AMOUNT)
    variance = tables.Column(attrs=AMOUNT)
    how = tables.Column(verbose_name="How it was computed")
    caption = "House edge, hit rate and variance"


@dataclass(frozen=True)
class FiledOdds:
    """The odds of a version's definition, or why there are none."""

    state: str
    at: datetime | None
    table: OddsTable | None
    warnings: tuple[str, ...]
    """Where the player has the edge."""
    notes: tuple[str, ...]


def odds_of_version(version: RuleVersion) -> FiledOdds | None:
    """Return the odds of a version; None if it has no definition and pays by lines of its own."""
    definition = counted_definition(version)
    return None if definition is None else odds_of_definition(definition)


def odds_of_definition(definition: Definition) -> FiledOdds:
    """Return the odds of a definition, or why there are none yet."""
    if not has_odds(definition):
        return FiledOdds(BETWEEN_PLAYERS, None, None, (), ())
    row = DefinitionOdds.objects.filter(definition=definition.digest).first()
    state = DefinitionOdds.State.WAITING if row is None else DefinitionOdds.State(row.state)
    if row is None or state != DefinitionOdds.State.DONE:
        why = "" if row is None else row.failure
        return FiledOdds(str(state.label), None, None, (), (why,) if why else ())
    rows = list(_rows(definition, row.figures))
    return FiledOdds(
        state=str(state.label),
        at=row.at,
        table=OddsTable(rows),
        warnings=tuple(
            f"The player has the edge: {each['wager']}, under “{each['terms']}”."
            for each in rows
            if each["is_players"]
        ),
        notes=tuple(_notes(definition, row.figures)),
    )


def _rows(definition: Definition, figures: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every figure under the defaults, and under each other choice those that it changes.

    Under a combination, these are the figures that none of its choices has alone.
    """
    usual = {_of(each): each for each in figures[0]["odds"]}
    alone: dict[tuple[str, str], dict[Any, Any]] = {}
    for chosen in figures:
        terms = _terms(definition, chosen["tables"], chosen["readings"])
        if chosen["problem"]:
            yield _without(terms, "All wagers", chosen["problem"])
            continue
        parts = [*chosen["tables"].items(), *chosen["readings"].items()]
        is_usual = not parts
        known = [] if is_usual else [usual, *(alone.get(part, {}) for part in parts)]
        changed = [
            each for each in chosen["odds"] if all(each != of.get(_of(each)) for of in known)
        ]
        yield from (_row(definition, terms, each) for each in changed)
        if len(parts) == 1:
            alone[parts[0]] = {_of(each): each for each in chosen["odds"]}
        if not changed and len(parts) == 1:
            yield _without(terms, "All wagers", "No figure differs from the first.")
        if is_usual:
            for wager in wagers_with_figures(definition):
                if all(wager != each["wager"] for each in figures[0]["odds"]):
                    yield _without(terms, _wager(definition, wager), TOO_LARGE)


def _of(figure: Mapping[str, Any]) -> tuple[str, str]:
    return figure["wager"], figure["strategy"]


def wagers_with_figures(definition: Definition) -> list[str]:
    """Return the wagers that have a figure: the base wager, which is the game, and side wagers."""
    of_game = {*definition.mandatory_wagers, definition.base}
    of_game |= {
        choice.wager
        for decision in definition.decisions
        for choice in decision.choices
        if choice.wager is not None
    }
    base = [] if definition.named else [definition.base]
    return [*base, *(wager for wager in definition.wagers if wager not in of_game)]


def _row(definition: Definition, terms: str, figure: Mapping[str, Any]) -> dict[str, Any]:
    edge, error = float(figure["edge"]), float(figure["error"])
    whole = name_in_words(figure["wager"]) if figure["per"] == "ante" else "wager"
    strategy = figure["strategy"]
    how = HOW.get(strategy, f"Played by the strategy “{name_in_words(strategy)}”")
    if error and strategy != "best_by_hand":
        by = "" if strategy == "none" else f", played by the strategy “{name_in_words(strategy)}”"
        how = f"Estimated by dealing at random{by}; standard error {error * 100:.4f} %"
    says = " ".join(figure.get("terms", ()))
    return {
        "terms": terms,
        "wager": _wager(definition, figure["wager"]),
        "edge": f"{edge * 100:.4f} % of the {whole}",
        "hit": f"{figure['hit'] * 100:.2f} %",
        "variance": f"{figure['variance']:.3f}",
        "how": f"{how}. {says}" if says else how,
        "is_players": edge + ERRORS * error < 0,
    }


def _without(terms: str, wager: str, why: str) -> dict[str, Any]:
    return {"terms": terms, "wager": wager, "how": why, "is_players": False}


def _wager(definition: Definition, wager: str) -> str:
    name = name_in_words(wager).capitalize()
    mandatory = len(definition.mandatory_wagers) + len(definition.decisions)
    is_game = wager == definition.base and mandatory > 1 and not definition.named
    return f"The game: all mandatory wagers, per {name.lower()}" if is_game else name


def _terms(definition: Definition, tables_: Mapping[str, str], readings: Mapping[str, str]) -> str:
    chosen = [
        f"Pay table of {name_in_words(wager)}: {name_in_words(name)}"
        for wager, name in tables_.items()
    ]
    for id_, reading in readings.items():
        question = definition.interpretations[id_]
        chosen.append(f"{question.asks} {question.readings[reading]}")
    return "; ".join(chosen) or ALL_DEFAULTS


def _notes(definition: Definition, figures: list[dict[str, Any]]) -> Iterator[str]:
    combined = sum(len(each["tables"]) + len(each["readings"]) > 1 for each in figures)
    if combined == MOST_COMBINATIONS:
        yield f"Of the combinations of choices, the first {MOST_COMBINATIONS} were counted."
    roundings = [
        outcome.rounding for wager in definition.payouts.values() for outcome in wager.outcomes
    ]
    if definition.rounding is not None or any(roundings):
        yield BEFORE_ROUNDING
    if definition.own is not None and definition.own.results:
        yield NOT_COUNTED
