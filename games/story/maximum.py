"""Where a maximum aggregate payout binds: what it leaves, and what of it is judged (PP-I9)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from games.story.story import Sentence
from games.story.words import result_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from games.judge.aggregate import Capped
    from games.round_log.round import Round
    from games.story.story import Account, Section

CITES: Final = {"pyramid-poker": ("PP-19", "PP-I8", "PP-I9")}
"""In Pick 2 Poker a maximum rests on the law alone."""


def with_maximum(sections: Iterable[Section], round_: Round, after: Capped) -> Iterator[Section]:
    """The sections with what the maximum leaves of each wager that it may cut."""
    left = {
        (seat.seat, key): outcome.amounts[key]
        for seat, outcome in zip(round_.seats, after.outcomes, strict=True)
        if outcome is not None
        for key in outcome.amounts
    }
    cites = CITES.get(round_.game, ())
    for section in sections:
        seat = section.seat
        accounts = (
            _cut(account, left[seat, account.key], cites)
            if seat is not None and (seat, account.key) in after.judged
            else account
            for account in section.accounts
        )
        yield replace(section, accounts=tuple(accounts))


def _cut(account: Account, left: int, cites: tuple[str, ...]) -> Account:
    says = "The maximum aggregate payout binds; one may leave this wager uncut."
    if left != account.expected:
        says = f"The maximum aggregate payout binds; one may cut this to {result_in_words(left)}."
    sentences = (*account.sentences, Sentence(says, cites))
    return replace(account, sentences=sentences, expected=left, by_sum=True)
