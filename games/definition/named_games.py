"""The games that the families `set` and `versus` settle, each by its name and its own kernels.

A definition of such a game provides its words and its values: clauses with their sources, pay
tables, points, scorings, open questions. What its code cites and counts on is here, so that a
definition that asks for more or less is rejected in a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

HOUSE: Final = "house"
PLAYERS: Final = "players"


@dataclass(frozen=True, kw_only=True)
class NamedGame:
    """What the code of one game counts on."""

    family: str
    letters: str
    """What the ids of its clauses begin with."""
    banked_by: str
    clauses: int
    """Its code cites clauses 1 to this number."""
    questions: int
    """Its code cites interpretations 1 to this number."""
    wagers: Mapping[str, bool] = field(default_factory=dict)
    """Whether each wager is mandatory."""
    results: tuple[str, ...] = ()
    """Results that belong to no wager; they come before those of the wagers."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """The wager that each pay table is of."""
    most_decks: int = 12
    jokers: int = 0

    @property
    def clause_ids(self) -> tuple[str, ...]:
        """Return the ids of the clauses that the code may cite."""
        return tuple(f"{self.letters}-{number}" for number in range(1, self.clauses + 1))

    @property
    def question_ids(self) -> tuple[str, ...]:
        """Return the ids of the interpretations that the code may cite."""
        return tuple(f"{self.letters}-I{number}" for number in range(1, self.questions + 1))


NAMED_GAMES: Final[Mapping[str, NamedGame]] = MappingProxyType(
    {
        "pyramid-poker": NamedGame(
            family="set",
            letters="PP",
            banked_by=HOUSE,
            clauses=31,
            questions=17,
            wagers={"main": True, "three_card": True, "six_card": True},
            tables={"three_card": "three_card", "six_card": "six_card"},
        ),
        "chinese-poker": NamedGame(
            family="set",
            letters="CP",
            banked_by=PLAYERS,
            clauses=14,
            questions=16,
            results=("total",),
            most_decks=1,
        ),
        "pick-2-poker": NamedGame(
            family="versus",
            letters="P2",
            banked_by=HOUSE,
            clauses=19,
            questions=11,
            wagers={"ante": True, "bonus_3_5": True, "bonus_5": False, "play": True},
            tables={
                "bonus_3_5_five": "bonus_3_5",
                "bonus_3_5_three": "bonus_3_5",
                "bonus_5": "bonus_5",
            },
            most_decks=1,
        ),
        "showdown": NamedGame(
            family="versus",
            letters="SD",
            banked_by=PLAYERS,
            clauses=21,
            questions=15,
            results=("showdown", "surrender", "pot"),
            jokers=4,
        ),
        "casino-version": NamedGame(
            family="versus",
            letters="CV",
            banked_by=HOUSE,
            clauses=11,
            questions=9,
            wagers={"ante": True, "buy_in": True},
            results=("points",),
            jokers=2,
        ),
    }
)


def games_of(family: str) -> tuple[str, ...]:
    """Return the games that a family settles by name; none for a family that settles any."""
    return tuple(slug for slug, game in NAMED_GAMES.items() if game.family == family)


NAMED_FAMILIES: Final = tuple(dict.fromkeys(game.family for game in NAMED_GAMES.values()))


def pay_lines(slug: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lines that a game's code can recognize, by pay table."""
    lines: Mapping[str, tuple[str, ...]] = _code(slug, "PAY_LINES")
    return lines


def point_lines(slug: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lines whose points a game's code asks for, by table of points."""
    lines: Mapping[str, tuple[str, ...]] = _code(slug, "POINTS")
    return lines


def readings_of(slug: str) -> Mapping[str, tuple[str, ...]]:
    """Return the readings that a game's code can settle by, for each question that has several."""
    readings: Mapping[str, tuple[str, ...]] = _code(slug, "READINGS")
    return readings


def _code(slug: str, name: str) -> Mapping[str, tuple[str, ...]]:
    found: Mapping[str, tuple[str, ...]] = getattr(
        import_module(f"games.{slug.replace('-', '_')}.reasons"), name, {}
    )
    return found
