"""Find British spellings and denied words: `python -m tests.words [--lower]`.

`allowed.txt` has how many of them each file still has. No file may have more, and a new one may
have none. `--lower` records what remains after some were removed.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ALLOWED = HERE / "allowed.txt"
TYPES = ("*.py", "*.html", "*.md", "*.toml", "*.txt", "*.js", "*.css", "Makefile")
NOT_OURS_OR_FIXED = (
    *(":!tests/words/", ":!tests/frozen/facts/", ":!tests/frozen/renames.toml"),
    ":!*/migrations/*",  # they run once, under the names of their time
)
PART_OF_A_NAME = r"[A-Z]+(?![a-z])|[A-Z]?[a-z']+"
NAMES_OF_OTHERS = "WriteableBuffer|socialaccount_login_cancelled|drawCentredString"
A_HAND_OF_CARDS = re.compile(r"(?:\b(?:for|each|second|if)|,) hand in\b|\bhands? in play\b")
ABOUT_CARDS = ("games/", "tests/games/", "docs/reference/clauses.md")
"""Where "hands in" means cards."""
LABEL = re.compile(
    r"<(h[1-6]|label|legend|th|dt|button|title)\b[^>]*>(?P<html>.*?)</\1>"
    r"|(?:label|title|caption|verbose_name)=\"(?P<value>[^\"]*)\""
    r"|(?:Heading|Column|Step)\(\s*\"(?P<call>[^\"]*)\"",
    re.DOTALL,
)


def main(*, lower: bool) -> int:
    """Print what is refused, or record what remains; return the exit status."""
    texts = {path: (ROOT / path).read_text() for path in _files() if (ROOT / path).exists()}
    refused = [*_misspelled(texts), *denied_in(texts)]
    counts = Counter(path for path, _ in refused)
    allowed = dict(_allowed())
    if lower:
        left = {path: min(count, allowed.get(path, 0)) for path, count in counts.items()}
        ALLOWED.write_text("".join(f"{n} {path}\n" for path, n in sorted(left.items()) if n))
    over = {path for path, count in counts.items() if count > allowed.get(path, 0)}
    for path, says in sorted(refused):
        if path in over:
            print(f"{path}{says}")
    for path in sorted(over):
        print(f"{path} has {counts[path]} of these, {allowed.get(path, 0)} were allowed.")
    print(f"{counts.total()} words in {len(counts)} files are still to be replaced.")
    return 1 if over else 0


def _files() -> list[str]:
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *TYPES]
    answer = subprocess.run(
        [*listed, *NOT_OURS_OR_FIXED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return answer.stdout.splitlines()


def _allowed() -> Iterator[tuple[str, int]]:
    for line in ALLOWED.read_text().splitlines():
        count, path = line.split(" ", 1)
        yield path, int(count)


def _misspelled(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    answer = subprocess.run(
        [Path(sys.executable).with_name("codespell"), "--builtin", "en-GB_to_en-US",
         "--regex", PART_OF_A_NAME, "--ignore-regex", NAMES_OF_OTHERS, *paths],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    for line in answer.stdout.splitlines():
        path, number, says = line.split(":", 2)
        yield path, f":{number}: {says.strip().replace(' ==> ', ': use ')}"


def denied_in(texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield every denied word of these files: the file, and where and what it is."""
    denied = tomllib.loads((HERE / "deny.toml").read_text())
    everywhere = _pattern(denied["everywhere"])
    for path, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            for found in everywhere.findall(A_HAND_OF_CARDS.sub("", line)):
                if found.lower().startswith("hand") and path.startswith(ABOUT_CARDS):
                    continue
                yield path, f":{number}: {_advice(found, denied['everywhere'])}"
        for label in LABEL.finditer(text):
            written = label["html"] or label["value"] or label["call"] or ""
            for found in _pattern(denied["labels"]).findall(written):
                yield path, f": {written.strip()!r}: {_advice(found, denied['labels'])}"
        if path.endswith(".py"):
            for name in _defined(path, text):
                for part in sorted(denied["names"].keys() & {*_parts(name)}):
                    yield path, f": the name {name}: {_advice(part, denied['names'])}"


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    written = "|".join(word.replace(" ", r"[\s_-]+") for word in words)
    return re.compile(rf"(?<![^\W_])(?:{written})(?![^\W_])", re.IGNORECASE)


def _advice(found: str, words: dict[str, str]) -> str:
    word = re.sub(r"[\s_-]+", " ", found).lower()
    return f"{found}: use {words[word]}"


def _parts(name: str) -> Iterator[str]:
    for part in re.findall(PART_OF_A_NAME, name):
        yield part.lower()


def _defined(path: str, text: str) -> Iterator[str]:
    """Yield every name that a module defines, and its own."""
    yield Path(path).stem
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                yield name
            case ast.arg(name) | ast.Name(name, ast.Store()):
                yield name


if __name__ == "__main__":
    sys.exit(main(lower="--lower" in sys.argv))
