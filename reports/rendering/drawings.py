"""Drawings of callouts, items and playing cards; suits are distinct without color."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import white
from reportlab.pdfgen.canvas import FILL_NON_ZERO
from reportlab.platypus import Flowable

from games.explanation.words import cards_in_words
from reports.rendering.typography import (
    BLUE,
    GROUNDS,
    INK,
    LINE,
    QUIET,
    RED,
    WIDTH,
    lines_of,
    width_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reportlab.pdfgen.pathobject import PDFPathObject as Path

    from reports.rendering.blocks import Callout, Item
    from reports.rendering.tagging import Element, Place, TaggedCanvas
    from reports.rendering.typography import Faces


CALLOUT_SIZE, CALLOUT_LEADING = 10.0, 14.2
CALLOUT_SIDE, CALLOUT_PAD = 4.0, 9.0
MOST_LINES = 34
"""Maximum lines in one callout; the rest continues in another one on the next page."""


class DrawnCallout(Flowable):  # type: ignore[misc]
    """One callout, or the next part of a long one."""

    def __init__(self, callout: Callout, faces: Faces, begin: int = 0) -> None:
        super().__init__()
        inner = WIDTH - CALLOUT_SIDE - 2 * CALLOUT_PAD
        self.mood = callout.mood
        self.faces = faces
        self.heading = (
            [] if begin else lines_of(callout.heading, faces.strong, CALLOUT_SIZE + 1, inner)
        )
        every = lines_of(callout.says, faces.text, CALLOUT_SIZE, inner)
        self.words = every[begin : begin + MOST_LINES]
        self.canv: TaggedCanvas

    @classmethod
    def all_of(cls, callout: Callout, faces: Faces) -> list[DrawnCallout]:
        """Make as many as the words need."""
        lines = lines_of(
            callout.says, faces.text, CALLOUT_SIZE, WIDTH - CALLOUT_SIDE - 2 * CALLOUT_PAD
        )
        return [cls(callout, faces, begin) for begin in range(0, len(lines), MOST_LINES)]

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size it takes."""
        self.width = WIDTH
        self.height = CALLOUT_LEADING * (len(self.heading) + len(self.words)) + 2 * CALLOUT_PAD
        return self.width, self.height

    def getSpaceAfter(self) -> float:  # noqa: N802 - ReportLab's name
        """Return the distance to what follows."""
        return 10.0

    def getSpaceBefore(self) -> float:  # noqa: N802 - ReportLab's name
        """Return the distance to what precedes."""
        return 4.0

    def draw(self) -> None:
        """Draw the background as an artifact, the words as a note."""
        canvas = self.canv
        ground, side = GROUNDS[self.mood.value]
        with canvas.artifact():
            canvas.setFillColor(ground)
            canvas.rect(0, 0, WIDTH, self.height, stroke=0, fill=1)
            canvas.setFillColor(side)
            canvas.rect(0, 0, CALLOUT_SIDE, self.height, stroke=0, fill=1)
        y = self.height - CALLOUT_PAD - CALLOUT_SIZE
        with canvas.inside(canvas.element("Sect")):
            for lines, face, size in (
                (self.heading, self.faces.strong, CALLOUT_SIZE + 1),
                (self.words, self.faces.text, CALLOUT_SIZE),
            ):
                if not lines:
                    continue
                with canvas.tagged("P"):
                    canvas.setFillColor(INK)
                    canvas.setFont(face, size)
                    for line in lines:
                        canvas.drawString(CALLOUT_SIDE + CALLOUT_PAD, y, line)
                        y -= CALLOUT_LEADING


ITEM_SIZE, ITEM_LEADING, ITEM_INDENT, ITEM_GAP = 9.5, 12.6, 17.0, 6.0


class DrawnItem(Flowable):  # type: ignore[misc]
    """One item of a numbered list: its number, a sentence in bold, details, and a link."""

    def __init__(self, number: int, item: Item, to: str, faces: Faces, place: Place) -> None:
        super().__init__()
        self.number, self.item, self.to, self.faces, self.place = number, item, to, faces, place
        width = WIDTH - ITEM_INDENT
        self.lead = lines_of(item.lead, faces.strong, ITEM_SIZE, width)
        self.says = lines_of(item.says, faces.text, ITEM_SIZE, width) if item.says else []
        self.beside = bool(self.says) and item.link != ""
        if self.beside:
            last = width_of(f"{self.says[-1]} ", faces.text, ITEM_SIZE)
            self.beside = last + width_of(item.link, faces.text, ITEM_SIZE) <= width
        self.canv: TaggedCanvas

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size it takes."""
        lines = len(self.lead) + len(self.says) + (bool(self.item.link) and not self.beside)
        self.width, self.height = WIDTH, lines * ITEM_LEADING + ITEM_GAP
        return self.width, self.height

    def draw(self) -> None:
        """Draw it as an element of a list."""
        canvas, y = self.canv, self.height - ITEM_SIZE
        item = canvas.element("LI", self.place.element(canvas))
        canvas.setFillColor(INK)
        with canvas.marked(canvas.element("Lbl", item)):
            canvas.setFont(self.faces.strong, ITEM_SIZE)
            canvas.drawString(0, y, f"{self.number}.")
        body = canvas.element("LBody", item)
        x = ITEM_INDENT
        for lines, face in ((self.lead, self.faces.strong), (self.says, self.faces.text)):
            if not lines:
                continue
            with canvas.marked(canvas.element("P", body)):
                canvas.setFont(face, ITEM_SIZE)
                for line in lines:
                    canvas.drawString(ITEM_INDENT, y, line)
                    x = ITEM_INDENT + width_of(f"{line} ", face, ITEM_SIZE)
                    y -= ITEM_LEADING
        if self.item.link:
            if self.beside:
                y += ITEM_LEADING
            draw_link(canvas, body, (x if self.beside else ITEM_INDENT, y), self.item.link, self.to,
                      self.faces.text, ITEM_SIZE)  # fmt: skip


SMALL = 8.7


class LinkLine(Flowable):  # type: ignore[misc]
    """A line that ends with a link."""

    def __init__(self, before: str, text: str, to: str, faces: Faces) -> None:
        super().__init__()
        self.before, self.text, self.to, self.faces = before, text, to, faces
        self.canv: TaggedCanvas

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size it takes."""
        return WIDTH, SMALL + 6.0

    def draw(self) -> None:
        """Draw both as one paragraph."""
        canvas = self.canv
        paragraph = canvas.element("P")
        with canvas.marked(paragraph):
            canvas.setFont(self.faces.strong, SMALL)
            canvas.setFillColor(INK)
            canvas.drawString(0, 4.0, self.before)
        x = width_of(f"{self.before} ", self.faces.strong, SMALL)
        draw_link(canvas, paragraph, (x, 4.0), self.text, self.to, self.faces.text, SMALL)


def draw_link(
    canvas: TaggedCanvas, above: Element, at: tuple[float, float], text: str, to: str, face: str,
    size: float,
) -> None:  # fmt: skip
    """Draw a text that links to an address; without one it is plain text."""
    x, y = at
    element = canvas.element("Link" if to else "Span", above)
    with canvas.marked(element):
        canvas.setFont(face, size)
        canvas.setFillColor(BLUE if to else INK)
        canvas.drawString(x, y, text)
        canvas.setFillColor(INK)
    if to:
        width = width_of(text, face, size)
        canvas.link(element, (x, y - 2, x + width, y + size), to, f"{text}: {to}")


CARD_WIDTH, CARD_HEIGHT, GAP = 27.0, 38.0, 4.0
SPACING = 18.0
"""Between two hands on the same line."""


class DrawnCards(Flowable):  # type: ignore[misc]
    """Cards side by side under their label, as many in a line as fit."""

    def __init__(self, label: str, cards: tuple[str, ...], faces: Faces) -> None:
        super().__init__()
        self.label = label
        self.cards = cards
        self.faces = faces
        self.in_line = int((WIDTH + GAP) // (CARD_WIDTH + GAP))
        self.label_lines = lines_of(label, faces.strong, 9, WIDTH)
        self.canv: TaggedCanvas

    @property
    def across(self) -> float:
        """Return the width of label and cards; the whole page if the label takes several lines."""
        if len(self.label_lines) > 1:
            return float(WIDTH)
        drawn: float = min(len(self.cards), self.in_line) * (CARD_WIDTH + GAP) - GAP
        return max(drawn, width_of(self.label, self.faces.strong, 9.0))

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size they take."""
        lines = -(-len(self.cards) // self.in_line)
        self.width = WIDTH
        self.height = 12 * len(self.label_lines) + lines * (CARD_HEIGHT + GAP) + 4
        return self.width, self.height

    def draw(self) -> None:
        """Draw the label, and the cards as one figure."""
        canvas = self.canv
        y = self.height
        with canvas.tagged("P"):
            canvas.setFont(self.faces.strong, 9)
            canvas.setFillColor(INK)
            for line in self.label_lines:
                y -= 12
                canvas.drawString(0, y + 3, line)
        if not self.cards:
            return
        with canvas.tagged("Figure", alternative=f"{self.label}: {cards_in_words(self.cards)}"):
            for number, card in enumerate(self.cards):
                row, column = divmod(number, self.in_line)
                below = y - (row + 1) * (CARD_HEIGHT + GAP) + GAP
                draw_card(canvas, card, column * (CARD_WIDTH + GAP), below, self.faces)


class CardsInLine(Flowable):  # type: ignore[misc]
    """Several hands side by side, each under its own label."""

    def __init__(self, hands: Sequence[DrawnCards]) -> None:
        super().__init__()
        self.hands = hands
        self.canv: TaggedCanvas

    @classmethod
    def all_of(cls, hands: Sequence[DrawnCards]) -> Iterator[CardsInLine]:
        """Yield lines with as many hands as fit, keeping their order."""
        line: list[DrawnCards] = []
        for hand in hands:
            if sum(each.across + SPACING for each in (*line, hand)) - SPACING > WIDTH and line:
                yield cls(line)
                line = []
            line.append(hand)
        if line:
            yield cls(line)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return the height of the highest of them."""
        self.height = max(hand.wrap(width, height)[1] for hand in self.hands)
        return WIDTH, self.height

    def draw(self) -> None:
        """Draw them from left to right, with their labels on one line."""
        x = 0.0
        for hand in self.hands:
            self.canv.saveState()
            self.canv.translate(x, self.height - hand.height)
            hand.canv = self.canv
            hand.draw()
            self.canv.restoreState()
            x += hand.across + SPACING


def draw_card(canvas: TaggedCanvas, card: str, x: float, y: float, faces: Faces) -> None:
    """Draw one card with its lower left corner at a point."""
    canvas.saveState()
    canvas.translate(x, y)
    canvas.setLineWidth(0.7)
    canvas.setStrokeColor(LINE)
    canvas.setFillColor(white)
    canvas.roundRect(0, 0, CARD_WIDTH, CARD_HEIGHT, 3, stroke=1, fill=1)
    joker = card.startswith("Jo")
    stands_for = card[3:] if card.startswith("Jo=") else ("" if joker else card)
    if stands_for:
        color = RED if stands_for[1] in "dh" else INK
        canvas.setFillColor(color)
        canvas.setFont(faces.strong, 12)
        canvas.drawString(3.2, CARD_HEIGHT - 12.4, "10" if stands_for[0] == "T" else stands_for[0])
        half, height = (5.2, 16.5) if joker else (7.2, 11.5)
        _suit(canvas, stands_for[1], CARD_WIDTH / 2, height, half)
    if joker:
        canvas.setFillColor(QUIET)
        canvas.setFont(faces.strong, 6.2)
        below = 3 if stands_for else CARD_HEIGHT / 2 - 2
        canvas.drawCentredString(CARD_WIDTH / 2, below, "JOKER")
    canvas.restoreState()


def _suit(canvas: TaggedCanvas, suit: str, x: float, y: float, half: float) -> None:
    """Draw a suit around a point; `half` is the distance from there to its edge."""
    canvas.saveState()
    canvas.translate(x, y)
    canvas.scale(half, half)
    path = canvas.beginPath()
    if suit == "d":
        path.moveTo(0, 1.15)
        path.curveTo(0.25, 0.7, 0.5, 0.35, 0.85, 0)
        path.curveTo(0.5, -0.35, 0.25, -0.7, 0, -1.15)
        path.curveTo(-0.25, -0.7, -0.5, -0.35, -0.85, 0)
        path.curveTo(-0.5, 0.35, -0.25, 0.7, 0, 1.15)
    elif suit == "h":
        _heart(path, 1)
    elif suit == "s":
        _heart(path, -1)
        _stem(path)
    else:
        for middle in ((0, 0.52), (-0.5, -0.22), (0.5, -0.22)):
            path.circle(*middle, 0.47)
        path.moveTo(-0.2, 0.3)
        path.lineTo(0.2, 0.3)
        path.lineTo(0.3, -0.3)
        path.lineTo(-0.3, -0.3)
        path.close()
        _stem(path)
    canvas.drawPath(path, stroke=0, fill=1, fillMode=FILL_NON_ZERO)
    canvas.restoreState()


def _heart(draw: Path, up: int) -> None:
    """Draw a heart, or upside down the leaf of a spade."""
    draw.moveTo(0, -1.0 * up)
    draw.curveTo(-0.2, -0.55 * up, -0.98, -0.2 * up, -0.98, 0.42 * up)
    draw.curveTo(-0.98, 1.12 * up, -0.12, 1.12 * up, 0, 0.48 * up)
    draw.curveTo(0.12, 1.12 * up, 0.98, 1.12 * up, 0.98, 0.42 * up)
    draw.curveTo(0.98, -0.2 * up, 0.2, -0.55 * up, 0, -1.0 * up)
    draw.close()


def _stem(draw: Path) -> None:
    draw.moveTo(0, -0.2)
    draw.curveTo(-0.02, -0.7, -0.12, -0.95, -0.42, -1.1)
    draw.lineTo(0.42, -1.1)
    draw.curveTo(0.12, -0.95, 0.02, -0.7, 0, -0.2)
    draw.close()
