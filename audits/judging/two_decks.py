"""At which tables of a day two decks were in use with a shuffling machine (P2-1, P2-I8)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from audits.segments.refusals import DamagedSegmentError
from games.judge.sequence import ALTERNATING
from games.round_log.columns_parquet import LINE
from games.round_log.form import Rejection, read_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from audits.judging.terms import Terms
    from audits.segments.tails import Tail
    from games.round_log.round import Round

COLUMNS = ["table", "deck", "shuffler", LINE]


def tables_with_two_decks(segment: Path, before: Iterable[Round]) -> frozenset[str]:
    """The tables of a segment of Pick 2 Poker where more than one deck is named.

    It is a matter of a table and a gambling day, as of a log in the filter; `before` are rounds of
    the day's earlier pieces.

    Raises:
        DamagedSegmentError: the file cannot be read as it was written.
    """
    decks: dict[str, set[str]] = defaultdict(set)
    for round_ in before:
        _note(decks, round_)
    try:
        with pq.ParquetFile(segment, page_checksum_verification=True) as file:
            for group in range(file.num_row_groups):
                rows = file.read_row_group(group, columns=COLUMNS, use_threads=False)
                _note_rows(decks, rows)
    except (pa.ArrowException, OSError) as error:
        raise DamagedSegmentError(segment, error) from None
    return frozenset(table for table, names in decks.items() if len(names) > 1)


def tables_under(terms: Terms, segment: Path, tails: Iterable[Tail]) -> frozenset[str]:
    """The same of the terms' day, of whose earlier pieces the tails tell; none in other games."""
    if terms.game != ALTERNATING:
        return frozenset()
    rounds = (round_ for tail in tails for round_ in tail.rounds() if round_.at >= terms.begin)
    return tables_with_two_decks(segment, rounds)


def _note_rows(decks: dict[str, set[str]], rows: pa.Table) -> None:
    shuffled = rows.filter(pc.equal(rows["shuffler"], 1))
    for pair in shuffled.group_by(["table", "deck"]).aggregate([]).to_pylist():
        if pair["deck"] is not None:
            decks[pair["table"]].add(pair["deck"])
    for text in rows.filter(pc.is_valid(rows[LINE]))[LINE].to_pylist():
        round_ = read_line(text.encode())
        if not isinstance(round_, Rejection):
            _note(decks, round_)


def _note(decks: dict[str, set[str]], round_: Round) -> None:
    if round_.shuffler and round_.deck is not None:
        decks[round_.table].add(round_.deck)
