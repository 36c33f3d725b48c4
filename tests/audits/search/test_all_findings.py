"""All findings on file, by what they concern, as far as a reader may see them."""

from __future__ import annotations

from collections import Counter

import pytest
from django.urls import reverse

from audits.replay.findings.models import Finding, Issue, IssueNight
from audits.replay.findings.months import folder, months, units_with_findings
from audits.replay.findings.queries import Criteria, Sight, opened
from audits.replay.findings.reads import findings
from audits.replay.writes import Scope, begin_replay
from audits.review.releases.writes import release_issue
from compliance.access.permissions import Role
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.errors import RefusedError
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import dealt, on_file, spoiled
from tests.audits.replay.working import work
from tests.compliance.api.programs import program_of
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, person_as

pytestmark = pytest.mark.django_db
DEALERS = ("d-1", "d-2")


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.VAR = tmp_path


@pytest.fixture
def cedar():
    commission()
    with without_access_scope():
        return party_for(Role.OPERATOR_CLERK, "cedar")


def a_night(operator, *, rounds=20, every=5):
    """Audit a night of two dealers, every fifth round of which overpays a dollar."""
    played = spoiled(dealt(rounds), every=every)
    for number, each in enumerate(played):
        each |= {"v": 2, "dealer_id": DEALERS[number % 2]}
    with without_access_scope():
        on_file(operator, played)
        begin_replay(operator=operator, scope=Scope(), by=None)
        while work():
            pass
    return played


def sight_of(person):
    memberships = memberships_of(person)
    return visible_parties(memberships), memberships


def seen(person, criteria=None, *, read=lambda found: found.total()):
    parties, memberships = sight_of(person)
    with within(parties), opened(Sight.of(memberships), criteria or Criteria()) as found:
        assert found.left_out == 0
        return read(found)


def test_counts_are_those_of_the_findings_files(cedar, agent):
    a_night(cedar)
    with without_access_scope():
        expected = list(findings(operator=cedar))
    total = seen(agent)
    assert total.findings == len(expected) > 20
    by_code, count = seen(agent, read=lambda found: found.sums("code"))
    assert count == len(by_code)
    assert {each.by[0]: each.findings for each in by_code} == Counter(
        each["code"] for each in expected
    )
    wrong = seen(agent, Criteria(code="settlement.main"))
    assert (wrong.findings, wrong.over, wrong.under) == (4, 400, 0)
    assert seen(agent, read=lambda found: found.rounds()) == 20


def test_issue_list_searches_findings_that_are_not_shown(cedar, agent):
    played = a_night(cedar)
    with without_access_scope():
        Finding.objects.all().delete()  # as if each issue had too many to show
    browser = browser_of(agent)
    for route in ("issues", "work"):
        asked = {"q": played[0]["round"], "whose": "all"}
        shown = browser.get(reverse(route), asked)
        assert "overpaid" in words(shown), route
        nothing = browser.get(reverse(route), asked | {"q": "T9-000000"})
        assert "No issue matches these filters" in words(nothing)
    assert "overpaid" in words(browser.get(reverse("issues"), {"q": "$1.00"}))


def test_programs_search_findings_that_are_not_shown(cedar, agent):
    played = a_night(cedar)
    with without_access_scope():
        for issue in Issue.objects.filter(parts__code="settlement.main").distinct():
            release_issue(issue=issue, by=agent)
        Finding.objects.all().delete()
    inside = program_of(Role.SUPERVISOR, commission().code)
    room, other = (program_of(Role.OPERATOR_MANAGER, code) for code in ("cedar", "harbor"))
    for program, path, number, is_found in (
        (inside, "issues", played[0]["round"], True),
        (inside, "work", played[0]["round"], True),
        (inside, "work", "T9-000000", False),
        (room, "issues", played[0]["round"], True),
        (other, "issues", played[0]["round"], False),
    ):
        body = program.get(f"/api/v1/{path}", q=number).json()
        assert bool(body["items"]) == is_found, (path, number)
        assert body["not_searched"] == 0


def test_findings_are_found_by_dealer_of_version_2(cedar, agent):
    played = a_night(cedar)
    wrong = [each for number, each in enumerate(played) if number % 5 == 0]
    for dealer in DEALERS:
        rows = seen(
            agent,
            Criteria(dealer=dealer, code="settlement.main"),
            read=lambda found: found.page(1, 50),
        )
        assert {each.round for each in rows} == {
            each["round"] for each in wrong if each["dealer_id"] == dealer
        }
        assert {each.dealer for each in rows} == {dealer}


def test_findings_are_found_by_player_table_and_rule(cedar, agent):
    played = a_night(cedar)
    with without_access_scope():
        expected = list(findings(operator=cedar))
    player = played[0]["seats"][0]["player"]
    total = seen(agent, Criteria(player=player, code="settlement.main"))
    assert total.findings == sum(each["seats"][0]["player"] == player for each in played[::5])
    at_table = seen(agent, Criteria(table="T1"))
    assert at_table.findings == sum(each["table"] == "T1" for each in expected)
    clause = next(each for each in expected if each["code"] == "settlement.main")["cites"][0]
    cited = seen(agent, Criteria(clause=clause))
    assert cited.findings == sum(clause in each["cites"] for each in expected)


def test_operator_sees_only_released_findings(cedar, agent):
    a_night(cedar)
    manager = person_as(Role.OPERATOR_MANAGER, "cedar")
    assert seen(manager).findings == 0
    with without_access_scope():
        issue = Issue.objects.filter(party=cedar).order_by("-findings").first()
        release_issue(issue=issue, by=agent)
    total = seen(manager)
    assert total.findings == issue.findings
    rows = seen(manager, read=lambda found: found.page(1, 100))
    assert {each.issue for each in rows} == {issue}
    stranger = person_as(Role.OPERATOR_MANAGER, "harbor")
    assert seen(stranger, Criteria(party=cedar.pk)).findings == 0
    supplier = person_as(Role.SUPPLIER, "northlight")
    assert seen(supplier).findings == 0


def test_member_of_both_parties_sees_the_rooms_releases(cedar):
    a_night(cedar)
    both = person_as(Role.AUDITOR)
    with without_access_scope():
        from django.utils import timezone

        from compliance.access.models import Membership

        Membership.objects.create(
            party=cedar, person=both, role=Role.OPERATOR_CLERK, since=timezone.now()
        )
    assert seen(both).findings == 0


def test_guessed_names_show_an_operator_nothing(cedar):
    played = a_night(cedar)
    own = browser_as(Role.OPERATOR_MANAGER, "cedar")
    player = played[0]["seats"][0]["player"]
    guessed = own.get(reverse("subject_player", args=["cedar", player]))
    unknown = own.get(reverse("subject_player", args=["cedar", "nobody"]))
    assert words(guessed).replace(player, "") == words(unknown).replace("nobody", "")
    other = browser_as(Role.OPERATOR_MANAGER, "harbor")
    assert other.get(reverse("subject_player", args=["cedar", player])).status_code == 404
    assert other.get(reverse("subject_operator", args=["cedar"])).status_code == 404
    assert player not in words(other.get(reverse("search"), {"q": player[:-1]}))
    assert player not in words(own.get(reverse("search"), {"q": player[:-1]}))


def test_another_replay_makes_only_its_own_month_again(cedar):
    a_night(cedar)
    with without_access_scope():
        units = units_with_findings([cedar.pk])
        [first] = months(units).paths
        kept = first.read_bytes()
        on_file(cedar, spoiled(dealt(5, tables=("T9",), ids="late-"), every=1))
        begin_replay(operator=cedar, scope=Scope(), by=None)
        while work():
            pass
        again = units_with_findings([cedar.pk])
        [second] = months(again).paths
        assert second != first
        assert first.read_bytes() == kept  # a query that began before may still read it
        expected = list(findings(operator=cedar))
    agent = person_as(Role.AGENT)
    assert seen(agent).findings == len(expected)
    for each in folder().iterdir():
        each.unlink()
    assert seen(agent).findings == len(expected)


def test_unprepared_findings_are_counted_as_left_out(cedar):
    a_night(cedar)
    with without_access_scope():
        units = units_with_findings([cedar.pk])
        other = [type(units[0])(**{**vars(each), "party": -1}) for each in units]
        found = months([*units, *other], seconds=0)
    assert len(found.paths) == 1
    assert found.left_out == sum(each.findings for each in other)


def test_slow_query_says_how_to_narrow_it(cedar, agent, monkeypatch):
    a_night(cedar)
    monkeypatch.setattr("audits.replay.findings.queries.SECONDS", 0.3)

    def endless(found):
        return found._rows("SELECT sum(a.range + b.range) FROM range(10000000) a, range(100000) b")

    with pytest.raises(RefusedError, match="Choose an operator or fewer days"):
        seen(agent, Criteria(), read=endless)


def test_database_reads_no_file_but_findings(cedar, agent, tmp_path):
    a_night(cedar)
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n")
    with pytest.raises(Exception, match=r"disabled by configuration|Cannot access file"):
        seen(agent, read=lambda found: found._rows(f"SELECT * FROM read_csv('{secret}')"))


def test_page_of_a_player_leads_from_totals_to_rounds(cedar, agent):
    played = a_night(cedar)
    browser = browser_of(agent)
    player = played[0]["seats"][0]["player"]
    answer = browser.get(reverse("subject_player", args=["cedar", player]))
    assert answer.status_code == 200
    assert reverse("round", args=["cedar", played[0]["round"]]) in answer.text
    narrowed = browser.get(
        reverse("subject_player", args=["cedar", player]), {"code": "settlement.main"}
    )
    total = seen(agent, Criteria(party=cedar.pk, player=player, code="settlement.main"))
    assert f"Findings {total.findings} Rounds {total.findings}" in words(narrowed)


@pytest.mark.parametrize(
    "query", [{"first": "yesterday"}, {"operator": "nowhere"}, {"player": "p" * 100}]
)
def test_bad_filter_of_findings_is_named(cedar, agent, query):
    answer = browser_of(agent).get(reverse("all_findings"), query)
    assert answer.status_code == 422
    assert "usa-error-message" in answer.text


@pytest.mark.parametrize("page", ["0", "-1", "x", "9" * 40])
def test_page_number_out_of_range_shows_a_page(cedar, agent, page):
    a_night(cedar, rounds=5)
    answer = browser_of(agent).get(reverse("all_findings"), {"page": page})
    assert answer.status_code == 200
    with without_access_scope():
        assert IssueNight.objects.exists()
