"""The betting of a round, action by action: who must act, what is allowed, and what was put in.

An action that the rules don't allow is noted, and then counts as it was logged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from games.families.versus.round import WITHOUT_MONEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.families.versus.program import VersusProgram
    from games.families.versus.round import Action, VersusRound

BLIND, BET = "blind", "bet"
FIXED: Final = "fixed"
TOTAL, HALF, ANY = "total", "half", "any"
AT_SHOWDOWN: Final = ("show", "muck")
PUTS_IN: Final = ("call", "bet", "raise")
CLOSED: Final = "call or fold: no full raise since this player acted"


@dataclass(frozen=True, slots=True)
class NotAllowed:
    """An action that the rules don't allow."""

    seat: int
    logged: str
    expected: str
    about: str = "turn"
    """`turn`, `blinds`, `reopening` or `showdown`."""


@dataclass(frozen=True, slots=True)
class Single:
    """One wager: a blind, a bet or a raise."""

    seat: int
    amount: int
    is_forced: bool
    is_all_in: bool


@dataclass
class Betting:
    """What happened at the table up to an action."""

    program: VersusProgram
    order: tuple[int, ...]
    """Seats, from the left of the button; the button, or the last seat before it, is last."""
    stacks: dict[int, int]
    table: tuple[int, int] | None
    """The table's limits on a single wager, if there are any."""
    most_raises: int | None
    """On a street, by the rules and by law."""
    street: int = 0
    wagers: list[dict[int, int]] = field(default_factory=list)
    """By street and seat: what was put in, without antes."""
    antes: dict[int, int] = field(default_factory=dict)
    folded: set[int] = field(default_factory=set)
    mucked: set[int] = field(default_factory=set)
    not_allowed: list[NotAllowed] = field(default_factory=list)
    singles: list[Single] = field(default_factory=list)
    extra_raises: dict[int, str] = field(default_factory=dict)
    """By seat: the street of its first raise after the last one that is allowed."""
    blind: int = 0
    """The big blind."""
    begun: bool = False
    """Whether a player has acted beyond antes and blinds."""
    level: int = 0
    """What a player must have put in on the street to stay in."""
    full: int = 0
    """What a raise must at least raise by."""
    full_level: int = 0
    """The level of the last full bet or raise."""
    raises: int = 0
    reopened: int = 0
    """How often the betting was opened to all again on the street."""
    acted: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By seat: the level that it met when it last acted, and how often it had been reopened."""
    next: int | None = None

    @property
    def live(self) -> tuple[int, ...]:
        """Return the seats that did not fold, from the left of the button."""
        return tuple(seat for seat in self.order if seat not in self.folded)

    def total(self, seat: int) -> int:
        """Return everything that a seat put in."""
        return self.antes.get(seat, 0) + sum(each.get(seat, 0) for each in self.wagers)

    def left(self, seat: int) -> int:
        """Return what a seat can still put in."""
        return self.stacks[seat] - self.total(seat)

    def put_in(self, seat: int) -> int:
        """Return what a seat has put in on the street."""
        return self.wagers[self.street].get(seat, 0)

    def must_act(self, seat: int) -> bool:
        """Return whether the street isn't over for a seat."""
        if seat in self.folded or self.left(seat) <= 0:
            return False
        if self.put_in(seat) < self.level:
            return True
        others = any(self.left(each) > 0 for each in self.live if each != seat)
        return seat not in self.acted and others

    def find_next(self, after: int) -> None:
        """Set whose turn is after a seat's."""
        place = self.order.index(after)
        around = (*self.order[place + 1 :], *self.order[: place + 1])
        self.next = next((seat for seat in around if self.must_act(seat)), None)
        if len(self.live) == 1:
            self.next = None

    def may_raise(self, seat: int) -> bool:
        """Return whether the betting is open to a seat that may have acted before."""
        if seat not in self.acted:
            return True
        level, reopened = self.acted[seat]
        if self.program.short == TOTAL:
            return self.level - level >= self.full
        return self.reopened > reopened

    def size(self) -> int:
        """Return the amount of a bet on the street."""
        if self.program.structure != FIXED:
            return self.blind
        low, high = self.table or (self.blind, 2 * self.blind)
        return low if 2 * self.street < len(self.program.streets) else high


def replay(
    program: VersusProgram,
    played: VersusRound,
    table: tuple[int, int] | None = None,
    raises: int | None = None,
) -> Betting:
    """Return the table after the last action; `raises` is the most by law."""
    stacks = {seat.seat: seat.stack for seat in played.seats}
    betting = seated(program, stacks, played.button, table)
    limits = [each for each in (betting.most_raises, raises) if each is not None]
    betting.most_raises = min(limits, default=None)
    for action in played.actions:
        take(betting, action)
    _finish(betting)
    return betting


def seated(
    program: VersusProgram, stacks: dict[int, int], button: int, table: tuple[int, int] | None
) -> Betting:
    """Return a table before the first action."""
    seats = sorted(stacks)
    order = (*(s for s in seats if s > button), *(s for s in seats if s <= button))
    most = program.betting.raises.most
    return Betting(program, order, stacks, table, most, wagers=[{} for _ in program.streets])


def _finish(betting: Betting) -> None:
    """Note what is missing after the last action."""
    if not betting.begun:
        begin(betting)
    _complete(betting, len(betting.wagers))
    for seat in betting.order:
        if betting.left(seat) < 0:
            put_in, stack = betting.total(seat), betting.stacks[seat]
            logged, expected = f"{put_in} put in", f"at most the stack of {stack}"
            betting.not_allowed.append(NotAllowed(seat, logged, expected))


def _complete(betting: Betting, until: int) -> None:
    """Go on to a street; note a player who still had to act on one before."""
    if not betting.begun:
        begin(betting)
    while betting.street < until:
        if betting.next is not None:
            street = betting.program.streets[betting.street]
            missing = f"no action on the {street}"
            betting.not_allowed.append(NotAllowed(betting.next, missing, "an action in turn"))
        if betting.street + 1 == len(betting.wagers):
            betting.next = None
            return
        open_street(betting)


def open_street(betting: Betting) -> None:
    """Go on to the next street."""
    betting.street += 1
    betting.level = betting.full_level = betting.raises = betting.reopened = 0
    betting.acted = {}
    betting.full = betting.size()
    betting.find_next(betting.order[-1])


def take(betting: Betting, action: Action) -> None:
    """Take one action."""
    street = betting.program.streets.index(action.street)
    if action.act in AT_SHOWDOWN:
        _show(betting, action)
        return
    if street > betting.street:
        _complete(betting, street)
    if street < betting.street:
        logged = f"{action.act} on the {action.street}"
        expected = f"nothing after the {action.street}"
        betting.not_allowed.append(NotAllowed(action.seat, logged, expected))
        wagers = betting.wagers[street]
        wagers[action.seat] = max(action.to, wagers.get(action.seat, 0))
        return
    if action.act in ("ante", "post"):
        _force(betting, action)
        return
    if not betting.begun:
        begin(betting)
    _act(betting, action)


def _show(betting: Betting, action: Action) -> None:
    if not betting.begun:
        begin(betting)
    if betting.next is not None and len(betting.live) > 1:
        betting.not_allowed.append(
            NotAllowed(action.seat, action.act, f"an action of seat {betting.next}", "showdown")
        )
    if action.seat in betting.folded and action.act == "show":
        betting.not_allowed.append(
            NotAllowed(action.seat, "show", "nothing after folding", "showdown")
        )
    if action.act == "muck":
        betting.mucked.add(action.seat)


def _force(betting: Betting, action: Action) -> None:
    """Take an ante or a blind."""
    if betting.begun or betting.street:
        expected = "blinds before the betting"
        betting.not_allowed.append(NotAllowed(action.seat, action.act, expected, "blinds"))
    if action.act == "ante":
        if not betting.program.betting.has_ante:
            betting.not_allowed.append(NotAllowed(action.seat, "ante", "no ante", "blinds"))
        betting.antes[action.seat] = action.to
        return
    betting.wagers[0][action.seat] = action.to
    is_all_in = betting.left(action.seat) == 0
    betting.singles.append(Single(action.seat, action.to, is_forced=True, is_all_in=is_all_in))


def begin(betting: Betting) -> None:
    """Go from the blinds to the first player's turn."""
    betting.begun = True
    posts = betting.wagers[0]
    small, big = _blinds(betting)
    for seat, posted in ((small, posts.get(small)), (big, posts.get(big))):
        if posted is None and seat in betting.stacks and betting.left(seat) > 0:
            betting.not_allowed.append(NotAllowed(seat, "no blind", "a blind", "blinds"))
    betting.blind = max(posts.values(), default=0)
    if small in posts and posts[small] > posts.get(big, 0) and betting.left(big) > 0:
        betting.not_allowed.append(
            NotAllowed(small, f"posts {posts[small]}", f"at most {posts.get(big, 0)}", "blinds")
        )
    for seat, posted in posts.items():
        if seat not in (small, big) and posted < betting.blind and betting.left(seat) > 0:
            betting.not_allowed.append(
                NotAllowed(seat, f"posts {posted}", str(betting.blind), "blinds")
            )
    betting.level = betting.full_level = betting.blind
    betting.full = max(1, betting.size())
    if posts and betting.program.opening == BET:
        betting.raises = -1
    betting.find_next(big if posts else betting.order[-1])


def _blinds(betting: Betting) -> tuple[int, int]:
    """Return the seats of the small and the big blind; 0 where the small blind is dead."""
    order, posts = betting.order, betting.wagers[0]
    if len(order) == 2:
        return order[1], order[0]
    if len(order) < 2 or (order[0] in posts and order[1] not in posts):
        return 0, order[0]
    return order[0], order[1]


def _act(betting: Betting, action: Action) -> None:
    seat = action.seat
    if betting.next != seat:
        turn = "nobody" if betting.next is None else f"seat {betting.next}"
        logged = f"{action.act} on the {action.street}"
        betting.not_allowed.append(NotAllowed(seat, logged, f"an action of {turn}"))
    wrong = _ACTS[action.act](betting, action)
    if wrong:
        logged = action.act if action.act in WITHOUT_MONEY else f"{action.act} to {action.to}"
        about = "reopening" if wrong == CLOSED else "turn"
        betting.not_allowed.append(
            NotAllowed(seat, f"{logged} on the {action.street}", wrong, about)
        )
    if action.act == "fold":
        betting.folded.add(seat)
    elif action.act in PUTS_IN:
        _put_in(betting, action)
    betting.acted[seat] = (betting.level, betting.reopened)
    skipped = betting.next
    betting.find_next(seat)
    if skipped not in (None, seat) and betting.must_act(skipped) and len(betting.live) > 1:
        betting.next = skipped


def _put_in(betting: Betting, action: Action) -> None:
    seat, before = action.seat, betting.put_in(action.seat)
    betting.wagers[betting.street][seat] = max(action.to, before)
    is_all_in = betting.left(seat) == 0
    if action.act == "call":
        if action.to > betting.level:
            betting.level = action.to
        return
    increase = action.to - betting.level
    amount = increase if betting.program.single == "increase" else action.to
    betting.singles.append(Single(seat, amount, is_forced=False, is_all_in=is_all_in))
    if increase <= 0:
        return
    is_raise = betting.level > 0
    if _is_full(betting, action.to):
        betting.reopened += 1
        betting.full_level = action.to
        if betting.program.structure != FIXED:
            betting.full = max(betting.full, increase)
        if is_raise:
            _count_raise(betting, action)
    betting.level = action.to


def _is_full(betting: Betting, to: int) -> bool:
    """Return whether a bet or raise is a full one, or an all-in wager that counts as one."""
    program, increase = betting.program, to - betting.level
    if increase >= betting.full or program.short == ANY:
        return True
    if program.short == HALF:
        return 2 * increase >= betting.full
    completes = program.short == TOTAL or program.structure == FIXED
    return completes and to - betting.full_level >= betting.full


def _count_raise(betting: Betting, action: Action) -> None:
    betting.raises += 1
    most = betting.most_raises
    if most is not None and betting.raises > most:
        betting.extra_raises.setdefault(
            action.seat, f"raise {betting.raises} on the {action.street}"
        )


def _check(betting: Betting, action: Action) -> str:
    if betting.put_in(action.seat) < betting.level and betting.left(action.seat) > 0:
        return f"call to {betting.level}, raise or fold"
    return _unchanged(betting, action)


def _fold(betting: Betting, action: Action) -> str:
    return _unchanged(betting, action)


def _unchanged(betting: Betting, action: Action) -> str:
    """Return what is wrong with the total of an action that puts nothing in."""
    put_in = betting.put_in(action.seat)
    return "" if action.to in (0, put_in) else f"the total of {put_in} unchanged"


def _call(betting: Betting, action: Action) -> str:
    seat = action.seat
    if _is_open_blind(betting, action):
        betting.level = action.to
        betting.blind = betting.full = betting.full_level = action.to
    if betting.level <= betting.put_in(seat):
        return "check or bet"
    wanted = min(betting.level, betting.put_in(seat) + betting.left(seat))
    return "" if action.to == wanted else f"call to {wanted}"


def _is_open_blind(betting: Betting, action: Action) -> bool:
    """Return whether this call states the big blind, whose player had less than it."""
    big = _blinds(betting)[1]
    return (
        betting.street == 0
        and not any(seat not in betting.folded for seat in betting.acted)
        and betting.left(big) == 0
        and action.to > betting.level
    )


def _bet(betting: Betting, action: Action) -> str:
    if betting.level:
        return "call, raise or fold"
    return _amount(betting, action)


def _raise(betting: Betting, action: Action) -> str:
    if not betting.level:
        return "check or bet"
    if action.to <= betting.level:
        return f"more than {betting.level}"
    if not betting.may_raise(action.seat):
        return CLOSED
    return _amount(betting, action)


def _amount(betting: Betting, action: Action) -> str:
    seat = action.seat
    if action.to == betting.put_in(seat) + betting.left(seat):
        most = betting.level + betting.full
        if betting.program.structure == FIXED and action.to > most:
            return f"{action.act} to {most}"
        return ""
    if betting.program.structure == FIXED:
        allowed = sorted({betting.level + betting.full, betting.full_level + betting.full})
        allowed = [each for each in allowed if each > betting.level]
        return "" if action.to in allowed else f"{action.act} to {allowed[-1]}"
    least = betting.level + betting.full
    return "" if action.to >= least else f"at least {least}"


_ACTS: Final[dict[str, Callable[[Betting, Action], str]]] = {
    "check": _check,
    "fold": _fold,
    "call": _call,
    "bet": _bet,
    "raise": _raise,
}
