"""Playing cards, drawn: rank and suit as shapes, told apart without colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.lib.colors import white
from reportlab.pdfgen.canvas import FILL_NON_ZERO
from reportlab.platypus import Flowable

from games.story.card_words import cards_in_words
from reports.paper.style import INK, LINE, QUIET, RED, WIDTH
from reports.paper.wrapping import lines_of, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reportlab.pdfgen.pathobject import PDFPathObject as Path

    from reports.paper.canvas import TaggedCanvas
    from reports.paper.faces import Faces

CARD_WIDTH, CARD_HEIGHT, GAP = 27.0, 38.0, 4.0
APART = 18.0
"""Between hands in one line."""


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
        """How wide label and cards are; all of the page where the label takes several lines."""
        if len(self.label_lines) > 1:
            return float(WIDTH)
        drawn: float = min(len(self.cards), self.in_line) * (CARD_WIDTH + GAP) - GAP
        return max(drawn, width_of(self.label, self.faces.strong, 9.0))

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Tell how much room they take."""
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
    """Several hands beside each other, each under its own label."""

    def __init__(self, hands: Sequence[DrawnCards]) -> None:
        super().__init__()
        self.hands = hands
        self.canv: TaggedCanvas

    @classmethod
    def all_of(cls, hands: Sequence[DrawnCards]) -> Iterator[CardsInLine]:
        """Hands in order, as many in a line as fit."""
        line: list[DrawnCards] = []
        for hand in hands:
            if sum(each.across + APART for each in (*line, hand)) - APART > WIDTH and line:
                yield cls(line)
                line = []
            line.append(hand)
        if line:
            yield cls(line)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As high as the highest of them."""
        self.height = max(hand.wrap(width, height)[1] for hand in self.hands)
        return WIDTH, self.height

    def draw(self) -> None:
        """Draw them from left to right, their labels on one line."""
        x = 0.0
        for hand in self.hands:
            self.canv.saveState()
            self.canv.translate(x, self.height - hand.height)
            hand.canv = self.canv
            hand.draw()
            self.canv.restoreState()
            x += hand.across + APART


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
        colour = RED if stands_for[1] in "dh" else INK
        canvas.setFillColor(colour)
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
    """Draw a suit around a point, `half` as wide as it is from there to its edge."""
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
    """A heart, or upside down the leaf of a spade."""
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
