"""What only the page of a round adds: drawings of cards, and each clause quoted once."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from audits.local_times import WHOLE, show_instant
from audits.review.rounds.tables import (
    ApprovalTable,
    FindingTable,
    InterpretationTable,
    LimitTable,
    WagerTable,
)
from games.explanation.words import card_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from audits.review.rounds.explanation import RoundRecord
    from compliance.filings.games.filed_words import FiledWords
    from games.explanation.model import Clause, Place, Step


JOKER = "Jo"
RED = frozenset("dh")


@dataclass(frozen=True)
class DrawnCard:
    """One card; a joker that nobody has named has no rank or suit."""

    name: str
    """As read aloud: queen of spades."""
    rank: str
    suit: str
    joker: bool

    @property
    def red(self) -> bool:
        """Return whether its suit is printed in red."""
        return self.suit in RED


def draw_cards(cards: Iterable[str]) -> list[DrawnCard]:
    """Prepare cards in log spelling for drawing."""
    return [_draw_card(each) for each in cards]


def _draw_card(card: str) -> DrawnCard:
    joker = card.startswith(JOKER)
    stands_for = card.partition("=")[2] if joker else card
    rank, suit = (stands_for[0], stands_for[1]) if stands_for else ("", "")
    return DrawnCard(card_in_words(card), "10" if rank == "T" else rank, suit, joker)


class RoundView:
    """A round's record, prepared for its templates."""

    def __init__(
        self, record: RoundRecord, words: Mapping[str, FiledWords] = MappingProxyType({})
    ) -> None:
        self.record = record
        self._words = words
        self.explanation = explanation = record.explanation
        self.proof = record.proof
        self._clauses = {each.id: each for each in explanation.clauses}
        numbers = enumerate(self._clauses, 1)
        self._anchors = {id_: f"clause-{number}" for number, id_ in numbers}
        self._quoted: set[str] = set()
        self.about = self._quote_steps(explanation.about)
        self.sections = [
            {
                "title": section.title,
                "steps": self._quote_steps(section.steps),
                "wagers": [(each, self._quote_steps(each.steps)) for each in section.wagers],
            }
            for section in explanation.sections
        ]
        rest = self._quote([id_ for id_ in self._clauses if id_ not in self._quoted])
        self.also_cited = [{"quotes": rest}] if rest else []
        self.findings = [
            {"finding": finding, "issue": issue, "refers": self._refer(finding.cites)}
            for finding, issue in zip(explanation.findings, record.issues, strict=True)
        ]
        self.places = [_draw_place(each) for each in explanation.places]
        released = "" if record.audit else " that were released"
        self.finding_table = FindingTable(
            self.findings, caption=f"Findings on this round{released}"
        )
        self.wager_table = WagerTable(explanation.wagers)
        self.terms_tables = (
            [
                ApprovalTable(record.audit.approvals),
                InterpretationTable(explanation.interpretations),
                LimitTable(record.audit.limits),
            ]
            if record.audit
            else []
        )

    @property
    def date(self) -> str:
        """Return the date on which it ended, in form format."""
        return self.record.at.date().isoformat()

    @property
    def clock(self) -> str:
        """Return the hour and minute at which it ended, in form format."""
        return f"{self.record.at:%H:%M}"

    @property
    def submitted(self) -> str:
        """Return when its log was submitted."""
        return show_instant(self.proof.submitted, WHOLE)

    @property
    def day(self) -> str:
        """Return its gambling day with the weekday."""
        day = self.record.day
        return f"{day:%A, %B} {day.day}, {day.year}"

    def _quote_steps(self, steps: Iterable[Step]) -> list[dict[str, Any]]:
        """Quote each clause in the step that is the first to cite it; link to it in others."""
        rows: list[dict[str, Any]] = []
        for step in steps:
            cites = dict.fromkeys(step.cites)
            new = [id_ for id_ in cites if id_ in self._clauses and id_ not in self._quoted]
            self._quoted.update(new)
            refers = self._refer(id_ for id_ in cites if id_ not in new)
            rows.append({"says": step.says, "quotes": self._quote(new), "refers": refers})
        return rows

    def _quote(self, ids: Iterable[str]) -> list[tuple[str, Clause, FiledWords | None]]:
        """Return clauses with their anchors, and the words of the filed document."""
        return [(self._anchors[id_], self._clauses[id_], self._words.get(id_)) for id_ in ids]

    def _refer(self, ids: Iterable[str]) -> list[tuple[str, str]]:
        return [(self._anchors.get(id_, ""), id_) for id_ in ids]


def _draw_place(place: Place) -> dict[str, Any]:
    hands = [{"hand": hand, "cards": draw_cards(hand.cards)} for hand in place.hands]
    return {"title": place.title, "details": place.details, "hands": hands}
