"""Run what needs millions of cases, and keep the figures: `make deep`.

`DEEP_ROUNDS` (per game), `FUZZ_RUNS`, `DEEP_OPERATORS` and `DEEP_SHARED_ROUNDS` say how much; the
page says how much it was. A run of some tests (`python -m tests.deep
tests/deep/test_many_reports.py`) leaves the rows of the others.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "deep.md"
AMOUNTS = {
    "DEEP_ROUNDS": "100000",
    "FUZZ_RUNS": "100000",
    "DEEP_OPERATORS": "2000",
    "DEEP_SHARED_ROUNDS": "1000000",
    "DEEP_SEED": "deep",
}


@dataclass(eq=False)
class Figures:
    """Collects how each deep test ended, how long it took, and what it noted."""

    run: str
    """When, of which commit, with how much."""
    rows: dict[str, str] = field(default_factory=dict)
    """What the page says of a test, by its name."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a test's call, or the set-up that kept it from being called."""
        if report.when == "call" or report.outcome == "failed":
            noted = "; ".join(f"{name}: {value}" for name, value in report.user_properties)
            self.rows[f"`{report.nodeid}`"] = (
                f"{report.outcome} | {report.duration:,.1f} | {noted} | {self.run}"
            )


def this_run() -> str:
    """The day, the commit and the amounts of this run."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    amounts = ", ".join(f"`{name}={os.environ.get(name, each)}`" for name, each in AMOUNTS.items())
    return f"{datetime.now(UTC):%Y-%m-%d}, {commit}, {amounts}"


def page(rows: dict[str, str]) -> str:
    """The figures as a page."""
    written = "".join(f"| {name} | {says} |\n" for name, says in sorted(rows.items()))
    return (
        "# What needs millions\n\nMade by `make deep`; nothing here is typed. Each of these has a "
        "small twin in `make test`.\n\n"
        f"| test | outcome | seconds | noted | run |\n| --- | --- | --- | --- | --- |\n{written}"
    )


def earlier(page: str) -> dict[str, str]:
    """The rows of a page that was written before."""
    rows = [line[2:-2].split(" | ", 1) for line in page.splitlines() if line.startswith("| `")]
    return {name: says for name, says in rows if "::" in name}


def main() -> int:
    """Run the deep tests and write the page; pytest's status."""
    figures = Figures(this_run())
    chosen = sys.argv[1:]
    status = pytest.main(["-m", "deep", *(chosen or [str(ROOT / "tests")])], plugins=[figures])
    before = earlier(PAGE.read_text()) if chosen else {}
    PAGE.write_text(page({**before, **figures.rows}))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
