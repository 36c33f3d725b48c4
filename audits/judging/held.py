"""Which terms held for a round: what was approved at its instant, what the law said on its date."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from audits.judging.terms import COMPACT, Cap, Players, TermsError
from games.round_log.columns import ABSENT
from games.setup_file import SetupError, read_setup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audits.judging.terms import Span, Terms
    from games.round_log.columns import Columns
    from games.round_log.round import Round
    from games.setup import Setup

BEGINNING: Final = -(2**63)

NOT_JUDGED: Final = Players(begin=BEGINNING, most=None)


class Held:
    """Terms looked up by the clock; a `Choice` of set-ups for a run over columns.

    Raises:
        TermsError: a set-up says what the engine cannot judge by.
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
        """The place of each row's set-up among `setups`."""
        if len(self.setups) == 1:
            return np.zeros(len(columns), np.int64)
        at, legal = columns.rounds.numbers["at"], legal_times(columns)
        return self._place[self.span_rows(at), *self._law_rows(legal)]

    def of_round(self, round_: Round) -> int:
        """The place of a round's set-up among `setups`."""
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
        """The place of the span of each instant."""
        return np.maximum(_begun(self._begins[0], at) - 1, 0)

    def unverified_rows(self, columns: Columns) -> NDArray[np.bool_]:
        """Which rows' wagers no verified value limits, or one on a condition nobody can see."""
        unknown = np.array(
            [cap is not None and (cap.amount is None or cap.sure is not None) for cap in self._caps]
        )
        if not unknown.any():
            return np.zeros(len(columns), np.bool_)
        return unknown[_begun(self._begins[1], legal_times(columns))]

    def refused_rows(
        self, at: NDArray[np.int64], codes: NDArray[np.int64], tables: Sequence[str]
    ) -> NDArray[np.bool_]:
        """Which rows were not authorised; `codes` are the places of their tables in `tables`."""
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
        """What was approved when a round was dealt."""
        return self.terms.spans[max(bisect_right(self._lists[0], round_.at) - 1, 0)]

    def cap(self, round_: Round) -> Cap | None:
        """The cap that bound a round; None where none does."""
        return self._caps[bisect_right(self._lists[1], _legal_time(round_))]

    def players(self, round_: Round) -> Players:
        """How many players the law allowed a round's table."""
        return self._players[bisect_right(self._lists[2], _legal_time(round_))]

    def _law_rows(self, legal: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        _, caps, players = self._begins
        return _begun(caps, legal), _begun(players, legal)

    def _places(self) -> NDArray[np.int64]:
        """For each span, cap and number of players the place of their set-up; makes the set-ups."""
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
    """How many had begun at each instant: mostly as many at all instants of a segment."""
    if len(times):
        first, last = np.searchsorted(begins, [times.min(), times.max()], "right").tolist()
        if first == last:
            return np.full(len(times), first)
    return np.searchsorted(begins, times, "right")


def _named(span: Span, table: str) -> bool:
    return span.tables is None or table in span.tables


_read = lru_cache(maxsize=256)(read_setup)
"""A night has few approvals; each is looked up under every cap, and again for every share."""


def _setup(text: str, cap: int | None, players: int | None) -> Setup:
    try:
        return replace(_read(text), cap=cap, players=players)
    except SetupError as error:
        message = f"What was approved cannot be judged by: {error}"
        raise TermsError(message) from None


def legal_times(columns: Columns) -> NDArray[np.int64]:
    """The instants whose civil dates decide the law: `from`, else `at`."""
    since, at = columns.rounds.numbers["from"], columns.rounds.numbers["at"]
    return np.where(since == ABSENT, at, since)


def _legal_time(round_: Round) -> int:
    return round_.at if round_.since is None else round_.since


def is_compact(cap: Cap | None) -> bool:
    """Whether a compact, not the code, sets the cap."""
    return cap is not None and cap.kind == COMPACT
