"""A diagram of the states of an issue and the steps between them, from the table of steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audits.replay.findings.models import Issue
from audits.review.issues.steps import ANSWER, CLOSED, EMPTIES, OPEN, STEPS, WAIVER_ENDS

if TYPE_CHECKING:
    from audits.review.issues.steps import Step


WIDE, HIGH = 150, 40
"""Size of a box. The diagram is as wide as a phone screen, to be readable there too."""
LEFT, RIGHT = 34, 236
OPEN_GAP, CLOSED_GAP = 68, 14
TOP = 44
State = Issue.State


@dataclass(frozen=True)
class Box:
    """A state, with the step that leads to it if there is only one."""

    x: int
    y: int
    label: str
    step: str = ""
    width: int = WIDE
    height: int = HIGH

    @property
    def middle(self) -> int:
        """Return the x position of its text."""
        return self.x + self.width // 2

    @property
    def line(self) -> int:
        """Return the y position of its first line of text."""
        return self.y + (17 if self.step else 25)

    @property
    def second_line(self) -> int:
        """Return the y position of the step's name."""
        return self.y + 32


@dataclass(frozen=True)
class Arrow:
    """A step, or several with the same path."""

    path: str
    label: str = ""
    x: int = 0
    y: int = 0
    anchor: str = "start"
    """Which end of the label is at x."""


@dataclass(frozen=True)
class Frame:
    """The frame around open or decided states."""

    x: int
    y: int
    width: int
    height: int
    label: str


@dataclass(frozen=True)
class Diagram:
    """The whole diagram with its size."""

    boxes: list[Box]
    arrows: list[Arrow]
    frames: list[Frame]
    width: int
    height: int


def diagram() -> Diagram:
    """Draw `STEPS`, with open states on the left and decided ones on the right."""
    left = _column(LEFT, OPEN_GAP, [state for state in State if state in OPEN], {})
    into = {step.to: step.label for step in (*STEPS.values(), EMPTIES) if step.closes}
    right = _column(RIGHT, CLOSED_GAP, [state for state in State if state in CLOSED], into)
    bottom = max(box.y + HIGH for box in (*left.values(), *right.values())) + 14
    frames = [
        Frame(4, TOP - 26, LEFT + WIDE + 10, bottom - TOP + 26, "Open"),
        Frame(RIGHT - 10, TOP - 26, WIDE + 20, bottom - TOP + 26, "Decided"),
    ]
    arrows = [*_between(left), *_out(frames[0], right), *_back(frames, left)]
    return Diagram(
        [*left.values(), *right.values()], arrows, frames, RIGHT + WIDE + 14, bottom + 34
    )


def rows() -> list[dict[str, object]]:
    """Return the same as a table: each step with its states and requirements."""
    return [
        {
            "label": step.label,
            "of": ", ".join(each.label for each in State if each in step.of),
            "to": step.to.label,
            "wants": _wanted(step),
            "closes": step.closes,
        }
        for step in (*STEPS.values(), ANSWER, WAIVER_ENDS, EMPTIES)
    ]


def _wanted(step: Step) -> str:
    if step is WAIVER_ENDS:
        return "nothing: it ends the day after its date"
    if step is EMPTIES:
        return "nothing: a replay found no findings any more"
    more = [f"a date ({step.wants_date})"] if step.wants_date else []
    more += ["a case on the same operator"] if step.wants_case else []
    return ", ".join(["a reason", *more])


def _column(x: int, gap: int, states: list[State], into: dict[State, str]) -> dict[State, Box]:
    return {
        state: Box(x, TOP + number * (HIGH + gap), state.label, into.get(state, ""))
        for number, state in enumerate(states)
    }


def _between(boxes: dict[State, Box]) -> list[Arrow]:
    """Draw steps from one open state to another."""
    states = list(boxes)
    arrows = []
    for step in (*STEPS.values(), ANSWER):
        if step.to not in OPEN or step.of == CLOSED:
            continue
        for of in (each for each in states if each in step.of):
            start, end = boxes[of], boxes[step.to]
            if abs(states.index(of) - states.index(step.to)) > 1:  # past the one between
                y, to = start.y + HIGH // 2, end.y + HIGH // 2
                arrows.append(Arrow(f"M{LEFT} {y} H{LEFT - 16} V{to} H{LEFT - 2}"))
            elif start.y < end.y:
                x, y = LEFT + 8, (start.y + HIGH + end.y) // 2 - 14
                path = f"M{x} {start.y + HIGH} V{end.y - 2}"
                arrows.append(Arrow(path, step.label, x + 6, y))
            else:
                x, y = LEFT + WIDE - 6, (start.y + end.y + HIGH) // 2 + 24
                path = f"M{x} {start.y} V{end.y + HIGH + 2}"
                arrows.append(Arrow(path, step.label, x - 6, y - 16 * (step is ANSWER), "end"))
    return arrows


def _out(frame: Frame, boxes: dict[State, Box]) -> list[Arrow]:
    """Draw decisions, which are possible from any open state."""
    edge = frame.x + frame.width
    return [Arrow(f"M{edge} {box.y + HIGH // 2} H{RIGHT - 2}") for box in boxes.values()]


def _back(frames: list[Frame], boxes: dict[State, Box]) -> list[Arrow]:
    """Draw steps that reverse a decision, from any decided state."""
    opened, decided = frames
    bottom = decided.y + decided.height
    arrows = []
    for step in STEPS.values():
        if step.of == CLOSED:
            x, up = decided.x + decided.width // 2, boxes[step.to].y + HIGH // 2
            path = f"M{x} {bottom} V{bottom + 12} H{opened.x + 8} V{up} H{LEFT - 2}"
            arrows.append(Arrow(path, f"{step.label}: {step.to.label}", LEFT, bottom + 27))
    return arrows
