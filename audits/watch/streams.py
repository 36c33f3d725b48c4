"""Streams of evidence from the statistics of an operator's segments."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from audits.watch.statistics import (
    DEALER,
    OPERATOR,
    PAIR,
    PLAYER,
    SEAT,
    TABLE,
    VOIDED,
    Cards,
    Statistics,
    Subject,
)
from games.explanation.words import describe_name
from games.statistics.by_odds import HIGHER_HAND
from games.statistics.cards import Dealt
from games.statistics.chances import ANY_PLAY, EXACT, FULL_SHOE
from games.statistics.decisions import DealersHands
from games.statistics.errors import FAVORED
from games.statistics.evidence import ALARM, odds_against
from games.statistics.order import STATISTIC as ORDER
from games.statistics.results import PLAIN, TableResults
from games.statistics.shoes import Through

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from games.statistics.cards import Figures
    from games.statistics.chances import Chance
    from games.statistics.errors import Errors

    Known = Callable[[str, int], Mapping[str, Chance]]

CARDS_CODE, RESULTS, PLAYER_CODE, DEALER_CODE, ERRORS = (
    f"watch.{kind}" for kind in ("cards", "results", "player", "dealer", "errors")
)
COLUMNS: Final = (
    "operator", "stream", "kind", "statistic", "expected", "observed", "evidence", "alarm",
)  # fmt: skip
"""The published form of a stream."""
SHUFFLED: Final = "Every card of a shuffled shoe is as likely as any other."
FEWER_IF_FOLDED: Final = (
    f"{SHUFFLED} A bound: a player who gives up is dealt fewer cards, so whatever number favors "
    "this most is assumed to be fair."
)
AS_OFTEN: Final = (
    "A hint: errors of all kinds would favor the player as often as the house. Honest errors may "
    "not: a rule learned wrong errs in one direction every time."
)
AS_LIKELY: Final = (
    "Assumed: an honest error is as likely to favor any seat of the round that placed the same "
    "wagers, with the same amount on this one, made the same choices, and had the same result "
    "coming."
)
EITHER_HAND: Final = (
    "The player hand and the banker hand are equally likely to have the higher total of their "
    "first two cards. Exact for every shoe, even if players count cards. Rounds with equal totals "
    "do not count."
)
WITHOUT_KNOWLEDGE: Final = (
    "The dealer's hidden hand is as likely as any other hand of the cards that no player was dealt."
    " Exact for every strategy that does not know it, even one that sees all other players' cards."
)
HAND_AS_LIKELY: Final = (
    "The dealer's hand is as likely as any other hand of the cards that no player was dealt. "
    "Exact, whatever the players do."
)
ANY_PLACE: Final = (
    "Each hand of a round is as likely to be dealt to one place as to another. Exact, whatever the "
    "players do."
)
NOT_BY_RESULT: Final = (
    "Assumed: whether a round is voided does not depend on who would have won it."
)
LEFT_IN_SHOE: Final = (
    "Every card left in a named shoe is as likely as any other, given the rounds before."
)
BLIND_WAGERS: Final = (
    "Assumed: how much a player wagers does not depend on the cards that other players were dealt "
    "from the same shoe. Counting cards does, and breaks no rule."
)
HINTS: Final = frozenset({AS_OFTEN, FULL_SHOE})
"""What lawful play or honest errors may differ from."""
KIND_OF_SCOPE: Final = {
    PLAYER: PLAYER_CODE,
    SEAT: PLAYER_CODE,
    DEALER: DEALER_CODE,
    PAIR: DEALER_CODE,
}


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
    outcomes: tuple[int, ...] = ()
    """A player's wagers lost, pushed and won, or missed and hit; none if rounds share shoes."""

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
    def is_hint(self) -> bool:
        """Return whether lawful play or honest errors may explain it, so that it never alarms."""
        return self.assumes in HINTS

    @property
    def is_alarm(self) -> bool:
        """Return whether the evidence reaches the level of an alarm."""
        return self.figures.evidence >= ALARM and not self.is_hint

    @property
    def says(self) -> str:
        """Return the bet against chance as a sentence."""
        odds = odds_against(self.figures.evidence)
        if self.figures.evidence < 1:
            return "This is what a fair game looks like."
        if self.is_hint:
            return "A hint, never an alarm: lawful play or honest errors may explain it."
        return (
            f"At most one in {odds} {self._fair} would ever look like this, however long you watch."
        )

    @property
    def _fair(self) -> str:
        if self.assumes == BLIND_WAGERS:
            return "players who ignore the shoe"
        return "fair shoes" if self.kind == CARDS_CODE else "fair games"

    def as_row(self, operator: str) -> dict[str, Any]:
        """Return it in the published form."""
        figures = self.figures
        values = (
            *(operator, self.name, self.kind, figures.statistic),
            *(round(each, 2) for each in (figures.expected, figures.observed, figures.evidence)),
            self.is_alarm,
        )
        return dict(zip(COLUMNS, values, strict=True))


def streams_of(
    game: str, found: Statistics, errors: Mapping[Subject, Errors], known: Known
) -> list[Stream]:
    """Return every stream of a game, the strongest evidence first; `known` are its chances."""
    every = [
        *_cards(game, found),
        *_repeats(game, found),
        *_order(game, found),
        *_ranks(game, found),
        *_through(game, found),
        *_dealers_hands(game, found),
        *_raises(game, found),
        *_decisions(game, found),
        *_results(game, found, known),
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
    for figures in dealt.figures(single_cards=subject.scope not in {PLAYER, SEAT}):
        yield Stream(
            game=game,
            kind=KIND_OF_SCOPE.get(subject.scope, CARDS_CODE),
            subject=subject,
            about=role,
            figures=figures,
            assumes=FEWER_IF_FOLDED if dealt.is_bounded else SHUFFLED,
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


def _order(game: str, found: Statistics) -> Iterator[Stream]:
    for subject, again in found.order.items():
        for figures in again.figures(ORDER):
            yield Stream(
                game=game,
                kind=CARDS_CODE,
                subject=subject,
                about="order of hands",
                figures=figures,
                assumes=SHUFFLED,
            )


def _ranks(game: str, found: Statistics) -> Iterator[Stream]:
    for subject, ranks in found.ranks.items():
        for figures in ranks.figures():
            yield Stream(
                game=game,
                kind=KIND_OF_SCOPE[subject.scope],
                subject=subject,
                about="hands",
                figures=figures,
                assumes=ANY_PLACE,
            )


def _through(game: str, found: Statistics) -> Iterator[Stream]:
    operator = Through()
    for subject, through in found.through.items():
        operator.add(through)
        yield from _of_shoes(game, subject, through)
    if len(found.through) > 1:
        yield from _of_shoes(game, Subject(OPERATOR, ""), operator)


def _of_shoes(game: str, subject: Subject, through: Through) -> Iterator[Stream]:
    for figures in through.figures():
        yield Stream(
            game=game,
            kind=CARDS_CODE,
            subject=subject,
            about="cards left in named shoes",
            figures=figures,
            assumes=LEFT_IN_SHOE,
        )


def _dealers_hands(game: str, found: Statistics) -> Iterator[Stream]:
    operator: Counter[int] = Counter()
    for subject, dealt in found.hands.items():
        if subject.scope == TABLE:
            operator.update(dealt.rounds)
        yield from _of_hands(game, subject, dealt)
    if operator:
        yield from _of_hands(game, Subject(OPERATOR, ""), DealersHands(operator))


def _of_hands(game: str, subject: Subject, hands: DealersHands) -> Iterator[Stream]:
    for figures in hands.figures():
        yield Stream(
            game=game,
            kind=KIND_OF_SCOPE.get(subject.scope, CARDS_CODE),
            subject=subject,
            about="dealer's hands",
            figures=figures,
            assumes=NOT_BY_RESULT if subject.scope == VOIDED else HAND_AS_LIKELY,
        )


def _raises(game: str, found: Statistics) -> Iterator[Stream]:
    for subject, raises in found.raises.items():
        for figures in raises.figures():
            yield Stream(
                game=game,
                kind=PLAYER_CODE,
                subject=subject,
                about="wagers and the shoe",
                figures=figures,
                assumes=BLIND_WAGERS,
            )


def _decisions(game: str, found: Statistics) -> Iterator[Stream]:
    for subject, decisions in found.decisions.items():
        for figures in decisions.figures():
            yield Stream(
                game=game,
                kind=PLAYER_CODE,
                subject=subject,
                about="decisions to fold",
                figures=figures,
                assumes=WITHOUT_KNOWLEDGE,
            )


FEWEST: Final = 100
"""Rounds of a game on file from which its results are weighed: with fewer they show nothing."""


def _chances(game: str, found: Statistics, known: Known) -> tuple[int, Mapping[str, Chance]]:
    """Return the chances of wagers from the shoe of most rounds, and its number of decks.

    Results from another number of decks are not weighed.
    """
    decks: Counter[int] = Counter()
    for where, results in found.results.items():
        decks[where.decks] += results.rounds.total()
    if not decks or found.rounds < FEWEST:
        return 0, {}
    usual = decks.most_common(1)[0][0]
    return usual, known(game, usual)


def _results(game: str, found: Statistics, chances: Known) -> Iterator[Stream]:
    usual, known = _chances(game, found, chances)
    operator: defaultdict[str, TableResults] = defaultdict(TableResults)
    for (subject, wager, decks), results in found.results.items():
        if decks != usual or wager not in known:
            continue
        if subject.scope == TABLE:
            operator[wager].add(results)
        yield _result(game, subject, wager, known[wager], results.figures(known[wager]))
    for wager, results in operator.items():
        subject = Subject(OPERATOR, "")
        yield _result(game, subject, wager, known[wager], results.figures(known[wager]))
    for ((subject, wager, decks), statistic), wagers in found.players.items():
        if decks == usual and wager in known:
            figures = wagers.figures(statistic, known[wager])
            is_rate = statistic == PLAIN and wager != HIGHER_HAND
            of = wagers.outcomes(by_table=known[wager].by_table) if is_rate else ()
            yield _result(game, subject, wager, known[wager], figures, of)


def _result(
    game: str,
    subject: Subject,
    wager: str,
    chance: Chance,
    figures: Figures,
    outcomes: tuple[int, ...] = (),
) -> Stream:
    return Stream(
        outcomes=outcomes,
        game=game,
        kind=KIND_OF_SCOPE.get(subject.scope, RESULTS),
        subject=subject,
        about=describe_name(wager),
        figures=figures,
        assumes=EITHER_HAND if wager == HIGHER_HAND else _assumed(subject, chance),
    )


def _assumed(subject: Subject, chance: Chance) -> str:
    if chance.is_hint:
        return FULL_SHOE
    odds = EXACT if chance.is_exact else ANY_PLAY
    return f"{NOT_BY_RESULT} {odds}" if subject.scope == VOIDED else odds


def _errors(game: str, errors: Mapping[Subject, Errors]) -> Iterator[Stream]:
    for subject, counted in errors.items():
        for figures in counted.figures():
            yield Stream(
                game=game,
                kind=ERRORS,
                subject=subject,
                about="payout errors",
                figures=figures,
                assumes=AS_LIKELY if figures.statistic == FAVORED else AS_OFTEN,
            )


def sum_statistics(parts: Iterable[Statistics]) -> Statistics:
    """Add up the statistics of segments of one game."""
    total = Statistics()
    for each in parts:
        total.add(each)
    return total
