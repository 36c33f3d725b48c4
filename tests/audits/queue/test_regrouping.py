"""Issues split and merged by hand: nothing is lost or counted twice, and replays follow."""

from __future__ import annotations

from collections import Counter

import pytest
from django.urls import reverse

from audits.replay.findings.models import Finding, Issue
from audits.replay.findings.queries import Criteria, Sight, opened
from audits.replay.findings.reads import findings
from audits.replay.writes import Scope, begin_replay
from audits.review.derived import check_derived
from audits.review.issues.activity import activity_of
from audits.review.issues.decisions import StepRequest, take_step
from audits.review.issues.regrouping import Portion, merge_issue, split_issue
from audits.review.releases.writes import release_issue
from compliance.access.permissions import Role
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.errors import RefusedError
from compliance.event_log.verifier import Answer
from tests.audits.replay.nights import dealt, on_file, spoiled
from tests.audits.replay.working import work
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import party_for

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.VAR = tmp_path


@pytest.fixture
def room(agent):
    with without_access_scope():
        return party_for(Role.OPERATOR_CLERK, "cedar")


def replay(room):
    with without_access_scope():
        begin_replay(operator=room, scope=Scope(), by=None)
        while work():
            pass


@pytest.fixture
def night(room):
    """A night at two tables without approvals, of which every fifth round is overpaid a dollar."""
    played = [*spoiled(dealt(40), every=5)]
    with without_access_scope():
        on_file(room, played)
    replay(room)
    return played


def issue_with(code):
    with without_access_scope():
        return Issue.objects.select_related("party").get(code__startswith=code, open=True)


def counted(issue):
    with without_access_scope():
        found = Issue.objects.get(pk=issue.pk)
        return {name: getattr(found, name) for name in ("findings", "rounds", "over", "under")}


def by_table(code):
    """Count findings with a code by table in the export, which reads the findings files."""
    with without_access_scope():
        found = [each for each in findings() if each["code"] == code]
    return Counter((each["table"], each["issue"]) for each in found)


def differences():
    """Return the derived rows that are not what findings files and routes give."""
    answer = Answer()
    check_derived(answer)
    return answer.problems


def test_split_moves_findings_and_stays_after_a_replay(agent, room, night):
    whole = issue_with("settlement.main")
    before = counted(whole)
    tables = Counter(each["table"] for each in night[::5])
    made = split_issue(
        issue=whole, portion=Portion(tables=["T1"]), reason="T1 has a new dealer.", by=agent
    )
    for _ in range(2):
        assert counted(made)["rounds"] == tables["T1"]
        assert counted(whole)["rounds"] == tables["T2"]
        for name, value in before.items():
            assert counted(made)[name] + counted(whole)[name] == value
        assert set(by_table("settlement.main")) == {
            ("T1", str(made.uuid)),
            ("T2", str(whole.uuid)),
        }
        with without_access_scope():
            shown = Finding.objects.filter(issue=made)
            assert {each.table for each in shown} == {"T1"}
        assert differences() == []
        replay(room)
    with without_access_scope():
        [given] = activity_of(made)
    assert (given.what, given.text) == ("split this issue off another one", "T1 has a new dealer.")


def test_merge_closes_one_issue_and_later_findings_follow(agent, room, night):
    main, approval = issue_with("settlement.main"), issue_with("approval.")
    sums, more = counted(main), counted(approval)
    merge_issue(issue=main, into=approval, reason="Both from the old layout.", by=agent)
    replay(room)
    merged = counted(approval)
    assert merged["findings"] == sums["findings"] + more["findings"]
    assert merged["over"] == sums["over"] + more["over"]
    assert merged["rounds"] == len(night)
    with without_access_scope():
        closed = Issue.objects.get(pk=main.pk)
    assert (closed.state, closed.open, closed.findings) == (Issue.State.EMPTY, False, 0)
    assert "Merged into" in closed.changed_since
    assert differences() == []


def test_search_names_the_issue_that_was_split_off(agent, room, night):
    whole = issue_with("settlement.main")
    made = split_issue(
        issue=whole, portion=Portion(tables=["T1"]), reason="Another dealer.", by=agent
    )
    memberships = memberships_of(agent)
    with (
        within(visible_parties(memberships)),
        opened(Sight.of(memberships), Criteria(code="settlement.main", table="T1")) as found,
    ):
        assert {each.issue for each in found.page(1, 50)} == {made}


def test_refused_regrouping_changes_nothing(agent, room, night):
    main, approval = issue_with("settlement.main"), issue_with("approval.")
    before = counted(main), counted(approval)
    for portion, says in (
        (Portion(), "Choose what to split off"),
        (Portion(tables=["T9"]), "None of its findings"),
        (Portion(tables=["T1", "T2"]), "All findings"),
    ):
        with pytest.raises(RefusedError, match=says):
            split_issue(issue=main, portion=portion, reason="Different.", by=agent)
    with pytest.raises(RefusedError, match="Give a reason"):
        merge_issue(issue=main, into=approval, reason=" ", by=agent)
    with pytest.raises(RefusedError, match="Choose another issue"):
        merge_issue(issue=main, into=main, reason="Same.", by=agent)
    release_issue(issue=main, by=agent)
    with pytest.raises(RefusedError, match="sees only one of the two"):
        merge_issue(issue=issue_with("settlement.main"), into=approval, reason="Same.", by=agent)
    given = StepRequest(step="dismiss", reason="Checked.")
    take_step(issue=approval, said=given, by=agent)
    with without_access_scope():
        decided = Issue.objects.select_related("party").get(pk=approval.pk)
    with pytest.raises(RefusedError, match="Reopen it first"):
        split_issue(issue=decided, portion=Portion(tables=["T1"]), reason="Late.", by=agent)
    assert (counted(main), counted(approval)) == before


def test_issue_page_offers_to_split_and_merge(agent, room, night):
    browser, main = browser_of(agent), issue_with("settlement.main")
    page = browser.get(reverse("issue", args=[main.uuid])).content.decode()
    assert "Split off a part" in page
    assert "Merge into another issue" in page
    form = {"split-tables": ["T1"], "split-reason": "Another dealer.", "split-edition": "0"}
    answer = browser.post(reverse("split_issue", args=[main.uuid]), form, follow=True)
    assert "The part is an issue of its own now" in words(answer)
    assert counted(main)["rounds"] == sum(each["table"] == "T2" for each in night[::5])
