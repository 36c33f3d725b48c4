from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pages.addresses import PAGES
from tests.pages.looking import Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn


@pytest.mark.parametrize("name", PAGES)
def test_a_page_breaks_no_rule_of_wcag_and_fits_the_screen(
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
    name: str,
) -> None:
    shown = PAGES[name]
    by = signed_in(shown.role) if shown.role else None
    with Look.at(site, browser, by=by) as look:
        assert look.goto(shown.path).status == shown.status
        if by and look.path().startswith("/account/second-factor/reauthenticate/?"):
            look.confirm(by)
        assert look.path() == shown.path
        look.check_page()


@pytest.mark.parametrize("role", sorted({shown.role for shown in PAGES.values()}))
def test_pages_can_be_read_without_scripts(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn], role: str
) -> None:
    by = signed_in(role) if role else None
    with Look.at(site, browser, by=by, scripts=False) as look:
        for shown in PAGES.values():
            if shown.role == role:
                look.goto(shown.path)
                assert look.page.locator("main h1").count() == 1, shown.path
                assert look.page.locator("main").inner_text().strip(), shown.path


def test_log_links_to_event_and_object_history(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn]
) -> None:
    with Look.at(site, browser, by=signed_in("auditor")) as look:
        look.goto("/log/?type=role.given")  # other tests of the tier write events in the meantime
        for link, name in ((" the role ", "event"), ("History of this", "object-events")):
            look.page.get_by_role("link", name=link).first.click()
            look.page.wait_for_url(
                "**/objects/**" if name == "object-events" else "**/log/events/**"
            )
            look.check_page()
