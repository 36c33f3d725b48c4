"""The terms of a gambling day are what is on file: approvals, controls, the law by its dates."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from audits.replay.auditing.terms import TermsInEffect, read_terms
from audits.replay.terms import micros, terms_of
from compliance import clock
from compliance.access.models import Party, Person
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.filings.games.models import FiledPayLine, RuleVersion
from compliance.filings.games.writes import FiledDocuments, file_rule_version
from compliance.filings.licenses.models import CompactValue
from compliance.filings.licenses.writes import add_compact_value, enter_compact
from compliance.law.values import Grade
from compliance.law.writes import add_law_value
from games.rule_set import SLUGS, rule_set
from tests.compliance.controls.filing import Room, bring_into_effect, local, only_pyramid, submitted
from tests.compliance.people import made_party, person_as

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from audits.replay.auditing.terms import Cap, Span, Terms

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
PYRAMID = "pyramid-poker"
DAY = local(2025, 7, 12, 6)


@pytest.fixture
def room() -> Iterator[Room]:
    with without_access_scope():
        yield Room()


def of_day(party: Party, begin: datetime = DAY, game: str = PYRAMID) -> Terms:
    return terms_of(operator=party, game=game, begin=begin, end=begin + timedelta(days=1))


def span_at(terms: Terms, *at: int) -> Span:
    (span,) = [each for each in terms.spans if each.begin <= micros(local(*at)) < each.end]
    return span


def cap_on(terms: Terms, *day: int) -> Cap:
    return [cap for cap in terms.caps if cap.begin <= micros(local(*day))][-1]


def test_a_day_in_order_is_bound_by_its_controls_and_the_law(room: Room) -> None:
    terms = of_day(room.party)
    span = span_at(terms, 2025, 7, 12, 22)
    assert json.loads(span.setup) == {
        "interpretations": {
            "PP-I1": "push",
            "PP-I8": "odds_only",
            "PP-I10": "stakes",
            "PP-I11": "yes",
            "PP-I13": "list",
        },
        "pay_tables": {PYRAMID: {"three_card": "standard", "six_card": "standard"}},
        "void_reasons": ["power failure"],
        "limits": {
            "T1": {"main": [500, 40_000], "three_card": [100, 10_000], "six_card": [100, 10_000]}
        },
        "max_aggregate": {PYRAMID: {"six_card": 500_000}},
    }
    assert (span.refused, span.tables) == ((), ("T1",))
    assert span.rule_set == terms.rule_set == rule_set(PYRAMID).digest
    assert span.controls_version == str(room.version.uuid)
    cap = cap_on(terms, 2025, 7, 12)
    assert (cap.kind, cap.amount, cap.cites) == ("wac", 40_000, ("WAC 230-15-140(1)",))
    assert terms.players[-1].most == 9


def test_spans_tile_a_day_and_change_only_with_its_terms(room: Room) -> None:
    # open Saturday round the clock, closed from Sunday 00:00 on
    terms = of_day(room.party)
    midnight = micros(local(2025, 7, 13))
    assert [(span.begin, span.end) for span in terms.spans] == [
        (micros(DAY), midnight),
        (midnight, micros(local(2025, 7, 13, 6))),
    ]
    (refusal,) = terms.spans[1].refused
    assert (refusal.code, refusal.cites) == ("approval.hours", ("WAC 230-15-025",))


def test_controls_that_change_in_the_night_are_two_set_ups(room: Room) -> None:
    content = only_pyramid()
    content["hours"] = {"saturday": ["00:00", "00:00"], "sunday": ["00:00", "00:00"]}
    content["games"][PYRAMID]["interpretations"] = {"PP-I1": "dealer_wins"}
    with clock.standing_at(local(2025, 7, 1, 12)):
        bring_into_effect(submitted(room.manager, content), room.officer, local(2025, 7, 12, 23))
    terms = of_day(room.party)
    early = json.loads(span_at(terms, 2025, 7, 12, 22, 59).setup)
    assert early["interpretations"]["PP-I1"] == "push"
    late = json.loads(span_at(terms, 2025, 7, 12, 23).setup)
    assert late["interpretations"]["PP-I1"] == "dealer_wins"
    assert len(TermsInEffect(terms).setups) > 1


def test_unapproved_rounds_are_settled_by_built_in_rules(room: Room) -> None:
    (span,) = of_day(room.party, game="casino-version").spans[:1]
    assert [refusal.code for refusal in span.refused] == ["approval.game", "approval.controls"]
    assert (span.tables, span.rule_version, span.rule_set) == (None, None, None)
    assert json.loads(span.setup)["interpretations"] == {}


def test_midnight_changes_the_cap_of_a_day(room: Room) -> None:
    terms = of_day(room.party, local(2023, 9, 24, 6))
    assert cap_on(terms, 2023, 9, 24, 23, 59).amount == 30_000
    assert cap_on(terms, 2023, 9, 25, 0, 0).amount == 40_000


def test_unread_value_is_no_value(room: Room) -> None:
    cap = cap_on(of_day(room.party, local(2005, 3, 1, 6)), 2005, 3, 1)
    assert (cap.amount, cap.cites, cap.grade) == (None, ("WAC 230-40-120",), "unknown")
    long_ago = of_day(room.party, local(1990, 3, 1, 6))
    assert long_ago.caps[0].amount is None


def test_conditional_value_shows_the_unconditional_one(room: Room) -> None:
    cap = cap_on(of_day(room.party, local(2001, 7, 12, 6)), 2001, 7, 12)
    assert (cap.amount, cap.sure) == (10_000, 2_500)
    cap = cap_on(of_day(room.party, local(2004, 7, 12, 6)), 2004, 7, 12)
    assert (cap.amount, cap.sure) == (20_000, 10_000)
    cap = cap_on(of_day(room.party, local(2003, 10, 1, 6)), 2003, 10, 1)
    assert (cap.amount, cap.sure) == (10_000, None)


def test_expired_verification_is_applied_and_stated(room: Room) -> None:
    terms = of_day(room.party, local(2025, 9, 1, 6))
    assert cap_on(terms, 2025, 8, 1).carried_since is None
    carried = cap_on(terms, 2025, 9, 1)
    assert (carried.amount, carried.carried_since) == (40_000, "2025-08-01")
    assert terms.players[-1].carried_since == "2025-08-01"


def test_later_law_leaves_a_days_terms_unchanged(room: Room) -> None:
    before = of_day(room.party).digest
    add_law_value(
        rule="wager_house_banked",
        from_date=date(2026, 7, 1),
        value=50_000,
        verified_through=date(2026, 7, 1),
        citation="WAC 230-15-140(1)",
        filing="WSR 26-12-001",
        grade=Grade.CONFIRMED,
        source="the register, invented for this test",
        by=room.officer,
    )
    assert of_day(room.party).digest == before


def test_tribe_is_bound_by_its_compact_only(room: Room) -> None:
    agency = made_party(PartyKind.TRIBAL_AGENCY, "agency")
    operation = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    person_as(Role.OPERATOR_MANAGER, "casino")
    bare = of_day(operation)
    assert [(cap.kind, cap.amount) for cap in bare.caps] == [("compact", None)]
    assert bare.players == ()
    compact = enter_compact(
        agency=agency, title="Compact", from_date=date(1995, 1, 1), source="invented",
        by=room.officer,
    )  # fmt: skip
    for rule, value in ((CompactValue.Rule.WAGER, 50_000), (CompactValue.Rule.PLAYERS, 8)):
        add_compact_value(
            compact=compact,
            rule=rule,
            from_date=date(1995, 6, 1),
            value=value,
            grade=Grade.CONFIRMED,
            citation="Appendix A",
            by=room.officer,
        )
    terms = of_day(operation)
    cap = cap_on(terms, 2025, 7, 12)
    assert (cap.kind, cap.amount, cap.cites) == ("compact", 50_000, ("Appendix A",))
    assert terms.players[-1].most == 8


def test_players_who_play_each_other_wager_under_no_cap(room: Room) -> None:
    assert of_day(room.party, game="chinese-poker").caps == ()


def test_filed_pay_lines_bind_and_other_documents_do_not(room: Room) -> None:
    maker = Person.objects.get(email="supplier-maker@example.org")
    version = RuleVersion.objects.get(game__slug=PYRAMID)
    lines = {name: dict(each.lines) for name, each in rule_set(PYRAMID).pay_tables.items()}
    lines["three_card"]["straight_flush"] = 40
    documents = [each.document_version for each in version.documents.all()]
    with clock.standing_at(local(2025, 3, 1, 12)):
        file_rule_version(
            game=version.game,
            papers=FiledDocuments(rules=documents, pay_tables={"rules": lines}),
            as_of=date(2025, 3, 1),
            by=maker,
        )
    terms = of_day(room.party)
    layout, other = terms.readings
    assert layout.pay_tables == {"three_card": {"straight_flush": 50}}
    assert (other.rules, other.says) == (True, "version 2 of the rules")
    assert other.pay_tables["three_card"]["straight_flush"] == 40
    FiledPayLine.objects.bulk_create(
        [
            FiledPayLine(
                rule_version=version, origin="layout", table="six_card", line="flush", pays=9
            )
        ]
    )
    drawn = of_day(room.party).readings[0]
    assert drawn.pay_tables["six_card"] == {"flush": 9}


def test_terms_are_stable_and_survive_storage(room: Room) -> None:
    terms = of_day(room.party)
    assert of_day(room.party) == terms
    assert read_terms(terms.canonical()) == terms


def test_every_demonstration_setup_can_be_used() -> None:
    call_command("load_demonstration")
    with without_access_scope():
        for party in Party.objects.filter(code__in=("cedar", "harbor", "twin-rivers")):
            for game in SLUGS:
                assert TermsInEffect(of_day(party, game=game)).setups
        cedar = of_day(Party.objects.get(code="cedar"))
    assert json.loads(span_at(cedar, 2025, 7, 12, 23, 59).setup)["limits"]["T1"]["main"][0] == 500
    late = json.loads(span_at(cedar, 2025, 7, 13, 0, 0).setup)
    assert late["limits"]["T1"]["main"] == [1_000, 10_000]
    assert late["interpretations"]["PP-I1"] == "dealer_wins"
    assert late["interpretations"]["PP-I8"] == "per_deal"
    assert late["max_aggregate"] == {PYRAMID: {"six_card": 1_000_000, "three_card": 500_000}}
