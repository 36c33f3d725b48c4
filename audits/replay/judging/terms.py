"""The terms of a gambling day, and lookup of those in effect for a round."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson

from games.log.field_types import ABSENT
from games.setup import SetupError, read_setup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from games.log.columns import Columns
    from games.log.round import Round
    from games.setup import Setup


WAC: Final = "wac"
COMPACT: Final = "compact"

SetupText = str
"""An engine SETUP.json as canonical text, without `cap` and `players`, which the law sets."""


class TermsError(ValueError):
    """Rounds cannot be audited under these terms; the message names the problem."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why play was not authorized: an `approval.*` code, a sentence, and citations."""

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
    """Tables named in the controls, ascending; None if there are no controls."""
    rule_version: str | None = None
    rule_set: str | None = None
    """Digest of the approved rule set; rounds are settled by the engine's own."""
    controls_version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """The maximum for a single wager, from midnight of a civil date on."""

    begin: int
    kind: str
    """`wac` or `compact`."""
    amount: int | None
    """Cents; None if nobody has verified the value, so that wagers neither pass nor fail."""
    sure: int | None = None
    """Cents allowed unconditionally. From here to the amount a condition applies that logs do not
    show, so wagers neither pass nor fail."""
    cites: tuple[str, ...] = ()
    filing: str = ""
    grade: str = ""
    carried_since: str | None = None
    """The last day on which the value was verified, if that day is past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Players:
    """The maximum players at a table, from midnight of a civil date on; None if not audited."""

    begin: int
    most: int | None
    cites: tuple[str, ...] = ()
    carried_since: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Terms on file that were not in effect, but that a table may have used; for diagnosis."""

    says: str
    """Completes the sentence "Paid by {says}"."""
    rules: bool = False
    """Whether it is a version of the rules; otherwise it is a drawing of the layout."""
    pay_tables: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    interpretations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of one operator's game on one gambling day."""

    game: str
    rule_set: str
    """Digest of the engine's own rule set, by which rounds are settled."""
    spans: tuple[Span, ...]
    """In order, without gaps."""
    caps: tuple[Cap, ...] = ()
    """Sorted by beginning; empty if no cap applies to the game."""
    players: tuple[Players, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def begin(self) -> int:
        """Return when the day begins."""
        return self.spans[0].begin

    @property
    def end(self) -> int:
        """Return when the day ends."""
        return self.spans[-1].end

    def canonical(self) -> bytes:
        """Return the terms as canonical JSON."""
        return canonical(asdict(self))

    @property
    def digest(self) -> str:
        """Return the hex SHA-256 of the canonical JSON."""
        return hashlib.sha256(self.canonical()).hexdigest()


def canonical(value: Any) -> bytes:
    """Serialize nulls, booleans, integers, texts, lists and objects with ASCII keys uniquely."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def read_terms(text: bytes | str) -> Terms:
    """Parse terms from JSON.

    Raises:
        TermsError: the JSON does not contain terms.
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


BEGINNING: Final = -(2**63)

NOT_JUDGED: Final = Players(begin=BEGINNING, most=None)


class TermsInEffect:
    """Terms looked up by time; a `Choice` of setups for a run over columns.

    Raises:
        TermsError: the engine cannot use a setup.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._caps: Sequence[Cap | None] = [None, *terms.caps]
        if terms.caps:
            nothing_known = Cap(begin=BEGINNING, kind=terms.caps[0].kind, amount=None)
            self._caps = [nothing_known, *terms.caps]
        self._players = [NOT_JUDGED, *terms.players]
        self._lists = (
            [span.begin for span in terms.spans],
            [cap.begin for cap in terms.caps],
            [players.begin for players in terms.players],
        )
        self._begins = tuple(np.array(begins, np.int64) for begins in self._lists)
        self.setups: tuple[Setup, ...] = ()
        self._place = self._places()

    def of_rows(self, columns: Columns) -> NDArray[np.int64]:
        """Return the index in `setups` of each row's setup."""
        if len(self.setups) == 1:
            return np.zeros(len(columns), np.int64)
        at, legal = columns.rounds.numbers["at"], legal_times(columns)
        return self._place[self.span_rows(at), *self._law_rows(legal)]

    def of_round(self, round_: Round) -> int:
        """Return the index in `setups` of a round's setup."""
        if len(self.setups) == 1:
            return 0
        spans, caps, players = self._lists
        legal = _legal_time(round_)
        return int(
            self._place[
                max(bisect_right(spans, round_.at) - 1, 0),
                bisect_right(caps, legal),
                bisect_right(players, legal),
            ]
        )

    def span_rows(self, at: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the index of each instant's span."""
        return np.maximum(_begun(self._begins[0], at) - 1, 0)

    def unverified_rows(self, columns: Columns) -> NDArray[np.bool_]:
        """Return rows whose wagers have an unverified cap, or one with an unknown condition."""
        unknown = np.array(
            [cap is not None and (cap.amount is None or cap.sure is not None) for cap in self._caps]
        )
        if not unknown.any():
            return np.zeros(len(columns), np.bool_)
        return unknown[_begun(self._begins[1], legal_times(columns))]

    def refused_rows(
        self, at: NDArray[np.int64], codes: NDArray[np.int64], tables: Sequence[str]
    ) -> NDArray[np.bool_]:
        """Return which rows were not authorized; `codes` index their tables in `tables`."""
        refused = np.array(
            [
                [bool(span.refused) or not _named(span, table) for table in tables]
                for span in self.terms.spans
            ],
            np.bool_,
        )
        if not refused.any():
            return np.zeros(len(at), np.bool_)
        return refused[self.span_rows(at), codes]

    def span(self, round_: Round) -> Span:
        """Return what was approved when a round was dealt."""
        return self.terms.spans[max(bisect_right(self._lists[0], round_.at) - 1, 0)]

    def cap(self, round_: Round) -> Cap | None:
        """Return the cap in effect for a round; None if there is none."""
        return self._caps[bisect_right(self._lists[1], _legal_time(round_))]

    def players(self, round_: Round) -> Players:
        """Return the legal limit on players at a round's table."""
        return self._players[bisect_right(self._lists[2], _legal_time(round_))]

    def _law_rows(self, legal: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        _, caps, players = self._begins
        return _begun(caps, legal), _begun(players, legal)

    def _places(self) -> NDArray[np.int64]:
        """Create the setups; return the index of each span, cap and player limit's setup."""
        shape = (len(self.terms.spans), len(self._caps), len(self._players))
        places = np.empty(shape, np.int64)
        known: dict[tuple[str, int | None, int | None], int] = {}
        for (span, cap, players), _ in np.ndenumerate(places):
            law = self._caps[cap]
            key = (
                self.terms.spans[span].setup,
                None if law is None else law.amount,
                self._players[players].most,
            )
            places[span, cap, players] = known.setdefault(key, len(known))
        self.setups = tuple(_setup(*key) for key in known)
        return places


def _begun(begins: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count how many had begun at each instant, which is mostly the same for a whole segment."""
    if len(times):
        first, last = np.searchsorted(begins, [times.min(), times.max()], "right").tolist()
        if first == last:
            return np.full(len(times), first)
    return np.searchsorted(begins, times, "right")


def _named(span: Span, table: str) -> bool:
    return span.tables is None or table in span.tables


_read = lru_cache(maxsize=256)(read_setup)
"""A night has few approvals; each is looked up under every cap, and again for every work unit."""


def _setup(text: str, cap: int | None, players: int | None) -> Setup:
    try:
        return replace(_read(text), cap=cap, players=players)
    except SetupError as error:
        message = f"What was approved cannot be judged by: {error}"
        raise TermsError(message) from None


def legal_times(columns: Columns) -> NDArray[np.int64]:
    """Return the instants whose civil dates determine the law: `from`, else `at`."""
    since, at = columns.rounds.numbers["from"], columns.rounds.numbers["at"]
    return np.where(since == ABSENT, at, since)


def _legal_time(round_: Round) -> int:
    return round_.at if round_.since is None else round_.since


def is_compact(cap: Cap | None) -> bool:
    """Return whether a compact, not the WAC, sets the cap."""
    return cap is not None and cap.kind == COMPACT
