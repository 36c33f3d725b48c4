"""The drawing of a table: the dealer above, seats around it, those with a finding marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportlab.platypus import Flowable

from reports.rendering.drawings import CARD_HEIGHT, CARD_WIDTH, draw_card
from reports.rendering.typography import GROUNDS, INK, LINE, QUIET, RED, WIDTH, lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.rendering.blocks import Place
    from reports.rendering.tagging import TaggedCanvas
    from reports.rendering.typography import Faces

SCALE = 0.56
WIDE, HIGH, GAP = CARD_WIDTH * SCALE, CARD_HEIGHT * SCALE, 2.0
PAD, TITLE, SMALL, LEADING = 6.0, 8.5, 7.2, 9.0
ACROSS = 3
"""Seats beside each other."""


@dataclass
class _Cell:
    """A place laid out in a width."""

    place: Place
    width: float
    title: list[str]
    labels: list[list[str]]
    in_line: int

    @classmethod
    def of(cls, place: Place, width: float, faces: Faces) -> _Cell:
        inner = width - 2 * PAD
        title = ", ".join(filter(None, (place.title, place.details)))
        mark = " • FINDING" if place.is_marked else ""
        return cls(
            place,
            width,
            lines_of(f"{title}{mark}", faces.strong, TITLE, inner),
            [lines_of(hand.label, faces.text, SMALL, inner) for hand in place.hands],
            max(1, int((inner + GAP) // (WIDE + GAP))),
        )

    @property
    def height(self) -> float:
        height = 2 * PAD + len(self.title) * LEADING
        for hand, label in zip(self.place.hands, self.labels, strict=True):
            height += len(label) * LEADING + -(-len(hand.cards) // self.in_line) * (HIGH + GAP) + 2
        return height

    def draw(self, canvas: TaggedCanvas, x: float, top: float, height: float, faces: Faces) -> None:
        with canvas.tagged("Figure", alternative=self.place.in_words):
            ground, _ = GROUNDS["serious" if self.place.is_marked else "plain"]
            canvas.setFillColor(ground)
            canvas.setStrokeColor(RED if self.place.is_marked else LINE)
            canvas.setLineWidth(1.8 if self.place.is_marked else 0.6)
            canvas.roundRect(x, top - height, self.width, height, 6, stroke=1, fill=1)
            y = top - PAD
            for lines, face, size in ((self.title, faces.strong, TITLE),):
                canvas.setFillColor(INK)
                canvas.setFont(face, size)
                for line in lines:
                    y -= LEADING
                    canvas.drawString(x + PAD, y + 1.5, line)
            for hand, label in zip(self.place.hands, self.labels, strict=True):
                canvas.setFillColor(QUIET)
                canvas.setFont(faces.text, SMALL)
                for line in label:
                    y -= LEADING
                    canvas.drawString(x + PAD, y + 2, line)
                for number, card in enumerate(hand.cards):
                    row, column = divmod(number, self.in_line)
                    canvas.saveState()
                    canvas.translate(x + PAD + column * (WIDE + GAP), y - (row + 1) * (HIGH + GAP))
                    canvas.scale(SCALE, SCALE)
                    draw_card(canvas, card, 0, 0, faces)
                    canvas.restoreState()
                y -= -(-len(hand.cards) // self.in_line) * (HIGH + GAP) + 2


class DrawnRow(Flowable):  # type: ignore[misc]
    """Places beside each other."""

    def __init__(self, places: Sequence[Place], faces: Faces, across: int) -> None:
        super().__init__()
        self.faces = faces
        width = (WIDTH - (across - 1) * PAD) / across
        self.cells = [_Cell.of(place, width, faces) for place in places]
        self.canv: TaggedCanvas

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size it takes."""
        self.height = max(cell.height for cell in self.cells) + PAD
        return WIDTH, self.height

    def draw(self) -> None:
        """Draw the places from left to right."""
        x, height = 0.0, self.height - PAD
        for cell in self.cells:
            cell.draw(self.canv, x, self.height, height, self.faces)
            x += cell.width + PAD


def draw_board(places: Sequence[Place], faces: Faces) -> list[DrawnRow]:
    """Return the rows of a table: the first place is the dealer's if it has one."""
    head = [place for place in places if not place.title.startswith("Seat")]
    seats = [place for place in places if place.title.startswith("Seat")]
    rows = [DrawnRow([place], faces, 1) for place in head]
    across = min(ACROSS, len(seats)) or 1
    return rows + [
        DrawnRow(seats[begin : begin + across], faces, across)
        for begin in range(0, len(seats), across)
    ]
