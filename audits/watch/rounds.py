"""The rounds behind a stream: those of its table, dealer, player or seat on one gambling day."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

import numpy as np

from audits.instants import instant
from audits.intake.reads import current_segments
from audits.intake.segments.rejections import DamagedSegmentError
from audits.intake.segments.segment_file import read_segment
from audits.watch.statistics import (
    DEALER,
    FIRST,
    OPERATOR,
    PAIR,
    PLAYER,
    SEAT,
    SHIFT,
    SHOE,
    TABLE,
    VOIDED,
    Subject,
)
from compliance.access.scope import without_access_scope
from compliance.files.archive import DamagedError, MissingError, RemovedError, current_archive
from games.log.form import read_written
from games.log.round import FiledRound, Round
from games.screens.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime
    from pathlib import Path

    from compliance.access.models import Party
    from games.log.columns import Columns

MOST_SHOWN: Final = 50
AT_TABLE, AT_SEAT, WITH_PLAYER = "at table ", "at seat ", "with player "


@dataclass(frozen=True)
class RoundBehind:
    """A round that a stream counts."""

    id: str
    at: datetime
    table: str


@dataclass(frozen=True)
class RoundsBehind:
    """The first rounds of a day that a stream counts, and whether there are more."""

    day: date
    shown: tuple[RoundBehind, ...]
    has_more: bool
    unreadable: int
    """Files that could not be read, or are no longer kept."""


def rounds_behind(operator: Party, game: str, subject: Subject, day: date) -> RoundsBehind:
    """Return the rounds of a subject on a gambling day."""
    shown: list[RoundBehind] = []
    unreadable = 0
    with without_access_scope():
        segments = [
            each for each in current_segments(operator) if (each.game, each.day) == (game, day)
        ]
    for segment in segments:
        try:
            with current_archive().fetch(segment.sha256) as path:
                more = islice(_rounds_of(path, subject), MOST_SHOWN + 1 - len(shown))
                shown += [RoundBehind(each.round, instant(each.at), each.table) for each in more]
        except (DamagedError, MissingError, RemovedError, DamagedSegmentError):
            unreadable += 1
    return RoundsBehind(day, tuple(shown[:MOST_SHOWN]), len(shown) > MOST_SHOWN, unreadable)


def _rounds_of(path: Path, subject: Subject) -> Iterator[Round]:
    shoes: set[tuple[str, str]] = set()
    for group in read_segment(path):
        columns = (group.columns.round(row) for row in _candidates(group.columns, subject))
        others = (read_written(line) for _, line in group.odd)
        for played in chain(columns, others):
            if not isinstance(played, Round) or played.played == (subject.scope == VOIDED):
                continue
            if subject.scope == FIRST:
                shoe = (played.table, played.shoe or "")
                if not played.shoe or shoe in shoes:
                    continue
                shoes.add(shoe)
            if _is_of(played, *subject):
                yield played


def _candidates(columns: Columns, subject: Subject) -> list[int]:
    """Return the rows that may be of a subject, without reading whole rounds."""
    scope, name = subject
    if scope == VOIDED:
        return []
    rows = np.arange(len(columns))
    for of, texts, each in (
        (TABLE, columns.rounds.texts["table"], name),
        (DEALER, columns.rounds.text("dealer_id"), name),
        (PLAYER, columns.seats.text("player"), name),
        (PAIR, columns.seats.text("player"), name.partition(", ")[2]),
    ):
        if of == scope:
            words = Words()
            codes = words.codes(texts)
            found = np.isin(codes, [words.words().index(each)] if each in words.words() else [])
            if of in {PLAYER, PAIR}:
                of_round = np.repeat(rows, np.diff(columns.first_seat))
                found = np.isin(rows, of_round[found])
            rows = rows[found]
    return rows.tolist()


def _is_of(played: Round, scope: str, name: str) -> bool:
    """Return whether a round counts for a subject."""
    if scope in {FIRST, VOIDED}:
        prefix = next(each for each in (AT_TABLE, AT_SEAT, WITH_PLAYER) if name.startswith(each))
        of = {AT_TABLE: TABLE, AT_SEAT: SEAT, WITH_PLAYER: PLAYER}[prefix]
        return _is_of(played, of, name.removeprefix(prefix))
    dealer, _, player = name.partition(", ")
    if scope in {PLAYER, PAIR}:
        played_by = scope == PLAYER or played.dealer_id == dealer
        return played_by and (name if scope == PLAYER else player) in _players(played)
    if scope == SEAT:
        return name in {f"{seat} at table {played.table}" for seat in _seats(played)}
    own = {
        TABLE: played.table,
        SHOE: f"{played.table}, {played.deck}" if played.deck else played.table,
        DEALER: played.dealer_id,
        SHIFT: played.shift,
    }
    return scope == OPERATOR or own.get(scope) == name


def _players(played: Round) -> set[str | None]:
    if isinstance(played, FiledRound):
        return {seat.get("player") for seat in played.line["seats"]}
    return {seat.player for seat in played.seats}


def _seats(played: Round) -> set[int]:
    if isinstance(played, FiledRound):
        return {seat["seat"] for seat in played.line["seats"]}
    return {seat.seat for seat in played.seats}
