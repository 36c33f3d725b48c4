"""Pages and reports about a night of a filed game say it in the words of its definition."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from audits.intake.rounds import find_round
from audits.replay.findings.models import Issue
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from reports.documents.round_sheet import about_round
from reports.schedules.making import make_report
from tests.audits.replay.nights import on_file
from tests.audits.replay.test_filed_games import (
    BACCARAT,
    EVENING,
    baccarat_controls,
    bets,
    dealt,
    flush,
    open_all_day,
)
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import browser_as, words
from tests.reports.made import body_of
from tests.reports.nights import about, closed, replayed
from tests.reports.paper.sheets import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
SLUG = "three-card-poker"
PAID = "paid by the line flush of the pay table standard: 4 to 1"


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_night_is_reported_and_shown_in_filed_words():
    with without_access_scope():
        room = Room(SLUG, open_all_day())
        rounds = [flush(f"r{n}", "T1", EVENING - timedelta(minutes=n), 5) for n in range(5, 0, -1)]
        rounds.append(flush("twice", "T1", EVENING, 4, play=1000))
        on_file(room.party, rounds)
    replayed(room.party)
    day = closed(room.party)
    with without_access_scope():
        found = find_round([room.party], "r1")
        assert found is not None
        sheet = make_report(kind="round_sheet", about=about_round(found))
        nightly = make_report(kind="nightly", about=about(day))
        effect = make_report(kind="in_effect_on_a_day", about=about(day))
        issue = Issue.objects.get(code="settlement.pair_plus")
    texts = [squeezed("".join(text_of(body_of(each)))) for each in (sheet, nightly, effect)]
    assert squeezed(PAID) in texts[0]
    assert squeezed("Pair Plus is optional. It is paid by the approved table") in texts[0]
    for text in texts:
        assert "ThreeCardPoker" in text
    assert "Bothwagersarereturned." in texts[2]

    client = browser_as(Role.AGENT)
    page = words(client.get(reverse("round", args=[room.party.code, "r1"])))
    assert PAID in page
    assert "TC-9" in page
    twice = words(client.get(reverse("round", args=[room.party.code, "twice"])))
    assert "$10.00" in twice
    assert client.get(reverse("issue", args=[issue.uuid])).status_code == 200
    listed = client.get(reverse("issues"), {"game": SLUG, "code": "settlement.pair_plus"})
    assert "Three" in words(listed)


def test_common_hands_are_drawn_without_any_seat():
    """A round in which nobody wagers shows both hands, and the rule of drawing that was broken."""
    with without_access_scope():
        room = Room(BACCARAT, baccarat_controls())
        on_file(room.party, [
            dealt("empty", 0, "2c 3d 8s", "Jh 3s 5h"),
            dealt("a", 1, "Kd 7c", "4h 5s", bets(streak=500, banker=1000, result=1000)),
        ])  # fmt: skip
    replayed(room.party)
    day = closed(room.party)
    client = browser_as(Role.AGENT)
    for name, says in (
        ("empty", "By the drawing rules, the banker hand stands; as dealt, it draws"),
        ("a", "The house keeps a commission of $0.50."),
    ):
        with without_access_scope():
            found = find_round([room.party], name)
            assert found is not None
            sheet = make_report(kind="round_sheet", about=about_round(found))
        text = squeezed("".join(text_of(body_of(sheet))))
        page = words(client.get(reverse("round", args=[room.party.code, name])))
        assert squeezed(says) in text
        assert says in page
        for title in ("Player hand", "Banker hand"):
            assert squeezed(title) in text
            assert title in page
    with without_access_scope():
        nightly = make_report(kind="nightly", about=about(day))
    assert "Mini-Baccarat" in "".join(text_of(body_of(nightly)))
