"""Building blocks of a report: headings, words, facts, tables, cards, and the sheet.

Nothing here knows PDF or HTML. All text is plain: markup is shown literally.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from games.explanation.words import cards_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping
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
class Item:
    """One of a numbered list: a sentence in bold, its details, and the page that has more."""

    lead: str
    says: str
    link: str = ""
    """The text of the link, such as a short id; it must be among the block's links."""


@dataclass(frozen=True)
class Items:
    """A numbered list of what matters most."""

    template: ClassVar[str] = "items"

    items: tuple[Item, ...]
    links: Mapping[str, str] = field(default_factory=dict)
    """Paths on the site by the text that links there."""

    @property
    def linked(self) -> list[tuple[Item, str]]:
        """Return its items, each with its path or nothing."""
        return [(item, self.links.get(item.link, "")) for item in self.items]


@dataclass(frozen=True)
class Passage:
    """A link, then small paragraphs, each of parts that begin with their name."""

    template: ClassVar[str] = "passage"

    paragraphs: tuple[tuple[tuple[str, str], ...], ...]
    before: str
    link: str
    links: Mapping[str, str] = field(default_factory=dict)

    @property
    def to(self) -> str:
        """Return the path of its link, or nothing."""
        return self.links.get(self.link, "")


@dataclass(frozen=True)
class Facts:
    """Names and their values; digests and similar values are `CODES`."""

    template: ClassVar[str] = "facts"

    rows: tuple[tuple[str, str], ...]
    align: Align = Align.WORDS
    links: Mapping[str, str] = field(default_factory=dict)
    """Paths on the site by the value that links there."""

    @property
    def linked(self) -> list[tuple[str, str, str]]:
        """Return its rows, each with the path of its value or nothing."""
        return [(name, value, self.links.get(value, "")) for name, value in self.rows]


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
    links: Mapping[str, str] = field(default_factory=dict)
    """Paths on the site by the cell that links there."""
    printed: int | None = None
    """Rows on the pages; the others are in the data alone, and the pages say so."""

    @property
    def unprinted(self) -> str:
        """Say how many rows the pages leave out; empty if none."""
        left = 0 if self.printed is None else len(self.rows) - self.printed
        return f"{left:,} more rows are in the attached data." if left > 0 else ""

    @property
    def labeled(self) -> list[list[tuple[Column, str, str]]]:
        """Return its rows, each cell with its column, and its path or nothing."""
        return [
            [
                (column, cell, self.links.get(cell, ""))
                for column, cell in zip(self.columns, row, strict=True)
            ]
            for row in self.rows[: self.printed]
        ]


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
class Hand:
    """Cards side by side, spelled as in round logs (`As`, `Td`, `Jo`, `Jo=Kd`)."""

    template: ClassVar[str] = "hand"

    label: str
    cards: tuple[str, ...]

    @property
    def in_words(self) -> str:
        """Return its cards as read aloud."""
        return cards_in_words(self.cards)


@dataclass(frozen=True)
class Place:
    """The dealer or a seat at a table: who, which cards, and whether a finding is about it."""

    title: str
    details: str
    hands: tuple[Hand, ...]
    is_marked: bool = False

    @property
    def in_words(self) -> str:
        """Return it as read aloud."""
        mark = " (with a finding)" if self.is_marked else ""
        hands = "; ".join(f"{each.label}: {each.in_words}" for each in self.hands)
        who = ", ".join(filter(None, (f"{self.title}{mark}", self.details)))
        return f"{who}: {hands or 'no cards logged'}"


@dataclass(frozen=True)
class Board:
    """A table as dealt: the dealer above, the seats around; those with a finding are marked."""

    template: ClassVar[str] = "board"

    places: tuple[Place, ...]


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


Block = Heading | Words | Points | Items | Passage | Facts | Rows | Callout | Hand | Board | Changed


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
    letterhead: tuple[str, ...] = ()
    """Lines at the top of a letter's first page: its agency's, the name last."""
    running: tuple[str, ...] = ()
    """Lines at the top of a letter's further pages, before the page's number."""
    data: bytes = field(default=b"", repr=False)
    """What the report was made from, attached to it."""
    marking: str = ""
    """Who may read it, printed on every page."""
    site: str = ""
    """Where the paths of links are; without it nothing is a link."""
    language: str = "en-US"
    keywords: tuple[str, ...] = field(default=())

    @property
    def tables(self) -> dict[str, Rows]:
        """Return its tables by name."""
        return {block.name: block for block in self.blocks if isinstance(block, Rows)}
