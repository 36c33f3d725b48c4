"""Release pages: a day's report approved by an agent, and findings of a code automatically."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from audits.intake.days.writes import close_day, keep_day, supplement_day
from audits.review.releases.reads import standing_releases
from audits.review.releases.writes import set_standing_release
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from tests.audits.queue.issues import issue_of, unit_of_agent
from tests.compliance.pages.browsing import browser_of, check_and_post, hidden, words
from tests.compliance.people import made_party, party_for, person_as

if TYPE_CHECKING:
    from audits.intake.days.models import GamblingDay
    from compliance.access.models import Party, Person

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
DAY = date(2025, 3, 8)
CODE = "settlement.three_card"


@pytest.fixture
def room(manager: Person) -> Party:
    del manager
    return party_for(Role.OPERATOR_MANAGER, "room")


@pytest.fixture
def day(room: Party) -> GamblingDay:
    kept = keep_day(party=room, day=DAY)
    close_day(day=kept)
    return kept


def address(day: GamblingDay) -> str:
    return reverse("day_release", args=[day.party.code, f"{day.day:%Y-%m-%d}"])


def test_day_is_released_once_and_names_the_person(agent: Person, day: GamblingDay) -> None:
    browser = browser_of(agent)
    assert address(day) in browser.get(reverse("releases")).text
    page = browser.get(address(day))
    assert "names every issue of the night, also those that are not released" in words(page)
    sent = {"supplements": hidden(page, "supplements")}
    assert check_and_post(browser, address(day), sent).status_code == 302
    again = browser.post(address(day), sent)
    assert again.status_code == 422
    assert "was released to The room before" in words(again)
    told = words(browser.get(address(day)))
    assert f"released by {agent}" in told
    assert "Release this day to" not in told
    assert address(day) not in browser.get(reverse("releases")).text


def test_stale_page_does_not_release_a_supplemented_day(agent: Person, day: GamblingDay) -> None:
    browser = browser_of(agent)
    sent = {"supplements": hidden(browser.get(address(day)), "supplements")}
    supplement_day(day=day)
    stale = browser.post(address(day), sent)
    assert stale.status_code == 422
    assert "its report has a supplement" in words(stale)
    day.refresh_from_db()
    assert day.released is None
    assert hidden(stale, "supplements") == "1"
    for nonsense in ({}, {"supplements": "x"}, {"supplements": "-1"}, {"supplements": "9" * 400}):
        assert browser.post(address(day), nonsense).status_code == 422


def test_an_open_day_offers_no_release_and_refuses_one(agent: Person, room: Party) -> None:
    kept = keep_day(party=room, day=DAY)
    browser = browser_of(agent)
    assert "before it is closed" in words(browser.get(address(kept)))
    assert "is open until" in words(browser.post(address(kept), {"supplements": "0"}))


def test_reviewer_without_release_reads_operator_gets_404(
    manager: Person, room: Party, day: GamblingDay
) -> None:
    auditor = browser_of(person_as(Role.AUDITOR))
    standing = reverse("standing_releases", args=[room.code])
    for path in (address(day), standing):
        assert "<form" not in auditor.get(path).text.partition("<main")[2]
        assert auditor.post(path, {"supplements": "0", "code": CODE}).status_code == 404
    theirs = browser_of(manager)
    for path in (address(day), standing, reverse("releases")):
        assert theirs.get(path).status_code == 404
    for path in (address(day), standing):
        assert theirs.post(path, {"supplements": "0"}).status_code == 404
    day.refresh_from_db()
    assert day.released is None


def test_a_standing_release_is_given_and_ended_on_its_page(agent: Person, room: Party) -> None:
    issue = issue_of(room, seen_by=unit_of_agent(agent))
    browser = browser_of(agent)
    path = reverse("standing_releases", args=[room.code])
    assert "The beginning: only the operator can fix it" in words(browser.get(path))
    assert check_and_post(browser, path, {"code": CODE, "stands": "yes"}).status_code == 302
    issue.refresh_from_db()
    assert issue.released is not None
    assert f", by {agent}" in words(browser.get(path))
    twice = browser.post(path, {"code": CODE, "stands": "yes"})
    assert twice.status_code == 422
    assert "are already released automatically" in words(twice)
    assert check_and_post(browser, path, {"code": CODE, "stands": "no"}).status_code == 302
    with without_access_scope():
        assert CODE not in [each.code for each in standing_releases(room)]
    for nonsense in ({}, {"code": "<b>", "stands": "yes"}, {"code": CODE, "stands": "perhaps"}):
        assert browser.post(path, nonsense).status_code == 422


def test_standing_release_names_operator_and_last_person(agent: Person, room: Party) -> None:
    other = made_party(PartyKind.CARD_ROOM, "other")
    later = person_as(Role.SUPERVISOR)
    for stands, by in ((True, agent), (False, agent), (True, later)):
        set_standing_release(party=room, code=CODE, stands=stands, by=by)
    set_standing_release(party=other, code="night.gap", stands=False, by=agent)
    with without_access_scope():
        given = {each.code: each for each in standing_releases(room)}
        assert given[CODE].by == str(later)
        assert given["night.gap"].since is None
        codes = {each.code for each in standing_releases(other)}
    assert CODE not in codes
    assert "night.gap" not in codes
