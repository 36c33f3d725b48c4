"""The watch in words: what to ask first about an alarm."""

from __future__ import annotations

from typing import Final

from audits.watch.streams import CARDS_CODE, DEALER_CODE, ERRORS, PLAYER_CODE, RESULTS

INNOCENT: Final = {
    CARDS_CODE: (
        "The log names the wrong number of decks, or leaves out or misspells a card.",
        "A card is missing from the shoe, or a deck of another game is mixed in, by accident.",
        "Cards are shuffled badly, or not between rounds.",
    ),
    RESULTS: (
        "Results are logged under the wrong wager.",
        "A promotion or another pay table applied.",
    ),
    PLAYER_CODE: (
        "One pseudonym stands for several people, or for everyone without a card.",
        "Wagers are logged as they were after the cards were known.",
    ),
    DEALER_CODE: ("One id stands for several dealers.",),
    ERRORS: (
        "A pay table was learned wrong: then an issue says so, and the errors are alike.",
        "Players report errors against them, so that those are corrected before they are logged.",
    ),
}
"""What may explain an alarm innocently, by its code."""
