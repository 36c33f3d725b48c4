"""A replay is begun in the browser, followed while it runs, and put beside an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.installation import wait_until
from tests.pages.looking import PATIENCE_MS, Look
from tests.pages.test_hand_in import log, looked_at

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
    pictures: Path,
) -> None:
    with Look.at(site, browser, by=signed_in("operator_manager")) as look:
        look.goto("/rounds/hand-in/")
        look.page.get_by_label("Round log").set_input_files(log(tmp_path, "played.jsonl", 300))
        look.page.get_by_role("button", name="Hand it in").click()
        look.page.wait_for_url("**/rounds/logs/**", timeout=PATIENCE_MS)
    with Look.at(site, browser, by=signed_in("agent")) as look:
        for _ in range(2):
            begin(look, pictures)
        look.page.get_by_role("link", name="Compare with an earlier replay").click()
        look.page.get_by_role("button", name="Compare").click()
        look.page.get_by_text("Nothing is different").wait_for(timeout=PATIENCE_MS)
        looked_at(look, pictures, "replays-compared")
        look.goto("/replays/")
        looked_at(look, pictures, "replays")
        look.page.locator("table").get_by_role("link").first.click()
        look.page.get_by_text("What it rests on").wait_for()


def test_without_scripts_a_replay_is_begun_and_looked_at_by_reloading(
    site: str, browser: Browser, signed_in: Callable[[str], SignedIn], tmp_path: Path
) -> None:
    with Look.at(site, browser, by=signed_in("operator_manager"), scripts=False) as look:
        look.goto("/rounds/hand-in/")
        look.page.get_by_label("Round log").set_input_files(log(tmp_path, "quiet.jsonl", 20))
        look.page.get_by_role("button", name="Hand it in").click()
        until(look, "Receipt of")
    with Look.at(site, browser, by=signed_in("agent"), scripts=False) as look:
        look.goto("/replays/new/")
        look.page.get_by_label("Operator").select_option("cedar")
        look.page.get_by_role("button", name="Begin the replay").click()
        until(look, "What it came to")


def begin(look: Look, pictures: Path) -> None:
    look.goto("/replays/")
    look.page.get_by_role("link", name="Begin a replay").click()
    look.page.get_by_label("Operator").select_option("cedar")
    look.page.get_by_label("Gambling day (optional)", exact=True).fill("1999-01-01")
    look.page.get_by_role("button", name="Begin the replay").click()
    look.page.get_by_text("Hand in a log first").wait_for()
    looked_at(look, pictures, "replay-refused")
    look.page.get_by_label("Gambling day (optional)", exact=True).fill("2026-03-06")
    look.page.get_by_role("button", name="Begin the replay").click()
    look.page.get_by_text("What it came to").wait_for(timeout=PATIENCE_MS)
    looked_at(look, pictures, "replay")


def until(look: Look, text: str) -> None:
    def shown() -> bool:
        look.page.wait_for_timeout(500)
        look.page.reload()
        return look.page.get_by_text(text).count() > 0

    wait_until(shown)
