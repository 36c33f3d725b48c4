"""`odds GAME`: exact probabilities and house edge of every wager that pays by a table."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from games.commands.call import CallError, columns, page_width, paragraph, refuse, setup_named
from games.odds.wagers import COUNTED, WITHOUT, odds
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from games.odds.wagers import Outcome, WagerOdds
    from games.setup import Setup


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


def odds_lines(odds: WagerOdds, width: int) -> Iterator[str]:
    """Yield one wager's lines: its outcomes, best first, and the house edge."""
    yield from paragraph(f"{odds.wager}: {' '.join(odds.terms)}", width)
    yield from _table(sorted(odds.outcomes, key=lambda outcome: -outcome.to), width)
    edge = odds.house_edge
    keeps = "the house keeps" if edge >= 0 else "the player gains"
    yield from paragraph(
        f"House edge {edge} = {percent(edge, signed=True)}: of each 100 wagered {keeps} "
        f"{percent(abs(edge)).removesuffix(' %')} in the long run.",
        width,
        indent=2,
    )


def odds_data(odds: WagerOdds) -> dict[str, Any]:
    """Return the same for programs; fractions are text, numerator/denominator."""
    return {
        "wager": odds.wager,
        "terms": list(odds.terms),
        "outcomes": [
            {"name": outcome.name, "to": outcome.to, "probability": str(outcome.probability)}
            for outcome in odds.outcomes
        ],
        "house_edge": str(odds.house_edge),
        "house_edge_percent": percent(odds.house_edge, signed=True).removesuffix(" %"),
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
    pays = "push" if outcome.to == 0 else "lost" if outcome.to < 0 else f"{outcome.to} to 1"
    part = outcome.probability
    return (f"  {outcome.name}", pays, percent(part), str(part))


MOST_DECKS = 100


def run(arguments: list[str]) -> int:
    """Print the odds of one game."""
    call = _parser().parse_args(arguments)
    if call.game not in COUNTED:
        return _without(call.game, as_json=call.json)
    try:
        setup = setup_named(call.setup)
    except CallError as error:
        return refuse(error)
    decks = call.decks or rule_set(call.game).decks.number
    if call.json:
        _print_data(call.game, decks, list(odds(call.game, setup, decks)))
    else:
        _print_page(call.game, setup, decks)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games odds", description=__doc__)
    parser.add_argument("game", choices=SLUGS, metavar="GAME", help=", ".join(SLUGS))
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
        json.dump({"game": game, "wagers": [], "says": WITHOUT[game]}, sys.stdout)
        sys.stdout.write("\n")
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
    if setup.max_per_hand is not None or game in setup.max_per_deal:
        sys.stdout.write("The set-up's maximum aggregate payout is not counted in.\n")
    for wager in odds(game, setup, decks):
        sys.stdout.write("\n" + "\n".join(odds_lines(wager, width)) + "\n")
        sys.stdout.flush()


def _print_data(game: str, decks: int, wagers: list[WagerOdds]) -> None:
    data = {
        "game": game,
        "decks": decks,
        "allowed": rule_set(game).decks.allows(decks),
        "wagers": [odds_data(wager) for wager in wagers],
    }
    json.dump(data, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")
