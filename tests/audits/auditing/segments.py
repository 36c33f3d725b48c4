"""Segments made of log lines, constant terms, and findings as they are read back."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from audits.intake.segments.place import Place
from audits.intake.segments.segment_file import (
    BEFORE,
    THIRD_DECK,
    TWO_DECKS,
    Header,
    Rows,
    write_segment,
)
from audits.replay.auditing.findings import read_findings
from audits.replay.auditing.segment import audit_segment
from audits.replay.auditing.terms import Cap, Players, Span, Terms
from games.log.columns import Texts
from games.log.digests import digests_of
from games.log.form import Rejection, line_of, read_line
from games.log.gather import Gatherer
from games.log.parquet import LINE, of_table, to_table
from games.rule_set import rule_set

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from audits.replay.auditing.tally import AuditResult
    from games.log.round import Round

LOG = hashlib.sha256(b"the log").hexdigest()
EVER = 2**62
"""Instants from minus to plus this cover everything a log can name."""


def made_segment(path: Path, lines: Sequence[bytes], game: str) -> Path:
    """Write the segment of one log's rounds of a game, all on one day."""
    kept = []
    disturbed: set[str | None] = set()
    for number, line in enumerate(lines, 1):
        read = read_line(line.removesuffix(b"\n").removesuffix(b"\r"))
        if isinstance(read, Rejection):
            disturbed.add(read.table)
        elif read.game == game:
            kept.append((number, read, read.table in disturbed))
            disturbed.discard(read.table)
    decks: dict[str, list[str]] = {}
    for _, read, _ in kept:
        names = decks.setdefault(read.table, [])
        if read.shuffler and read.deck is not None and read.deck not in names:
            names.append(read.deck)
    kept.sort(key=lambda row: row[1].table)
    rounds = [(place, row[1], line_of(row[1])) for place, row in enumerate(kept, 1)]
    table = to_table(game, Gatherer(game).columns(), rounds).combine_chunks()
    source = np.array([number for number, _, _ in kept], np.int64)
    columns = of_table(game, table, source)
    rows = Rows(
        columns,
        Texts.of_arrow(table.column(LINE).combine_chunks()),
        digests_of(columns),
        np.zeros(len(kept), np.int32),
        source,
        np.array(
            [BEFORE * was | _decks(read, decks[read.table]) for _, read, was in kept], np.uint8
        ),
    )
    write_segment(path, Header(Place(game, date(2025, 7, 12)), 0, (LOG,)), rows)
    return path


def _decks(played: Round, names: list[str]) -> int:
    """Return the marks of a round at whose table the log names these decks, in this order."""
    if not played.shuffler or played.deck is None or len(names) < 2:
        return 0
    return TWO_DECKS | THIRD_DECK * (played.deck not in names[:2])


def terms_under(setup: dict[str, Any], game: str, **others: Any) -> Terms:
    """Return terms with a filter's SETUP always in effect; cap and players are legal limits."""
    approved = {key: value for key, value in setup.items() if key not in {"cap", "players"}}
    caps, players = (), ()
    if "cap" in setup and rule_set(game).house_banked:
        caps = (Cap(begin=-EVER, kind="wac", amount=setup["cap"], cites=("WAC 230-15-140(1)",)),)
    if "players" in setup:
        cites = ("WAC 230-15-055(1)",)
        players = (Players(begin=-EVER, most=setup["players"], cites=cites),)
    span = Span(begin=-EVER, end=EVER, setup=json.dumps(approved))
    return Terms(
        **{
            "game": game,
            "rule_set": rule_set(game).digest,
            "spans": (span,),
            "caps": caps,
            "players": players,
        }
        | others
    )


def audited(
    folder: Path, lines: Sequence[bytes], terms: Terms, carried: Path | None = None
) -> tuple[AuditResult, list[dict[str, Any]]]:
    """Audit a log's rounds; return the findings as the file contains them."""
    segment = made_segment(folder / "segment.parquet", lines, terms.game)
    out = folder / "findings.zst"
    outcome = audit_segment(segment=segment, terms=terms, out=out, carried=carried)
    return outcome, list(read_findings(out))
