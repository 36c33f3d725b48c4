"""Run what needs millions of cases, and keep the figures: `make deep`.

`DEEP_ROUNDS` (per game), `FUZZ_RUNS` and `DEEP_OPERATORS` say how much; the page says how much it
was.
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
    "DEEP_SEED": "deep",
}


@dataclass(eq=False)
class Figures:
    """Collects how each deep test ended, and how long it took."""

    rows: list[tuple[str, str, float]] = field(default_factory=list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a test's call, or the set-up that kept it from being called."""
        if report.when == "call" or report.outcome == "failed":
            self.rows.append((report.nodeid, report.outcome, report.duration))


def page(figures: Figures) -> str:
    """The figures as a page."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    amounts = ", ".join(f"`{name}={os.environ.get(name, each)}`" for name, each in AMOUNTS.items())
    rows = "".join(
        f"| `{name}` | {outcome} | {seconds:,.1f} |\n"
        for name, outcome, seconds in sorted(figures.rows)
    )
    return (
        "# What needs millions\n\nMade by `make deep`; nothing here is typed. Each of these has a "
        "small twin in `make test`.\n\n"
        f"Run on {datetime.now(UTC):%Y-%m-%d} at commit {commit}, with {amounts}.\n\n"
        f"| test | outcome | seconds |\n| --- | --- | --- |\n{rows}"
    )


def main() -> int:
    """Run the deep tests and write the page; pytest's status."""
    figures = Figures()
    arguments = ["-m", "deep", *sys.argv[1:]]
    status = pytest.main([*arguments, str(ROOT / "tests")], plugins=[figures])
    PAGE.write_text(page(figures))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
