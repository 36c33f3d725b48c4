"""`odds GAME`: exact probabilities and house edge of every wager that pays by a table."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from games.commands.call import CallError, refuse, setup_named
from games.odds.catalogue import COUNTED, WITHOUT, odds
from games.odds.page import odds_data, odds_lines
from games.page import page_width, paragraph
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from games.odds.wager_odds import WagerOdds
    from games.setup import Setup

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
