from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pages.looking import PHONE, Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn

OUTLINED = """() => {
  const style = getComputedStyle(document.activeElement);
  return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
}"""
STOPS = 80


def test_first_tab_stop_skips_the_navigation(look: Look) -> None:
    look.goto("/status")
    look.page.keyboard.press("Tab")
    look.focus_comes_to("Skip to the content")
    look.page.keyboard.press("Enter")
    assert look.page.evaluate("document.activeElement.id") == "main"
    look.page.keyboard.press("Tab")
    look.focus_comes_to("Check again")


@pytest.mark.parametrize("path", ["/", "/status", "/gallery/table", "/gallery/form"])
def test_every_stop_of_the_keyboard_is_seen_and_none_traps(look: Look, path: str) -> None:
    look.goto(path)
    stops = []
    for _ in range(STOPS):
        look.page.keyboard.press("Tab")
        if look.page.evaluate("document.activeElement === document.body"):
            break
        stops.append(look.focused())
        assert look.page.evaluate(OUTLINED), f"no outline on {stops[-1]!r}"
    reachable = look.page.locator("a[href]:visible, button:visible, input:visible").count()
    assert len(stops) < STOPS
    assert len(stops) >= reachable - 2  # a group of choices has only one stop


def test_phone_menu_opens_by_keyboard_and_leads_to_page(look: Look) -> None:
    look.goto("/", width=PHONE)
    links = look.page.locator(".site-nav--narrow a")
    assert not links.first.is_visible()
    for _ in range(3):  # past the skip link and the title
        look.page.keyboard.press("Tab")
    look.focus_comes_to("Menu")
    look.page.keyboard.press("Enter")
    assert links.first.is_visible()
    while look.focused() != "Status":
        look.page.keyboard.press("Tab")
    look.page.keyboard.press("Enter")
    look.page.wait_for_url("**/status")


def test_menu_group_works_by_keyboard(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn]
) -> None:
    with Look.at(site, browser, by=signed_in("licensing")) as look:
        look.goto("/documents/")
        wide = look.page.locator(".site-nav--wide")
        filings = wide.locator("summary", has_text="Filings")
        assert filings.get_attribute("aria-current") == "true"
        documents = wide.get_by_role("link", name="Documents")
        assert not documents.is_visible()
        filings.press("Enter")
        assert documents.is_visible()
        assert look.broken_rules() == []
        wide.locator("summary", has_text="Rules & approvals").press("Enter")
        assert not documents.is_visible()  # one is open at a time
        look.page.keyboard.press("Tab")
        look.page.keyboard.press("Escape")
        look.focus_comes_to("Rules & approvals")
        filings.press("Enter")
        documents.press("Enter")
        look.page.wait_for_url("**/documents/")
        assert look.page.locator(".site-header").bounding_box()["height"] < 120


def test_a_group_of_places_opens_without_scripts_too(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn]
) -> None:
    with Look.at(site, browser, by=signed_in("licensing"), scripts=False) as look:
        look.goto("/")
        wide = look.page.locator(".site-nav--wide")
        wide.locator("summary", has_text="Filings").click()
        wide.get_by_role("link", name="Games").click()
        assert look.path() == "/games/"


def test_a_menu_opens_without_scripts_too(site: str, browser: Browser) -> None:
    with Look.at(site, browser, scripts=False) as look:
        look.goto("/", width=PHONE)
        look.page.get_by_text("Menu").click()
        look.page.locator(".site-nav--narrow").get_by_role("link", name="Status").click()
        assert look.path() == "/status"


def test_invalid_form_focuses_its_errors(look: Look) -> None:
    look.goto("/gallery/form")
    look.page.get_by_label("What happened").fill("longer than this form allows")
    look.page.get_by_role("button", name="Send the complaint").press("Enter")
    look.page.wait_for_selector("[data-error-summary]")
    look.focus_comes_to("Please correct what is marked below")
    assert look.broken_rules() == []
    look.page.keyboard.press("Tab")
    look.focus_comes_to("Table")
    look.page.keyboard.press("Enter")
    assert look.page.evaluate("document.activeElement.name") == "table"


def test_a_form_is_filled_in_and_sent_by_keyboard_alone(look: Look) -> None:
    look.goto("/gallery/form")
    keys = look.page.keyboard
    while look.page.evaluate("document.activeElement.name") != "table":
        keys.press("Tab")
    keys.type("Table 4")
    while look.page.evaluate("document.activeElement.name") != "kind":
        keys.press("Tab")
    keys.press("Space")
    keys.press("Tab")
    keys.type("A stack was short")
    while look.focused() != "Send the complaint":
        keys.press("Tab")
    keys.press("Enter")
    look.page.get_by_text("The complaint is on file.").wait_for()


def test_a_table_is_sorted_by_keyboard_and_says_how(look: Look) -> None:
    look.goto("/gallery/table")
    look.page.get_by_role("link", name="Difference").press("Enter")
    look.page.wait_for_url("**sort=cents")
    header = look.page.get_by_role("columnheader", name="Difference")
    assert header.get_attribute("aria-sort") == "ascending"
    assert look.page.get_by_role("row").nth(1).inner_text().endswith("−$25.00")


def test_looking_again_renews_the_status_in_place(look: Look) -> None:
    look.goto("/status")
    before = look.page.locator("time").get_attribute("datetime")
    asked = []
    look.page.on("request", lambda request: asked.append(request.headers.get("hx-request")))
    look.page.wait_for_timeout(1100)  # the time is shown in seconds
    look.page.get_by_role("link", name="Check again").press("Enter")
    look.page.wait_for_function(
        "before => document.querySelector('time').dateTime !== before", arg=before
    )
    assert asked == ["true"]
    look.focus_comes_to("Check again")
    assert look.broken_rules() == []


def test_a_status_that_cannot_be_renewed_says_so(look: Look) -> None:
    look.goto("/status")
    look.page.route("**/status", lambda route: route.fulfill(status=503))
    look.page.get_by_role("link", name="Check again").click()
    look.page.get_by_text("Checking again failed.").wait_for()
    assert all("503" in fault for fault in look.faults)
    look.faults.clear()


def test_signing_out_takes_a_button_and_ends_the_session(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn]
) -> None:
    # No other test views pages in this role: its session ends here.
    with Look.at(site, browser, by=signed_in("financial_investigations")) as look:
        look.goto("/account/")
        look.page.get_by_role("banner").get_by_role("button", name="Sign out").press("Enter")
        look.page.get_by_role("link", name="Sign in").wait_for()
        look.goto("/account/")
        assert look.path().startswith("/account/sign-in/")
