"""What an operator sees: nothing before a release, then the issue with everything in it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from audits.intake.days.writes import close_day, keep_day
from audits.replay.findings.models import Finding, Issue, IssueNight, IssueVisibility
from audits.review.releases.reads import is_released_as_it_comes
from audits.review.releases.writes import (
    release_as_standing,
    release_day,
    release_issue,
    set_standing_release,
)
from compliance import clock
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.event_log.reads import readable_events
from tests.compliance.people import made_party, made_person, party_for, person_as

if TYPE_CHECKING:
    from compliance.access.models import Party, Person

pytestmark = pytest.mark.django_db
DAY = date(2025, 3, 8)
WRONG = "settlement.three_card"


@pytest.fixture
def room(manager: Person) -> Party:
    del manager
    return party_for(Role.OPERATOR_MANAGER, "room")


def found(party: Party, code: str = WRONG, table: str = "T1") -> Issue:
    """Create an issue with one night and one finding, visible only to the commission."""
    with without_access_scope():
        made = Issue.objects.create(
            party=party,
            game="pyramid-poker",
            table=table,
            cause=f"{code} {table}",
            code=code,
            weight="money",
            findings=1,
            rounds=1,
            over=2_000,
            opened=clock.now(),
        )
        IssueVisibility.objects.create(shown=made, party=party_for(Role.AGENT))
        IssueNight.objects.create(issue=made, day=DAY, findings=1, rounds=1, over=2_000, under=0)
        Finding.objects.create(issue=made, identity="0" * 32, day=DAY, round="r-1")
    return made


def seen(person: Person) -> tuple[int, int, int]:
    """Return how many issues, nights and findings exist for a person."""
    with within(visible_parties(memberships_of(person))):
        return Issue.objects.count(), IssueNight.objects.count(), Finding.objects.count()


def message(person: Person) -> list[str]:
    events = readable_events(memberships_of(person)).values_list("type", flat=True)
    return [each for each in events if each.startswith(("issue.", "day."))]


def test_unreleased_issue_is_invisible_to_operator(
    agent: Person, manager: Person, room: Party
) -> None:
    issue = found(room)
    assert seen(agent) == (1, 1, 1)
    assert seen(manager) == (0, 0, 0)
    assert message(manager) == []
    release_issue(issue=issue, by=agent)
    assert seen(manager) == (1, 1, 1)
    assert message(manager) == ["issue.released"]
    assert seen(agent) == (1, 1, 1)


def test_a_release_to_one_operator_is_none_to_another(
    agent: Person, manager: Person, room: Party
) -> None:
    other = person_as(Role.OPERATOR_MANAGER, "other")
    release_issue(issue=found(room), by=agent)
    assert seen(manager) == (1, 1, 1)
    assert seen(other) == (0, 0, 0)
    assert message(other) == []


def test_agency_sees_its_operation_and_no_other_agency_does(
    agent: Person,
) -> None:
    reviewer = person_as(Role.AGENCY_REVIEWER, "agency")
    stranger = person_as(Role.AGENCY_REVIEWER, "stranger")
    casino = made_party(
        PartyKind.TRIBAL_OPERATION, "casino", agency=party_for(Role.AGENCY_REVIEWER, "agency")
    )
    manager = made_person("mary", casino, Role.OPERATOR_MANAGER)
    issue = found(casino)
    assert seen(reviewer) == (0, 0, 0)
    release_issue(issue=issue, by=agent)
    assert seen(manager) == seen(reviewer) == (1, 1, 1)
    assert seen(stranger) == (0, 0, 0)


def test_only_agents_and_supervisors_release_once(
    agent: Person, manager: Person, room: Party
) -> None:
    issue = found(room)
    for person in (manager, person_as(Role.AUDITOR), person_as(Role.LICENSING)):
        with pytest.raises(NotAllowedError):
            release_issue(issue=issue, by=person)
    release_issue(issue=issue, by=agent)
    with pytest.raises(RefusedError, match="was released to The room before"):
        release_issue(issue=issue, by=agent)


def test_standing_release_shows_open_and_future(
    agent: Person, manager: Person, room: Party
) -> None:
    found(room)
    found(room, code="wager.missing")
    set_standing_release(party=room, code=WRONG, stands=True, by=agent)
    assert seen(manager) == (1, 1, 1)
    assert release_as_standing(issue=found(room, table="T2"))
    assert seen(manager) == (2, 2, 2)
    # The arrangement itself belongs to the commission.
    assert set(message(manager)) == {"issue.released"}


def test_standing_release_has_one_operator_and_code(
    agent: Person, manager: Person, room: Party
) -> None:
    other = party_for(Role.OPERATOR_MANAGER, "other")
    set_standing_release(party=room, code=WRONG, stands=True, by=agent)
    with without_access_scope():
        assert is_released_as_it_comes(room, WRONG)
        assert not is_released_as_it_comes(other, WRONG)
    with pytest.raises(RefusedError, match="are already released automatically"):
        set_standing_release(party=room, code=WRONG, stands=True, by=agent)
    set_standing_release(party=room, code=WRONG, stands=False, by=agent)
    assert not release_as_standing(issue=found(room))
    assert seen(manager) == (0, 0, 0)


def test_missing_log_of_a_day_is_released_until_that_ends(
    agent: Person, manager: Person, room: Party
) -> None:
    assert release_as_standing(issue=found(room, code="night.gap"))
    assert seen(manager) == (1, 1, 1)
    set_standing_release(party=room, code="night.gap", stands=False, by=agent)
    assert not release_as_standing(issue=found(room, code="night.gap", table="T2"))
    # What was shown stays visible.
    assert seen(manager) == (1, 1, 1)


def test_report_of_a_day_is_released_once_after_closing(
    agent: Person, manager: Person, room: Party
) -> None:
    day = keep_day(party=room, day=DAY)
    with pytest.raises(RefusedError, match="is open until"):
        release_day(day=day, by=agent)
    close_day(day=day)
    assert message(manager) == []
    with pytest.raises(NotAllowedError):
        release_day(day=day, by=manager)
    release_day(day=day, by=agent)
    assert message(manager) == ["day.released"]
    with pytest.raises(RefusedError, match="was released to The room before"):
        release_day(day=day, by=agent)
