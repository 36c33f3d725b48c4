"""The terms of a gambling day, and lookup of those in effect for a round."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson

from games.definition import DefinitionError, read_definition
from games.families.filed import UnsettledGame, game_of
from games.law import AggregateForm, DatedLimit, PokerLaw
from games.log.field_types import ABSENT
from games.rounding import Odds, in_short
from games.rule_set import SLUGS, RuleSetError, rule_set, with_pay_tables
from games.screens.words import Words
from games.setup import Setup, SetupError, read_setup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from games.families.filed import FiledGame, GameByName
    from games.log.columns import Columns
    from games.log.round import Round


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


PayTables = Mapping[str, Mapping[str, int | str]]
"""What each line pays to 1; odds that aren't whole are texts such as 3/2."""
"""The lines of each pay table, complete, N to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTerms:
    """What the approved controls choose for one table: the set-up and the complete pay tables."""

    setup: SetupText
    pay_tables: PayTables | None
    rule_version: str | None
    definition: str | None
    """Digest of what was approved."""
    text: str | None = None
    """Digest of the text of the filed definition, one of those that come with the terms."""


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
    pay_tables: PayTables | None = None
    """The approved pay tables; None if no version of the rules was approved."""
    definition: str | None = None
    """Digest of what was approved."""
    text: str | None = None
    """As for a table."""
    chosen: Mapping[str, TableTerms] = field(default_factory=dict)
    """By table, what the controls choose otherwise than for the game's other tables."""
    refused_at: Mapping[str, tuple[Refusal, ...]] = field(default_factory=dict)
    """By table, why it was not authorized, if the reasons are not those of the game."""

    def refusals(self, table: str) -> tuple[Refusal, ...]:
        """Return why play at a table was not authorized."""
        return self.refused_at.get(table, self.refused)


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
    pay_tables: PayTables = field(default_factory=dict)
    interpretations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """A game that a supplier filed."""

    name: str
    is_house_banked: bool
    definitions: Mapping[str, str] = field(default_factory=dict)
    """The texts of its definitions by digest; a span without one isn't settled."""


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
    forms: tuple[AggregateForm, ...] = ()
    """What the law allowed a maximum aggregate payout to cap; empty if it says nothing."""
    readings: tuple[Reading, ...] = ()
    filed: Filed | None = None
    """What a filed game is settled by; None for a game of the engine."""
    poker: PokerLaw | None = None
    """What the law allows where players bet against each other; None in any other game."""

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
        data = asdict(self)
        if self.poker is None:
            del data["poker"]
        return canonical(data)

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
            forms=tuple(
                AggregateForm(**{**each, "cites": tuple(each["cites"])}) for each in data["forms"]
            ),
            readings=tuple(Reading(**each) for each in data["readings"]),
            filed=None if data.get("filed") is None else Filed(**data["filed"]),
            poker=None if data.get("poker") is None else _poker(data["poker"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        message = f"These are no terms of a day: {error!r}."
        raise TermsError(message) from None


def _poker(data: dict[str, Any]) -> PokerLaw:
    return PokerLaw(
        **{
            key: tuple(DatedLimit(**{**each, "cites": tuple(each["cites"])}) for each in limits)
            for key, limits in data.items()
        }
    )


def _span(data: dict[str, Any]) -> Span:
    tables = None if data["tables"] is None else tuple(data["tables"])
    parts = {
        "refused": _refusals(data["refused"]),
        "tables": tables,
        "chosen": {name: TableTerms(**each) for name, each in data.get("chosen", {}).items()},
        "refused_at": {name: _refusals(each) for name, each in data.get("refused_at", {}).items()},
    }
    return Span(**{**data, **parts})


def _refusals(data: list[dict[str, Any]]) -> tuple[Refusal, ...]:
    return tuple(Refusal(each["code"], each["says"], tuple(each["cites"])) for each in data)


BEGINNING: Final = -(2**63)

NOT_AUDITED: Final = Players(begin=BEGINNING, most=None)


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
        self._players = [NOT_AUDITED, *terms.players]
        self._lists = (
            [span.begin for span in terms.spans],
            [cap.begin for cap in terms.caps],
            [players.begin for players in terms.players],
        )
        self._begins = tuple(np.array(begins, np.int64) for begins in self._lists)
        named = {table for span in terms.spans for table in span.chosen}
        self._tables = {table: place for place, table in enumerate(sorted(named), 1)}
        """Tables with terms of their own; all others are in place 0."""
        self.setups: tuple[Setup, ...] = ()
        self._place = self._places()

    def of_rows(self, columns: Columns) -> NDArray[np.int64]:
        """Return the index in `setups` of each row's setup."""
        if len(self.setups) == 1:
            return np.zeros(len(columns), np.int64)
        at, legal = columns.rounds.numbers["at"], legal_times(columns)
        tables = self._table_rows(columns)
        return self._place[self.span_rows(at), *self._law_rows(legal), tables]

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
                self._tables.get(round_.table, 0),
            ]
        )

    def day_of(self, at: int) -> int:
        """Return 0 for an instant of the gambling day, and other numbers before and after it."""
        return (at >= self.terms.end) - (at < self.terms.begin)

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
                [bool(span.refusals(table)) or not _named(span, table) for table in tables]
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

    def _table_rows(self, columns: Columns) -> NDArray[np.int64]:
        """Return the place of each row's table among those with terms of their own."""
        if not self._tables:
            return np.zeros(len(columns), np.int64)
        words = Words()
        codes = words.codes(columns.rounds.texts["table"])
        places = np.array([self._tables.get(word, 0) for word in words.words()], np.int64)
        found: NDArray[np.int64] = places[codes]
        return found

    def _places(self) -> NDArray[np.int64]:
        """Create the setups; return the index of each span, cap, player limit and table's setup."""
        spans = self.terms.spans
        shape = (len(spans), len(self._caps), len(self._players), len(self._tables) + 1)
        places = np.empty(shape, np.int64)
        names = [None, *self._tables]
        known: dict[tuple[Any, ...], int] = {}
        found = []
        for (span, cap, players, table), _ in np.ndenumerate(places):
            law, most = self._caps[cap], self._players[players].most
            chosen = spans[span].chosen.get(names[table] or "", spans[span])
            amount = None if law is None else law.amount
            key = (chosen.setup, amount, most, canonical(chosen.pay_tables), chosen.text)
            if key not in known:
                known[key] = len(known)
                setup = self._setup(chosen, amount, most)
                found.append(
                    replace(setup, aggregate_forms=self.terms.forms, poker=self.terms.poker)
                )
            places[span, cap, players, table] = known[key]
        self.setups = tuple(found)
        return places

    def _setup(self, chosen: Span | TableTerms, cap: int | None, players: int | None) -> Setup:
        """Return a set-up in which what was approved replaces what the engine knows."""
        game, filed = self.terms.game, self.terms.filed
        if filed is None or (game in SLUGS and chosen.text is None):
            return _setup(game, chosen.setup, chosen.pay_tables, cap, players)
        unsettled = UnsettledGame(game, filed.name, is_house_banked=filed.is_house_banked)
        text = filed.definitions.get(chosen.text or "")
        by = _defined(text) if text is not None else None
        try:
            if by is not None:
                setup = read_setup(chosen.setup, {game: by.definition})
                return replace(by.under(setup), cap=cap, players=players)
        except SetupError:
            pass  # the controls choose what the definition doesn't have: it isn't settled
        return replace(
            _limits_only(chosen.setup), cap=cap, players=players, filed={game: unsettled}
        )


def _begun(begins: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count how many had begun at each instant, which is mostly the same for a whole segment."""
    if len(times):
        first, last = np.searchsorted(begins, [times.min(), times.max()], "right").tolist()
        if first == last:
            return np.full(len(times), first)
    return np.searchsorted(begins, times, "right")


def _named(span: Span, table: str) -> bool:
    return span.tables is None or table in span.tables


def _limits_only(text: SetupText) -> Setup:
    """Return what a round that isn't settled is audited against."""
    given = orjson.loads(text)
    return Setup(
        limits={
            table: {wager: (low, high) for wager, (low, high) in limits.items()}
            for table, limits in given.get("limits", {}).items()
        },
        void_reasons=frozenset(given.get("void_reasons", ())),
    )


@lru_cache(maxsize=16)
def _defined(text: str) -> FiledGame | GameByName | None:
    """Return the game of a definition; None if this release reads it no longer."""
    try:
        return game_of(read_definition(text))
    except DefinitionError:
        return None


_read = lru_cache(maxsize=256)(read_setup)
"""A night has few approvals; each is looked up under every cap, and again for every work unit."""


def _setup(
    game: str, text: str, pay_tables: PayTables | None, cap: int | None, players: int | None
) -> Setup:
    """Return a set-up in which the approved pay tables replace the engine's."""
    try:
        setup = replace(_read(text), cap=cap, players=players)
        if pay_tables is None:
            return setup
        approved = with_pay_tables(rule_set(game), odds_of(pay_tables))
        return replace(setup, rule_sets={game: approved})
    except (SetupError, RuleSetError) as error:
        message = f"What was approved cannot be judged by: {error}"
        raise TermsError(message) from None


def odds_of(pay_tables: PayTables) -> dict[str, dict[str, Odds]]:
    """Return pay tables of terms with their odds as numbers."""
    return {
        table: {line: in_short(Fraction(pays)) for line, pays in lines.items()}
        for table, lines in pay_tables.items()
    }


def legal_times(columns: Columns) -> NDArray[np.int64]:
    """Return the instants whose civil dates determine the law: `from`, else `at`."""
    since, at = columns.rounds.numbers["from"], columns.rounds.numbers["at"]
    return np.where(since == ABSENT, at, since)


def _legal_time(round_: Round) -> int:
    return round_.at if round_.since is None else round_.since


def is_compact(cap: Cap | None) -> bool:
    """Return whether a compact, not the WAC, sets the cap."""
    return cap is not None and cap.kind == COMPACT
