"""The watch from a submitted night to its alarms."""

from __future__ import annotations

import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from audits.intake.rounds import find_round
from audits.replay.findings.models import Finding, Issue
from audits.replay.writes import Scope, begin_replay
from audits.watch.models import WatchedGame, WatchedSegment
from audits.watch.reads import find_stream, regions, streams
from audits.watch.streams import COLUMNS
from audits.watch.writes import watch_operator
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.audits.replay.working import work
from tests.compliance.pages.browsing import browser_as, words
from tests.compliance.people import party_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def cedar():
    commission()
    with without_access_scope():
        yield party_for(Role.OPERATOR_CLERK, "cedar")


def without_aces(rounds):
    """Return the rounds in which no player was dealt an ace."""
    return [each for each in rounds if all("A" not in seat["cards"] for seat in each["seats"])]


def replayed(operator):
    begin_replay(operator=operator, scope=Scope(), by=None)
    while work():
        pass


def watched(*arguments):
    out = io.StringIO()
    call_command("watch", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_room_without_aces_is_named_the_first_night(cedar):
    on_file(cedar, without_aces(dealt(400)))
    replayed(cedar)
    alarms = [row for row in watched("--operator", "cedar") if row["alarm"]]
    (aces,) = (
        row for row in alarms
        if row["statistic"] == "aces" and "operator: players' cards" in row["stream"]
    )  # fmt: skip
    assert aces.keys() == {
        "operator", "stream", "kind", "statistic", "expected", "observed", "evidence", "alarm",
    }  # fmt: skip
    assert (aces["operator"], aces["kind"], aces["observed"]) == ("cedar", "watch.cards", 0)
    assert aces["expected"] > 40
    assert aces["evidence"] > 9
    assert {row["kind"] for row in alarms} == {"watch.cards"}


def test_fair_room_has_no_alarm(cedar):
    on_file(cedar, dealt(400))
    replayed(cedar)
    rows = watched("--operator", "cedar")
    assert not [row for row in rows if row["alarm"]]
    assert {row["kind"] for row in rows} == {"watch.cards", "watch.results", "watch.player"}


def test_correction_replaces_its_part(cedar):
    first, second = without_aces(dealt(60)), dealt(60, day=NIGHT + timedelta(days=1))
    log = on_file(cedar, first)
    on_file(cedar, second)
    watch_operator(cedar)
    before = {each.title: each.figures for each in streams(cedar)}
    on_file(cedar, dealt(60), corrects=log, reason="The wrong file was sent.")
    assert watch_operator(cedar)
    corrected = {each.title: each.figures for each in streams(cedar)}
    assert corrected != before
    WatchedSegment.objects.all().delete()
    WatchedGame.objects.all().delete()
    watch_operator(cedar)
    assert {each.title: each.figures for each in streams(cedar)} == corrected


def test_evidence_grows_from_day_to_day(cedar):
    days = [NIGHT + timedelta(days=number) for number in range(3)]
    for day in days:
        on_file(cedar, without_aces(dealt(60, day=day)))
    watch_operator(cedar)
    name = "pyramid-poker: operator: players' cards"
    grown = find_stream(cedar, name, "aces")
    assert [each.day for each in grown] == days
    assert grown[0].evidence < grown[1].evidence < grown[2].evidence
    assert [each.observed for each in grown] == [0, 0, 0]
    on_the_second = {each.name: each for each in streams(cedar, up_to=days[1])
                     if each.figures.statistic == "aces"}  # fmt: skip
    assert on_the_second[name].figures.evidence == pytest.approx(grown[1].evidence)


def test_errors_are_counted_from_the_current_findings(cedar):
    log = on_file(cedar, spoiled(dealt(40), every=10))
    replayed(cedar)
    (kept,) = WatchedSegment.objects.all()
    assert sum(over for scope, _, over, *_ in kept.errors if scope == "table") == 4
    on_file(cedar, dealt(40), corrects=log, reason="Keyed in wrong.")
    replayed(cedar)
    assert not any(
        row["observed"] for row in watched("--operator", "cedar") if row["kind"] == "watch.errors"
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["--operator", "nobody"], "no operator"), (["--day", "July 12"], "2025-07-12")],
    ids=["operator", "day"],
)
def test_call_that_cannot_be_accepted_says_why(arguments, says):
    with pytest.raises(CommandError, match=says) as refused:
        call_command("watch", *arguments)
    assert refused.value.returncode == 2


def test_alarm_is_an_issue_of_severity_notice(cedar):
    log = on_file(cedar, without_aces(dealt(400)))
    replayed(cedar)
    issues = Issue.objects.filter(code__startswith="watch.").order_by("table")
    assert [(each.code, each.table, each.weight) for each in issues] == [
        ("watch.cards", "T1", "notice"),
        ("watch.cards", "T2", "notice"),
    ]
    (finding,) = (
        each
        for each in issues[0].shown_findings.all()
        if each.logged == "Table T1: players' cards, aces: 0"
    )
    assert "At most one in " in finding.expected
    event = Event.objects.get(type="watch.alarms_changed")
    assert event.payload["raised"] == sum(each.findings for each in issues)
    on_file(cedar, dealt(400), corrects=log, reason="The wrong file was sent.")
    replayed(cedar)
    assert {each.findings for each in Issue.objects.filter(code="watch.cards")} == {0}


def test_alarm_is_noted_once(cedar):
    on_file(cedar, without_aces(dealt(400)))
    replayed(cedar)
    noted = Finding.objects.filter(issue__code="watch.cards").count()
    on_file(cedar, without_aces(dealt(60, day=NIGHT + timedelta(days=1))))
    replayed(cedar)
    assert Finding.objects.filter(issue__code="watch.cards").count() == noted


def test_pages_lead_from_operators_to_a_stream(cedar):
    on_file(cedar, without_aces(dealt(400)))
    replayed(cedar)
    agent = browser_as(Role.AGENT)
    assert "cedar" in words(agent.get(reverse("watch")))
    page = agent.get(reverse("watch_operator", args=["cedar"]), {"about": "aces"})
    shown = words(page)
    assert "players' cards, aces" in shown.replace("’", "'")
    assert "Alarm" in shown
    name = {"stream": "pyramid-poker: table T1: players' cards", "statistic": "aces"}
    stream = agent.get(reverse("watch_stream", args=["cedar"]), name)
    assert "At most one in " in words(stream)
    assert "A card is missing from the shoe" in words(stream)
    counted = find_round([cedar], without_aces(dealt(400))[0]["round"])
    address = reverse("round", args=["cedar", counted.found.round.round])
    assert f'href="{address}"'.encode() in stream.content
    issue = Issue.objects.get(code="watch.cards", table="T1")
    lead = agent.get(reverse("issue", args=[issue.uuid]))
    assert "Table T1: players' cards, aces" in words(lead).replace("’", "'")
    assert "A card is missing from the shoe" in words(lead)
    assert f'href="{address}"'.encode() in lead.content
    assert b'class="chart__seen"' in lead.content
    subject = agent.get(reverse("watch_subject", args=["cedar"]), {"scope": "table", "name": "T1"})
    assert "Rounds per hour of play" in words(subject)
    assert b'class="chart__seen"' in subject.content
    nothing = agent.get(reverse("watch_subject", args=["cedar"]), {"scope": "player", "name": "x"})
    assert nothing.url == page.wsgi_request.path
    assert agent.get(reverse("watch_stream", args=["cedar"])).url == page.wsgi_request.path
    most = max(each.figures.evidence for each in streams(cedar))
    (region,) = (each for each in regions([cedar]))
    assert region.most == pytest.approx(most, abs=0.01)
    assert region.alarms == sum(each.is_alarm for each in streams(cedar))
    rows = agent.get(reverse("watch_operator", args=["cedar"]), {"as": "csv"}).content.decode()
    assert rows.splitlines()[0] == ",".join(COLUMNS)
    assert len(rows.splitlines()) == 1 + len(streams(cedar))
    assert Event.objects.filter(type="export.made", party=cedar.uuid).exists()


def test_operator_sees_nothing_of_the_watch(cedar):
    clerk = browser_as(Role.OPERATOR_CLERK, "cedar")
    assert clerk.get(reverse("watch_operator", args=["cedar"])).status_code == 404
