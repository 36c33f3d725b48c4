"""Pick 2 Poker explained: the dealer's five and best three, then each player alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.explanation.model import Section, Step
from games.explanation.sections import explain_odds, explain_wager, seat_title
from games.explanation.words import (
    CHOICES,
    THREE_CARD_NAMES,
    compare_in_words,
    show_cards,
    strength_in_words,
)
from games.pick_2_poker.play import GAME
from games.pick_2_poker.reasons import BONUS_5, FIVE, REASONS, THREE
from games.pick_2_poker.settle import ACE_KING_HIGH, best_three, five
from games.ranking.three_card import three_card

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.explanation.model import WagerExplanation
    from games.log.round import Round, Seat
    from games.settlement.outcomes import Outcome, Settlement
    from games.setup import Setup


TABLES: Final = {"bonus_3_5_five": FIVE, "bonus_3_5_three": THREE, "bonus_5": BONUS_5}


def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
    """Explain the dealer, then every seat."""
    house = played.house
    steps = [Step(f"Cards {show_cards(house.cards)}.", ("P2-4",))]
    if house.three is not None:
        steps.append(Step(f"Shows {show_cards(house.three)} as the best three.", ("P2-7",)))
    if settlement.seats:
        steps += _dealers_hands(house.cards)
    yield Section("Dealer", tuple(steps))
    for place, seat in enumerate(played.seats):
        outcome = settlement.seats[place] if settlement.seats else None
        yield _seat(played, seat, outcome, setup)


def _dealers_hands(dealers: Cards) -> Iterator[Step]:
    whole = five_strength(dealers)
    qualifies = "qualifies" if whole >= ACE_KING_HIGH else "does not qualify"
    yield Step(
        f"Five cards: {strength_in_words(whole)}, which {qualifies} against five-card players.",
        ("P2-8", "P2-11", "P2-I6"),
    )
    best = strength_in_words(best_three_strength(dealers), THREE_CARD_NAMES)
    yield Step(f"Best three: {best}.", ("P2-7", "P2-12", "P2-I7"))


def five_strength(hand: Cards) -> int:
    """Return the strength of five cards."""
    a, b, c, d, e = hand
    return five(a, b, c, d, e)


def best_three_strength(hand: Cards) -> int:
    """Return the strength of the best three of five cards."""
    a, b, c, d, e = hand
    return best_three(a, b, c, d, e)


def _seat(played: Round, seat: Seat, outcome: Outcome | None, setup: Setup) -> Section:
    steps = [Step(f"Cards {show_cards(seat.cards)}{_choice(seat)}.", ("P2-4",))]
    if outcome is not None:
        best = strength_in_words(best_three_strength(seat.cards), THREE_CARD_NAMES)
        whole = strength_in_words(five_strength(seat.cards))
        steps.append(Step(f"Five cards: {whole}. Best three: {best}.", ("P2-11", "P2-12", "P2-I4")))
        if seat.play == "three" and setup.reading("P2-I4") == "set_three":
            says = "The three-card bonus table applies to the three cards set in play."
            steps.append(Step(says, ("P2-I4",)))
    return Section(
        seat_title(seat),
        tuple(steps),
        tuple(_wager(played, setup, seat, key, outcome) for key in seat.wagers),
        seat.seat,
    )


def _choice(seat: Seat) -> str:
    if not seat.play:
        return ""
    set_cards = f": {show_cards(seat.three)}" if seat.play == "three" else ""
    return f", {CHOICES[seat.play]}{set_cards}"


def _wager(
    played: Round, setup: Setup, seat: Seat, key: str, outcome: Outcome | None
) -> WagerExplanation:
    steps: tuple[Step, ...] = ()
    if outcome is not None and key in {"ante", "play"}:
        steps = tuple(_compared(played, seat))
    codes = () if outcome is None else outcome.reasons.get(key, ())
    pays = explain_odds(setup, GAME, TABLES, codes, seat.wagers[key])
    return explain_wager(seat, key, outcome, REASONS, steps, pays)


def _compared(played: Round, seat: Seat) -> Iterator[Step]:
    """Explain the hand in play against the dealer's, three with three or five with five."""
    dealers = played.house.cards
    if seat.play == "three":
        a, b, c = seat.three
        mine, theirs, names = three_card(a, b, c), best_three_strength(dealers), THREE_CARD_NAMES
        my_hand, their_hand = (strength_in_words(hand, names) for hand in (mine, theirs))
        clause = "P2-12"
    elif seat.play == "five":
        mine, theirs = five_strength(seat.cards), five_strength(dealers)
        my_hand, their_hand = (strength_in_words(hand) for hand in (mine, theirs))
        clause = "P2-11"
    else:
        return
    says = (
        f"The hand's {my_hand} against the dealer's {their_hand}: {compare_in_words(mine, theirs)}."
    )
    yield Step(says, ("P2-8", "P2-9", clause))
