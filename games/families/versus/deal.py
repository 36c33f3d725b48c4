"""Deals a round of the family at random: hands that are played sensibly, and settled right.

Players fold weak hands, call with fair ones and raise with strong ones, by how strong their best
hand is among hands dealt at random; now and then one goes all in.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from games.cards import show
from games.definition.betting_model import POT
from games.families.versus.betting import FIXED, begin, open_street, seated, take
from games.families.versus.fees import wagered_of
from games.families.versus.round import Action, Fees, VersusRound, VersusSeat
from games.families.versus.settle import settle_round

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from games.definition.betting_model import Fee
    from games.families.versus.betting import Betting
    from games.families.versus.program import VersusProgram
    from games.families.versus.settle import SettledRound

STACKS: Final = (20, 40, 60, 100, 100, 200)
"""What players sit down with, in big blinds."""
FEWEST: Final = 2
COMPARED: Final = 12
"""How many random hands a player's own is compared with."""
FOLDS_BELOW: Final = 0.35
RAISES_ABOVE: Final = 0.75
BLUFFS: Final = 0.06
ALL_IN: Final = 0.08
RAKE_STEP: Final = 100
"""Rake is taken in whole dollars."""


@dataclass
class _Hand:
    """A round as it is played."""

    program: VersusProgram
    cards: Mapping[int, bytes]
    board: bytes
    table: Betting
    chance: Random
    most: int | None
    """The table's maximum of a single wager."""
    actions: list[Action] = field(default_factory=list)

    def add(self, seat: int, act: str, to: int) -> None:
        """Let a seat act."""
        action = Action(seat, self.program.streets[self.table.street], act, to)
        self.actions.append(action)
        take(self.table, action)


def deal_round(
    program: VersusProgram,
    seats: Sequence[int],
    stake: int,
    most: int,
    chance: Random,
) -> dict[str, Any]:
    """Return the game's part of a line, settled right; a bet is from the stake to the most."""
    seats = sorted(seats if len(seats) >= FEWEST else {seats[0], seats[0] + 1, seats[0] + 2})
    deck = list(range(52))
    chance.shuffle(deck)
    deal = program.definition.deal
    cards = {seat: bytes(deck.pop() for _ in range(deal.player)) for seat in seats}
    board = bytes(deck.pop() for _ in range(sum(deal.community)))
    stacks = {seat: stake * (chance.choice(STACKS) + chance.randint(0, 5)) for seat in seats}
    if chance.random() < ALL_IN:
        stacks[chance.choice(seats)] = stake * chance.randint(1, 4) + chance.randint(1, stake)
    button = chance.choice(seats)
    table = seated(program, dict(stacks), button, (stake, max(most, stake)))
    hand = _Hand(program, cards, board, table, chance, max(most, stake))
    _play(hand, stake)
    return _line(hand, stacks, button)


def _play(hand: _Hand, stake: int) -> None:
    order, table = hand.table.order, hand.table
    small, big = (order[1], order[0]) if len(order) == FEWEST else order[:2]
    hand.add(small, "post", min(stake // 2, table.stacks[small]))
    hand.add(big, "post", min(stake, table.stacks[big]))
    begin(table)
    while True:
        while table.next is not None:
            _decide(hand, table.next)
        if len(table.live) < FEWEST or table.street + 1 == len(table.wagers):
            return
        open_street(table)


def _decide(hand: _Hand, seat: int) -> None:
    table, strength = hand.table, _rank(hand, seat)
    mine = table.put_in(seat)
    wants = strength > RAISES_ABOVE or hand.chance.random() < BLUFFS
    to = _raise_to(hand, seat) if wants else 0
    if to > table.level:
        hand.add(seat, "raise" if table.level else "bet", to)
    elif mine >= table.level:
        hand.add(seat, "check", mine)
    elif strength < FOLDS_BELOW:
        hand.add(seat, "fold", mine)
    else:
        hand.add(seat, "call", min(table.level, mine + table.left(seat)))


def _raise_to(hand: _Hand, seat: int) -> int:
    """Return a legal bet or raise, as the total on the street, or 0 if there is none."""
    table, program = hand.table, hand.program
    most = program.betting.raises.most
    is_raise = table.level > 0
    if is_raise and most is not None and table.raises >= most:
        return 0
    if not table.may_raise(seat) or all(
        table.left(other) <= 0 for other in table.live if other != seat
    ):
        return 0
    all_in = table.put_in(seat) + table.left(seat)
    if program.structure == FIXED:
        return min(table.level + table.full, all_in)
    highest = table.level + (hand.most or all_in)
    least = table.level + table.full
    to = table.level + table.full * hand.chance.choice((1, 1, 2, 3))
    if hand.chance.random() < ALL_IN:
        to = all_in
    to = min(max(to, least), all_in, highest)
    return to if to >= least or to == all_in else 0


def _rank(hand: _Hand, seat: int) -> float:
    """Return the part of random hands that are no better than a player's."""
    program, cards = hand.program, hand.cards[seat]
    board = hand.board[: program.community_by(program.streets[hand.table.street])]
    rest = [card for card in range(52) if card not in board + cards]
    mine = _value(program, cards, board)
    others = (
        _value(program, bytes(hand.chance.sample(rest, len(cards))), board) for _ in range(COMPARED)
    )
    return sum(mine >= other for other in others) / COMPARED


def _value(program: VersusProgram, cards: bytes, board: bytes) -> int:
    own = len(cards) if program.betting.own is None else program.betting.own
    if own + len(board) < program.hand.ranking.cards:
        pair = len({card >> 2 for card in cards}) < len(cards)
        return 100 * pair + sum(card >> 2 for card in cards)
    return program.strength(cards, board)


def _line(hand: _Hand, stacks: Mapping[int, int], button: int) -> dict[str, Any]:
    program, table = hand.program, hand.table
    shows = len(table.live) >= FEWEST
    street = program.streets[table.street]
    board = hand.board if shows else hand.board[: program.community_by(street)]
    played = VersusRound(
        round="",
        game=program.definition.slug,
        table="",
        at=0,
        button=button,
        community=board,
        actions=tuple(hand.actions),
        seats=tuple(
            VersusSeat(seat=seat, wagers={}, result={}, stack=stacks[seat], cards=cards)
            for seat, cards in hand.cards.items()
        ),
    )
    settled, fees = _settled(program, played, table)
    shown = [
        Action(seat, program.streets[-1], "show", table.wagers[-1].get(seat, 0))
        for seat in table.live
        if shows
    ]
    return {
        "button": button,
        "community": show(board),
        "actions": [
            {"seat": each.seat, "street": each.street, "act": each.act, "to": each.to}
            for each in (*hand.actions, *shown)
        ],
        "pots": [
            {
                "amount": pot.amount,
                "seats": list(pot.seats),
                "won": {str(seat): won for seat, won in pot.won.items()},
            }
            for pot in settled.pots
        ],
        "fees": {"rake": fees.rake, "jackpot": fees.jackpot},
        "seats": [
            {
                "seat": seat,
                "stack": stacks[seat],
                "cards": show(cards) if shows and seat in table.live else None,
                "result": {POT: settled.net[seat]},
            }
            for seat, cards in hand.cards.items()
        ],
    }


def _settled(
    program: VersusProgram, played: VersusRound, table: Betting
) -> tuple[SettledRound, Fees]:
    """Settle with the fees that a room takes: as much as the rules allow, in whole dollars."""
    before = settle_round(program, played, table)
    fees = Fees(
        _fee(program.betting.rake, wagered_of(before, program.rake_base)),
        _fee(program.betting.jackpot, wagered_of(before, program.jackpot_base)),
    )
    return settle_round(program, replace(played, fees=fees), table), fees


def _fee(fee: Fee | None, wagered: int) -> int:
    if fee is None:
        return 0
    limits = [] if fee.most is None else [fee.most]
    if fee.portion is not None:
        limits.append(int(wagered * fee.portion) // RAKE_STEP * RAKE_STEP)
    return min(limits, default=0)
