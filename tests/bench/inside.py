"""Measurements within an installation: the terms on file, finding a round, bare settlement.

python -m tests.bench.inside setup | find ID ... | judge
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from compliance.access.models import Party

OPERATOR = "cedar"
SEGMENTS = 6
"""The number of segments to audit, and to decode, to compare the two."""


def main(what: str, *arguments: str) -> None:
    """Measure and print as JSON."""
    django.setup()
    from compliance.access.models import Party
    from compliance.access.scope import without_access_scope

    with without_access_scope():
        operator = Party.objects.get(code=OPERATOR)
        answer: Any = {"setup": setup, "find": find, "judge": settle}[what](operator, *arguments)
    sys.stdout.write(json.dumps(answer))


def setup(operator: Party) -> str:
    """Return the set-up of the operator's terms at the beginning of the night, as SETUP.json."""
    from audits.replay.terms import terms_of
    from tests.bench.long_log import CLOSING, GAME, OPENING

    terms = terms_of(operator=operator, game=GAME, begin=OPENING, end=CLOSING)
    return terms.spans[0].setup


def find(operator: Party, *ids: str) -> list[float]:
    """Return how long it took to find each of these rounds, in wall-clock seconds."""
    from audits.intake.rounds import find_round

    times = []
    for each in ids:
        began = time.perf_counter()
        found = find_round([operator], each)
        times.append(time.perf_counter() - began)
        assert found is not None, each
        assert found.found.round.round == each
    return times


def settle(operator: Party) -> dict[str, float]:
    """Return the rounds of some segments, and the CPU seconds to decode them and to audit them."""
    import pyarrow.parquet as pq

    from audits.replay.auditing.segment import audit_segment
    from audits.replay.auditing.terms import read_terms
    from audits.replay.models import Replay
    from compliance.files.archive import current_archive, read_bytes

    archive = current_archive()
    replay = Replay.objects.filter(party=operator).latest("pk")
    units = list(replay.units.select_related("segment").order_by("position")[:SEGMENTS])
    times: dict[str, list[float]] = {"decoding": [], "judging": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(4):
            decoding = settling = 0.0
            for unit in units:
                terms = read_terms(read_bytes(archive, unit.terms))
                with archive.fetch(unit.segment.sha256) as path:
                    began = time.process_time()
                    with pq.ParquetFile(path) as file:
                        for group in range(file.num_row_groups):
                            file.read_row_group(group, use_threads=False)
                    decoded = time.process_time()
                    audit_segment(segment=path, terms=terms, out=Path(folder) / "findings")
                    decoding += decoded - began
                    settling += time.process_time() - decoded
            times["decoding"].append(decoding)
            times["judging"].append(settling)
    return {
        "rounds": sum(unit.segment.rounds for unit in units),
        **{what: min(seconds) for what, seconds in times.items()},
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
