"""Ranks and suits of a named shoe, each round given the cards that its shoe had left.

A shoe that is dealt through is drawn from without replacement, so what a round may deal depends on
the rounds before it. Given those, each count is hypergeometric, and the rounds multiply: that is
exact however the end of a shoe is chosen. The sums are kept as whole millionths, so that the same
rounds give the same sums in whatever order they are added.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from games.statistics.cards import CARDS, CLASSES, MEMBERS, SIZES, Figures
from games.statistics.evidence import TILTS, evidence_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from games.statistics.evidence import Floats

    Numbers = NDArray[np.int64]

KINDS: Final = CLASSES[CARDS:]
"""What is counted: ranks, suits and the high cards."""
_MEMBERS: Final = MEMBERS[CARDS:].astype(np.int64)
MILLIONTH: Final = 1_000_000
AT_ONCE: Final = 4_096
"""Draws whose distributions are in memory at once."""


@dataclass(slots=True)
class Through:
    """What was dealt of each kind, and the sums of what a fair game leads one to expect."""

    seen: Numbers = field(default_factory=lambda: np.zeros(len(KINDS), np.int64))
    sums: Numbers = field(default_factory=lambda: np.zeros((len(KINDS), 2 + len(TILTS)), np.int64))
    """Mean, variance, and by tilt what makes the likelihood ratios fair, in millionths."""

    def add(self, other: Through, sign: int = 1) -> None:
        """Add other rounds, or take them away again."""
        self.seen = self.seen + sign * other.seen
        self.sums = self.sums + sign * other.sums

    def figures(self) -> list[Figures]:
        """Return one stream for each of `KINDS`."""
        sums = self.sums / MILLIONTH
        evidence = evidence_of(self.seen[:, None] * TILTS - sums[:, 2:])
        return [
            Figures(name, float(seen), float(row[0]), float(row[1]) ** 0.5, float(strength))
            for name, seen, row, strength in zip(KINDS, self.seen, sums, evidence, strict=True)
        ]


class Surplus(NamedTuple):
    """A round that no shoe of its decks can deal after the rounds before it."""

    row: int
    card: int
    dealt: int
    """Copies of the card, up to and with this round."""


def deal_through(
    shown: Numbers, dealt: Numbers, copies: Numbers, sizes: Numbers
) -> tuple[Through, Surplus | None]:
    """Count the rounds of one shoe, in the order dealt, up to one that it can't have dealt.

    `shown` has how often each round dealt each card, `dealt` how many cards each round dealt with
    jokers; `copies` and `sizes` are of the shoe as each round logs it.
    """
    before = np.cumsum(shown, axis=0) - shown
    over = (before + shown) > copies[:, None]
    found: Surplus | None = None
    end = len(shown)
    if over.any():
        end = int(np.flatnonzero(over.any(axis=1))[0])
        card = int(np.flatnonzero(over[end])[0])
        found = Surplus(end, card, int(before[end, card] + shown[end, card]))
    left = sizes - (np.cumsum(dealt) - dealt)
    kinds = copies[:, None] * SIZES[CARDS:] - before @ _MEMBERS.T
    draws = np.stack(np.broadcast_arrays(left[:, None], kinds, dealt[:, None]), axis=2)[:end]
    rows, often = np.unique(
        np.concatenate(
            [draws, np.broadcast_to(np.arange(len(KINDS))[:, None], (end, len(KINDS), 1))], axis=2
        ).reshape(-1, 4),
        axis=0,
        return_counts=True,
    )
    total = Through(seen=(shown[:end] @ _MEMBERS.T).sum(axis=0))
    for first in range(0, len(rows), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        moments = np.rint(moments_of(rows[part, :3]) * MILLIONTH).astype(np.int64)
        np.add.at(total.sums, rows[part, 3], moments * often[part, None])
    return total, found


def moments_of(draws: Numbers) -> Floats:
    """Return mean, variance and the log mean of e^(tilt x) of draws (size, of the kind, drawn)."""
    x, logs = log_chances(draws)
    chance = np.exp(logs)
    mean = chance @ x
    variance = chance @ x**2 - mean**2
    powers = logs[:, None, :] + TILTS[:, None] * x
    most = powers.max(axis=2, keepdims=True)
    log_mgf = most[:, :, 0] + np.log(np.exp(powers - most).sum(axis=2))
    found: Floats = np.concatenate([mean[:, None], variance[:, None], log_mgf], axis=1)
    return found


def log_chances(draws: Numbers) -> tuple[Numbers, Floats]:
    """Return how many of the kind may be drawn, and by draw the logarithm of each chance."""
    size, kind, drawn = (draws[:, [column]] for column in range(3))
    x = np.arange(int(drawn.max(initial=0)) + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, int(size.max(initial=0)) + 2)))])
    possible = (x <= kind) & (drawn - x <= size - kind) & (x <= drawn)
    rest, missing = np.where(possible, drawn - x, 0), size - kind
    hits = np.where(possible, x, 0)
    found: Floats = np.where(
        possible,
        logs[kind] - logs[hits] - logs[kind - hits]
        + logs[missing] - logs[rest] - logs[missing - rest]
        - (logs[size] - logs[drawn] - logs[size - drawn]),
        -np.inf,
    )  # fmt: skip
    return x, found
