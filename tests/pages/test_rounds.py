"""A round of each game is looked up and viewed as it was dealt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from games.rule_set import SLUGS
from tests.audits.replay.nights import dealt
from tests.pages.looking import PATIENCE_MS, Look
from tests.pages.test_keyboard import OUTLINED

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from tests.pages.looking import SignedIn

LONG = "A" * 32


@pytest.fixture(scope="module")
def rounds(
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, dict[str, Any]]:
    """Return a replayed round of each game, with names as long as allowed."""
    made = {game: dealt(1, game=game, tables=(LONG,))[0] for game in SLUGS}
    for game, each in made.items():
        each["round"] = f"{game}:{'0' * 64}"[:64]
        for seat in each["seats"]:
            seat["player"] = "p" * 64
    log = tmp_path_factory.mktemp("rounds") / "each-game.jsonl"
    log.write_text("".join(f"{json.dumps(each)}\n" for each in made.values()))
    with Look.at(site, browser, by=signed_in("operator_manager")) as look:
        look.goto("/rounds/submission/")
        look.page.get_by_label("Round log").set_input_files(log)
        look.page.get_by_role("button", name="Submit log").click()
        look.page.wait_for_url("**/rounds/logs/**", timeout=PATIENCE_MS)
    with Look.at(site, browser, by=signed_in("agent")) as look:
        look.goto("/replays/new/")
        look.page.get_by_label("Operator").select_option("cedar")
        look.page.get_by_role("button", name="Start replay").click()
        look.page.get_by_text("Results").wait_for(timeout=PATIENCE_MS)
    return made


def named(cards: str) -> list[str]:
    """Return cards as a person reads them aloud."""
    words = "two three four five six seven eight nine ten jack queen king ace"
    ranks = dict(zip("23456789TJQKA", words.split(), strict=True))
    suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    return [
        "joker" if card == "Jo" else f"{ranks[card[0]]} of {suits[card[1]]}"
        for card in cards.split()
    ]


@pytest.mark.parametrize("game", SLUGS)
def test_round_page_is_accessible_and_fits(
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
    rounds: dict[str, dict[str, Any]],
    game: str,
) -> None:
    played = rounds[game]
    with Look.at(site, browser, by=signed_in("agent")) as look:
        look.goto(f"/rounds/find/?id={played['round']}")
        assert look.path() == f"/rounds/of/cedar/{played['round']}/"
        look.check_page()
        seat = played["seats"][0]
        first = seat.get("cards") or seat["front"]
        [card, *_] = named(first)
        group = look.page.get_by_role("group", name=f"Seat {seat['seat']}, ").first
        assert group.get_by_role("img", name=card).first.is_visible()
        assert "Step by step" in look.page.locator("main").inner_text()


def test_round_is_found_by_table_and_time_with_keyboard(
    site: str,
    browser: Browser,
    signed_in: Callable[[str], SignedIn],
    rounds: dict[str, dict[str, Any]],
) -> None:
    played = rounds["pyramid-poker"]
    with Look.at(site, browser, by=signed_in("operator_manager")) as look:
        look.goto("/rounds/find/")
        look.page.get_by_role("textbox", name="Table").focus()
        look.page.keyboard.type(LONG.lower())
        look.page.keyboard.press("Tab")
        look.page.keyboard.type("07122025")
        look.page.get_by_label("About what time").focus()
        look.page.keyboard.type("1000AM")
        look.page.keyboard.press("Enter")
        look.page.get_by_text("(nearest)").wait_for()
        look.check_page()
        look.page.get_by_role("link", name=played["round"]).focus()
        assert look.page.evaluate(OUTLINED)
        look.page.keyboard.press("Enter")
        look.page.wait_for_url("**/rounds/of/cedar/**")
        for _ in range(40):
            look.page.keyboard.press("Tab")
            if look.focused() == "Log line and proof":
                break
        look.page.keyboard.press("Enter")
        assert look.path().endswith("#evidence")
