"""A long PDF report: a table of 20,000 rows set as a tagged PDF.

Measured in a process of its own, because the fonts are found through Django's settings.

    .venv/bin/python -m tests.bench.reports
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

from tests.bench.measure import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS: Final = 20_000
FEWEST_PAGES: Final = 400
TIMES: Final = 3


def rows() -> Iterator[Row]:
    """Yield the CPU seconds for the report."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench.reports"],
        check=True,
        capture_output=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
    )
    durations = json.loads(ran.stdout)
    best, median = min(durations), statistics.median(durations)
    what = f"a table of {ROWS:,} rows as a tagged PDF, s of the processor"
    yield Row(what, f"{best:.2f} ({median:.2f})", "", best, 3, 1, "s", less=True)


def main() -> None:
    """Set the same table several times; print the seconds of each as JSON."""
    import django

    django.setup()
    from reports.rendering.build import build
    from reports.rendering.typography import current_faces
    from tests.reports.paper.sheets import money_table, sheet

    lines = [
        (f"2026-11-17-{n}", f"PP-{n % 40}", "ante", f"${n:,}.00", "$7.00") for n in range(ROWS)
    ]
    document, faces = sheet(money_table(lines)), current_faces()
    durations = []
    for _ in range(TIMES):
        begin = time.process_time()
        made = build(document, faces)
        durations.append(time.process_time() - begin)
        assert made.pages > FEWEST_PAGES
    sys.stdout.write(json.dumps(durations))


if __name__ == "__main__":
    main()
