"""The terms of a gambling day: what bound the rounds of one operator and game, and since when.

Three clocks. A round's `at` decides rules, controls and approvals; the civil date of its `from`
(else `at`) at the place of play decides what the law allows; the day itself only groups rounds.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

WAC: Final = "wac"
COMPACT: Final = "compact"

SetupText = str
"""A SETUP.json of the engine as canonical text, without `cap` and `players`: they are the law's."""


class TermsError(ValueError):
    """Terms that no round can be judged by; the message names what is wrong."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why play was not authorised: an `approval.*` code, in words, and what it rests on."""

    code: str
    says: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """What was approved from `begin` to `end` (microseconds since 1970, half-open)."""

    begin: int
    end: int
    setup: SetupText = "{}"
    refused: tuple[Refusal, ...] = ()
    tables: tuple[str, ...] | None = None
    """Tables that the controls name, ascending; None where there are none to name any."""
    rule_version: str | None = None
    rule_set: str | None = None
    """Digest of the rule set that was approved; rounds are settled by the engine's own."""
    controls_version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """The most that a single wager may be, from the midnight of a civil date on."""

    begin: int
    kind: str
    """`wac` or `compact`."""
    amount: int | None
    """Cents; None where nobody has read the value: neither pass nor fail."""
    sure: int | None = None
    """Cents allowed without a condition that no log tells of; from it to the amount, neither."""
    cites: tuple[str, ...] = ()
    filing: str = ""
    grade: str = ""
    carried_since: str | None = None
    """The last day on which somebody saw that the value held, where that day is past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Players:
    """How many players a table may have, from the midnight of a civil date on; None, not judged."""

    begin: int
    most: int | None
    cites: tuple[str, ...] = ()
    carried_since: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Terms on file that did not bind, but that a table may have gone by: for the diagnosis."""

    says: str
    """As in: Paid by {says}."""
    rules: bool = False
    """Whether it is a version of the rules; else a drawing of the layout."""
    pay_tables: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    interpretations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What bound one operator's rounds of one game on one gambling day."""

    game: str
    rule_set: str
    """Digest of the engine's own rule set, by which rounds are settled."""
    spans: tuple[Span, ...]
    """In order, without gap."""
    caps: tuple[Cap, ...] = ()
    """By their begin; none where no cap binds the game."""
    players: tuple[Players, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def begin(self) -> int:
        """When the day begins."""
        return self.spans[0].begin

    @property
    def end(self) -> int:
        """When the day ends."""
        return self.spans[-1].end

    def canonical(self) -> bytes:
        """The terms as canonical JSON."""
        return canonical(asdict(self))

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON, in hexadecimal."""
        return hashlib.sha256(self.canonical()).hexdigest()


def canonical(value: Any) -> bytes:
    """One way to write nulls, truths, whole numbers, texts, lists and objects with ASCII keys."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def read_terms(text: bytes | str) -> Terms:
    """Terms from their JSON.

    Raises:
        TermsError: it is not the JSON of terms.
    """
    try:
        data = orjson.loads(text)
        if not data["spans"]:
            message = "they have no span"
            raise ValueError(message)
        return Terms(
            game=data["game"],
            rule_set=data["rule_set"],
            spans=tuple(_span(each) for each in data["spans"]),
            caps=tuple(Cap(**{**each, "cites": tuple(each["cites"])}) for each in data["caps"]),
            players=tuple(
                Players(**{**each, "cites": tuple(each["cites"])}) for each in data["players"]
            ),
            readings=tuple(Reading(**each) for each in data["readings"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        message = f"These are no terms of a day: {error!r}."
        raise TermsError(message) from None


def _span(data: dict[str, Any]) -> Span:
    refused = tuple(
        Refusal(each["code"], each["says"], tuple(each["cites"])) for each in data["refused"]
    )
    tables = None if data["tables"] is None else tuple(data["tables"])
    return Span(**{**data, "refused": refused, "tables": tables})
