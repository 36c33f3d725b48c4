"""Each threat names its test, and that test exists."""

from __future__ import annotations

import ast
import re

from tests.installation import ROOT

MODEL = (ROOT / "THREAT_MODEL.md").read_text()
TESTS = ROOT / "tests"


def existing() -> set[str]:
    return {
        node.name
        for place in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(place.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_threat_names_a_test_that_exists():
    functions = existing()
    files = {str(place.relative_to(TESTS)) for place in TESTS.rglob("*.py")}
    lacking = []
    threat_rows = MODEL.partition("## The event log and history")[2].partition("## Not in scope")[0]
    looked_at = 0
    for line in threat_rows.splitlines():
        if not line.startswith("| ") or line.startswith(("| threat", "| ---")):
            continue
        looked_at += 1
        named = re.findall(r"`([\w/]+\.py|test_\w+)`", line.strip("| ").split("|")[-1])
        found = [
            any(file.endswith(each) for file in files)
            if each.endswith(".py")
            else each in functions
            for each in named
        ]
        if not found or not all(found):
            lacking.append(line)
    assert lacking == []
    assert looked_at > 40
