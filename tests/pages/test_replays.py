"""A replay is started in the browser, followed while it runs, and compared with an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.installation import wait_until
from tests.pages.looking import PATIENCE_MS, Look
from tests.pages.test_submission import log

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn


def test_a_replay_is_begun_followed_and_compared(
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
    tmp_path: Path,
) -> None:
    with Look.at(site, browser, by=signed_in("operator_manager")) as look:
        look.goto("/rounds/submission/")
        look.page.get_by_label("Round log").set_input_files(log(tmp_path, "played.jsonl", 300))
        look.page.get_by_role("button", name="Submit log").click()
        look.page.wait_for_url("**/rounds/logs/**", timeout=PATIENCE_MS)
    with Look.at(site, browser, by=signed_in("agent")) as look:
        for _ in range(2):
            begin(look)
        look.page.get_by_role("link", name="Compare with an earlier replay").click()
        look.page.get_by_role("button", name="Compare").click()
        look.page.get_by_text("Nothing is different").wait_for(timeout=PATIENCE_MS)
        look.check_page()
        look.goto("/replays/")
        look.check_page()
        look.page.locator("table").get_by_role("link").first.click()
        look.page.get_by_role("heading", name="Inputs", exact=True).wait_for()


def test_replay_works_without_scripts(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn], tmp_path: Path
) -> None:
    with Look.at(site, browser, by=signed_in("operator_manager"), scripts=False) as look:
        look.goto("/rounds/submission/")
        look.page.get_by_label("Round log").set_input_files(log(tmp_path, "quiet.jsonl", 20))
        look.page.get_by_role("button", name="Submit log").click()
        until(look, "Receipt of")
    with Look.at(site, browser, by=signed_in("agent"), scripts=False) as look:
        look.goto("/replays/new/")
        look.page.get_by_label("Operator").select_option("cedar")
        look.page.get_by_role("button", name="Start replay").click()
        until(look, "Results")


def begin(look: Look) -> None:
    look.goto("/replays/")
    look.page.get_by_role("link", name="Start a replay").click()
    look.page.get_by_label("Operator").select_option("cedar")
    look.page.get_by_label("Gambling day (optional)", exact=True).fill("1999-01-01")
    look.page.get_by_role("button", name="Start replay").click()
    look.page.get_by_text("Submit a log first").wait_for()
    look.check_page()
    look.page.get_by_label("Gambling day (optional)", exact=True).fill("2026-03-06")
    look.page.get_by_role("button", name="Start replay").click()
    look.page.get_by_text("Results").wait_for(timeout=PATIENCE_MS)
    look.check_page()


def until(look: Look, text: str) -> None:
    def shown() -> bool:
        look.page.wait_for_timeout(500)
        look.page.reload()
        return look.page.get_by_text(text).count() > 0

    wait_until(shown)
