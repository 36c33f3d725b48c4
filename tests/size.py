"""Measure the code and its tests, and write docs/reference/size.md: `make size`.

A walk is the number of files of ours in which something runs while one thing happens: what someone
has to open to follow it, what starts up included. A plugin of pytest counts it while one test runs.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "size.md"
FOLDERS = ("games", "compliance", "audits", "reports")
WALKS = {
    "a log line to its round on a page": "tests/audits/rounds/test_round_page.py::"
    "test_a_wrong_round_says_first_what_was_found_and_what_it_moved",
    "controls from a draft to in effect": "tests/compliance/controls/test_filing.py::"
    "test_a_version_is_approved_in_writing_and_takes_effect",
    "a report from its schedule to a signed PDF": "tests/reports/test_nightly.py::"
    "test_late_log_makes_a_numbered_supplement",
}
BEFORE = {
    "`games/`: lines": "18,594",
    "`games/`: files": "164",
    "`compliance/`: lines": "36,549",
    "`compliance/`: files": "407",
    "`audits/`: lines": "26,249",
    "`audits/`: files": "247",
    "`reports/`: lines": "12,108",
    "`reports/`: files": "112",
    "source files": "930",
    "median lines of a file": "81",
    "lines that are imports": "10.7%",
    "lines of migrations": "6,125",
    "lines of tests": "58,224",
    "tests in `make test`": "5,893",
    "`make test`, two cores": "10.0 min",
    "files walked through: a log line to its round on a page": "435",
    "files walked through: controls from a draft to in effect": "296",
    "files walked through: a report from its schedule to a signed PDF": "434",
}
"""The same figures at the last commit that had folders for layers."""


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Print how many of our files a test walks through."""
    walked: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            walked.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    yield
    sys.setprofile(None)
    threading.setprofile(None)  # type: ignore[arg-type]
    ours = [name for name in walked if _is_ours(Path(name))]
    sys.stdout.write(f"\nWALKED {item.nodeid.partition('[')[0]} {len(ours)}\n")


def _is_ours(path: Path) -> bool:
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in FOLDERS


def lines_of(paths: list[Path]) -> int:
    """Count the lines of files."""
    return sum(len(path.read_text().splitlines()) for path in paths)


def figures() -> Iterator[tuple[str, str]]:
    """Yield each figure with its name."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    python = [ROOT / name for name in listed.stdout.split()]
    code = [path for path in python if _is_ours(path) and "migrations" not in path.parts]
    for folder in FOLDERS:
        own = [path for path in code if path.is_relative_to(ROOT / folder)]
        yield f"`{folder}/`: lines", f"{lines_of(own):,}"
        yield f"`{folder}/`: files", f"{len(own)}"
    sizes = [len(path.read_text().splitlines()) for path in code]
    yield "source files", f"{len(code)}"
    yield "median lines of a file", f"{median(filter(None, sizes)):.0f}"
    imports = sum(_import_lines(path) for path in code)
    yield "lines that are imports", f"{imports / sum(sizes):.1%}"
    migrations = [path for path in python if "migrations" in path.parts]
    yield "lines of migrations", f"{lines_of(migrations):,}"
    tests = [path for path in python if path.is_relative_to(ROOT / "tests")]
    yield "lines of tests", f"{lines_of(tests):,}"
    begun = time.monotonic()
    ran = subprocess.run(["make", "test"], cwd=ROOT, capture_output=True, text=True, check=True)
    (passed,) = re.findall(r"(\d+) passed", ran.stdout)
    yield "tests in `make test`", f"{int(passed):,}"
    yield "`make test`, two cores", f"{(time.monotonic() - begun) / 60:.1f} min"
    yield from walks()


def _import_lines(path: Path) -> int:
    return sum(
        node.end_lineno - node.lineno + 1
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom) and node.end_lineno
    )


def walks() -> Iterator[tuple[str, str]]:
    """Yield how many files each walk goes through."""
    for name, node in WALKS.items():
        # Twice, because the first run may compile what the second finds in a cache.
        for _ in range(2):
            ran = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "-s", "-p", "tests.size", node],
                cwd=ROOT, capture_output=True, text=True, check=True,
            )  # fmt: skip
        (walked,) = re.findall(r"^WALKED \S+ (\d+)$", ran.stdout, re.MULTILINE)
        yield f"files walked through: {name}", walked


def main() -> None:
    """Write the page."""
    rows = [f"| {name} | {BEFORE.get(name, '')} | {now} |" for name, now in figures()]
    PAGE.write_text(
        "# Size of the code\n\nMade by `make size`; nothing here is typed. *Before* is the last"
        " commit whose folders were layers (`models/`, `services/`, `selectors/`, `web/`), measured"
        " in the same way. Folders are counted without migrations; walks include start-up.\n\n"
        "| | before | now |\n| --- | ---: | ---: |\n" + "\n".join(rows) + "\n"
    )


if __name__ == "__main__":
    main()
