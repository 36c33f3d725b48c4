"""`odds GAME-or-DEFINITION`: exact probabilities and house edge of a game and its wagers."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from games.cents import in_decimals
from games.commands.call import CallError, columns, page_width, paragraph, refuse, setup_named
from games.commands.definitions import chosen_names, terms_chosen
from games.odds.estimated import EstimatedOdds
from games.odds.wagers import COUNTED, WITHOUT, odds
from games.rule_set import SLUGS, rule_set
from games.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.definition import Definition
    from games.families.stud.program import Terms
    from games.odds.wagers import Outcome, WagerOdds


BETWEEN_PLAYERS = "Players play each other, so the house has no edge. There are no odds to state."
PLACES = 3
"""Decimal places of a percentage, and the significant figures of a small one."""


def percent(part: Fraction, *, signed: bool = False) -> str:
    """Format a fraction as a rounded percentage; a rare one keeps three figures, 0.000143 %."""
    places = PLACES
    while part and abs(part) * 100 * 10**places < 10 ** (PLACES - 1) and places < 20:
        places += 1
    whole, rest = divmod(abs(round(part * 100 * 10**places)), 10**places)
    sign = "-" if part < 0 else "+" if signed else ""
    return f"{sign}{whole}.{rest:0{places}} %"


def odds_lines(odds: WagerOdds | EstimatedOdds, width: int) -> Iterator[str]:
    """Yield one wager's lines: its outcomes, best first, and the house edge."""
    yield from paragraph(f"{odds.wager}: {' '.join(odds.terms)}", width)
    if isinstance(odds, EstimatedOdds):
        yield from paragraph(
            f"House edge {odds.edge * 100:+.3f} % of the {odds.per}, standard error"
            f" {odds.error * 100:.3f} %. Wins {odds.hit * 100:.2f} % of hands, variance"
            f" {odds.variance:.3f}.",
            width,
            indent=2,
        )
        return
    yield from _table(sorted(odds.outcomes, key=lambda outcome: -outcome.to), width)
    edge = odds.house_edge
    keeps = "the house keeps" if edge >= 0 else "the player gains"
    yield from paragraph(
        f"House edge {edge} = {percent(edge, signed=True)}: of each 100 "
        f"{'wagered' if odds.per == 'wager' else f'on the {odds.per}'} {keeps} "
        f"{percent(abs(edge)).removesuffix(' %')} in the long run.",
        width,
        indent=2,
    )


def odds_data(odds: WagerOdds | EstimatedOdds) -> dict[str, Any]:
    """Return the same for programs; fractions are text, numerator/denominator."""
    if isinstance(odds, EstimatedOdds):
        return odds.as_json()
    square = sum((of.to * of.to * of.probability for of in odds.outcomes), Fraction())
    return {
        "wager": odds.wager,
        "strategy": odds.strategy,
        "edge": in_decimals(odds.house_edge),
        "exact": str(odds.house_edge),
        "error": 0,
        "variance": round(float(square - odds.house_edge**2), 8),
        "hit": round(float(sum(of.probability for of in odds.outcomes if of.to > 0)), 8),
        "per": odds.per,
        "terms": list(odds.terms),
        "outcomes": [
            {
                "name": outcome.name,
                "to": outcome.to if isinstance(outcome.to, int) else str(outcome.to),
                "probability": str(outcome.probability),
            }
            for outcome in odds.outcomes
        ],
    }


def _table(outcomes: Sequence[Outcome], width: int) -> Iterator[str]:
    """Yield outcome, pay, percentage and fraction; in a narrow window the fraction goes below."""
    rows = [_row(outcome) for outcome in outcomes]
    heading = ("  outcome", "pays", "", "probability")
    wide = columns([heading, *rows], right=[1, 2])
    if max(map(len, wide)) <= width:
        yield from wide
        return
    first, *narrow = columns([row[:3] for row in (heading, *rows)], right=[1, 2])
    yield first
    for line, row in zip(narrow, rows, strict=True):
        yield line
        yield f"      {row[3]}"


def _row(outcome: Outcome) -> tuple[str, str, str, str]:
    to = outcome.to
    pays = "push" if to == 0 else "lost" if to < 0 else f"{to.numerator} to {to.denominator}"
    part = outcome.probability
    return (f"  {outcome.name}", pays, percent(part), str(part))


MOST_DECKS = 100


def run(arguments: list[str]) -> int:
    """Print the odds of one game."""
    call = _parser().parse_args(arguments)
    try:
        if call.game not in SLUGS:
            return _of_definition(call)
        setup = _with_readings(setup_named(call.setup), call)
    except CallError as error:
        return refuse(error)
    if call.game not in COUNTED:
        return _without(call.game, as_json=call.json)
    decks = call.decks or rule_set(call.game).decks.number
    if call.json:
        _print_data(list(odds(call.game, setup, decks)))
    else:
        _print_page(call.game, setup, decks)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games odds", description=__doc__)
    parser.add_argument(
        "game", metavar="GAME-or-DEFINITION", help=f"{', '.join(SLUGS)}, or a file, .toml"
    )
    parser.add_argument(
        "--interpretation", metavar="ID=NAME", action="append", default=[], help="a reading"
    )
    parser.add_argument(
        "--table", metavar="WAGER=TABLE", action="append", default=[], help="a named pay table"
    )
    parser.add_argument(
        "--decks", type=_decks, help="decks in the shoe; without it, the game's own number"
    )
    parser.add_argument(
        "--setup", metavar="SETUP.json", help="pay tables and interpretations to count with"
    )
    parser.add_argument("--json", action="store_true", help="as data; fractions as text")
    return parser


def _decks(text: str) -> int:
    decks = int(text) if text.isdecimal() and len(text) < 4 else 0
    if not 1 <= decks <= MOST_DECKS:
        message = f"a shoe holds 1 to {MOST_DECKS} decks, not {text}"
        raise argparse.ArgumentTypeError(message)
    return decks


def _without(game: str, *, as_json: bool) -> int:
    if as_json:
        sys.stdout.write("[]\n")
    else:
        sys.stdout.write("\n".join(paragraph(WITHOUT[game], page_width())) + "\n")
    return 0


def _print_page(game: str, setup: Setup, decks: int) -> None:
    rules, width = rule_set(game), page_width()
    cards = f"{decks} deck{'s' if decks > 1 else ''}, {52 * decks} cards"
    sys.stdout.write(f"{rules.name} ({game}), {cards}\n")
    if not rules.decks.allows(decks):
        least = "at least " if rules.decks.or_more else ""
        sys.stdout.write(f"The rules do not allow this shoe: {least}{rules.decks.number}.\n")
    if setup.max_aggregate is not None or game in setup.max_per_deal:
        sys.stdout.write("The set-up's maximum aggregate payout is not counted in.\n")
    for wager in odds(game, setup, decks):
        sys.stdout.write("\n" + "\n".join(odds_lines(wager, width)) + "\n")
        sys.stdout.flush()


def _of_definition(call: argparse.Namespace) -> int:
    """Print the odds of a definition's game."""
    from games.commands.check import odds_line

    definition, terms = terms_chosen(call.game, call.decks, call.interpretation, call.table)
    figures = odds_of_definition(definition, terms)
    if call.json:
        json.dump(list(figures), sys.stdout, ensure_ascii=False, indent=1)
        sys.stdout.write("\n")
        return 0
    sys.stdout.write(f"{definition.name} ({definition.slug})\n")
    if definition.own is not None and definition.own.is_between_players:
        sys.stdout.write("\n".join(paragraph(BETWEEN_PLAYERS, page_width(), indent=2)) + "\n")
    for figure in figures:
        sys.stdout.write("\n".join(paragraph(odds_line(figure), page_width(), indent=2)) + "\n")
        sys.stdout.flush()
    return 0


def odds_of_definition(
    definition: Definition, terms: Terms | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the odds of a definition's wagers, as data."""
    if not definition.named:
        from games.families.family import family_of
        from games.families.stud.program import DEFAULTS

        figures = family_of(definition).find_odds(definition, terms or DEFAULTS)
        yield from (each.as_json() for each in figures)
        return
    from games.families.filed import with_definition

    if definition.slug in COUNTED:
        chosen = Setup() if terms is None else Setup(
            interpretations=terms.readings, named_tables={definition.slug: terms.pay_tables}
        )  # fmt: skip
        approved = replace(definition, named=replace(definition.named, layouts={}))
        setup = with_definition(chosen, approved)
        yield from map(odds_data, odds(definition.slug, setup, definition.decks.number))


def _with_readings(setup: Setup, call: argparse.Namespace) -> Setup:
    """Return a set-up with the readings of the call; built-in games have one table per wager."""
    if call.table:
        message = f"{call.game} has one pay table per wager: change its lines with --setup."
        raise CallError(message)
    chosen = chosen_names("--interpretation", call.interpretation)
    known = rule_set(call.game).interpretations
    for id_, reading in chosen.items():
        if id_ not in known or reading not in known[id_].readings:
            message = f"{call.game} has no interpretation {id_}={reading}."
            raise CallError(message)
    return replace(setup, interpretations={**setup.interpretations, **chosen})


def _print_data(wagers: list[WagerOdds | EstimatedOdds]) -> None:
    json.dump([odds_data(wager) for wager in wagers], sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")
