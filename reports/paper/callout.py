"""What must not be overlooked: a ground, a bar at its side, a heading, words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.platypus import Flowable

from reports.paper.style import GROUNDS, INK, WIDTH
from reports.paper.wrapping import lines_of

if TYPE_CHECKING:
    from reports.paper.blocks import Callout
    from reports.paper.canvas import TaggedCanvas
    from reports.paper.faces import Faces

SIZE, LEADING = 10.0, 14.2
SIDE, PAD = 4.0, 9.0
MOST_LINES = 34
"""Lines of words in one; what is longer goes on in the next, on the next page."""


class DrawnCallout(Flowable):  # type: ignore[misc]
    """One callout, or the next part of a long one."""

    def __init__(self, callout: Callout, faces: Faces, begin: int = 0) -> None:
        super().__init__()
        inner = WIDTH - SIDE - 2 * PAD
        self.mood = callout.mood
        self.faces = faces
        self.heading = [] if begin else lines_of(callout.heading, faces.strong, SIZE + 1, inner)
        every = lines_of(callout.says, faces.text, SIZE, inner)
        self.words = every[begin : begin + MOST_LINES]
        self.canv: TaggedCanvas

    @classmethod
    def all_of(cls, callout: Callout, faces: Faces) -> list[DrawnCallout]:
        """Make as many as its words need."""
        lines = lines_of(callout.says, faces.text, SIZE, WIDTH - SIDE - 2 * PAD)
        return [cls(callout, faces, begin) for begin in range(0, len(lines), MOST_LINES)]

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Tell how much room it takes."""
        self.width = WIDTH
        self.height = LEADING * (len(self.heading) + len(self.words)) + 2 * PAD
        return self.width, self.height

    def getSpaceAfter(self) -> float:  # noqa: N802 - ReportLab's name
        """Keep apart from what follows."""
        return 10.0

    def getSpaceBefore(self) -> float:  # noqa: N802 - ReportLab's name
        """Keep apart from what stands before."""
        return 4.0

    def draw(self) -> None:
        """Draw the ground as furniture, the words as a note."""
        canvas = self.canv
        ground, side = GROUNDS[self.mood.value]
        with canvas.artifact():
            canvas.setFillColor(ground)
            canvas.rect(0, 0, WIDTH, self.height, stroke=0, fill=1)
            canvas.setFillColor(side)
            canvas.rect(0, 0, SIDE, self.height, stroke=0, fill=1)
        y = self.height - PAD - SIZE
        with canvas.inside(canvas.element("Sect")):
            for lines, face, size in (
                (self.heading, self.faces.strong, SIZE + 1),
                (self.words, self.faces.text, SIZE),
            ):
                if not lines:
                    continue
                with canvas.tagged("P"):
                    canvas.setFillColor(INK)
                    canvas.setFont(face, size)
                    for line in lines:
                        canvas.drawString(SIDE + PAD, y, line)
                        y -= LEADING
