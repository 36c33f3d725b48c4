from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pages.addresses import PAGES, Shown
from tests.pages.looking import PHONE, WIDE, Look

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn

WIDTHS = {"1280": WIDE, "390": PHONE}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_breaks_no_rule_of_wcag_and_fits_the_screen(
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
    pictures: Path,
    name: str,
) -> None:
    shown = PAGES[name]
    by = _by(shown, signed_in)
    with Look.at(site, browser, by=by) as look:
        assert look.goto(shown.path).status == shown.status
        if by and look.path().startswith("/account/confirm/?"):
            look.confirm(by)
        assert look.path() == shown.path
        for width, size in WIDTHS.items():
            look.page.set_viewport_size(size)
            look.page.screenshot(path=pictures / f"{_file(name)}-{width}.png", full_page=True)
            assert look.broken_rules() == []
            assert look.wider_than_the_screen() == 0


@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_read_without_scripts(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn], name: str
) -> None:
    shown = PAGES[name]
    with Look.at(site, browser, by=_by(shown, signed_in), scripts=False) as look:
        look.goto(shown.path)
        assert look.page.locator("main h1").count() == 1
        assert look.page.locator("main").inner_text().strip()


def test_the_log_leads_to_an_event_and_from_there_to_the_history_of_its_object(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn], pictures: Path
) -> None:
    with Look.at(site, browser, by=signed_in("auditor")) as look:
        look.goto("/log/?type=role.given")  # others of the tier write events meanwhile
        for link, name in (("holds the role", "event"), ("History of this", "object-events")):
            look.page.get_by_role("link", name=link).first.click()
            look.page.wait_for_url(
                "**/objects/**" if name == "object-events" else "**/log/events/**"
            )
            for width, size in WIDTHS.items():
                look.page.set_viewport_size(size)
                look.page.screenshot(path=pictures / f"{name}-{width}.png", full_page=True)
                assert look.broken_rules() == []
                assert look.wider_than_the_screen() == 0


def _by(shown: Shown, signed_in: Callable[[str], SignedIn]) -> SignedIn | None:
    return signed_in(shown.role) if shown.role else None


def _file(name: str) -> str:
    return name.replace(": ", "-").replace(" ", "-").replace("_", "-")
