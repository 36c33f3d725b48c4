"""Deals a round of the family at random, played as a careful player does, with its results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from games.cards import RANKS, dealt, show
from games.definition.blackjack_form import MAIN
from games.families.blackjack.play import State, dealer_draws, may
from games.families.blackjack.round import (
    DOUBLE,
    DRAWS,
    HIT,
    RESCUE,
    SPLIT,
    STAND,
    SURRENDER,
    BlackjackSeat,
    PlayedHand,
)
from games.families.blackjack.settle import hands_of, settle_seats
from games.families.blackjack.values import ACE, TWENTY_ONE, VALUES, total_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from games.cards import Cards
    from games.families.blackjack.program import BlackjackProgram

SIDE_WAGERS: Final = 0.5
"""How often a player places a side wager."""
INSURES: Final = 0.2
GIVES_UP: Final = 16
STANDS: Final = 17
SPLITS: Final = {
    1: range(1, 11), 2: range(2, 8), 3: range(2, 8), 4: range(5, 7), 6: range(2, 7),
    7: range(2, 8), 8: range(1, 11), 9: (2, 3, 4, 5, 6, 8, 9),
}  # fmt: skip
"""By the value of a pair: the upcards against which it is split."""
DOUBLES: Final = {9: range(3, 7), 10: range(2, 10), 11: range(2, 11)}
"""By hard total: the upcards against which it is doubled."""


@dataclass
class _Hand:
    cards: list[int]
    split_from: int | None = None
    actions: list[str] = field(default_factory=list)

    @property
    def doubles(self) -> int:
        """Return how often it was doubled."""
        return self.actions.count(DOUBLE)


def deal_round(
    program: BlackjackProgram, seats: Sequence[int], stake: int, side: int, chance: Random
) -> dict[str, Any]:
    """Return the game's part of a line, settled right; wagers are multiples of the stakes."""
    decks = program.definition.decks
    deck = [card for card in range(52) if RANKS[card >> 2] not in decks.without] * decks.number
    chance.shuffle(deck)
    dealers = bytes((deck.pop(), deck.pop()))
    played = [_seat(program, seat, dealers, deck, (stake, side), chance) for seat in seats]
    opens = any(
        hand.is_open
        for seat in played
        for hand in hands_of(program, seat, dealers, is_final=False)
    )  # fmt: skip
    while opens and dealer_draws(program, dealers):
        dealers += bytes((deck.pop(),))
    logged = [
        {
            "seat": seat.seat,
            "hands": [_as_logged(hand) for hand in seat.played],
            "wagers": dict(seat.wagers),
        }
        for seat in played
    ]
    line = {"house": {"cards": show(dealers)}, "seats": logged}
    _settle(program, line, played, dealers)
    return line


def break_draw(program: BlackjackProgram, line: dict[str, Any], chance: Random) -> str:
    """Give the dealer a card too many, and settle the hands with it; say what was done."""
    dealers = dealt(line["house"]["cards"])
    seats = [
        BlackjackSeat(
            seat=seat["seat"],
            wagers=seat["wagers"],
            result={},
            played=tuple(
                PlayedHand(
                    dealt(hand["cards"]), hand["wager"], hand["split_from"], tuple(hand["actions"])
                )
                for hand in seat["hands"]
            ),
        )
        for seat in line["seats"]
    ]
    shown = b"".join(hand.cards for seat in seats for hand in seat.played)
    is_over = False
    while not is_over:
        is_over = not dealer_draws(program, dealers)
        dealers += bytes((_free_card(program, shown + dealers, chance),))
    line["house"]["cards"] = show(dealers)
    _settle(program, line, seats, dealers)
    return "the dealer draws a card to a hand that must stand"


def _free_card(program: BlackjackProgram, cards: Cards, chance: Random) -> int:
    decks = program.definition.decks
    left = (card for card in range(52) if RANKS[card >> 2] not in decks.without)
    return chance.choice([card for card in left if cards.count(card) < decks.number])


def _settle(
    program: BlackjackProgram,
    line: dict[str, Any],
    seats: Sequence[BlackjackSeat],
    dealers: Cards,
) -> None:
    """Write what every seat wins into a line."""
    settled = settle_seats(program, seats, dealers)
    for seat, each in zip(line["seats"], settled, strict=True):
        seat["result"] = {} if each is None else dict(each.amounts)


def _as_logged(hand: PlayedHand) -> dict[str, Any]:
    return {
        "cards": show(hand.cards),
        "wager": hand.wager,
        "split_from": hand.split_from,
        "actions": list(hand.actions),
    }


def _seat(
    program: BlackjackProgram,
    seat: int,
    dealers: Cards,
    deck: list[int],
    stakes: tuple[int, int],
    chance: Random,
) -> BlackjackSeat:
    """Place the wagers of a seat and play its hands, each to its end."""
    stake, side = stakes
    hands = [_Hand([deck.pop(), deck.pop()])]
    for place, hand in enumerate(hands):  # splitting adds hands
        while _act(program, hands, place, dealers, deck):
            pass
        if not hand.actions and total_of(bytes(hand.cards))[0] < TWENTY_ONE:
            hand.actions.append(STAND)
    insurance = program.rules.insurance
    wagers = {}
    for key, wager in program.definition.wagers.items():
        if key == MAIN or wager.mandatory:
            wagers[key] = stake
        elif insurance is not None and key == insurance.wager:
            takes = dealers[0] >> 2 == ACE and chance.random() < INSURES
            wagers[key] = int(stake * insurance.most) if takes else 0
        else:
            wagers[key] = side if chance.random() < SIDE_WAGERS else 0
    played = tuple(
        PlayedHand(bytes(each.cards), stake << each.doubles, each.split_from, tuple(each.actions))
        for each in hands
    )
    return BlackjackSeat(seat=seat, wagers=wagers, result={}, played=played)


def _act(
    program: BlackjackProgram, hands: list[_Hand], place: int, dealers: Cards, deck: list[int]
) -> bool:
    """Do one thing with a hand, and return whether it goes on."""
    hand = hands[place]
    state = State(
        cards=bytes(hand.cards),
        hands=len(hands),
        is_split=len(hands) > 1,
        doubles=hand.doubles,
        is_first=all(action == SPLIT for action in hand.actions),
        is_over=False,
    )
    wished = _wishes(state, VALUES[dealers[0] >> 2])
    action = next((each for each in wished if may(program, each, state, dealers)), "")
    if not action:
        return False
    hand.actions.append(action)
    if action == SPLIT:
        hands.append(_Hand([hand.cards.pop(), deck.pop()], split_from=place))
        hand.cards.append(deck.pop())
    elif action in DRAWS:
        hand.cards.append(deck.pop())
    return action in {SPLIT, HIT, DOUBLE}


def _wishes(state: State, upcard: int) -> list[str]:
    """Return what a careful player would do, best first: the first that is allowed is done."""
    total, soft = total_of(state.cards)
    strong = upcard == 1 or upcard > 6
    if state.doubles:
        return [RESCUE] if total < STANDS and (upcard == 1 or upcard > 7) else []
    wishes = []
    if total == GIVES_UP and not soft and (upcard == 1 or upcard > 8):
        wishes.append(SURRENDER)
    values = [VALUES[card >> 2] for card in state.cards]
    if len(set(values)) == 1 and upcard in SPLITS.get(values[0], ()):
        wishes.insert(0, SPLIT)
    if upcard in DOUBLES.get(total, ()) and not soft:
        wishes.append(DOUBLE)
    if soft:
        draws = total < STANDS + 1 or (total == STANDS + 1 and (upcard == 1 or upcard > 8))
    else:
        draws = total < STANDS - 5 or (total < STANDS and strong) or (total == 12 and upcard < 4)
    return [*wishes, HIT if draws else STAND]
