"""`make advisories` never mistakes silence for safety."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests import advisories

if TYPE_CHECKING:
    from pathlib import Path

SAFE = {"name": "django", "version": "5.2.19", "vulns": []}
HOLE = {"id": "PYSEC-2019-16", "fix_versions": ["2.2.9"]}
OLD = {"name": "django", "version": "2.2", "vulns": [HOLE]}
UNKNOWN = {"name": "ours", "skip_reason": "Dependency not found"}


@pytest.mark.parametrize(
    ("pins", "says", "ended"),
    [
        ([SAFE], "1 packages, 0 holes", advisories.FINE),
        ([SAFE, OLD], "django 2.2: PYSEC-2019-16, mended in 2.2.9", advisories.FOUND),
        ([SAFE, UNKNOWN], "Not asked about: ours", advisories.NOT_ASKED),
        ([], "0 packages", advisories.NOT_ASKED),
    ],
)
def test_a_verdict_says_what_was_asked_and_found(pins: Any, says: str, ended: int) -> None:
    body, status = advisories.verdict("a.lock", {"dependencies": pins})
    assert says in body
    assert status == ended


STAND_IN = """
import json, sys
from pathlib import Path
requirements = sys.argv[sys.argv.index("--requirement") + 1]
answers = json.loads(Path(__file__).with_name("answers.json").read_text())
sys.stdout.write(answers[Path(requirements).name])
"""


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, **answers: str) -> None:
    """Replace pip-audit with a program that gives this answer about each file."""
    (folder / "pip_audit.py").write_text(STAND_IN)
    (folder / "answers.json").write_text(json.dumps(answers))
    monkeypatch.setenv("PYTHONPATH", str(folder))


def answer(*pins: Any) -> str:
    return json.dumps({"dependencies": pins})


@pytest.mark.parametrize("silence", ["", "not json", answer(), answer(OLD | {"vulns": []})])
def test_missing_known_advisory_fails(tmp_path, monkeypatch, capsys, silence):
    stand_in(tmp_path, monkeypatch, **{"control.txt": silence})
    assert advisories.main() == advisories.NOT_ASKED
    assert "Nothing could be asked" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("of_development", "ended"), [(SAFE, advisories.FINE), (OLD, advisories.FOUND)]
)
def test_every_lock_file_is_checked(tmp_path, monkeypatch, capsys, of_development, ended):
    answers = dict(zip(advisories.LOCKS, (answer(SAFE), answer(of_development)), strict=True))
    stand_in(tmp_path, monkeypatch, **{"control.txt": answer(OLD), **answers})
    assert advisories.main() == ended
    output = capsys.readouterr().out
    assert all(f"{lock}: asked about 1 packages" in output for lock in advisories.LOCKS)
