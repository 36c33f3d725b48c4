"""Bar charts: a name, a bar and the figure itself, so that nobody has to measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.platypus import Flowable

from reports.paper.style import BLUE, INK, LINE, WIDTH
from reports.paper.wrapping import lines_of, width_of

if TYPE_CHECKING:
    from reports.paper.blocks import Bars
    from reports.paper.canvas import TaggedCanvas
    from reports.paper.faces import Faces

SIZE = 8.5
ROW = 15.0
MOST_NAMES = 0.34
MOST_BARS = 40
"""Bars of one drawing; what is longer is cut, so that each part fits on a page."""


class Chart(Flowable):  # type: ignore[misc]
    """Some bars of a chart, drawn as one figure."""

    def __init__(self, chart: Bars, faces: Faces, begin: int = 0) -> None:
        super().__init__()
        self.chart = chart
        self.bars = chart.bars[begin : begin + MOST_BARS]
        self.faces = faces
        self.canv: TaggedCanvas

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Tell how much room it takes."""
        return WIDTH, ROW * len(self.bars) + 8

    def draw(self) -> None:
        """Draw it, with the sentence that says what it shows."""
        with self.canv.tagged("Figure", alternative=self.chart.alternative):
            renderPDF.draw(self._drawing(), self.canv, 0, 0)

    def _drawing(self) -> Drawing:
        faces, bars = self.faces, self.chart.bars
        widest = max(width_of(bar.name, faces.text, SIZE) for bar in bars)
        names = min(widest, WIDTH * MOST_NAMES) + 8
        figures = max(width_of(bar.says, faces.text, SIZE) for bar in bars) + 8
        room = max(WIDTH - names - figures, 20)
        _, height = self.wrap(0, 0)
        drawing = Drawing(WIDTH, height)
        y = height - ROW
        for bar in self.bars:
            name, *rest = lines_of(bar.name, faces.text, SIZE, names - 7)
            text = f"{name}…" if rest else name
            drawing.add(String(0, y + 4, text, fontName=faces.text, fontSize=SIZE, fillColor=INK))
            length = room * bar.value / self.chart.longest
            if length > 0:
                drawing.add(Rect(names, y + 2, length, ROW - 5, fillColor=BLUE, strokeColor=None))
            drawing.add(
                String(
                    names + length + 4, y + 4, bar.says,
                    fontName=faces.text, fontSize=SIZE, fillColor=INK,
                )
            )  # fmt: skip
            y -= ROW
        drawing.add(Line(names, y + ROW - 2, names, height, strokeColor=LINE, strokeWidth=0.7))
        return drawing
