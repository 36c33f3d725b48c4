"""The contents: each heading with its page, linked; pages are known last and written then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.platypus import Flowable

from reports.paper.style import INK, LINE, WIDTH
from reports.paper.wrapping import lines_of

if TYPE_CHECKING:
    from reports.paper.canvas import TaggedCanvas
    from reports.paper.faces import Faces
    from reports.paper.said import Place

SIZE, LEADING, INDENT = 10.0, 15.0, 14.0
NUMBERS = 40.0


class Entry(Flowable):  # type: ignore[misc]
    """One line of the contents."""

    def __init__(self, key: str, title: str, level: int, faces: Faces, place: Place) -> None:
        super().__init__()
        self.key = key
        self.indent = INDENT * level
        self.face = faces.strong if level == 0 else faces.text
        self.faces = faces
        self.place = place
        self.lines = lines_of(title, self.face, SIZE, WIDTH - NUMBERS - self.indent)
        self.canv: TaggedCanvas

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Tell how much room it takes."""
        self.width = WIDTH
        self.height = LEADING * len(self.lines)
        return self.width, self.height

    def draw(self) -> None:
        """Draw the title, and leave the place of its page."""
        canvas = self.canv
        y = self.height - SIZE
        with canvas.marked(self.place.element(canvas)):
            canvas.setFillColor(INK)
            canvas.setFont(self.face, SIZE)
            for line in self.lines:
                canvas.drawString(self.indent, y, line)
                y -= LEADING
            y += LEADING
            canvas.draw_later(f"page-{self.key}", WIDTH, y, self.faces.text, SIZE)
        with canvas.artifact():
            canvas.setStrokeColor(LINE)
            canvas.setLineWidth(0.3)
            canvas.line(self.indent, y - 3.5, WIDTH, y - 3.5)
        canvas.linkRect("", self.key, (0, 0, WIDTH, self.height), relative=1, thickness=0)
