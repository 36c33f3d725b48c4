"""Drawings of callouts, bar charts and playing cards; suits are distinct without color."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Drawing, Line, Rect, String
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

    from reports.rendering.blocks import Bars, Callout
    from reports.rendering.tagging import TaggedCanvas
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


CHART_SIZE = 8.5
CHART_ROW = 15.0
MOST_NAMES = 0.34
MOST_BARS = 40
"""Maximum bars in one drawing; more are split so that each part fits on a page."""


class Chart(Flowable):  # type: ignore[misc]
    """Some bars of a chart, drawn as one figure."""

    def __init__(self, chart: Bars, faces: Faces, begin: int = 0) -> None:
        super().__init__()
        self.chart = chart
        self.bars = chart.bars[begin : begin + MOST_BARS]
        self.faces = faces
        self.canv: TaggedCanvas

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size it takes."""
        return WIDTH, CHART_ROW * len(self.bars) + 8

    def draw(self) -> None:
        """Draw the chart, with its description as the alternative text."""
        with self.canv.tagged("Figure", alternative=self.chart.alternative):
            renderPDF.draw(self._drawing(), self.canv, 0, 0)

    def _drawing(self) -> Drawing:
        faces, bars = self.faces, self.chart.bars
        widest = max(width_of(bar.name, faces.text, CHART_SIZE) for bar in bars)
        names = min(widest, WIDTH * MOST_NAMES) + 8
        figures = max(width_of(bar.says, faces.text, CHART_SIZE) for bar in bars) + 8
        room = max(WIDTH - names - figures, 20)
        _, height = self.wrap(0, 0)
        drawing = Drawing(WIDTH, height)
        y = height - CHART_ROW
        for bar in self.bars:
            name, *rest = lines_of(bar.name, faces.text, CHART_SIZE, names - 7)
            text = f"{name}…" if rest else name
            drawing.add(
                String(0, y + 4, text, fontName=faces.text, fontSize=CHART_SIZE, fillColor=INK)
            )
            length = room * bar.value / self.chart.longest
            if length > 0:
                drawing.add(
                    Rect(names, y + 2, length, CHART_ROW - 5, fillColor=BLUE, strokeColor=None)
                )
            drawing.add(
                String(
                    names + length + 4, y + 4, bar.says,
                    fontName=faces.text, fontSize=CHART_SIZE, fillColor=INK,
                )
            )  # fmt: skip
            y -= CHART_ROW
        drawing.add(
            Line(names, y + CHART_ROW - 2, names, height, strokeColor=LINE, strokeWidth=0.7)
        )
        return drawing
