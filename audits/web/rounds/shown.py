"""A told round as its page shows it: cards drawn, amounts in words, each clause quoted once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from audits.findings_in_words import name_in_words, value_in_words
from audits.judging.whose_money import Whose, whose
from audits.web.rounds.cards import DrawnCard, drawn
from audits.web.rounds.times import WHOLE, shown
from compliance.web.lists import dollars, signed
from games.judge.finding import Weight

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from audits.selectors.round_limits import LimitTold
    from audits.selectors.round_told import FoundTold, Part, RoundTold, Step, WagerTold
    from audits.selectors.round_words import ClauseTold, Held, Laid

PLAYS: Final = {
    "fold": "folds",
    "play": "plays",
    "three": "plays three cards",
    "five": "plays five cards",
    "surrender": "surrenders",
    "surrender-20": "surrenders after 20 cards",
    "surrender-23": "surrenders after 23 cards",
    "showdown": "plays to the showdown",
    "last": "is the only player left",
    "three-straights": "declares three straights",
    "three-flushes": "declares three flushes",
    "six-pairs": "declares six pairs",
    "dragon": "declares a dragon",
}
LABELS: Final = {"Cards": "As dealt", "Low": "Set low"}


@dataclass(frozen=True)
class HandShown:
    """Cards that lie together, and those that the rules set there where they are others."""

    label: str
    cards: list[DrawnCard]
    ruled: list[DrawnCard]
    """None where the hand lies as it should, or the rules set nothing there."""
    right: bool
    """Whether the rules set the very cards that lie there."""


@dataclass(frozen=True)
class PlaceShown:
    """The dealer or a seat."""

    title: str
    player: str
    banks: bool
    play: str
    hands: list[HandShown]


@dataclass(frozen=True)
class WagerShown:
    """What one wager came to, in words; `way` is the direction of a difference."""

    place: str
    wager: str
    wagered: str
    logged: str
    expected: str
    difference: str
    way: str


@dataclass(frozen=True)
class Quote:
    """A clause where it is quoted."""

    anchor: str
    clause: ClauseTold


@dataclass(frozen=True)
class StepShown:
    """A step; clauses that it is the first to rest on are quoted, others referred to."""

    says: str
    quotes: list[Quote]
    refers: list[tuple[str, str]]
    """Anchor and id."""


@dataclass(frozen=True)
class AccountShown:
    """The steps of one wager, and what it came to."""

    came: WagerShown
    steps: list[StepShown]


@dataclass(frozen=True)
class PartShown:
    """The steps of the dealer, a seat, or two players who meet."""

    title: str
    steps: list[StepShown]
    accounts: list[AccountShown]


@dataclass(frozen=True)
class FindingShown:
    """A finding in words."""

    told: FoundTold
    where: str
    logged: str
    expected: str
    difference: str
    way: str
    refers: list[tuple[str, str]]


@dataclass(frozen=True)
class LimitShown:
    """A limit in words."""

    of: str
    least: str
    most: str
    rests_on: str


@dataclass(frozen=True)
class Verdict:
    """What is found on the round, before anything else."""

    kind: str
    heading: str
    says: str


class RoundShown:
    """Everything that the templates of a round say."""

    def __init__(self, told: RoundTold) -> None:
        self.told = told
        judged = told.judged
        clauses = judged.clauses if judged else ()
        self._quoting = _Quoting(clauses)
        parts = judged.parts if judged else ()
        self.about = [self._quoting.step(each) for each in (judged.about if judged else ())]
        self.parts = [self._part(each) for each in parts]
        self.also_cited = self._quoting.rest()
        self.findings = [self._finding(each) for each in told.findings]
        self.house = _place(told.house) if told.house else None
        self.seats = [_place(each) for each in told.seats]
        self.limits = [_limit(each) for each in (judged.limits if judged else ())]
        self.wagers = list(_wagers(parts) if judged else _as_logged(told))

    @property
    def ended(self) -> str:
        """When it ended, by the clock at the place of play."""
        return shown(self.told.at, WHOLE)

    @property
    def date(self) -> str:
        """The date on which it ended, as forms have it."""
        return self.told.at.date().isoformat()

    @property
    def clock(self) -> str:
        """The hour and minute at which it ended, as forms have it."""
        return f"{self.told.at:%H:%M}"

    @property
    def began(self) -> str:
        """When its first wager was taken, where the log says so."""
        return shown(self.told.since, WHOLE) if self.told.since else ""

    @property
    def handed_in(self) -> str:
        """When its log was handed in."""
        return shown(self.told.proof.handed_in, WHOLE)

    @property
    def day(self) -> str:
        """Its gambling day, with the name of the day."""
        return f"{self.told.day:%A, %B} {self.told.day.day}, {self.told.day.year}"

    @property
    def _houses(self) -> int:
        """Cents that the house received too much on its own wager, negative too little."""
        findings = self.told.findings
        return sum(each.delta for each in findings if whose(each.code, each.wager) is Whose.HOUSE)

    @property
    def verdict(self) -> Verdict:
        """What is found, in a heading and a sentence."""
        told, count = self.told, len(self.told.findings)
        if told.judged is None and not count:
            return Verdict("info", "The round as it was logged", told.why_not)
        if not count:
            says = "Every wager is settled as the rules of play say."
            if told.void is not None:
                says = "It is void, and nothing was won or lost."
            return Verdict("success", "Nothing was found on this round", says)
        violations = sum(each.weight != Weight.NOTICE for each in told.findings)
        if not violations:
            heading = f"{count} notices" if count > 1 else "A notice"
            return Verdict("info", heading, self._moved())
        heading = f"{violations} apparent violations"
        return Verdict(
            "warning", heading if violations > 1 else "An apparent violation", self._moved()
        )

    def _moved(self) -> str:
        over, under = self.told.received
        said = [_in_words(cents) for cents in (over, -under) if cents]
        parts = [f"Players received {' and '.join(said)}."] if said else []
        if houses := self._houses:
            parts.append(f"The house received {_in_words(houses)}.")
        if parts:
            return " ".join(parts)
        if self.told.judged is not None and self.told.judged.status == "irregular":
            return "The rules give no settlement for what was logged."
        return "No player received too much or too little by what was found."

    def _part(self, part: Part) -> PartShown:
        place = part.title.partition(",")[0].removesuffix(" in all")
        return PartShown(
            part.title,
            [self._quoting.step(each) for each in part.steps],
            [
                AccountShown(_came(place, each), [self._quoting.step(step) for step in each.steps])
                for each in part.wagers
            ],
        )

    def _finding(self, told: FoundTold) -> FindingShown:
        where = [f"Seat {told.seat}" if told.seat is not None else ""]
        where.append(name_in_words(told.wager or ""))
        return FindingShown(
            told,
            ", ".join(filter(None, where)) or "The round",
            value_in_words(told.code, told.logged),
            value_in_words(told.code, told.expected),
            *_difference(told.delta, none="–"),
            self._quoting.refer(told.cites),
        )


class _Quoting:
    """Quotes each clause where it is first rested on; later ones refer there."""

    def __init__(self, clauses: Iterable[ClauseTold]) -> None:
        self._clauses: Mapping[str, ClauseTold] = {each.id: each for each in clauses}
        self._anchors = {id_: f"clause-{number}" for number, id_ in enumerate(self._clauses, 1)}
        self._quoted: set[str] = set()

    def step(self, step: Step) -> StepShown:
        new = [id_ for id_ in step.cites if id_ in self._clauses and id_ not in self._quoted]
        self._quoted.update(new)
        old = [id_ for id_ in step.cites if id_ not in new]
        quotes = [Quote(self._anchors[id_], self._clauses[id_]) for id_ in new]
        return StepShown(step.says, quotes, self.refer(old))

    def refer(self, ids: Iterable[str]) -> list[tuple[str, str]]:
        return [(self._anchors.get(id_, ""), id_) for id_ in ids]

    def rest(self) -> list[Quote]:
        """What is cited and stands in no step: the law, approvals."""
        return [
            Quote(self._anchors[id_], clause)
            for id_, clause in self._clauses.items()
            if id_ not in self._quoted
        ]


def _limit(told: LimitTold) -> LimitShown:
    def amount(value: int | None) -> str:
        if value is None:
            return "–"
        return f"{value:,}" if told.counted else dollars(value)

    return LimitShown(name_in_words(told.of), amount(told.least), amount(told.most), told.rests_on)


def _place(laid: Laid) -> PlaceShown:
    play = ", ".join(PLAYS.get(each, each) for each in laid.play.split(", ") if each)
    hands = [_hand(each) for each in laid.hands]
    return PlaceShown(laid.title, laid.player or "", laid.banks, play, hands)


def _hand(held: Held) -> HandShown:
    ruled = held.as_ruled if held.is_wrong or (held.as_ruled and not held.cards) else ()
    return HandShown(
        LABELS.get(held.label, held.label),
        drawn(held.cards),
        drawn(ruled),
        right=bool(held.as_ruled and held.cards) and not held.is_wrong,
    )


def _wagers(parts: Iterable[Part]) -> Iterable[WagerShown]:
    for part in parts:
        place = f"Seat {part.seat}" if part.seat is not None else part.title
        for each in part.wagers:
            yield _came(place, each)


def _as_logged(told: RoundTold) -> Iterable[WagerShown]:
    """Wagers of a round that is not judged: nothing is expected of them."""
    for laid in (*filter(None, (told.house,)), *told.seats):
        wagers = dict(laid.wagers)
        for key, result in laid.results:
            wagered = wagers.get(key)
            yield WagerShown(
                laid.title,
                name_in_words(key),
                "–" if wagered is None else dollars(wagered),
                signed(result),
                "–",
                "not judged",
                "none",
            )


def _came(place: str, told: WagerTold) -> WagerShown:
    if told.by_sum:
        difference, way = "judged by the sum alone", "none"
    elif told.difference is None:
        difference, way = "cannot be told", "none"
    else:
        difference, way = _difference(told.difference, none="none")
    return WagerShown(
        place,
        name_in_words(told.key),
        "–" if told.wagered is None else dollars(told.wagered),
        "none logged" if told.logged is None else signed(told.logged),
        "the rules cannot tell" if told.expected is None else signed(told.expected),
        difference,
        way,
    )


def _in_words(cents: int) -> str:
    return f"{dollars(abs(cents))} too {'much' if cents > 0 else 'little'}"


def _difference(cents: int, *, none: str) -> tuple[str, str]:
    """A difference with its sign and its word, and which way it goes."""
    if not cents:
        return none, "none"
    return (
        (f"{signed(cents)} too much", "over")
        if cents > 0
        else (
            f"{signed(cents)} too little",
            "under",
        )
    )
