"""The law that a round cites, and the limits in effect for it, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from compliance.law.reads import law_rules
from games.cents import in_dollars
from games.explanation.model import Clause
from games.explanation.words import describe_name, name_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from audits.replay.auditing.one_round import AuditedRound
    from compliance.law.values import LawValue


GRADES: Final = {
    "secondary": "from secondary sources",
    "inferred": "inferred",
    "unknown": "not verified",
}
CONTROLS: Final = "Approved internal controls"
UNKNOWN: Final = "The value on that date is not known"


@dataclass(frozen=True)
class LimitExplanation:
    """A limit in effect for a round; an en dash where it sets no minimum or maximum."""

    name: str
    minimum: str
    maximum: str
    authority: str


def explain_law(on: date) -> dict[str, Clause]:
    """Return what each legal rule allowed on a date, by each of its citations."""
    return dict(_law(on))


def _law(on: date) -> Iterator[tuple[str, Clause]]:
    for rule in law_rules().values():
        value = rule.on(on)
        if value is None:
            continue
        for id_ in value.citation.split(", "):
            says = f"{rule.says}: {_describe_value(value)}."
            yield id_, Clause(id_, says, tuple(filter(None, (value.filing,))))


def _describe_value(value: LawValue) -> str:
    if value.value is None:
        return "the value on that date is not known"
    amount = name_in_words(str(value.value))
    if value.unit == "cents" and isinstance(value.value, int):
        amount = in_dollars(value.value)
    grade = GRADES.get(value.grade, "")
    since = f"since {value.from_:%B %-d, %Y}"
    return ", ".join(filter(None, (amount, since, grade)))


def explain_limits(audited: AuditedRound) -> tuple[LimitExplanation, ...]:
    """Return every limit that applied to the round; omit kinds that do not apply to its game."""
    return (*_of_controls(audited), *_of_law(audited))


def _of_controls(audited: AuditedRound) -> Iterator[LimitExplanation]:
    round_, setup = audited.round, audited.setup
    for wager, (low, high) in setup.limits.get(round_.table, {}).items():
        name = describe_name(wager)
        yield LimitExplanation(name, in_dollars(low), in_dollars(high), CONTROLS)
    if round_.banker is not None:
        for wager, low in setup.banker_min.items():
            name = f"{describe_name(wager)} of the banker"
            yield LimitExplanation(name, in_dollars(low), "–", CONTROLS)
    if round_.game == "pyramid-poker" and setup.max_aggregate is not None:
        per_hand = in_dollars(setup.max_aggregate)
        yield LimitExplanation("Maximum aggregate payout of a hand", "–", per_hand, CONTROLS)
    for wager, high in setup.max_per_deal.get(round_.game, {}).items():
        name = f"Maximum aggregate payout of {name_in_words(wager)} in a deal"
        yield LimitExplanation(name, "–", in_dollars(high), CONTROLS)


def _of_law(audited: AuditedRound) -> Iterator[LimitExplanation]:
    cap, players = audited.cap, audited.players
    if cap is not None and cap.amount is None:
        yield LimitExplanation("Single wager", "–", "–", UNKNOWN)
    elif cap is not None and cap.amount is not None:
        filing = f" ({cap.filing})" if cap.filing else ""
        authority = f"{', '.join(cap.cites)}{filing}{_carried(cap.carried_since)}"
        yield LimitExplanation("Single wager", "–", in_dollars(cap.amount), authority)
    if players.most is not None:
        authority = ", ".join(players.cites) + _carried(players.carried_since)
        yield LimitExplanation("Players at the table", "–", f"{players.most:,}", authority)


def _carried(since: str | None) -> str:
    """Describe a value that is carried forward because nobody has verified it since."""
    return f", carried forward from {since}" if since else ""
