"""Pay tables as a document prints them, read from its text for a person to confirm."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from games.cards import RANKS

if TYPE_CHECKING:
    from collections.abc import Iterator

ODDS: Final = re.compile(
    r"(?<![\d$.,/])(?P<pays>\d[\d,]*)(?:\s*(?P<word>to|for|:)\s*(?P<to>\d+))(?![\d,/%-])",
    re.IGNORECASE,
)
BARE: Final = re.compile(r"(?<=[\t ])(?P<pays>\d[\d,]*)(?=[ \t]*$|\t)|^(?P<alone>\d[\d,]*)$")
TO_ONE: Final = re.compile(r"\(to (?:1|one)\)", re.IGNORECASE)
"""The heading of a column that only has numbers."""
NUMBERS: Final = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "10": "ten",
}  # fmt: skip
SAME: Final = {  # other names of hands, in documents and in definitions
    "trips": "three_of_a_kind",
    "quads": "four_of_a_kind",
    "one_pair": "pair",
    "two_pair": "two_pairs",
    "straights": "straight",
    "flushes": "flush",
    "a_pair": "pair",
}
OR_BETTER: Final = re.compile(r"(?:(?:a_)?pair_of_)?([a-z]+)_or_(?:better|higher)")
RANK_WORDS: Final = {
    "aces": "A", "kings": "K", "queens": "Q", "jacks": "J", "tens": "T", "nines": "9",
    "eights": "8", "sevens": "7", "sixes": "6", "fives": "5", "fours": "4", "threes": "3",
    "twos": "2",
}  # fmt: skip
LONGEST_LINE: Final = 60
MOST_WORDS: Final = 9


@dataclass(frozen=True)
class PrintedLine:
    """A line of a pay table in a document: its words, its name, and what it pays to 1."""

    words: str
    name: str
    pays: Fraction
    column: int
    """Its place among the lines that are printed beside each other, from 0."""
    lowest: str = ""
    """The lowest rank of a pair, where the line says one: jacks or better."""
    is_for_one: bool = False
    """Whether the document prints the odds as N for 1, which is N - 1 to 1."""

    @property
    def odds(self) -> int | str:
        """Return the odds to 1 as a definition has them."""
        pays = self.pays
        return pays.numerator if pays.denominator == 1 else f"{pays.numerator}/{pays.denominator}"


def printed_lines(text: str) -> list[PrintedLine]:
    """Return the lines of pay tables in a text; a name may be on the line above its odds."""
    found = list(_lines(text, ODDS))
    if not found or TO_ONE.search(text):
        found = list(_lines(text, BARE)) or found
    return found


def prints_odds(text: str) -> bool:
    """Return whether a text says that its numbers are odds: points and counts are not."""
    return ODDS.search(text) is not None or TO_ONE.search(text) is not None


def lines_as_written(
    lines: list[PrintedLine], column: int = 0, *, with_ranks: bool = True
) -> dict[str, Any]:
    """Return the lines of one column as a definition has them; the first of a name counts.

    `with_ranks` says of a pair which ranks it has; games settled by name know their lines.
    """
    written: dict[str, Any] = {}
    for each in lines:
        if each.column == column:
            ranked = {"pays": each.odds, "hand": "pair", "from": each.lowest}
            written.setdefault(each.name, ranked if each.lowest and with_ranks else each.odds)
    return written


def _lines(text: str, odds: re.Pattern[str]) -> Iterator[PrintedLine]:
    above = ""
    for line in text.splitlines():
        start, column = 0, 0
        for found in odds.finditer(line):
            words = _plain(line[start : found.start()]) or (above if column == 0 else "")
            start = found.end()
            named = _named(words)
            if named is not None:
                name, lowest = named
                pays, is_for_one = _pays(found)
                yield PrintedLine(words, name, pays, column, lowest, is_for_one)
            column += 1
        above = "" if column else _plain(line)


def _pays(found: re.Match[str]) -> tuple[Fraction, bool]:
    groups = found.groupdict()
    pays = int((groups["pays"] or groups["alone"]).replace(",", ""))
    is_for_one = (groups.get("word") or "").lower() == "for"
    odds = Fraction(pays, max(1, int(groups.get("to") or 1)))
    return (odds - 1 if is_for_one else odds), is_for_one


def _plain(words: str) -> str:
    return " ".join(re.sub(r"[|•*….–—_]{1,}|\bpays?\b", " ", words).split()).strip(" :,;-")


def _named(words: str) -> tuple[str, str] | None:
    """Return the name of a line, and its lowest rank; None if the words are no name of a hand."""
    if not words or len(words) > LONGEST_LINE or len(words.split()) > MOST_WORDS:
        return None
    name = re.sub(r"[^a-z0-9]+", "_", re.sub(r"['’]s\b", "s", words.lower())).strip("_")
    name = "_".join(map(_spelled, name.split("_")))
    name = SAME.get(name, name)[:32].strip("_")
    if not name or not name[0].isalnum():
        return None
    or_better = OR_BETTER.fullmatch(name)
    rank = RANK_WORDS.get(_plural(or_better[1]), "") if or_better else ""
    assert not rank or rank in RANKS  # noqa: S101
    return name, rank


def _spelled(word: str) -> str:
    """Return a number as a word: 3 is three, 6s are sixes."""
    if word[:-1] in NUMBERS and word.endswith("s"):
        return _plural(NUMBERS[word[:-1]])
    return NUMBERS.get(word, word)


def _plural(word: str) -> str:
    return word if word.endswith("s") else f"{word}s".replace("sixs", "sixes")
