"""Makes docs/reference/odds.md: the odds of every game beside published figures.

`python -m tests.games.odds_page [GAME ...]` counts those of the games named, or of all games, which
takes ten minutes; the other rows stay.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from games.commands.definitions import definition_named, seed_definitions

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "odds.md"
PUBLISHED = Path(__file__).with_name("published_odds.toml")
OPTIMAL = {"none": "no decision", "optimal": "best play"}

INTRODUCTION = """\
# Odds

Made by `make odds`; nothing here is typed but the published figures and their sources. Each edge is
the house's share of the wager, or of the ante, under the default interpretations and first pay
tables, unless the terms say otherwise. An edge that was counted exactly has no standard error; one
that was estimated by play states it, in points. A wager that is missing depends on decisions whose
odds are not counted yet.
`python -m games odds GAME` also prints hit rates and variances.

Of wizardofodds.com, a stored page of Texas Hold'em Bonus was read. Its other figures are the ones
that the tests expect, rounded, and were not looked up again.

| game | wager | terms | how it is played | house edge | standard error | published | source |
| --- | --- | --- | --- | ---: | ---: | ---: | --- |
"""


def main(slugs: list[str]) -> None:
    """Count odds and write the page."""
    kept = PAGE.read_text().splitlines(keepends=True) if PAGE.exists() else []
    lines = []
    for slug in seed_definitions():
        if not slugs or slug in slugs:
            lines += [f"| {' | '.join(row)} |\n" for row in _rows(slug)]
        else:
            lines += [
                each for each in kept if each.startswith(f"| {definition_named(slug).name} |")
            ]
    PAGE.write_text(INTRODUCTION + "".join(lines))


def _rows(slug: str) -> list[list[str]]:
    figures = tomllib.loads(PUBLISHED.read_text()).get(slug, [])
    name = definition_named(slug).name
    rows = []
    for options in dict.fromkeys([(), *(tuple(each.get("options", ())) for each in figures)]):
        found = _odds(slug, options)
        if not found and not options:
            return [[name, "–", "", "no odds are stated", *4 * [""]]]
        of_options = [each for each in figures if tuple(each.get("options", ())) == tuple(options)]
        asked = {each["wager"] for each in of_options}
        rows += [
            _row(name, options, each, of_options)
            for each in found
            if not options or each["wager"] in asked
        ]
    return rows


def _odds(slug: str, options: tuple[str, ...]) -> list[dict[str, Any]]:
    call = [sys.executable, "-m", "games", "odds", slug, "--json", *options]
    done = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        sys.stderr.write(f"{slug} {' '.join(options)}: {done.stderr}")
        return []
    answer: list[dict[str, Any]] = json.loads(done.stdout)
    return answer


def _row(
    name: str, options: tuple[str, ...], odds: dict[str, Any],
    figures: list[dict[str, Any]],
) -> list[str]:  # fmt: skip
    published = next((each for each in figures if each["wager"] == odds["wager"]), None)
    strategy = odds["strategy"]
    return [
        name,
        f"`{odds['wager']}`",
        f"`{' '.join(options)}`" if options else " ".join(odds.get("terms", ())),
        OPTIMAL.get(strategy, strategy.replace("_", " ")),
        f"{float(odds['edge']) * 100:.4f} %",
        "" if odds["exact"] else f"{float(odds['error']) * 100:.4f}",
        f"{published['edge']:.2f} %" if published else "",
        published["source"] if published else "",
    ]


if __name__ == "__main__":
    main(sys.argv[1:])
