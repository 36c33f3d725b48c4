"""What was in effect at an instant, and why play wasn't authorized at others."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

import pytest
from django.core.management import CommandError, call_command

from compliance import clock
from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.events.digests import state_digest
from compliance.filings.controls.reads import list_cut_offs
from compliance.filings.controls.writes import submit_controls
from compliance.filings.games.models import RuleVersion
from compliance.filings.licenses.models import CompactValue, LicenseChange, LicenseClass
from compliance.filings.licenses.writes import add_compact_value, change_license, enter_compact
from compliance.filings.requests.approvals import mark_condition, step_withdrawal
from compliance.filings.requests.models import ConditionMark, GameRequest, Withdrawal
from compliance.filings.requests.writes import approve_request, submit_request, take_step
from compliance.in_effect.gaming_tables import list_tables_in_effect
from compliance.in_effect.reads import find_terms, find_terms_between
from compliance.law.values import Grade
from tests.compliance.controls.examples import changed
from tests.compliance.controls.filing import Room, bring_into_effect, local, only_pyramid, submitted
from tests.compliance.people import made_party, party_for, person_as

pytestmark = pytest.mark.django_db
PYRAMID = "pyramid-poker"
NIGHT = local(2025, 7, 12, 22)  # a Saturday, open round the clock by the example


@pytest.fixture
def room():
    with without_access_scope():
        yield Room()


def at(room, instant=NIGHT, *, game=PYRAMID, table="T1"):
    return find_terms(operator=room.party, game=game, table=table, at=instant)


def codes(found):
    return [reason.code for reason in found.reasons]


def test_a_room_in_order_is_authorized_with_everything_named(room):
    found = at(room)
    assert found.authorized
    assert found.limits["main"] == (500, 40_000)
    assert found.cap["value"] == 40_000
    assert found.controls_version == room.version
    assert [each.kind for each in found.approvals] == ["commission", "commission"]


def test_before_the_controls_took_effect_they_bound_nothing(room):
    assert codes(at(room, local(2025, 2, 1, 5, 59))) == ["approval.controls"]
    assert at(room, local(2025, 2, 1, 6, 0)).controls_version == room.version


def test_a_game_or_a_table_that_the_controls_do_not_name(room):
    assert codes(at(room, table="T9")) == ["approval.controls"]
    assert "T9" in at(room, table="T9").reasons[0].text
    assert codes(at(room, game="pick-2-poker")) == ["approval.game", "approval.controls"]


def test_outside_the_approved_hours(room):
    # open Friday 10:00 to Saturday 04:00, and Saturday round the clock
    assert codes(at(room, local(2025, 7, 11, 9, 59))) == ["approval.hours"]
    assert at(room, local(2025, 7, 11, 10)).authorized
    assert at(room, local(2025, 7, 12, 3, 59)).authorized
    assert codes(at(room, local(2025, 7, 13, 0, 0))) == ["approval.hours"]


def test_a_license_suspended_and_restored(room):
    license = room.party.licenses.get()
    for effect, day in (
        (LicenseChange.Effect.SUSPENDED, date(2025, 7, 12)),
        (LicenseChange.Effect.RESTORED, date(2025, 7, 19)),
    ):
        change_license(license=license, effect=effect, from_date=day, reason="r", by=room.officer)
    assert at(room, local(2025, 7, 11, 23, 59)).authorized
    assert codes(at(room, local(2025, 7, 12, 0, 0))) == ["approval.license"]
    assert at(room, local(2025, 7, 19, 22)).authorized


def test_unlicensed_supplier_bars_its_game_unless_waived(room):
    license = party_for(Role.SUPPLIER, "maker").licenses.get()
    change_license(
        license=license,
        effect=LicenseChange.Effect.REVOKED,
        from_date=date(2025, 7, 1),
        reason="fraud",
        by=room.officer,
    )
    found = at(room)
    assert codes(found) == ["approval.game"]
    assert "was not licensed on 2025-07-12" in found.reasons[0].text
    condition = room.game_approval.conditions.get(kind="no_marketing")
    with clock.standing_at(local(2025, 7, 2, 12)):
        mark_condition(
            condition=condition,
            mark=ConditionMark.Mark.WAIVED,
            until=date(2025, 7, 13),
            reason="stock in place",
            by=room.officer,
        )
    assert at(room).authorized
    assert codes(at(room, local(2025, 7, 18, 22))) == ["approval.game"]


def test_a_withdrawal_ends_an_authorization_at_its_instant(room):
    with clock.standing_at(local(2025, 7, 1, 12)):
        step = Withdrawal.Step
        step_withdrawal(approval=room.game_approval, step=step.NOTICED, reason="r", by=room.officer)
        step_withdrawal(
            approval=room.game_approval,
            step=step.FINAL,
            reason="r",
            by=room.officer,
            in_effect_from=local(2025, 7, 12, 22, 30),
        )
    assert at(room, local(2025, 7, 12, 22, 29, 59)).authorized
    assert codes(at(room, local(2025, 7, 12, 22, 30))) == ["approval.game"]


@pytest.mark.parametrize(
    ("day", "cents", "filing"),
    [
        (date(2008, 5, 21), 20_000, "WSR 06-03-110"),
        (date(2008, 12, 31), 20_000, "WSR 06-03-110"),
        (date(2009, 1, 1), 30_000, "WSR 08-20-025"),
        (date(2023, 9, 24), 30_000, "WSR 08-20-025"),
        (date(2023, 9, 25), 40_000, "WSR 23-18-019"),
    ],
)
def test_cap_is_the_one_of_the_local_date(room, day, cents, filing):
    for hour, minute in ((0, 0), (23, 59)):
        cap = at(room, local(day.year, day.month, day.day, hour, minute)).cap
        assert (cap["value"], cap["filing"]) == (cents, filing)
        assert cap["citation"] == "WAC 230-15-140(1)"


def test_unknown_span_is_stated_and_future_day_carried_forward(room):
    unknown = at(room, local(2005, 6, 1, 22)).cap
    assert (unknown["value"], unknown["grade"]) == (None, "unknown")
    assert at(room, local(2026, 7, 1, 22)).cap["verified_through"] == "2025-08-01"


def changed_in_the_night(room):
    content = only_pyramid()
    content["games"][PYRAMID] = changed("games/pyramid-poker/tables/T1/main", [1000, 30_000])[
        "games"
    ][PYRAMID]
    with clock.standing_at(local(2025, 7, 10, 12)):
        version = submitted(room.manager, content)
        bring_into_effect(version, room.officer, local(2025, 7, 12, 23))
    return version


def test_midnight_controls_change_binds_from_its_instant(room):
    version = changed_in_the_night(room)
    assert at(room, local(2025, 7, 12, 22, 59, 59)).limits["main"] == (500, 40_000)
    assert at(room, local(2025, 7, 12, 23)).limits["main"] == (1000, 30_000)
    assert at(room, local(2025, 7, 12, 23)).controls_version == version


def test_spans_tile_a_night_and_match_each_instant(room):
    changed_in_the_night(room)
    begin, end = local(2025, 7, 12, 6), local(2025, 7, 13, 6)
    spans = find_terms_between(operator=room.party, game=PYRAMID, table="T1", begin=begin, end=end)
    assert spans[0][0] == begin
    assert spans[-1][1] == end
    assert all(one[1] == next_[0] for one, next_ in pairwise(spans))
    instant = begin
    while instant < end:
        (terms,) = [each for start, stop, each in spans if start <= instant < stop]
        asked = at(room, instant)
        assert (terms.limits, codes(terms)) == (asked.limits, codes(asked)), instant
        instant += timedelta(minutes=30)


def test_span_after_midnight_ends_when_the_evening_closes(room):
    content = {**only_pyramid(), "hours": {"friday": ["10:00", "04:00"]}}
    with clock.standing_at(local(2025, 7, 1, 12)):
        bring_into_effect(submitted(room.manager, content), room.officer, local(2025, 7, 2, 6))
    spans = find_terms_between(
        operator=room.party,
        game=PYRAMID,
        table="T1",
        begin=local(2025, 7, 12, 0, 30),
        end=local(2025, 7, 12, 6),
    )
    assert {(start, terms.authorized) for start, _, terms in spans} >= {
        (local(2025, 7, 12, 0, 30), True),
        (local(2025, 7, 12, 4), False),
    }


@pytest.mark.parametrize(
    ("hours", "night", "instants"),
    [
        # At two the clocks go back to one: until half past one it is open twice.
        (
            {"saturday": ["10:00", "01:30"]},
            date(2025, 11, 2),
            {"08:29": True, "08:30": False, "08:59": False, "09:00": True, "09:30": False},
        ),
        # At two they go forward to three: when they show three, half past two is past.
        (
            {"sunday": ["02:30", "12:00"]},
            date(2025, 3, 9),
            {"09:59": False, "10:00": True, "18:59": True, "19:00": False},
        ),
    ],
    ids=["autumn", "spring"],
)
def test_hours_are_what_clocks_show_where_clocks_change(room, hours, night, instants):
    with clock.standing_at(local(2025, 2, 10, 12)):
        content = {**only_pyramid(), "hours": hours}
        bring_into_effect(submitted(room.manager, content), room.officer, local(2025, 2, 11, 6))
    begin = datetime(night.year, night.month, night.day, 8, tzinfo=UTC)  # before clocks change
    spans = find_terms_between(
        operator=room.party,
        game=PYRAMID,
        table="T1",
        begin=begin,
        end=begin + timedelta(hours=12),
    )
    for text, is_open in instants.items():
        instant = datetime.combine(night, time.fromisoformat(text), UTC)
        (terms,) = [each for start, stop, each in spans if start <= instant < stop]
        assert terms.authorized is is_open, text
        assert at(room, instant).authorized is is_open, text


def test_cut_offs_follow_controls_at_each_instant(room):
    assert [(each.since, each.at.hour) for each in list_cut_offs(room.party)] == [
        (local(2025, 2, 1, 6), 6)
    ]


def test_tribal_table_needs_concurrence_and_compact_cap(room):
    agency = made_party(PartyKind.TRIBAL_AGENCY, "agency")
    operation = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    manager = person_as(Role.OPERATOR_MANAGER, "casino")
    reviewer = person_as(Role.AGENCY_REVIEWER, "agency")
    rules = at(room).rule_version
    with clock.standing_at(local(2025, 3, 1, 12)):
        compact = enter_compact(
            agency=agency,
            title="Compact",
            from_date=date(1995, 1, 1),
            source="invented",
            by=room.officer,
        )
        add_compact_value(
            compact=compact,
            rule=CompactValue.Rule.WAGER,
            from_date=date(1995, 6, 1),
            value=50_000,
            grade=Grade.CONFIRMED,
            citation="Appendix A",
            by=room.officer,
        )
        version = submit_controls(operator=operation, content=only_pyramid(), by=manager)
        bring_into_effect(version, room.officer, local(2025, 3, 2, 6))
        request = submit_request(
            rule_version=rules, path=GameRequest.Path.TRIBAL, asked_by=operation, by=manager
        )
        approve_request(request=request, seen=state_digest(rules), by=reviewer)

    def found():
        return find_terms(operator=operation, game=PYRAMID, table="T1", at=NIGHT)

    assert codes(found()) == ["approval.game"]
    assert "has not concurred" in found().reasons[0].text
    with clock.standing_at(local(2025, 3, 3, 12)):
        take_step(request=request, name="seek_concurrence", reason="r", by=reviewer)
        approve_request(request=request, seen=state_digest(rules), by=room.officer)
    assert found().authorized
    assert (found().cap["value"], found().cap["citation"]) == (50_000, "Appendix A")
    (now,) = list_tables_in_effect(operation, NIGHT)
    assert now.change is None  # no legal cap applies to it
    add_compact_value(
        compact=compact,
        rule=CompactValue.Rule.WAGER,
        from_date=date(2025, 9, 1),
        value=30_000,
        grade=Grade.CONFIRMED,
        citation="Appendix B",
        by=room.officer,
    )
    (now,) = list_tables_in_effect(operation, NIGHT)
    assert now.change.at == local(2025, 9, 1)
    assert "Another cap of a single wager applies (Appendix B)" in now.change.says
    assert [each.kind for each in found().approvals] == [
        "commission",
        "agency",
        "concurrence",
        "commission",
    ]


def test_a_game_of_another_kind_of_license(room):
    with clock.standing_at(local(2025, 3, 1, 12)):
        license = room.party.licenses.get(kind=LicenseClass.HOUSE_BANKED_CARD_ROOM)
        change_license(
            license=license,
            effect=LicenseChange.Effect.SURRENDERED,
            from_date=date(2025, 7, 1),
            reason="closed",
            by=room.officer,
        )
    assert codes(at(room)) == ["approval.license"]


def test_the_command_answers_other_programs_to_the_letter(room, capsys):
    call_command(
        "in_effect",
        "--operator=room",
        f"--game={PYRAMID}",
        "--table=T1",
        "--at=2025-07-12T22:00:00-07:00",
        "--json",
    )
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == {
        "v",
        "authorized",
        "reasons",
        "game",
        "definition",
        "pay_tables",
        "interpretations",
        "controls_version",
        "limits",
        "cap",
        "approvals",
    }
    assert (answer["v"], answer["authorized"]) == (2, True)
    [version] = RuleVersion.objects.all()
    assert answer["definition"] == version.definition
    assert answer["pay_tables"].keys() == {"three_card", "six_card"}
    assert answer["pay_tables"]["six_card"]["name"] == "standard"
    assert answer["interpretations"]["PP-I1"] == "push"
    assert answer["limits"]["main"] == [500, 40_000]
    assert set(answer["approvals"][0]) == {"by", "at", "digest", "conditions"}
    assert answer["cap"]["citation"] == "WAC 230-15-140(1)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--operator=nobody", "--at=2025-07-12T22:00:00-07:00"], "no party has this code"),
        (["--operator=room", "--at=2025-07-12T22:00:00"], "with its offset"),
        (["--operator=room", "--at=yesterday"], "with its offset"),
    ],
)
def test_a_question_that_cannot_be_answered_is_explained(room, arguments, message):
    with pytest.raises(CommandError, match=message) as refused:
        call_command("in_effect", f"--game={PYRAMID}", *arguments)
    assert refused.value.returncode == 2
