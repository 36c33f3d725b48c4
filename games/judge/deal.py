"""The deal: how many cards, how many copies of each, from how large a shoe."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from games.cards import JOKER, show, unnamed
from games.judge.finding import Finding, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.round_log.round import Round
    from games.rule_set import RuleSet

_DECK_CLAUSE = {
    "pyramid-poker": "PP-1",
    "chinese-poker": "CP-1",
    "pick-2-poker": "P2-1",
    "showdown": "SD-1",
    "casino-version": "CV-1",
}


def hands_dealt(round_: Round) -> Iterator[Cards]:
    """Every hand on the table as it was dealt, the dealer's first.

    Chinese Poker logs no cards beside the sets: there the sets are the cards.
    """
    yield round_.house.cards
    for seat in round_.seats:
        yield seat.cards
        if round_.game == "chinese-poker":
            yield b"".join(seat.hands)


def decks(round_: Round, rules: RuleSet) -> Iterator[Finding]:
    """`deal.shoe`: a number of decks that the rules do not allow."""
    logged = round_.decks
    if logged is not None and not rules.decks.allows(logged):
        wanted = f"{rules.decks.number}{' or more' if rules.decks.or_more else ''}"
        yield Finding(
            "deal.shoe",
            logged=f"{logged} decks",
            expected=f"{wanted} decks",
            cites=cites(_DECK_CLAUSE[round_.game]),
        )


def copies(round_: Round, rules: RuleSet) -> Iterator[Finding]:
    """`deal.duplicate`: more copies of a card than the shoe holds, jokers included; one a round."""
    number = round_.decks or rules.decks.number
    dealt = Counter(unnamed(b"".join(hands_dealt(round_))))
    for card in sorted(dealt):
        holds = rules.decks.jokers if card == JOKER else number
        if dealt[card] > holds:
            yield Finding(
                "deal.duplicate",
                logged=f"{dealt[card]} x {show(bytes([card]))}",
                expected=f"at most {holds}",
                cites=cites(_DECK_CLAUSE[round_.game]),
            )
            return


def miscount(cards: Cards, wanted: int, seat: int | None, clause: str) -> Iterator[Finding]:
    """`deal.count`: a hand with the wrong number of cards; seat None is the dealer's."""
    if len(cards) != wanted:
        yield Finding(
            "deal.count",
            seat,
            logged=f"{len(cards)} cards",
            expected=f"{wanted} cards",
            cites=cites(clause),
        )


def has_joker(cards: Cards) -> bool:
    """Whether a joker is among the cards, named or not."""
    return any(card >= JOKER for card in cards)
