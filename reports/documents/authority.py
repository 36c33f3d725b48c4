"""What a finding cites, in words: the clause of the filed rules, or what the law's section says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from audits.review.rounds.limits import explain_law
from compliance.filings.games.rules import rules_of_version
from compliance.in_effect.reads import find_terms_between
from games.findings import CONTROLS
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from audits.intake.days.models import GamblingDay
    from compliance.in_effect.reads import TermsInEffect

AUTHORIZED: Final = "Only card games that the commission has authorized may be played, as approved."
SECTIONS: Final = {
    "WAC 230-15-035": AUTHORIZED,
    "WAC 230-15-040": AUTHORIZED,
    "WAC 230-15-425": (
        "A house-banked card room plays by its approved internal controls: their games, tables, "
        "limits, pay tables and procedures."
    ),
    "WAC 230-15-190": "Records of play are kept in the form that the commission prescribes.",
    "WAC 230-15-025": "A card room is open only during its approved hours.",
    "RCW 9.46.0282": "Social card games are played in a licensed establishment.",
    "WAC 230-40-120": "A single wager has a legal maximum, which nobody has read for that date.",
    "WAC 230-15-490(2)": (
        "An aggregate payout limit is the most that is paid on the winning wagers of one deal."
    ),
}
"""Sections that require something and set no value, in our words."""


class Authorities:
    """Clauses and sections as they applied on a gambling day of an operator."""

    def __init__(self, day: GamblingDay) -> None:
        self._day = day
        self._law = explain_law(day.day)
        self._terms: dict[str, list[TermsInEffect]] = {}

    def of(self, game: str, id_: str) -> dict[str, Any]:
        """Return an authority: its id, what it says, and the document that says it."""
        if found := self._of_rules(game, id_):
            return found
        if says := SECTIONS.get(id_):
            controls = self._name_controls(game) if id_ == CONTROLS else ""
            return {"id": id_, "says": says, "source": controls}
        law = self._law.get(id_)
        if law is not None:
            return {"id": id_, "says": law.says, "source": ", ".join(law.sources)}
        return {"id": id_, "says": "", "source": ""}

    def _of_rules(self, game: str, id_: str) -> dict[str, Any] | None:
        chosen = next((each.chosen for each in self._between(game) if each.chosen), None)
        if chosen is None and game not in SLUGS:
            return None
        rules = rule_set(game) if chosen is None else rules_of_version(chosen)
        if clause := rules.clauses.get(id_):
            sources = [f"{it.document}, {it.place}" for it in clause.sources[:1]]
            return {"id": id_, "says": clause.says, "source": "".join(sources)}
        if item := rules.interpretations.get(id_):
            terms = self._between(game)
            names = {each.interpretations.get(id_, item.default) for each in terms}
            says = " ".join(item.readings[name] for name in sorted(names or {item.default}))
            changed = ", changed that night" if len(names) > 1 else ""
            return {"id": id_, "says": f"{item.asks} {says}", "source": f"interpretation{changed}"}
        return None

    def _between(self, game: str) -> list[TermsInEffect]:
        if game not in self._terms:
            day = self._day
            found = find_terms_between(
                operator=day.party, game=game, table=None, begin=day.begins, end=day.ends
            )
            self._terms[game] = [bound for *_, bound in found]
        return self._terms[game]

    def _name_controls(self, game: str) -> str:
        """Name the internal controls in effect, which the section makes binding."""
        found = (each.controls_version for each in self._between(game))
        numbers = sorted({each.number for each in found if each})
        named = " and ".join(map(str, numbers))
        s = "s" if len(numbers) > 1 else ""
        return f"internal controls of {self._day.party.name}, version{s} {named}" if numbers else ""
