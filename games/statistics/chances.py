"""What each wager may come to in a fair game, from the exact odds of its rules.

Where the player chooses how a hand is played, no distribution is exact. Then the likelihood ratio
is divided by its mean under the play that makes it largest, hand by hand, so that a fair game
cannot win the bet whatever the player's strategy is, and the evidence is a lower bound.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from games.kernel import cache_directory, can_keep
from games.odds import pick_2_poker, pyramid_poker
from games.pyramid_poker.reasons import BOTH_EQUAL
from games.rule_set import rule_set
from games.setup import Setup
from games.statistics.evidence import TILTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.odds.wagers import WagerOdds
    from games.statistics.evidence import Floats

LEVELS: Final = 8
"""A weighted wager counts in eighths, from -8 to 8."""
WEIGHTS: Final[Floats] = np.arange(-LEVELS, LEVELS + 1) / LEVELS
OUTCOMES: Final[Floats] = np.array([-1.0, 0.0, 1.0])
"""A loss, a push, a win. A wager paid by a table has a miss (0) or a hit (1) instead."""

EXACT: Final = "Exact odds of the rules of play."
ANY_PLAY: Final = (
    "A bound: how the player plays a hand is not known, so whatever play favors this most is "
    "assumed to be fair."
)
FULL_SHOE: Final = (
    "A hint: the odds of a full shoe or deck, and for a game played by choices, of the best play "
    "that was counted. Cards dealt before, players who count them, and better play change them."
)
"""What a chance assumes, for pages."""


class Chance(NamedTuple):
    """A wager in a fair game."""

    log_mgf: Floats
    """By weight and tilt, what makes the likelihood ratios fair: the log mean of e^(tilt w x)."""
    mean: float
    """The mean outcome, by the play that makes it largest."""
    variance: float
    is_exact: bool
    by_table: bool
    """Whether it hits or misses a pay table; otherwise it wins, pushes or loses."""
    scale: int = 1
    """Outcomes are whole, or eighths of the most that a hand may stake."""
    is_hint: bool = False
    """Whether lawful play may exceed it, so that it never alarms."""

    @property
    def statistic(self) -> str:
        """Return what is counted of a table's seats."""
        if self.scale > 1:
            return "net result, as a part of the most that a hand may wager"
        return "hits" if self.by_table else "wagers won less wagers lost"

    @classmethod
    def of(cls, games: Sequence[Floats], *, is_exact: bool, by_table: bool) -> Chance:
        """Return the chance of a wager in whichever of the games is played.

        A game is one interpretation of the rules: hand by choice by outcome, the chance of the hand
        times that of the outcome if it is so played.
        """
        powers = np.exp(np.multiply.outer(np.outer(WEIGHTS, TILTS), OUTCOMES))
        means = [np.tensordot(powers, game, axes=(2, 2)).max(axis=3).sum(axis=2) for game in games]
        mean, variance = max(map(_best_play, games))
        return cls(np.log(np.max(means, axis=0)), mean, variance, is_exact, by_table)

    def joined(self, other: Chance) -> Chance:
        """Return the chance where this or another game may be played."""
        better = max(self, other, key=lambda each: each.mean)
        return better._replace(
            log_mgf=np.maximum(self.log_mgf, other.log_mgf),
            is_exact=self.is_exact and other.is_exact and _same(self.log_mgf, other.log_mgf),
            is_hint=self.is_hint or other.is_hint,
        )

    @classmethod
    def bounded(cls, bounds: Floats, scale: int) -> Chance:
        """Return the chance of a net result whose log mean of e^(tilt x) is at most `bounds`.

        Between tilts, and so for weights, the chord of a convex function is a bound as well. Mean
        and variance are those that the two smallest tilts upward show.
        """
        zero = len(TILTS) // 2
        log_mgf = np.interp(
            np.outer(WEIGHTS, TILTS), np.insert(TILTS, zero, 0.0), np.insert(bounds, zero, 0.0)
        )
        once, twice, step = bounds[zero], bounds[zero + 1], TILTS[zero]
        mean, variance = (4 * once - twice) / (2 * step), (twice - 2 * once) / step**2
        return cls(log_mgf, float(mean), float(variance), False, False, scale)  # noqa: FBT003


def _same(one: Floats, other: Floats) -> bool:
    return bool(np.allclose(one, other, rtol=0, atol=1e-12))


def _best_play(game: Floats) -> tuple[float, float]:
    """Return mean and variance of the outcome by the play with the largest mean."""
    chosen = game[np.arange(len(game)), (game @ OUTCOMES).argmax(axis=1)].sum(axis=0)
    mean = float(chosen @ OUTCOMES)
    return mean, float(chosen @ OUTCOMES**2) - mean**2


WAGERS: Final[Mapping[str, tuple[str, ...]]] = {
    pyramid_poker.GAME: ("main", "three_card", "six_card"),
    pick_2_poker.GAME: ("bonus_3_5", "bonus_5"),
}
"""The wagers whose chances are known."""


@cache
def chances(game: str, decks: int) -> Mapping[str, Chance]:
    """Return the wagers of a game whose chances are known, from a shoe of so many decks.

    Counting all hands takes seconds, so it is done once for each version of the rules.
    """
    name = f"{game}-{decks}-{rule_set(game).digest[:16]}"
    return keep_chances(
        name, lambda: dict(_pyramid(decks) if game == pyramid_poker.GAME else _pick_2(decks))
    )


_counted: dict[str, Mapping[str, Chance]] = {}


def keep_chances(name: str, count: Callable[[], Mapping[str, Chance]]) -> Mapping[str, Chance]:
    """Return chances that were counted before by this release, or count and keep them."""
    if name not in _counted:
        _counted[name] = _read_or_count(name, count)
    return _counted[name]


def _read_or_count(name: str, count: Callable[[], Mapping[str, Chance]]) -> Mapping[str, Chance]:
    place = cache_directory() / f"chances-{name}.json" if can_keep() else None
    with suppress(OSError, ValueError):
        if place is not None:
            rows = json.loads(place.read_text())
            return {key: Chance(np.array(mgf), *others) for key, mgf, *others in rows}
    found = count()
    with suppress(OSError):  # on a full disk it is counted again
        if place is not None:
            rows = [(key, each.log_mgf.tolist(), *each[1:]) for key, each in found.items()]
            unfinished = place.with_suffix(f".{os.getpid()}")
            unfinished.write_text(json.dumps(rows))
            unfinished.replace(place)
    return found


def _pyramid(decks: int) -> Iterator[tuple[str, Chance]]:
    games = [
        _main(pyramid_poker.results_by_setting(setup, decks), both_equal)
        for setup in _setups(pyramid_poker.GAME, "PP-I13")
        for both_equal in (0, -1)  # PP-I1: a push, or a loss
    ]
    yield "main", Chance.of(games, is_exact=False, by_table=False)
    for each in pyramid_poker.table_odds(Setup(), decks):
        yield each.wager, Chance.of([_hits(each)[None, None, :]], is_exact=True, by_table=True)


def _main(hands: Sequence[Mapping[int, Mapping[tuple[int, int], int]]], both_equal: int) -> Floats:
    """Return hand by choice by outcome; a hand with fewer choices repeats its first."""
    most = max(map(len, hands))
    counts = np.zeros((len(hands), most, len(OUTCOMES)))
    for row, settings in enumerate(hands):
        choices = list(settings.values())
        for column in range(most):
            for (to, why), deals in choices[column if column < len(choices) else 0].items():
                won = both_equal if why == BOTH_EQUAL else (to > 0) - (to < 0)
                counts[row, column, won + 1] += deals
    likely: Floats = counts / counts[:, 0].sum()
    return likely


def _pick_2(decks: int) -> Iterator[tuple[str, Chance]]:
    found: dict[str, list[Floats]] = {}
    for setup in _setups(pick_2_poker.GAME, "P2-I9"):
        for each in pick_2_poker.odds(setup, decks):
            _, missed, hit = _hits(each).tolist()
            # A fold loses the bonus wagers with any hand (P2-5).
            of_hit, of_miss = [[0, 0, hit], [0, hit, 0]], [[0, missed, 0], [0, missed, 0]]
            found.setdefault(each.wager, []).append(np.array([of_hit, of_miss]))
    for wager, games in found.items():
        yield wager, Chance.of(games, is_exact=False, by_table=True)


def _setups(game: str, *questions: str) -> Iterator[Setup]:
    """Yield a set-up for each combination of interpretations."""
    known = rule_set(game).interpretations
    for chosen in product(*(known[id_].readings for id_ in questions)):
        yield Setup(interpretations=dict(zip(questions, chosen, strict=True)))


def _hits(odds: WagerOdds) -> Floats:
    hit = sum(float(each.probability) for each in odds.outcomes if each.to > 0)
    return np.array([0.0, 1 - hit, hit])
