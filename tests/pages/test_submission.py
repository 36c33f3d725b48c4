"""A log is submitted in the browser: piece by piece, followed to its receipt."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.installation import wait_until
from tests.pages.looking import PATIENCE_MS, Look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Route

    from tests.installation import Installation
    from tests.pages.looking import SignedIn

PIECE = 8 * 1024 * 1024
ROUND = {
    "v": 1,
    "round": "",
    "game": "pyramid-poker",
    "table": "T1",
    "at": "2026-03-06T20:00:00-08:00",
    "decks": 6,
    "house": {"cards": "Kd Ks 9c", "low": "9c"},
    "seats": [
        {
            "seat": 1,
            "cards": "Qs Qd 9h",
            "low": "9h",
            "wagers": {"main": 2500, "three_card": 500, "six_card": 500},
            "result": {"main": 0, "three_card": 500, "six_card": 500},
        }
    ],
}


def log(folder: Path, name: str, rounds: int, *more: str) -> Path:
    place = folder / name
    lines = [json.dumps({**ROUND, "round": f"{name}-{number}"}) for number in range(rounds)]
    place.write_text("\n".join([*lines, *more]) + "\n")
    return place


@contextmanager
def background_work_paused(running: Installation) -> Iterator[None]:
    """Pause the workers, so that a file that waits for them does so until viewed."""
    workers = [
        number
        for number in running.processes()
        if b"worker" in Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
    ]
    assert workers

    def send(what: signal.Signals) -> None:
        for number in workers:
            os.kill(number, what)

    def hold() -> bool:
        # A worker stopped in the middle of a write would block the web as well.
        send(signal.SIGSTOP)
        if can_be_written(running):
            return True
        send(signal.SIGCONT)
        return False

    wait_until(hold)
    try:
        yield
    finally:
        send(signal.SIGCONT)


def can_be_written(running: Installation) -> bool:
    """Return whether no process has the installation's database locked for writing."""
    place = running.configuration["DATABASE_URL"].removeprefix("sqlite:///")
    with closing(sqlite3.connect(place, timeout=0.1, isolation_level=None)) as database:
        try:
            database.execute("BEGIN IMMEDIATE")
            database.execute("ROLLBACK")
        except sqlite3.OperationalError:
            return False
    return True


@pytest.fixture
def clerk(signed_in: Callable[[str], SignedIn]) -> SignedIn:
    return signed_in("operator_manager")


def test_a_log_is_sent_in_pieces_and_followed_to_its_receipt(
    site: str,
    running: Installation,
    browser: Browser,
    clerk: SignedIn,
    tmp_path: Path,
) -> None:
    path = log(tmp_path, "evening.jsonl", 40_000, "no round", "{}")
    assert path.stat().st_size > PIECE
    with Look.at(site, browser, by=clerk) as look:
        look.goto("/rounds/")
        look.page.locator("main").get_by_role("link", name="Submit a round log").click()
        look.page.get_by_label("Round log").set_input_files(path)
        with background_work_paused(running):
            look.page.get_by_role("button", name="Submit log").click()
            look.page.wait_for_url("**/rounds/submissions/**", timeout=PATIENCE_MS)
            look.page.get_by_label("Read").wait_for()
            look.check_page()
        look.page.wait_for_url("**/rounds/logs/**", timeout=PATIENCE_MS)
        facts = look.page.locator("main").inner_text()
        assert "40,002" in facts
        assert "Download the proof" in facts
        look.check_page()
        look.page.locator("table").get_by_role("link").first.click()
        look.page.wait_for_load_state()
        assert look.page.locator("pre").inner_text() == "no round"
        look.check_page()
        look.goto("/rounds/find/?id=evening.jsonl-123")
        assert "Line 124 as submitted" in look.page.locator("main").inner_text()
        look.check_page()


def test_resumed_upload_does_not_resend_accepted_pieces(
    site: str, browser: Browser, clerk: SignedIn, tmp_path: Path
) -> None:
    path = log(tmp_path, "broken.jsonl", 50_000)
    sent: list[str] = []
    with Look.at(site, browser, by=clerk) as look:
        look.goto("/rounds/submission/")

        def cut_the_line(route: Route) -> None:
            number = route.request.url.rstrip("/").rpartition("/")[2]
            sent.append(number)
            if number == "1" and sent.count("1") == 1:
                route.abort("connectionreset")
            else:
                route.continue_()

        look.page.route("**/pieces/*/", cut_the_line)
        look.page.get_by_label("Round log").set_input_files(path)
        look.page.get_by_role("button", name="Submit log").click()
        look.page.wait_for_url("**/rounds/logs/**", timeout=PATIENCE_MS)
        look.faults = [each for each in look.faults if "ERR_CONNECTION_RESET" not in each]
    assert sent[:3] == ["0", "1", "1"]
    assert sorted(set(sent)) == sent[:1] + sorted(set(sent[1:]))


def test_reopened_browser_resumes_the_same_file(
    site: str, browser: Browser, clerk: SignedIn, tmp_path: Path
) -> None:
    path = log(tmp_path, "closed.jsonl", 50_000)
    other = log(tmp_path, "other.jsonl", 50_001)
    with Look.at(site, browser, by=clerk) as look:
        look.goto("/rounds/submission/")
        look.page.route("**/pieces/1/", lambda route: route.abort("connectionreset"))
        look.page.get_by_label("Round log").set_input_files(path)
        look.page.get_by_role("button", name="Submit log").click()
        look.page.get_by_text("The connection was lost").wait_for()
        look.check_page()
        look.page.close()  # it goes on trying, and is refused
        look.faults.clear()
    with Look.at(site, browser, by=clerk) as look:
        look.goto("/rounds/")
        look.page.get_by_role("link", name="closed.jsonl").click()
        look.check_page()
        sent: list[str] = []
        look.page.on("request", lambda asked: sent.append(asked.url) if _piece(asked) else None)
        look.page.get_by_label("The same file").set_input_files(other)
        look.page.get_by_role("button", name="Resume upload").click()
        look.page.get_by_text("This is not the same file").wait_for()
        look.page.get_by_label("The same file").set_input_files(path)
        look.page.get_by_role("button", name="Resume upload").click()
        look.page.wait_for_url("**/rounds/logs/**", timeout=PATIENCE_MS)
        assert [each.rstrip("/").rpartition("/")[2] for each in sent] == ["1", "2"]


def _piece(asked: Any) -> bool:
    return asked.method == "POST" and "/pieces/" in asked.url


def test_file_is_submitted_without_scripts(
    site: str, browser: Browser, clerk: SignedIn, tmp_path: Path
) -> None:
    path = log(tmp_path, "plain.jsonl", 20)
    with Look.at(site, browser, by=clerk, scripts=False) as look:
        look.goto("/rounds/submission/")
        look.page.get_by_label("Round log").set_input_files(path)
        look.page.get_by_role("button", name="Submit log").click()

        def led_to_its_page() -> bool:
            look.page.wait_for_timeout(500)
            look.page.reload()
            return "/rounds/logs/" in look.page.url

        wait_until(led_to_its_page)
        assert "Receipt of plain.jsonl" in look.page.locator("h1").inner_text()


def test_rejected_file_says_why_where_it_was_chosen(
    site: str, browser: Browser, clerk: SignedIn, tmp_path: Path
) -> None:
    empty, page = tmp_path / "empty.jsonl", tmp_path / "page.html"
    empty.write_bytes(b"")
    page.write_text("<html>\n")
    with Look.at(site, browser, by=clerk) as look:
        look.goto("/rounds/submission/")
        look.page.get_by_label("Round log").set_input_files(empty)
        look.page.get_by_role("button", name="Submit log").click()
        look.page.get_by_text("empty.jsonl is empty").wait_for()
        look.check_page()
        look.page.get_by_label("Round log").set_input_files(page)
        look.page.get_by_role("button", name="Submit log").click()
        look.page.get_by_text("page.html is a web page (HTML), not a round log").wait_for(
            timeout=PATIENCE_MS
        )
        look.check_page()
