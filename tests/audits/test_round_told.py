"""A round told: as logged, as the rules give it, to whom, and what proves it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audits.models import Finding, Pattern, RoundLog
from audits.selectors.round_told import NOT_JUDGED, NOT_SHOWN, round_told
from audits.selectors.rounds import find_round, round_at
from audits.services.release import release_day, release_pattern
from compliance.choices import Role
from compliance.models import Party
from compliance.services.integrate import integrate
from compliance.walls import within, without_walls
from tests.audits.replay.nights import dealt, on_file, spoiled
from tests.compliance.controls.filing import Room
from tests.compliance.people import person_as
from tests.reports.nights import TOO_MUCH, closed, judged

if TYPE_CHECKING:
    from audits.models import GamblingDay
    from audits.selectors.round_told import RoundTold

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> tuple[Room, GamblingDay, list[dict]]:
    """Twenty rounds at T1, which the controls name; every tenth paid a dollar too much."""
    room = Room()
    rounds = spoiled(dealt(20, tables=("T1",)), every=10, cents=TOO_MUCH)
    with without_walls():
        on_file(room.party, rounds)
    judged(room.party)
    return room, closed(room.party), rounds


def told_to(parties: list[Party], room: Room, id_: str) -> RoundTold:
    with without_walls():
        own = Party.objects.get(pk=room.party.pk)
    with within([each.pk for each in parties]):
        found = find_round([own], id_)
        assert found is not None
        return round_told(found)


def all_parties() -> list[Party]:
    with without_walls():
        return list(Party.objects.all())


def test_the_commission_is_told_each_wager_as_logged_and_as_the_rules_give_it(night):
    room, _, rounds = night
    wrong = told_to(all_parties(), room, rounds[0]["round"])
    assert wrong.judged is not None
    assert wrong.judged.as_on_file
    seat = rounds[0]["seats"][0]
    mains = [w for p in wrong.judged.parts if p.seat == seat["seat"] for w in p.wagers]
    by_key = {each.key: each for each in mains}
    # what the dealer dealt was right; the dollar was put on top of it
    assert by_key["main"].logged == seat["result"]["main"]
    assert by_key["main"].expected == seat["result"]["main"] - TOO_MUCH
    assert by_key["main"].difference == TOO_MUCH
    assert {key: w.difference for key, w in by_key.items() if key != "main"} == {
        "three_card": 0,
        "six_card": 0,
    }
    assert [(each.code, each.delta) for each in wrong.findings] == [("settlement.main", TOO_MUCH)]
    assert wrong.received == (TOO_MUCH, 0)
    with without_walls():
        pattern = Pattern.objects.get(
            code="settlement.main", line=Finding.objects.get(round=rounds[0]["round"]).pattern.line
        )
    assert wrong.findings[0].pattern == pattern.uuid
    assert json.loads(wrong.raw) == rounds[0]
    assert wrong.raw.encode() == json.dumps(rounds[0]).encode()


def test_a_clean_round_is_told_too_with_every_clause_that_it_names(night):
    room, day, rounds = night
    clean = told_to(all_parties(), room, rounds[1]["round"])
    judged = clean.judged
    assert judged is not None
    assert (judged.status, clean.findings, judged.as_on_file) == ("ok", (), True)
    named = {id_ for part in judged.parts for step in part.steps for id_ in step.cites}
    named |= {i for p in judged.parts for w in p.wagers for s in w.steps for i in s.cites}
    known = {each.id: each.says for each in judged.clauses}
    assert named
    assert all(known.get(id_) for id_ in named), named - set(known)
    assert judged.replay.uuid == day.current.uuid
    assert judged.rule_set == judged.rule_set_approved
    assert {each.kind for each in judged.approvals} == {"The commission's approval"}
    assert {each.by for each in judged.approvals} == {room.officer.name}
    dealers = rounds[1]["house"]
    assert clean.house is not None
    assert [" ".join(each.cards) for each in clean.house.hands] == [
        dealers["cards"],
        dealers["low"],
    ]
    assert not any(each.is_wrong for each in clean.house.hands)


def test_the_proof_names_the_log_its_line_and_its_place_among_the_events(night):
    room, _, rounds = night
    integrate()
    told = told_to(all_parties(), room, rounds[7]["round"])
    with without_walls():
        log = RoundLog.objects.get(party=room.party)
        at = round_at(log, 8)
        assert at is not None
        assert at.found.round.round == rounds[7]["round"]
        assert round_at(log, 21) is None
    assert (told.proof.log_sha256, told.proof.line) == (log.sha256, 8)
    assert told.proof.leaf is not None
    assert len(told.proof.leaf_hash) == 64


def test_an_operator_is_told_of_its_own_round_and_of_what_was_released_alone(night):
    room, day, rounds = night
    for round_ in rounds[:2]:  # one that is wrong, one that is clean: they look alike
        told = told_to([room.party], room, round_["round"])
        assert (told.judged, told.findings, told.why_not) == (None, (), NOT_SHOWN)
        assert not any(each.as_ruled for each in told.house.hands)
    agent = person_as(Role.AGENT)
    with without_walls():
        pattern = Finding.objects.get(round=rounds[0]["round"]).pattern
        release_pattern(pattern=pattern, by=agent)
    shown = told_to([room.party], room, rounds[0]["round"])
    assert [each.code for each in shown.findings] == ["settlement.main"]
    assert shown.findings[0].state == ""
    assert shown.judged is None
    with without_walls():
        release_day(day=day, by=agent)
    released = told_to([room.party], room, rounds[1]["round"])
    assert released.judged is not None
    assert released.findings == ()


def test_a_round_that_no_replay_covers_is_told_as_logged(night):
    room, _, _ = night
    more = dealt(20, tables=("T2",), ids="late-")
    with without_walls():
        on_file(room.party, more)
    told = told_to(all_parties(), room, more[0]["round"])
    assert (told.judged, told.why_not, told.findings) == (None, NOT_JUDGED, ())
    assert told.line


def test_how_many_questions_are_asked_does_not_hang_on_the_round(night):
    room, _, rounds = night
    with without_walls():
        asked = []
        for round_ in (rounds[0], rounds[19]):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                found = find_round([room.party], round_["round"])
                assert found is not None
                round_told(found)
            asked.append(len(queries))
    assert asked[0] == asked[1]
