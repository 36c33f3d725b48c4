"""Streams of evidence from the statistics of an operator's segments."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from audits.watch.statistics import (
    DEALER,
    OPERATOR,
    PLAYER,
    TABLE,
    Cards,
    Statistics,
    Subject,
)
from games.explanation.words import describe_name
from games.statistics.cards import Dealt
from games.statistics.chances import ANY_PLAY, EXACT
from games.statistics.evidence import ALARM, odds_against
from games.statistics.results import player_figures, sum_figures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from games.statistics.cards import Figures
    from games.statistics.errors import Errors

CARDS_CODE, RESULTS, PLAYER_CODE, DEALER_CODE, ERRORS = (
    f"watch.{kind}" for kind in ("cards", "results", "player", "dealer", "errors")
)
SHUFFLED: Final = "Every card of a shuffled shoe is as likely as any other."
AS_OFTEN: Final = "Assumed: honest errors favor the player as often as the house."
KIND_OF_SCOPE: Final = {PLAYER: PLAYER_CODE, DEALER: DEALER_CODE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One bet against chance: about whom, on what, and how it stands."""

    game: str
    kind: str
    """The code of its alarm, `watch.*`."""
    subject: Subject
    about: str
    """What of the subject: which cards, or which wager."""
    figures: Figures
    assumes: str

    @property
    def name(self) -> str:
        """Return a name that is unique at an operator, with its statistic."""
        who = f"{self.subject.scope} {self.subject.name}".strip()
        return f"{self.game}: {who}: {self.about}"

    @property
    def title(self) -> str:
        """Return what is watched, for people."""
        who = f"{self.subject.scope.capitalize()} {self.subject.name}".strip()
        return f"{who}: {self.about}, {self.figures.statistic}"

    @property
    def is_alarm(self) -> bool:
        """Return whether the evidence reaches the level of an alarm."""
        return self.figures.evidence >= ALARM

    @property
    def says(self) -> str:
        """Return the bet against chance as a sentence."""
        odds = odds_against(self.figures.evidence)
        if self.figures.evidence < 1:
            return "This is what a fair game looks like."
        return (
            f"A fair game would show evidence this strong at most once in {odds} times, "
            "however long it is watched."
        )

    def as_row(self, operator: str) -> dict[str, Any]:
        """Return it in the published form."""
        figures = self.figures
        return {
            "operator": operator,
            "stream": self.name,
            "kind": self.kind,
            "statistic": figures.statistic,
            "expected": round(figures.expected, 2),
            "observed": round(figures.observed, 2),
            "evidence": round(figures.evidence, 2),
            "alarm": self.is_alarm,
        }


def streams_of(game: str, found: Statistics, errors: Mapping[Subject, Errors]) -> list[Stream]:
    """Return every stream of a game, the strongest evidence first."""
    every = [
        *_cards(game, found),
        *_repeats(game, found),
        *_results(game, found),
        *_players(game, found),
        *_errors(game, errors),
    ]
    return sorted(every, key=lambda each: (-each.figures.evidence, each.name))


def _cards(game: str, found: Statistics) -> Iterator[Stream]:
    operator: defaultdict[str, Dealt] = defaultdict(Dealt)
    for (subject, role), dealt in found.cards.items():
        if subject.scope == TABLE:
            operator[role].add(dealt)
        yield from _dealt(game, Cards(subject, role), dealt)
    for role, dealt in operator.items():
        yield from _dealt(game, Cards(Subject(OPERATOR, ""), role), dealt)


def _dealt(game: str, cards: Cards, dealt: Dealt) -> Iterator[Stream]:
    subject, role = cards
    for figures in dealt.figures(single_cards=subject.scope != PLAYER):
        yield Stream(
            game=game,
            kind=KIND_OF_SCOPE.get(subject.scope, CARDS_CODE),
            subject=subject,
            about=role,
            figures=figures,
            assumes=SHUFFLED,
        )


def _repeats(game: str, found: Statistics) -> Iterator[Stream]:
    for subject, again in found.again.items():
        for figures in again.figures():
            yield Stream(
                game=game,
                kind=CARDS_CODE,
                subject=subject,
                about="shuffling",
                figures=figures,
                assumes=SHUFFLED,
            )


def _results(game: str, found: Statistics) -> Iterator[Stream]:
    by_wager: defaultdict[tuple[Subject, str], list[Any]] = defaultdict(list)
    for where, results in found.results.items():
        chance = found.chances.get((where.wager, where.decks))
        if chance is None:
            continue
        by_wager[where.subject, where.wager].append((results, chance))
        if where.subject.scope == TABLE:
            by_wager[Subject(OPERATOR, ""), where.wager].append((results, chance))
    for (subject, wager), parts in by_wager.items():
        yield Stream(
            game=game,
            kind=KIND_OF_SCOPE.get(subject.scope, RESULTS),
            subject=subject,
            about=describe_name(wager),
            figures=sum_figures(parts),
            assumes=EXACT if all(chance.is_exact for _, chance in parts) else ANY_PLAY,
        )


def _players(game: str, found: Statistics) -> Iterator[Stream]:
    by_measure: defaultdict[tuple[Subject, str, str], list[Any]] = defaultdict(list)
    for (where, statistic), wagers in found.players.items():
        chance = found.chances.get((where.wager, where.decks))
        if chance is not None:
            by_measure[where.subject, where.wager, statistic].append((wagers, chance))
    for (subject, wager, statistic), parts in by_measure.items():
        yield Stream(
            game=game,
            kind=PLAYER_CODE,
            subject=subject,
            about=describe_name(wager),
            figures=player_figures(statistic, parts),
            assumes=EXACT if all(chance.is_exact for _, chance in parts) else ANY_PLAY,
        )


def _errors(game: str, errors: Mapping[Subject, Errors]) -> Iterator[Stream]:
    for subject, counted in errors.items():
        for figures in counted.figures():
            yield Stream(
                game=game,
                kind=ERRORS,
                subject=subject,
                about="payout errors",
                figures=figures,
                assumes=AS_OFTEN,
            )


def sum_statistics(parts: Iterable[Statistics]) -> Statistics:
    """Add up the statistics of segments of one game."""
    total = Statistics()
    for each in parts:
        total.add(each)
    return total
