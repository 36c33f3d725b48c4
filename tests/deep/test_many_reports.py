"""Thousands of operators' nightly reports, made by a real worker whose memory stays flat."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from compliance.access.scope import without_access_scope
from reports.documents.models import Envelope, Report, ReportOrder
from tests.installation import wait_until

if TYPE_CHECKING:
    from tests.installation import Installation

pytestmark = pytest.mark.usefixtures("kernels")

OPERATORS = int(os.environ.get("DEEP_OPERATORS", "2000"))
MOST_GROWTH = 48 << 20
"""Bytes: a worker that kept one page of each report would grow by more."""
SECONDS_EACH = 3
SETTLED = 4
"""After this part of the reports a worker has loaded all that it keeps: fonts, kernels, rules."""


def memory_of(installation: Installation) -> int:
    """Bytes of the largest process."""
    sizes = [0]
    for process in installation.processes():
        try:
            answer = Path(f"/proc/{process}/status").read_text()
        except OSError:  # it has ended
            continue
        sizes += [int(line.split()[1]) << 10 for line in answer.splitlines() if "VmRSS" in line]
    return max(sizes)


@pytest.mark.deep
def test_nightly_reports_use_flat_memory(installation, record_property):
    made = f"from tests.deep.many_operators import make; make({OPERATORS})"
    laid = installation.manage("shell", "-c", made, seconds=1800)
    assert laid.returncode == 0, laid.stderr
    assert ReportOrder.objects.count() == OPERATORS
    worker = installation.start("serve", "--only", "worker")
    largest: dict[int, int] = {}
    """By quarter of the reports made."""

    def done() -> bool:
        time.sleep(0.2)
        assert worker.poll() is None, installation.output()
        waiting = ReportOrder.objects.exclude(state__in=("made", "failed")).count()
        quarter = SETTLED * (OPERATORS - waiting) // OPERATORS
        largest[quarter] = max(largest.get(quarter, 0), memory_of(installation))
        return not waiting

    wait_until(done, seconds=120 + SECONDS_EACH * OPERATORS)
    failed = ReportOrder.objects.filter(state="failed").values_list("about", "reason")
    assert not list(failed)
    with without_access_scope():
        reports = Report.objects.filter(kind="nightly")
        assert reports.count() == OPERATORS == Envelope.objects.count()
        assert reports.values("body").distinct().count() == OPERATORS  # each has its own name
        assert len(set(reports.values_list("pages", flat=True))) == 1  # and the same night
    settled, end = largest[min(k for k in largest if k)], largest[max(largest)]
    met = ", ".join(f"{largest[each] >> 20}" for each in sorted(largest))
    record_property("MiB of the largest process, by quarter of the reports", met)
    assert end - settled < MOST_GROWTH, largest
