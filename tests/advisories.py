"""`make advisories`: check the pinned versions in the lock files for known vulnerabilities.

pip-audit reports nothing if it can't reach its source, and exits with 0. So it is first asked about
a version whose vulnerabilities have been public for years: if it finds none of those, its silence
means nothing. The exit status is 0 if there are none, 1 if there are some, 2 if nothing could be
asked.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "requirements-dev.lock")
KNOWN_TO_HAVE_HOLES = "django==2.2"
SECONDS = "20"
FINE, FOUND, NOT_ASKED = 0, 1, 2


def main() -> int:
    """Ask, print the result, and return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        control = Path(folder) / "control.txt"
        control.write_text(f"{KNOWN_TO_HAVE_HOLES}\n")
        if not holes_in(asked(control)):
            print(
                f"Nothing could be asked: no hole is told of {KNOWN_TO_HAVE_HOLES}, which has "
                "many. Ask again from where pypi.org answers; till then nothing is known safe."
            )
            return NOT_ASKED
    status = FINE
    for name in LOCKS:
        says, ended = verdict(name, asked(ROOT / name))
        print(says)
        status = max(status, ended)
    return status


def asked(requirements: Path) -> dict[str, Any]:
    """Return pip-audit's answer about these pins, or nothing if it gives none."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(requirements)]
    command += ["--disable-pip", "--no-deps", "--format", "json", "--timeout", SECONDS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {}
    return answer


def holes_in(answer: dict[str, Any]) -> list[str]:
    """Return every vulnerability in an answer: package, version, name, and where it is fixed."""
    return [
        f"{each['name']} {each['version']}: {hole['id']}, mended in "
        f"{', '.join(hole.get('fix_versions') or ()) or 'no version yet'}"
        for each in answer.get("dependencies", ())
        for hole in each.get("vulns", ())
    ]


def verdict(name: str, answer: dict[str, Any]) -> tuple[str, int]:
    """Return the text and the exit status for a lock file."""
    pins = answer.get("dependencies", [])
    passed_over = sorted(each["name"] for each in pins if "vulns" not in each)
    holes = holes_in(answer)
    lines = [f"{name}: asked about {len(pins) - len(passed_over)} packages, {len(holes)} holes."]
    lines += [f"  {hole}" for hole in holes]
    if passed_over:
        lines.append(f"  Not asked about: {', '.join(passed_over)}.")
    if holes:
        return "\n".join(lines), FOUND
    return "\n".join(lines), NOT_ASKED if passed_over or not pins else FINE


if __name__ == "__main__":
    sys.exit(main())
