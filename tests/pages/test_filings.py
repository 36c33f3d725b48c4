"""The pages of filings that lists link to, in the demonstration: complete, readable, any screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pages.looking import Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn

IN_EFFECT = "/in-effect/?operator=cedar&game=pyramid-poker&table=T1&at=2025-07-12+23:59"
WAYS = {
    "controls-version": ("licensing", "/controls/", ("Version 1",)),
    "controls-draft": ("operator_manager", "/controls/of/cedar/draft/", ()),
    "controls-compare": (
        "operator_manager",
        "/controls/of/cedar/compare/?before=1&after=2",
        (),
    ),
    "in-effect-answer": ("operator_manager", IN_EFFECT, ()),
    "filing": ("licensing", "/filings/", ("Internal controls, version",)),
    "request": ("licensing", "/requests/?state=under_review", ("Casino Version",)),
    "request-approved": ("director", "/requests/?state=approved", ("Pyramid Poker",)),
    "game": ("supplier", "/games/", ("Pyramid Poker",)),
    "new-rule-version": (
        "supplier",
        "/games/",
        ("Pyramid Poker", "File a version of the rules"),
    ),
    "rule-version": ("supplier", "/games/", ("Pyramid Poker", "Version 1")),
    "document": ("supplier", "/documents/", ("Rules of play: Pyramid Poker",)),
    "document-version": ("supplier", "/documents/", ("Layout: Pyramid Poker", "Version 1")),
    "license": ("licensing", "/licenses/", ("HO-",)),
    "told": ("operator_manager", "/notifications/", ()),
    "reading-room": ("", "/reading-room/", ()),
    "public-game": ("", "/reading-room/", ("Pyramid Poker",)),
    "public-rules": ("", "/reading-room/", ("Pyramid Poker", "Version 1")),
    "public-letter": ("", "/reading-room/", ("Pyramid Poker", "Approval letter")),
    "public-comparison": ("", "/reading-room/games/pyramid-poker/compare/?from=1&to=1", ()),
    "law-rule": ("licensing", "/law/?rule=wager_house_banked", ()),
}


@pytest.mark.usefixtures("filings")
@pytest.mark.parametrize("name", WAYS)
def test_filing_page_is_accessible_and_fits(
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
    name: str,
) -> None:
    role, start, links = WAYS[name]
    with Look.at(site, browser, by=signed_in(role) if role else None) as look:
        assert look.goto(start).status == 200
        for link in links:
            look.page.locator("main").get_by_role("link", name=link).first.click()
            look.page.wait_for_load_state()
        assert look.page.locator("main h1").count() == 1
        look.check_page()
