"""Building blocks of a report: headings, words, facts, tables, charts, cards, and the sheet.

Nothing here knows PDF or HTML. All text is plain: markup is shown literally.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from games.explanation.words import cards_in_words

if TYPE_CHECKING:
    from datetime import datetime


class Align(Enum):
    """How a table column is aligned and read."""

    WORDS = "words"
    NUMBERS = "numbers"
    CODES = "codes"


class Mood(Enum):
    """What a callout asks of its reader; words say so too, never color alone."""

    PLAIN = "plain"
    GOOD = "good"
    ATTENTION = "attention"
    SERIOUS = "serious"


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the largest below the title. It is bookmarked and in the contents."""

    template: ClassVar[str] = "heading"

    says: str
    level: int = 1


@dataclass(frozen=True)
class Words:
    """A paragraph; `quiet` is for side remarks."""

    template: ClassVar[str] = "words"

    says: str
    quiet: bool = False


@dataclass(frozen=True)
class Points:
    """A list, numbered if its order matters."""

    template: ClassVar[str] = "points"

    says: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Facts:
    """Names and their values; digests and similar values are `CODES`."""

    template: ClassVar[str] = "facts"

    rows: tuple[tuple[str, str], ...]
    align: Align = Align.WORDS


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    title: str
    align: Align = Align.WORDS


@dataclass(frozen=True)
class Rows:
    """A table. `name` is its CSV file's name; the caption appears above it."""

    template: ClassVar[str] = "rows"

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str = "Nothing."

    @property
    def labeled(self) -> list[list[tuple[Column, str]]]:
        """Return its rows, each cell with its column."""
        return [list(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Callout:
    """Something that must not be overlooked."""

    template: ClassVar[str] = "callout"

    heading: str
    says: str
    mood: Mood = Mood.PLAIN

    @property
    def alert(self) -> str:
        """Return the design system's name for its mood."""
        return {
            Mood.PLAIN: "info",
            Mood.GOOD: "success",
            Mood.ATTENTION: "warning",
            Mood.SERIOUS: "error",
        }[self.mood]


@dataclass(frozen=True)
class Bar:
    """One bar of a chart: its name, its length, and the figure as text."""

    name: str
    value: int
    says: str


@dataclass(frozen=True)
class Bars:
    """A chart of horizontal bars; `alternative` describes it in a sentence."""

    template: ClassVar[str] = "bars"

    caption: str
    bars: tuple[Bar, ...]
    alternative: str

    @property
    def longest(self) -> int:
        """Return the largest value; 1 if there is none, so that lengths can be divided by it."""
        return max((bar.value for bar in self.bars), default=0) or 1


@dataclass(frozen=True)
class Hand:
    """Cards side by side, spelled as in round logs (`As`, `Td`, `Jo`, `Jo=Kd`)."""

    template: ClassVar[str] = "hand"

    label: str
    cards: tuple[str, ...]

    @property
    def in_words(self) -> str:
        """Return its cards as read aloud."""
        return cards_in_words(self.cards)


class Change(Enum):
    """What became of a line since the previous version."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True)
class Changed:
    """Lines of a text, each marked with its change since the previous version."""

    template: ClassVar[str] = "changed"

    lines: tuple[tuple[Change, str], ...]


Block = Heading | Words | Points | Facts | Rows | Callout | Bars | Hand | Changed


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A whole report: its title, who made it and when, and its blocks in order."""

    title: str
    reference: str
    agency: str
    made: datetime
    demonstration: bool
    blocks: tuple[Block, ...]
    subject: str = ""
    addressed: tuple[str, ...] = ()
    contents: bool = False
    front: int = 0
    """How many blocks come before the contents."""
    language: str = "en-US"
    keywords: tuple[str, ...] = field(default=())

    @property
    def tables(self) -> dict[str, Rows]:
        """Return its tables by name."""
        return {block.name: block for block in self.blocks if isinstance(block, Rows)}
