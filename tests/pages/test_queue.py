"""The agent's queue in the browser: by keyboard alone, with two at once, and errors."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from tests.compliance.people import code_of
from tests.installation import Installation, wait_until
from tests.pages.looking import Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn

ON_FILE = """

from compliance.models import Party
from compliance.access.scope import without_access_scope
from tests.audits.queue.issues import (issue_of, work_on)
with without_access_scope():
    field, cedar = (Party.objects.get(code=code) for code in ("field", "cedar"))
    for number in range(8):
        made = issue_of(cedar, seen_by=field, table=f"D{number}", over=1000 * number)
        work_on(issue=made, unit=field)
"""
STOPS = 60


@pytest.fixture(scope="module", autouse=True)
def _issues(running: Installation) -> None:
    loaded = running.manage("shell", "-v0", "-c", ON_FILE)
    assert (loaded.returncode, loaded.stderr) == (0, "")


@pytest.fixture
def queue(site: str, browser: Browser, signed_in: Callable[[str], SignedIn]) -> Callable[..., Look]:
    def opened(role: str = "agent", *, scripts: bool = True) -> Look:
        return Look.at(site, browser, by=signed_in(role), scripts=scripts)

    return opened


def until_focused(look: Look, *names: str) -> None:
    """Press Tab until one of these has focus."""
    for _ in range(STOPS):
        if look.focused() in names:
            return
        look.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {names}")


def open_issue(look: Look, table: str) -> None:
    look.goto(f"/work/?whose=all&q={table}")
    look.page.get_by_role("link", name="All rounds, breakdowns and activity").click()
    look.page.wait_for_url("**/findings/*/")


def test_keyboard_reaches_a_question_to_the_operator(running: Installation, look: Look) -> None:
    logins = json.loads((running.var / "demonstration" / "logins.json").read_text())
    [text] = [each for each in logins if each["role"] == "supervisor"]
    keys = look.page.keyboard
    look.goto("/account/sign-in/")
    until_focused(look, "id_login")
    keys.type(text["email"])
    until_focused(look, "id_password")
    keys.type(text["password"])
    keys.press("Enter")
    look.page.wait_for_url("**/second-factor/**")
    until_focused(look, "id_code")
    wait_until(lambda: time.time() % 30 < 20)  # a code about to expire would be too late
    keys.type(code_of(text["secret"]))
    keys.press("Enter")
    look.page.get_by_role("button", name="Sign out").wait_for()
    until_focused(look, "Audits")
    keys.press("Enter")
    until_focused(look, "Queue")
    keys.press("Enter")
    look.page.get_by_text("Your queue is empty.").wait_for()
    until_focused(look, "Choose from the unassigned issues of your unit")
    keys.press("Enter")
    look.page.wait_for_url("**queue=nobody**")
    keys.press("?")
    look.page.get_by_text("next and previous").wait_for()
    look.check_page()
    keys.press("Escape")
    look.page.get_by_text("next and previous").wait_for(state="hidden")
    keys.press("j")
    keys.press("j")
    keys.press("Enter")
    look.page.wait_for_url("**issue=*")
    look.check_page()
    look.page.get_by_role("link", name="All rounds, breakdowns and activity").press("Enter")
    look.page.wait_for_url("**/findings/*/")
    first = look.path()
    keys.press("k")
    look.page.wait_for_url(lambda url: "/findings/" in url and first not in url)
    keys.press("c")
    look.page.get_by_text("The issue is assigned to you.").wait_for()
    keys.press("d")
    keys.press("j")
    look.focus_comes_to("Ask the operator")
    keys.press("Enter")
    keys.press("Tab")
    keys.type("12312030")
    while look.page.evaluate("document.activeElement.tagName") != "TEXTAREA":
        keys.press("Tab")
    keys.type("Which pay table lay on this table? j k c d ?")
    look.check_page()
    keys.press("Tab")
    keys.press("Enter")
    look.page.get_by_text("Your decision is on file.").wait_for()
    assert look.page.get_by_text("Information requested").first.is_visible()
    assert look.page.get_by_text("due December 31, 2030").is_visible()
    look.check_page()
    keys.press("n")
    keys.type("The pit boss knows more.")
    keys.press("Tab")
    keys.press("Enter")
    look.page.get_by_text("Note added.").wait_for()


def test_bulk_assignment_and_decision_follow_a_preview(
    queue: Callable[..., Look],
) -> None:
    with queue() as look:
        look.goto("/work/?whose=unit&queue=nobody")
        look.check_page()
        for box in look.page.locator("[name=issue]").all()[:3]:
            box.check()
        look.page.locator(".many").get_by_role("button", name="Assign to me").click()
        look.page.get_by_text("3 of 3 issues will change").wait_for()
        look.check_page()
        look.page.get_by_role("button", name="Confirm for 3").dblclick()
        look.page.get_by_text("done for 3 of 3").wait_for()
        look.check_page()
        look.goto("/work/")
        look.page.get_by_text("All issues that match").click()
        look.page.get_by_role("button", name="Decide").click()
        look.page.get_by_label("Decision", exact=True).select_option("explain")
        look.page.get_by_label("Why").fill("A new dealer")
        look.check_page()
        look.page.get_by_role("button", name="Preview results").click()
        look.page.get_by_role("button", name="Confirm for").click()
        look.page.get_by_role("button", name="Reverse these decisions").click()
        look.page.get_by_label("Why").wait_for()
        look.goto("/work/")
        assert look.page.get_by_text("decided in this shift").is_visible()


def test_issue_is_decided_without_scripts(
    queue: Callable[..., Look],
) -> None:
    with queue(scripts=False) as look:
        look.goto("/work/?whose=all&q=D6")
        look.page.locator("[name=issue]").check()
        look.page.locator(".many").get_by_role("button", name="Assign to me").click()
        look.page.get_by_role("button", name="Confirm for 1").click()
        open_issue(look, "D6")
        look.page.locator("summary", has_text="Dealer error, corrected").click()
        look.page.locator("#id_correct-reason").fill("Paid back at once")
        look.page.get_by_role("button", name="Dealer error, corrected").click()
        assert look.page.get_by_text("Your decision is on file.").is_visible()


def test_typed_text_survives_a_lost_session(
    queue: Callable[..., Look],
) -> None:
    with queue() as look:
        open_issue(look, "D7")
        page = look.path()
        kept = look.page.context.cookies()
        look.page.locator("summary", has_text="Not a violation").click()
        look.page.locator("#id_dismiss-reason").fill("A long <b>story</b>")
        look.page.context.clear_cookies()
        look.page.get_by_role("button", name="Not a violation").click()
        look.page.wait_for_load_state()
        look.faults.clear()
        look.page.context.add_cookies(kept)
        look.goto(f"{page}dismiss/")  # where the sign-in leads
        assert look.path() == page
        reason = look.page.locator("#id_dismiss-reason")
        assert reason.input_value() == "A long <b>story</b>"
        assert reason.is_visible()
        look.page.get_by_role("button", name="Not a violation").dblclick()
        look.page.get_by_text("Your decision is on file.").wait_for()
        look.page.locator("summary", has_text="Take the decision back").click()
        assert look.page.locator("#id_reopen-reason").input_value() == ""
        look.page.reload()
        assert look.page.get_by_text("is back").count() == 0


def test_signing_out_clears_typed_text(
    queue: Callable[..., Look],
) -> None:
    with queue() as look:
        look.goto("/work/?whose=all")
        look.page.locator("summary", has_text="Write a note").click()
        look.page.locator("[data-note] textarea").fill("Ask about the dealer.")
        assert "Ask about the dealer." in look.page.evaluate("JSON.stringify(sessionStorage)")
        # Other tests continue with this session: the form is sent, and stopped on its way.
        look.page.route("**/sign-out/", lambda route: route.fulfill(status=204))
        look.page.get_by_role("button", name="Sign out").click()
        assert look.page.evaluate("sessionStorage.length") == 0


def test_stale_decision_page_keeps_typed_text(
    queue: Callable[..., Look],
) -> None:
    with queue() as mine, queue("agent") as other:
        open_issue(mine, "D5")
        open_issue(other, "D5")
        for look, step, words in ((other, "take_up", "I know this"), (mine, "dismiss", "Misread")):
            reason = look.page.locator(f"#id_{step}-reason")
            look.page.locator("details", has=reason).locator("summary").click()
            reason.fill(words)
            with look.page.expect_navigation():
                look.page.locator("details", has=reason).get_by_role("button").click()
        mine.page.get_by_text("What changed meanwhile").wait_for()
        assert mine.page.get_by_text("began the review. “I know this”").is_visible()
        assert mine.page.locator("#id_dismiss-reason").input_value() == "Misread"
        mine.check_page()


def test_single_keys_can_be_turned_off(queue: Callable[..., Look]) -> None:
    with queue() as look:
        look.goto("/work/?whose=all")
        look.page.keyboard.press("?")
        look.page.get_by_text("Use single-key shortcuts").click()
        look.page.keyboard.press("Escape")
        look.page.get_by_text("next and previous").wait_for(state="hidden")
        before = look.focused()
        look.page.keyboard.press("j")
        assert look.focused() == before
