"""Run tests that need millions of cases, and record the figures: `make deep`.

`DEEP_ROUNDS` (per game), `FUZZ_RUNS` and the other names of `AMOUNTS` set the amounts; the page
shows what they were. A run of some tests (`python -m tests.deep tests/deep/test_many_reports.py`)
leaves the rows of the others unchanged.
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
    "DEEP_MESSAGES": "1000000",
    "DEEP_MUTATED_LINES": "60000",
    "DEEP_MUTATED_FILES": "600",
    "DEEP_STREAMS": "1000000",
    "DEEP_CASH_NIGHTS": "1000",
    "DEEP_SEED": "deep",
}


@dataclass(eq=False)
class Figures:
    """Collects how each deep test ended, how long it took, and what it recorded."""

    run: str
    """When, of which commit, with which amounts."""
    rows: dict[str, str] = field(default_factory=dict)
    """The page's text for a test, by its name."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a test's call, or the set-up that kept it from being called."""
        if report.when == "call" or report.outcome == "failed":
            noted = "; ".join(f"{name}: {value}" for name, value in report.user_properties)
            on = " on PostgreSQL" if os.environ.get("DATABASE_URL") else ""
            self.rows[f"`{report.nodeid}`{on}"] = (
                f"{report.outcome} | {report.duration:,.1f} | {noted} | {self.run}"
            )


def this_run() -> str:
    """Return the day, commit and amounts of this run."""
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
    """Return the figures as a page."""
    written = "".join(f"| {name} | {says} |\n" for name, says in sorted(rows.items()))
    return (
        "# What needs millions\n\nMade by `make deep`; nothing here is typed. Each of these has a "
        "small twin in `make test`.\n\n"
        f"| test | outcome | seconds | noted | run |\n| --- | --- | --- | --- | --- |\n{written}"
    )


def earlier(page: str) -> dict[str, str]:
    """Return the rows of a page that was written earlier."""
    rows = [line[2:-2].split(" | ", 1) for line in page.splitlines() if line.startswith("| `")]
    return {name: says for name, says in rows if "::" in name}


def main() -> int:
    """Run the deep tests and write the page; return pytest's exit status."""
    figures = Figures(this_run())
    chosen = sys.argv[1:]
    status = pytest.main(["-m", "deep", *(chosen or [str(ROOT / "tests")])], plugins=[figures])
    before = earlier(PAGE.read_text()) if chosen else {}
    PAGE.write_text(page({**before, **figures.rows}))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
