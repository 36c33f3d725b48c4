"""Pick 2 Poker told: the dealer's five and best three, then each player alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.pick_2_poker.reasons import REASONS
from games.pick_2_poker.settle import ACE_KING_HIGH, best_three, five
from games.ranking.three_card import three_card
from games.story.accounts import seat_title, wager_account
from games.story.story import Account, Section, Sentence
from games.story.words import THREE_CARD_NAMES, cards, standing, strength_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.judge.settlement import Outcome, Settlement
    from games.round_log.round import Round, Seat
    from games.setup import Setup


def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
    """The dealer, then every seat."""
    house = played.house
    said = [Sentence(f"Cards {cards(house.cards)}.", ("P2-4",))]
    if house.three is not None:
        said.append(Sentence(f"Shows {cards(house.three)} as the best three.", ("P2-7",)))
    if settlement.seats:
        said += _dealers_hands(house.cards)
    yield Section("Dealer", tuple(said))
    for place, seat in enumerate(played.seats):
        outcome = settlement.seats[place] if settlement.seats else None
        yield _seat(played, seat, outcome, setup)


def _dealers_hands(dealers: Cards) -> Iterator[Sentence]:
    whole = five_strength(dealers)
    qualifies = "qualifies" if whole >= ACE_KING_HIGH else "does not qualify"
    yield Sentence(
        f"Five cards: {strength_in_words(whole)}, which {qualifies} against five-card players.",
        ("P2-8", "P2-11", "P2-I6"),
    )
    best = strength_in_words(best_three_strength(dealers), THREE_CARD_NAMES)
    yield Sentence(f"Best three: {best}.", ("P2-7", "P2-12", "P2-I7"))


def five_strength(hand: Cards) -> int:
    """Strength of five cards."""
    a, b, c, d, e = hand
    return five(a, b, c, d, e)


def best_three_strength(hand: Cards) -> int:
    """Strength of the best three of five cards."""
    a, b, c, d, e = hand
    return best_three(a, b, c, d, e)


def _seat(played: Round, seat: Seat, outcome: Outcome | None, setup: Setup) -> Section:
    said = [Sentence(f"Cards {cards(seat.cards)}{_choice(seat)}.", ("P2-4",))]
    if outcome is not None:
        best = strength_in_words(best_three_strength(seat.cards), THREE_CARD_NAMES)
        whole = strength_in_words(five_strength(seat.cards))
        said.append(
            Sentence(f"Five cards: {whole}. Best three: {best}.", ("P2-11", "P2-12", "P2-I4"))
        )
        if seat.play == "three" and setup.reading("P2-I4") == "set_three":
            says = "The three-card bonus table judges the three set in play."
            said.append(Sentence(says, ("P2-I4",)))
    return Section(
        seat_title(seat),
        tuple(said),
        tuple(_account(played, seat, key, outcome) for key in seat.wagers),
        seat.seat,
    )


def _choice(seat: Seat) -> str:
    if seat.play == "three":
        return f", plays {cards(seat.three)} as three-card"
    return {"five": ", plays five-card", "fold": ", folds"}.get(seat.play or "", "")


def _account(played: Round, seat: Seat, key: str, outcome: Outcome | None) -> Account:
    said: tuple[Sentence, ...] = ()
    if outcome is not None and key in {"ante", "play"}:
        said = tuple(_compared(played, seat))
    return wager_account(seat, key, outcome, REASONS, said)


def _compared(played: Round, seat: Seat) -> Iterator[Sentence]:
    """The hand in play against the dealer's, three with three or five with five."""
    dealers = played.house.cards
    if seat.play == "three":
        a, b, c = seat.three
        mine, theirs, names = three_card(a, b, c), best_three_strength(dealers), THREE_CARD_NAMES
        mine_said, theirs_said = (strength_in_words(hand, names) for hand in (mine, theirs))
        clause = "P2-12"
    elif seat.play == "five":
        mine, theirs = five_strength(seat.cards), five_strength(dealers)
        mine_said, theirs_said = (strength_in_words(hand) for hand in (mine, theirs))
        clause = "P2-11"
    else:
        return
    says = f"The hand's {mine_said} against the dealer's {theirs_said}: {standing(mine, theirs)}."
    yield Sentence(says, ("P2-8", "P2-9", clause))
