"""The record of a round: its explanation, who may read what of it, and its proof."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audits.intake.models import RoundLog
from audits.intake.rounds import find_round, round_at
from audits.replay.findings.models import Finding, Issue
from audits.review.releases.writes import release_day, release_issue
from audits.review.rounds.explanation import NOT_AUDITED, NOT_RELEASED, explain_round_on_file
from compliance.access.models import Party
from compliance.access.permissions import Role
from compliance.access.scope import within, without_access_scope
from compliance.event_log.writes import integrate
from tests.audits.replay.nights import dealt, on_file, spoiled
from tests.compliance.controls.filing import Room
from tests.compliance.people import person_as
from tests.reports.nights import TOO_MUCH, closed, replayed

if TYPE_CHECKING:
    from audits.intake.days.models import GamblingDay
    from audits.review.rounds.explanation import RoundRecord

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


@pytest.fixture
def night() -> tuple[Room, GamblingDay, list[dict]]:
    """Return twenty rounds at T1, which the controls name; every tenth is overpaid by a dollar."""
    room = Room()
    rounds = spoiled(dealt(20, tables=("T1",)), every=10, cents=TOO_MUCH)
    with without_access_scope():
        on_file(room.party, rounds)
    replayed(room.party)
    return room, closed(room.party), rounds


def read_as(parties: list[Party], room: Room, id_: str) -> RoundRecord:
    with without_access_scope():
        own = Party.objects.get(pk=room.party.pk)
    with within([each.pk for each in parties]):
        found = find_round([own], id_)
        assert found is not None
        return explain_round_on_file(found)


def all_parties() -> list[Party]:
    with without_access_scope():
        return list(Party.objects.all())


def test_agent_reads_each_wager_logged_and_expected(night):
    room, _, rounds = night
    wrong = read_as(all_parties(), room, rounds[0]["round"])
    assert wrong.audit is not None
    assert wrong.audit.as_on_file
    seat = rounds[0]["seats"][0]
    sections = wrong.explanation.sections
    by_key = {w.key: w for each in sections if each.seat == seat["seat"] for w in each.wagers}
    # the deal was settled correctly; the dollar was added to it
    assert by_key["main"].logged == seat["result"]["main"]
    assert by_key["main"].expected == seat["result"]["main"] - TOO_MUCH
    assert by_key["main"].difference == TOO_MUCH
    assert {key: w.difference for key, w in by_key.items() if key != "main"} == {
        "three_card": 0,
        "six_card": 0,
    }
    findings = wrong.explanation.findings
    assert [(each.code, each.delta) for each in findings] == [("settlement.main", TOO_MUCH)]
    assert wrong.received == (TOO_MUCH, 0)
    with without_access_scope():
        issue = Issue.objects.get(code="settlement.main")
    assert [each and each.uuid for each in wrong.issues] == [issue.uuid]
    assert json.loads(wrong.raw) == rounds[0]
    assert wrong.raw.encode() == json.dumps(rounds[0]).encode()


def test_clean_round_has_every_clause_and_approval(night):
    room, day, rounds = night
    clean = read_as(all_parties(), room, rounds[1]["round"])
    audit, explanation = clean.audit, clean.explanation
    assert audit is not None
    assert (explanation.status, explanation.findings, audit.as_on_file) == ("ok", (), True)
    assert all(each.says for each in explanation.clauses)
    assert audit.replay.uuid == day.current.uuid
    assert audit.rule_set == audit.rule_set_approved
    assert {each.kind for each in audit.approvals} == {"The commission's approval"}
    assert {each.by for each in audit.approvals} == {room.officer.name}
    dealer = explanation.places[0]
    logged = rounds[1]["house"]
    assert [" ".join(each.cards) for each in dealer.hands] == [logged["cards"], logged["low"]]
    assert not any(each.is_wrong for each in dealer.hands)


def test_proof_names_log_line_and_place_in_event_log(night):
    room, _, rounds = night
    integrate()
    record = read_as(all_parties(), room, rounds[7]["round"])
    with without_access_scope():
        log = RoundLog.objects.get(party=room.party)
        at = round_at(log, 8)
        assert at is not None
        assert at.found.round.round == rounds[7]["round"]
        assert round_at(log, 21) is None
    assert (record.proof.log_sha256, record.proof.line) == (log.sha256, 8)
    assert record.proof.leaf is not None
    assert len(record.proof.leaf_hash) == 64


def test_operator_reads_only_released_findings(night):
    room, day, rounds = night
    for round_ in rounds[:2]:  # one that is wrong, one that is clean: they look the same
        record = read_as([room.party], room, round_["round"])
        explanation = record.explanation
        assert (record.audit, explanation.findings, record.why_not) == (None, (), NOT_RELEASED)
        assert not any(each.is_wrong for place in explanation.places for each in place.hands)
    agent = person_as(Role.AGENT)
    with without_access_scope():
        issue = Finding.objects.get(round=rounds[0]["round"]).issue
        release_issue(issue=issue, by=agent)
    shown = read_as([room.party], room, rounds[0]["round"])
    assert [each.code for each in shown.explanation.findings] == ["settlement.main"]
    assert [each and each.state for each in shown.issues] == [""]
    assert shown.audit is None
    with without_access_scope():
        release_day(day=day, by=agent)
    released = read_as([room.party], room, rounds[1]["round"])
    assert released.audit is not None
    assert released.explanation.findings == ()


def test_round_without_replay_is_explained_as_logged(night):
    room, _, _ = night
    more = dealt(20, tables=("T2",), ids="late-")
    with without_access_scope():
        on_file(room.party, more)
    record = read_as(all_parties(), room, more[0]["round"])
    assert (record.audit, record.why_not, record.explanation.findings) == (None, NOT_AUDITED, ())
    assert record.explanation.verdict.says == NOT_AUDITED


def test_query_count_is_the_same_for_every_round(night):
    room, _, rounds = night
    with without_access_scope():
        asked = []
        find_round([room.party], rounds[5]["round"])  # the first look merges the indexes
        for round_ in (rounds[0], rounds[10]):  # each is overpaid, so its issue is read, too
            with CaptureQueriesContext(
                connection,
            ) as queries:
                found = find_round([room.party], round_["round"])
                assert found is not None
                explain_round_on_file(found)
            asked.append(len(queries))
    assert asked[0] == asked[1]
