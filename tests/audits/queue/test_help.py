"""The help page matches the table of steps."""

from __future__ import annotations

import re

import pytest

from audits.replay.findings.models import Issue
from audits.review.help.diagram import diagram
from audits.review.issues.steps import ANSWER, CLOSED, EMPTIES, OPEN, STEPS
from compliance.access.permissions import Role
from tests.compliance.pages.browsing import browser_as, words

pytestmark = pytest.mark.anywhere


def test_every_state_is_drawn_once_without_overlap():
    drawn = diagram()
    assert sorted(box.label for box in drawn.boxes) == sorted(map(str, Issue.State.labels))
    places = [(b.x, b.y, b.x + b.width, b.y + b.height) for b in drawn.boxes]
    for index, (left, top, right, bottom) in enumerate(places):
        assert 0 <= left < right <= drawn.width
        assert 0 <= top < bottom <= drawn.height
        for other in places[index + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart


def test_every_step_has_its_arrow():
    into = len([step for step in (*STEPS.values(), EMPTIES) if step.closes])
    steps = [*STEPS.values(), ANSWER]
    between = sum(len(s.of & OPEN) for s in steps if s.to in OPEN and s.of != CLOSED)
    back = len([step for step in STEPS.values() if step.of == CLOSED])
    assert len(diagram().arrows) == into + between + back
    for each in diagram().arrows:
        assert re.fullmatch(r"M\d+ \d+( [HV]\d+)+", each.path)


@pytest.mark.django_db
def test_the_page_names_every_step_with_what_it_wants():
    page = browser_as(Role.AUDITOR).get("/help/deciding/")
    says = words(page)
    for step in STEPS.values():
        assert step.label in says
    assert "Waive until a date" in says
    assert "The waiver ends Waived Under review" in says
    assert "a reason, a date (waived until)" in says
    assert "$1,000.00" in says


@pytest.mark.django_db
def test_glossary_is_public_and_decision_guide_is_not():
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    assert "Aggregate payout limit" in words(clerk.get("/help/glossary/"))
    assert clerk.get("/help/deciding/").status_code == 404
