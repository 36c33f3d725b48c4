"""What came before at the table, where the rules of a round ask for it (PP-22, PP-25, P2-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cents import in_dollars
from games.story.story import Sentence
from games.story.words import time_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from games.judge.sequence import Before
    from games.round_log.round import Round


def what_came_before(round_: Round, before: Before, zone: tzinfo) -> Iterator[Sentence]:
    """Time, bank and deck of the round before, as far as this round is judged on them."""
    if before.at is not None and round_.at < before.at:
        yield Sentence(f"The round before at this table ended {time_in_words(before.at, zone)}.")
    if round_.banker is not None and round_.played:
        yield Sentence(_bank(round_, before), ("PP-22", "PP-25", "PP-I16"))
    if round_.game == "pick-2-poker" and round_.shuffler and round_.deck is not None:
        yield Sentence(_deck(before), ("P2-1", "P2-I8"))


def _bank(round_: Round, before: Before) -> str:
    if before.after_rejection:
        return "The line before at this table is rejected: the bank is not judged on it."
    if before.played is None:
        return "No round before at this table is known."
    if before.played.banked:
        return "In the round before at this table a player banked."
    player = next(seat.player for seat in round_.seats if seat.seat == round_.banker)
    if player is None:
        return "In the round before the house banked; who banks now is not logged."
    wagered = before.played.main_by_player.get(player, 0)
    return (
        f"In the round before the house banked, and {player} wagered {in_dollars(wagered)} on main."
    )


def _deck(before: Before) -> str:
    if before.after_rejection:
        return "The line before at this table is rejected: the deck is not judged on it."
    used = "is not known" if before.deck is None else f"was `{before.deck}`"
    return f"The deck of the round before at this table {used}."
