"""A new agent's walk, from the address and a login to a decided issue, with its pictures.

`docs/tutorials/your-first-issue.md` describes the same steps in the same words.
"""

from __future__ import annotations

import json
import subprocess
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from compliance import clock
from tests.audits.replay.nights import dealt, spoiled, written
from tests.compliance.people import code_of
from tests.installation import Installation, wait_until
from tests.pages.looking import PHONE, WIDE, Look, keep_picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn

TABLE = "W1"
DAY = clock.today() - timedelta(days=2)
QUESTION = f"Which pay table lay on table {TABLE} that evening?"
ANSWER = "The new one: the dealer was not told."


@pytest.fixture(scope="module")
def night(running: Installation, filings: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Submit an operator's night with the main wager paid wrong in every third round."""
    del filings
    log = tmp_path_factory.mktemp("night") / "night.jsonl"
    rounds = dealt(900, day=DAY, tables=(TABLE,), ids="walk-")
    log.write_bytes(written(spoiled(rounds, every=30, cents=2500)))
    for command in (["ingest", str(log)], ["replay", "--wait"]):
        done = running.manage(*command, "--operator", "cedar")
        assert done.returncode == 0, done.stderr


def sign_in(look: Look, running: Installation, name: str) -> None:
    logins = json.loads((running.var / "demonstration" / "logins.json").read_text())
    [text] = [each for each in logins if each["name"] == name]
    look.goto("/")
    look.page.get_by_role("link", name="Sign in").first.click()
    look.page.get_by_label("Email").fill(text["email"])
    look.page.get_by_label("Password").fill(text["password"])
    look.page.get_by_role("button", name="Sign in", exact=True).click()
    look.page.wait_for_url("**/second-factor/**")
    wait_until(lambda: time.time() % 30 < 20)  # a code about to expire would be too late
    look.page.get_by_label("Code").fill(code_of(text["secret"]))
    look.page.get_by_role("button", name="Sign In", exact=True).click()
    look.page.get_by_role("button", name="Sign out").wait_for()


@pytest.mark.usefixtures("night")
def test_new_agent_decides_an_answered_issue(
    running: Installation,
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
) -> None:
    with Look.at(site, browser) as look:
        page = look.page
        sign_in(look, running, "Ben Okafor")
        look.take_picture("walk-1-today")
        look.check_page()
        page.get_by_role("link", name="Choose an issue and assign it to yourself").click()
        page.locator("#id_q").fill(TABLE)
        page.get_by_role("button", name="Show", exact=True).click()
        page.wait_for_url(f"**q={TABLE}**")
        page.locator("caption").first.evaluate("(it) => it.scrollIntoView()")
        look.take_picture("walk-2-free")
        page.get_by_role("link", name="All rounds, breakdowns and activity").click()
        page.wait_for_url("**/findings/*/")
        page.get_by_role("button", name="Assign to me").click()
        page.get_by_text("The issue is assigned to you.").wait_for()
        issue = look.path()
        page.locator("summary", has_text="Ask the operator").click()
        page.get_by_label("To be answered by").fill("2030-12-31")
        page.get_by_label("Question").fill(QUESTION)
        page.get_by_label("Question").scroll_into_view_if_needed()
        look.take_picture("walk-3-question")
        page.get_by_role("button", name="Ask the operator").click()
        page.get_by_text("The operator cannot read the question yet").wait_for()
        page.get_by_role("button", name="Release to").click()
        page.get_by_role("button", name="Release", exact=True).click()
        page.get_by_text("can see this issue from now on").wait_for()

        with Look.at(site, browser, by=signed_in("operator_manager")) as theirs:
            theirs.goto("/")
            theirs.page.get_by_role("link", name=QUESTION[:20]).or_(
                theirs.page.locator(f'main a[href="{issue}"]')
            ).first.click()
            theirs.page.locator("#id_answer-text").fill(ANSWER)
            theirs.take_picture("walk-4-answer")
            assert theirs.broken_rules() == []
            theirs.page.get_by_role("button", name="Send answer").dblclick()
            theirs.page.get_by_text(ANSWER).wait_for()
            theirs.page.get_by_text("The commission is reviewing this").first.wait_for()

        look.goto(issue)
        assert page.get_by_text(ANSWER).is_visible()
        page.locator("summary", has_text="Dealer error, corrected").click()
        page.locator("#id_correct-reason").fill("The dealer was not told; the players were paid.")
        page.get_by_role("button", name="Dealer error, corrected").click()
        page.get_by_text("Your decision is on file.").wait_for()
        look.take_picture("walk-5-decided")
        issue_round_and_dashboard(look, issue)


@pytest.mark.usefixtures("night")
def test_nightly_report_is_made_and_pictured(running: Installation) -> None:
    of_day = ("--operator", "cedar", "--day", str(DAY))
    found = running.manage("findings", *of_day)
    assert found.returncode == 0, found.stderr
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    overpaid = next(each["round"] for each in lines if each["delta"] > 0 and each["seat"])
    picture_first_page(running, "report-nightly", "nightly", *of_day)
    picture_first_page(running, "report-round", "round", "--operator", "cedar", "--of", overpaid)


def picture_first_page(running: Installation, name: str, *asked: str) -> None:
    made = running.manage("report", *asked, "--json")
    assert made.returncode == 0, made.stderr
    report = json.loads(made.stdout)["path"]
    first_page = ("pdftoppm", "-png", "-singlefile", "-r", "80", report)
    keep_picture(
        name, lambda place: subprocess.run([*first_page, place.with_suffix("")], check=True)
    )


def issue_round_and_dashboard(look: Look, issue: str) -> None:
    """Show the queue's other pages, with content on them."""
    page = look.page
    look.goto(issue)
    assert page.get_by_role("heading", name="Rounds by table and hour").is_visible()
    look.check_page()
    page.get_by_role("heading", name="When it happened").evaluate("(it) => it.scrollIntoView()")
    look.take_picture("queue-issue")
    page.locator("main a[href*='/rounds/of/']").first.click()
    page.get_by_role("heading", name="Step by step").or_(page.locator("h1")).first.wait_for()
    look.take_picture("queue-round")
    look.goto("/dashboard/?days=7")
    look.take_picture("queue-dashboard")
    look.goto(f"/cases/new/?issue={issue.strip('/').rpartition('/')[2]}")
    page.get_by_label("Why it is opened").fill("It happened at one table all night.")
    page.get_by_role("button", name="Open case").click()
    page.get_by_text("is open.").wait_for()
    look.take_picture("queue-case")
    look.goto("/visits/", width=PHONE)
    # Where no other test makes one: a second visit can't start before the first one ends.
    page.get_by_text("Begin a visit now", exact=True).click()
    page.locator("#id_begin-operator").select_option("harbor")
    page.get_by_role("button", name="Begin visit").click()
    page.get_by_role("link", name="Begin: Games and tables on the floor").wait_for()
    look.take_picture("queue-visit")
    page.set_viewport_size(WIDE)
