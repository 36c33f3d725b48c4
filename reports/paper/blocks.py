"""What a report is made of: headings, words, facts, tables, charts, cards, and the sheet of them.

Nothing here knows PDF or HTML. Every text is plain: what looks like markup is shown as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from games.story.card_words import cards_in_words

if TYPE_CHECKING:
    from datetime import datetime


class Align(Enum):
    """How a column of a table stands, and how it is read."""

    WORDS = "words"
    NUMBERS = "numbers"
    CODES = "codes"


class Mood(Enum):
    """What a callout asks of its reader; it is said in words too, never by colour alone."""

    PLAIN = "plain"
    GOOD = "good"
    ATTENTION = "attention"
    SERIOUS = "serious"


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the largest below the title. It is a bookmark and in the contents."""

    template: ClassVar[str] = "heading"

    says: str
    level: int = 1


@dataclass(frozen=True)
class Words:
    """A paragraph; `quiet` for what is said beside the matter."""

    template: ClassVar[str] = "words"

    says: str
    quiet: bool = False


@dataclass(frozen=True)
class Points:
    """A list, numbered where its order counts."""

    template: ClassVar[str] = "points"

    says: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Facts:
    """Names and what stands for each; digests and the like are `CODES`."""

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
    """A table. `name` is its file's name as CSV; the caption is said above it."""

    template: ClassVar[str] = "rows"

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str = "Nothing."

    @property
    def labelled(self) -> list[list[tuple[Column, str]]]:
        """Its rows, each cell with its column."""
        return [list(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Callout:
    """What must not be overlooked."""

    template: ClassVar[str] = "callout"

    heading: str
    says: str
    mood: Mood = Mood.PLAIN

    @property
    def alert(self) -> str:
        """What the design system of the pages calls its mood."""
        return {
            Mood.PLAIN: "info",
            Mood.GOOD: "success",
            Mood.ATTENTION: "warning",
            Mood.SERIOUS: "error",
        }[self.mood]


@dataclass(frozen=True)
class Bar:
    """One bar of a chart: its name, its length, and the figure as people read it."""

    name: str
    value: int
    says: str


@dataclass(frozen=True)
class Bars:
    """A chart of horizontal bars; `alternative` says in a sentence what it shows."""

    template: ClassVar[str] = "bars"

    caption: str
    bars: tuple[Bar, ...]
    alternative: str

    @property
    def longest(self) -> int:
        """The largest value; 1 where there is none, so that lengths can be divided by it."""
        return max((bar.value for bar in self.bars), default=0) or 1


@dataclass(frozen=True)
class Hand:
    """Cards laid side by side, spelled as in round logs (`As`, `Td`, `Jo`, `Jo=Kd`)."""

    template: ClassVar[str] = "hand"

    label: str
    cards: tuple[str, ...]

    @property
    def in_words(self) -> str:
        """Its cards as they are read out."""
        return cards_in_words(self.cards)


class Change(Enum):
    """What became of a line since the version before."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True)
class Changed:
    """Lines of a text, each marked as it stands against the version before."""

    template: ClassVar[str] = "changed"

    lines: tuple[tuple[Change, str], ...]


Block = Heading | Words | Points | Facts | Rows | Callout | Bars | Hand | Changed


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A whole report: what it is called, by whom and when it was made, and its blocks in order."""

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
    """How many blocks stand before the contents."""
    language: str = "en-US"
    keywords: tuple[str, ...] = field(default=())

    @property
    def tables(self) -> dict[str, Rows]:
        """Its tables by their names."""
        return {block.name: block for block in self.blocks if isinstance(block, Rows)}
