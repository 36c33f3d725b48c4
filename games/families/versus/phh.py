"""Reads hands of the Poker Hand History format (PHH, https://phh.readthedocs.io) as log lines.

Only hold'em without a limit (`NT`) and with fixed limits (`FT`) is read. The format has no pots:
they follow from the actions. It has no fee: what the winners did not get of the pots is the rake.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from games.families.versus.pots import make_pots, not_called

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Json = dict[str, Any]

VARIANTS: Final = {"NT": "spread", "FT": "fixed"}
STREETS: Final = ("preflop", "flop", "turn", "river")
OPEN: Final = (0, 3, 4, 5)
CENTS: Final = 100
_HEAD: Final = re.compile(r"^\[[0-9]+\]$", re.MULTILINE)


class PhhError(ValueError):
    """A hand that can't be read as a round; the message says why."""


def read_hands(text: str) -> Iterator[Json]:
    """Yield the hands of a file: one hand, or several under numbers in brackets.

    Raises:
        PhhError: a hand isn't TOML.
    """
    for part in _HEAD.split(text):
        if part.strip():
            try:
                yield tomllib.loads(part, parse_float=Decimal)
            except tomllib.TOMLDecodeError as error:
                message = f"This is no hand: {error}."
                raise PhhError(message) from None


@dataclass
class _Hand:
    """A hand while its actions are read."""

    stacks: list[int]
    level: int = 0
    street: int = 0
    wagers: list[Counter[int]] = field(default_factory=lambda: [Counter() for _ in STREETS])
    antes: Counter[int] = field(default_factory=Counter)
    folded: set[int] = field(default_factory=set)
    cards: dict[int, str] = field(default_factory=dict)
    board: str = ""
    actions: list[Json] = field(default_factory=list)

    def total(self, seat: int) -> int:
        return self.antes[seat] + sum(each[seat] for each in self.wagers)

    def left(self, seat: int) -> int:
        return self.stacks[seat - 1] - self.total(seat)

    def add(self, seat: int, act: str, to: int) -> None:
        """Note an action, and the wager that it makes."""
        self.actions.append({"seat": seat, "street": STREETS[self.street], "act": act, "to": to})
        if act in ("post", "call", "bet", "raise"):
            self.wagers[self.street][seat] = to
            self.level = max(self.level, to)


def line_of(hand: Mapping[str, Any], *, game: str, name: str, table: str, at: str) -> Json:
    """Return a hand as a line of a round log; the last seat has the button.

    Raises:
        PhhError: it is another game, or has an action that hold'em doesn't have.
    """
    if hand.get("variant") not in VARIANTS:
        message = f"The variant {hand.get('variant')} is not hold'em."
        raise PhhError(message)
    read = _Hand([_cents(each) for each in hand["starting_stacks"]])
    _force(read, hand)
    for action in hand["actions"]:
        _read(read, action.partition("#")[0].split())
    return {
        "v": 2,
        "round": name,
        "game": game,
        "table": table,
        "at": at,
        "button": len(read.stacks),
        "community": _spaced(read.board),
        "actions": read.actions,
        **_money(read, hand),
    }


def _cents(value: Any) -> int:
    cents = Decimal(value) * CENTS
    if not cents.is_finite() or cents != int(cents):
        message = f"{value} is no whole number of cents."
        raise PhhError(message)
    return int(cents)


def _spaced(cards: str) -> str:
    return " ".join(cards[place : place + 2] for place in range(0, len(cards), 2))


def _force(read: _Hand, hand: Mapping[str, Any]) -> None:
    """Post antes and blinds; with two players the format has those of the button first."""
    seats = range(1, len(read.stacks) + 1)
    antes, blinds = list(hand["antes"]), list(hand["blinds_or_straddles"])
    if len(blinds) == 2:
        antes.reverse()
        blinds.reverse()
    for seat, ante in zip(seats, antes, strict=True):
        if amount := min(_cents(ante), read.left(seat)):
            read.antes[seat] = amount
            read.add(seat, "ante", amount)
    for seat, blind in zip(seats, blinds, strict=True):
        if amount := min(abs(_cents(blind)), read.left(seat)):
            read.add(seat, "post", amount)
    if read.level:
        read.level = max(read.level, max(abs(_cents(each)) for each in blinds))


def _read(read: _Hand, words: list[str]) -> None:
    """Read an action: `d db 2c3d4h`, `d dh p1 AsKs`, `p1 f`, `p1 cc`, `p1 cbr 100`, `p1 sm`."""
    match words:
        case ["d", "dh", player, cards]:
            read.cards[_seat(player)] = cards
        case ["d", "db", cards]:
            read.board += cards
            read.street = OPEN.index(len(read.board) // 2)
            read.level = 0
        case [player, "f"]:
            seat = _seat(player)
            read.folded.add(seat)
            read.add(seat, "fold", read.wagers[read.street][seat])
        case [player, "cc"]:
            _call(read, _seat(player))
        case [player, "cbr", amount]:
            read.add(_seat(player), "raise" if read.level else "bet", _cents(amount))
        case [player, "sm", *cards]:
            _show(read, _seat(player), cards)
        case _:
            message = f'The action "{" ".join(words)}" is not one of hold\'em.'
            raise PhhError(message)


def _seat(player: str) -> int:
    return int(player.removeprefix("p"))


def _call(read: _Hand, seat: int) -> None:
    mine = read.wagers[read.street][seat]
    to = min(read.level, mine + read.left(seat))
    read.add(seat, "call" if to > mine else "check", to)


def _show(read: _Hand, seat: int, cards: list[str]) -> None:
    if cards and "?" not in cards[0]:
        read.cards[seat] = cards[0]
    is_shown = "?" not in read.cards.get(seat, "?") and cards != []
    read.actions.append(
        {"seat": seat, "street": STREETS[-1], "act": "show" if is_shown else "muck", "to": 0}
    )


def _money(read: _Hand, hand: Mapping[str, Any]) -> Json:
    """Return pots, fees and seats: what each seat won is what the hand says."""
    seats = range(1, len(read.stacks) + 1)
    live = [seat for seat in seats if seat not in read.folded]
    last = next((wagers for wagers in reversed(read.wagers) if any(wagers.values())), Counter())
    back_to, back = not_called(last)
    paid = {seat: sum(each[seat] for each in read.wagers) for seat in seats}
    if back:
        paid[back_to] -= back
    dead = sum(read.antes.values()) if len(read.antes) == 1 else 0
    if not dead:
        paid = {seat: paid[seat] + read.antes[seat] for seat in seats}
    pots = make_pots(paid, live, dead)
    results = _results(read, hand, Counter({back_to: back}), sum(pot.amount for pot in pots))
    return {
        "pots": [{"amount": pot.amount, "seats": list(pot.seats), "won": {}} for pot in pots],
        "fees": {"rake": -sum(results.values()), "jackpot": 0},
        "seats": [
            {
                "seat": seat,
                "stack": read.stacks[seat - 1],
                "cards": _known(read.cards.get(seat, "?")),
                "result": {"pot": results[seat]},
            }
            for seat in seats
        ],
    }


def _known(cards: str) -> str | None:
    return None if "?" in cards else _spaced(cards)


def _results(
    read: _Hand, hand: Mapping[str, Any], back: Counter[int], in_pots: int
) -> dict[int, int]:
    """Return what each seat won or lost; some sources count what was returned as won."""
    seats = range(1, len(read.stacks) + 1)
    if "finishing_stacks" in hand:
        stacks = hand["finishing_stacks"]
        return {seat: _cents(stacks[seat - 1]) - read.stacks[seat - 1] for seat in seats}
    if "winnings" in hand:
        won = dict(zip(seats, map(_cents, hand["winnings"]), strict=True))
        if sum(won.values()) > in_pots:
            back = Counter()
        return {seat: won[seat] + back[seat] - read.total(seat) for seat in seats}
    message = "The hand says neither what was won nor with what stacks it ended."
    raise PhhError(message)
