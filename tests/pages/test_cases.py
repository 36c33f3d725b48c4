"""A player's complaint becomes a case in the browser, up to the recommendation, on both screens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.pages.looking import Look

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn


def write_facts(look: Look, facts: str) -> None:
    look.page.get_by_text("Edit title and facts", exact=True).press("Enter")
    look.page.locator("#id_facts-facts").fill(facts)


def test_complaint_becomes_case_with_evidence_and_level(
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
    tmp_path: Path,
) -> None:
    letter = tmp_path / "<b>letter of the patron.txt"
    letter.write_text("They paid me thirty to one.")
    with Look.at(site, browser, by=signed_in("agent")) as look:
        page = look.page
        look.goto("/cases/new/")
        page.get_by_role("button", name="Open case").click()
        page.get_by_role("alert").wait_for()
        look.check_page()
        page.get_by_label("Operator", exact=True).select_option("cedar")
        page.get_by_label("Title", exact=True).fill("A straight flush paid short")
        page.get_by_label("Why it is opened").fill("A player called on Sunday.")
        page.get_by_label("What it begins with").select_option("complaint")
        page.get_by_label("What the player").fill("The layout says 50 to 1, they paid 30 to 1.")
        page.get_by_role("button", name="Open case").press("Enter")
        page.get_by_text("An apparent violation").first.wait_for()
        page.get_by_text("Add evidence", exact=True).press("Enter")
        page.get_by_label("What it is", exact=True).select_option("paper")
        page.locator("#id_gather-papers").set_input_files(letter)
        page.locator("#id_gather-evidence_date").fill("2026-03-06")
        page.get_by_role("button", name="Add to the case").press("Enter")
        page.get_by_text("Added to the case.").wait_for()
        page.get_by_role("link", name="<b>letter of the patron.txt").wait_for()
        page.get_by_text("Recommend a level", exact=True).press("Enter")
        page.get_by_label("Level", exact=True).select_option("infraction")
        page.locator("#id_level-reason").fill("The first time, and made good.")
        page.get_by_role("button", name="Recommend").press("Enter")
        page.get_by_text("Recommended: Notice of infraction.").wait_for()
        facts = "On March 6 <i>three</i> seats were paid 30 to 1.\n" * 20
        write_facts(look, facts)
        case, kept = look.path(), page.context.cookies()
        page.context.clear_cookies()  # the session ended during the writing
        page.get_by_role("button", name="Save facts").click()
        page.wait_for_load_state()
        look.faults.clear()
        page.context.add_cookies(kept)
        look.goto(f"{case}facts/")  # where the sign-in leads
        assert look.path() == case
        page.get_by_text("What you wrote here before is back.").wait_for()
        assert page.locator("#id_facts-facts").input_value() == facts
        page.get_by_role("button", name="Save facts").press("Enter")
        page.get_by_text("Facts saved.").wait_for()
        page.reload()
        assert page.get_by_text("is back").count() == 0
        write_facts(look, "What I wrote")
        with Look.at(site, browser, by=signed_in("supervisor")) as theirs:
            theirs.goto(case)
            write_facts(theirs, "What she wrote")
            theirs.page.get_by_role("button", name="Save facts").press("Enter")
            theirs.page.get_by_text("Facts saved.").wait_for()
        look.goto(case)  # a colleague's change in the meantime isn't overwritten
        assert page.locator("#id_facts-facts").input_value() == "What she wrote"
        assert page.get_by_text("It was changed meanwhile. You wrote: What I wrote").is_visible()
        page.evaluate("document.querySelectorAll('main details').forEach((d) => (d.open = true))")
        look.check_page()
        look.goto("/cases/")
        look.check_page()
