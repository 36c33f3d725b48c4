"""Replay pages, for the commission: started, followed, prioritized, canceled, compared."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audits.replay.models import Replay, ReplayComparison
from audits.replay.writes import Scope, begin_replay
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from tests.audits.replay.ledger_rows import AT, made_replay
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.audits.replay.working import work
from tests.compliance.pages.browsing import browser_as, words
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from django.test import Client

    from compliance.access.models import Party

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


@pytest.fixture
def agent() -> Client:
    return browser_as(Role.AGENT)


@pytest.fixture
def cedar(agent: Client) -> Party:
    return party_for(Role.OPERATOR_CLERK, "cedar")


def stands(replay: Replay) -> Replay:
    with without_access_scope():
        return Replay.objects.get(pk=replay.pk)


def audited(operator: Party) -> Replay:
    with without_access_scope():
        replay = begin_replay(operator=operator, scope=Scope(), by=None)
        while work(of=replay):
            pass
    return stands(replay)


def test_replay_starts_and_its_page_shows_its_inputs(agent, cedar):
    with without_access_scope():
        on_file(cedar, dealt(20))
        on_file(cedar, dealt(20, day=NIGHT + timedelta(days=1)))
    sent = {"operator": "cedar", "day": str(NIGHT), "game": "pyramid-poker", "table": "T1"}
    answer = agent.post(reverse("new_replay"), sent)
    with without_access_scope():
        replay = Replay.objects.get()
    assert answer.url == reverse("replay", args=[replay.uuid])
    assert replay.scope == {"day": str(NIGHT), "game": "pyramid-poker", "table": "T1"}
    page = words(agent.get(answer.url))
    assert "0 of 1 segments audited" in page
    assert replay.fingerprint in page
    assert replay.engine in page
    assert "Jul 12, 2025" in page


def test_a_span_chooses_all_days_from_the_first_to_the_last(agent, cedar):
    with without_access_scope():
        for number in range(4):
            on_file(cedar, dealt(5, day=NIGHT + timedelta(days=number)))
    first, last = NIGHT + timedelta(days=1), NIGHT + timedelta(days=2)
    agent.post(reverse("new_replay"), {"operator": "cedar", "day": first, "last": last})
    with without_access_scope():
        replay = Replay.objects.get()
        days = [unit.segment.day for unit in replay.units.select_related("segment")]
    assert days == [first, last]
    assert replay.days == [str(first), str(last)]
    page = agent.get(reverse("replay", args=[replay.uuid]))
    assert "Jul 13, 2025 to Jul 14, 2025" in words(page)


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({}, "This field is required"),
        ({"operator": "nobody"}, "not one of the available choices"),
        ({"operator": "cedar"}, "Submit a log first"),
        ({"operator": "cedar", "day": "0001-01-01"}, "A year from"),
        ({"operator": "cedar", "last": "2025-07-12"}, "Enter the first day, too"),
        (
            {"operator": "cedar", "day": "2025-07-12", "last": "2025-07-11"},
            "cannot be before the first",
        ),
        ({"operator": "cedar", "game": "roulette"}, "not one of the available choices"),
        ({"operator": "cedar", "table": "T\u202e1"}, "a sign that nobody sees"),
        ({"operator": "cedar", "log": "' OR 1=1"}, "has no log of this number"),
        ({"operator": "cedar", "log": "\x00" * 9}, "Null characters are not allowed"),
    ],
)
def test_a_refused_beginning_says_what_is_wrong(agent, cedar, sent, says):
    answer = agent.post(reverse("new_replay"), sent)
    assert answer.status_code == 422
    assert says in words(answer)
    with without_access_scope():
        assert not Replay.objects.exists()


def test_a_replay_is_put_before_others_and_canceled(agent, cedar):
    replay = made_replay(code="cedar")
    agent.post(reverse("move_replay", args=[replay.uuid]), {"order-priority": "7"})
    assert stands(replay).priority == 7
    answer = agent.post(reverse("cancel_replay", args=[replay.uuid]), follow=True)
    assert "The replay is canceled" in words(answer)
    assert stands(replay).state == "canceled"
    again = agent.post(reverse("cancel_replay", args=[replay.uuid]), follow=True)
    assert "This replay has ended" in words(again)
    late = agent.post(reverse("move_replay", args=[replay.uuid]), {"order-priority": "1"})
    assert (late.status_code, stands(replay).priority) == (422, 7)


@pytest.mark.parametrize("priority", ["", "11", "-11", "first", "9" * 5000, "1e3"])
def test_a_priority_that_is_none_changes_nothing(agent, cedar, priority):
    replay = made_replay(code="cedar")
    answer = agent.post(reverse("move_replay", args=[replay.uuid]), {"order-priority": priority})
    assert (answer.status_code, stands(replay).priority) == (422, 0)


def test_a_failed_replay_says_why_and_is_tried_again(agent, cedar):
    replay = made_replay(code="cedar")
    with without_access_scope():
        Replay.objects.filter(pk=replay.pk).update(state="failed", failure="<b>Out of disk</b>")
    page = agent.get(reverse("replay", args=[replay.uuid]))
    assert "&lt;b&gt;Out of disk" in page.text
    agent.post(reverse("retry_replay", args=[replay.uuid]))
    assert (stands(replay).state, stands(replay).failure) == ("running", "")
    again = agent.post(reverse("retry_replay", args=[replay.uuid]), follow=True)
    assert "alert--error" in again.text


def test_page_of_a_replay_reloads_when_it_ends(agent, cedar):
    replay = made_replay(code="cedar")
    address = reverse("replay", args=[replay.uuid])
    assert f'hx-get="{address}"' in agent.get(address).text
    assert "hx-get" not in agent.get(f"{address}?still").text
    with without_access_scope():
        Replay.objects.filter(pk=replay.pk).update(state="done")
    assert "hx-get" not in agent.get(address).text
    assert agent.get(address, headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_two_replays_are_compared_with_what_changed(agent, cedar):
    with without_access_scope():
        first = on_file(cedar, spoiled(dealt(40), every=10))
        former = audited(cedar)
        # 4 rounds are a dollar too low; in the correction, two dollars.
        on_file(cedar, spoiled(dealt(40), every=10, cents=200), corrects=first, reason="Misread")
    later = audited(cedar)
    address = reverse("compare_replays", args=[later.uuid])
    comparison = f"{address}?former={former.uuid}"
    assert "have not been compared yet" in words(agent.get(comparison))
    assert agent.post(address, {"former": former.uuid}).url == comparison
    page = agent.get(comparison)
    assert "0 of 1 gambling days compared" in words(page)
    assert f'hx-get="{comparison}"' in page.text
    assert "hx-get" not in agent.get(f"{comparison}&still").text
    work()
    assert agent.get(comparison, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    page = words(agent.get(comparison))
    assert "Newly found: " in page
    assert "$1.00" in page
    assert "$2.00" in page
    alike = words(agent.get(f"{reverse('replay', args=[later.uuid])}"))
    assert later.digest in alike
    same = audited(cedar)
    address = reverse("compare_replays", args=[same.uuid])
    agent.post(address, {"former": later.uuid})
    work()
    assert "Nothing is different" in words(agent.get(f"{address}?former={later.uuid}"))


def test_a_comparison_that_failed_says_why(agent, cedar):
    former, later = made_replay(code="cedar"), made_replay(code="cedar")
    with without_access_scope():
        Replay.objects.update(state="done")
        ReplayComparison.objects.create(
            former=former, later=later, days=[], at=AT, state="failed", failure="<b>File x is gone."
        )
    address = reverse("compare_replays", args=[later.uuid])
    page = agent.get(address, {"former": former.uuid})
    assert "&lt;b&gt;File x is gone." in page.text
    agent.post(address, {"former": former.uuid})
    with without_access_scope():
        assert ReplayComparison.objects.get().state == "waiting"


@pytest.mark.parametrize("former", ["", "x", "0", "\x00", "00000000-0000-0000-0000-000000000000"])
def test_a_replay_is_compared_with_none_that_there_is_not(agent, cedar, former):
    replay = made_replay(code="cedar")
    with without_access_scope():
        Replay.objects.filter(pk=replay.pk).update(state="done")
    address = reverse("compare_replays", args=[replay.uuid])
    assert agent.get(address, {"former": former}).status_code == 422
    assert agent.post(address, {"former": former}).status_code == 422
    assert agent.post(address).status_code == 422


def test_a_replay_is_not_compared_with_anothers(agent, cedar):
    theirs, replay = made_replay(code="alder"), made_replay(code="cedar")
    with without_access_scope():
        Replay.objects.update(state="done")
    address = reverse("compare_replays", args=[replay.uuid])
    assert agent.get(address, {"former": theirs.uuid}).status_code == 422
    assert agent.post(address, {"former": theirs.uuid}).status_code == 422


def test_list_queries_do_not_grow_by_page(agent, cedar):
    address = reverse("replays")
    assert "Start a replay" in words(agent.get(address))
    made_replay(units=0, code="cedar")
    with CaptureQueriesContext(connection) as few:
        assert "Next page" not in agent.get(address).text
    for _ in range(54):
        made_replay(units=0, code="cedar")
    with CaptureQueriesContext(connection) as many:
        first = agent.get(address)
    assert len(many) == len(few)
    assert first.text.count('scope="row"') == 50
    after = first.context["cut"].on
    second = agent.get(address + after)
    assert second.text.count('scope="row"') == 5
    assert "Next page" not in second.text
    shown = [{row.pk for row in page.context["cut"].rows} for page in (first, second)]
    assert not shown[0] & shown[1]


@pytest.mark.parametrize("after", ["", "x", "1", "\x00", "a:b:c", "9" * 5000])
def test_unknown_page_mark_leads_to_the_first_page(agent, cedar, after):
    made_replay(units=0, code="cedar")
    answer = agent.get(reverse("replays"), {"after": after})
    assert answer.status_code == 200
    assert answer.text.count('scope="row"') == 1


def test_a_page_of_many_segments_costs_the_same_few_queries(agent, cedar):
    small, large = made_replay(1, code="cedar"), made_replay(60, code="cedar")
    agent.get(reverse("home"))
    with CaptureQueriesContext(connection) as few:
        agent.get(reverse("replay", args=[small.uuid]))
    with CaptureQueriesContext(connection) as many:
        page = agent.get(reverse("replay", args=[large.uuid]))
    assert len(many) == len(few)
    rest = agent.get(reverse("replay", args=[large.uuid]) + page.context["cut"].on)
    assert rest.text.count('scope="row"') == 10


@pytest.mark.parametrize("role", [Role.OPERATOR_MANAGER, Role.AGENCY_REVIEWER, Role.ADMINISTRATOR])
def test_replays_are_there_for_the_commission_alone(role):
    made_replay(code="cedar")
    visitor = browser_as(role)
    for name in ("replays", "new_replay"):
        assert visitor.get(reverse(name)).status_code == 404
    assert "Replays" not in visitor.get(reverse("home")).text


def test_an_auditor_reads_replays_and_begins_none(cedar):
    replay = made_replay(code="cedar")
    auditor = browser_as(Role.AUDITOR)
    page = auditor.get(reverse("replay", args=[replay.uuid]))
    assert page.status_code == 200
    assert "Cancel it" not in page.text
    assert "Start a replay" not in words(auditor.get(reverse("replays"))).partition("Nothing")[0]
    assert auditor.post(reverse("cancel_replay", args=[replay.uuid])).status_code == 404
