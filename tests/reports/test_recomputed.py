"""Another program computes the printed numbers again, from the logs and `manage.py findings`."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from compliance.access.scope import without_access_scope
from reports.documents.days import SUMMARY, WEEKLY
from reports.documents.registry import About
from reports.schedules.making import make_report
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.compliance.controls.filing import Room
from tests.reports import recomputed
from tests.reports.made import body_of
from tests.reports.nights import TOO_MUCH, about, closed, replayed

if TYPE_CHECKING:
    from audits.intake.days.models import GamblingDay
    from reports.documents.models import Report

pytestmark = pytest.mark.django_db


def listed(day: GamblingDay) -> list[dict[str, Any]]:
    """Return a night's findings as the command lists them."""
    out = StringIO()
    call_command("findings", "--operator", day.party.code, "--day", str(day.day), stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture
def night() -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, Report]]:
    """Return a night's rounds as logged, its findings as the command lists them, its reports."""
    rounds = [
        *spoiled(dealt(40), every=5, cents=TOO_MUCH),
        *spoiled(dealt(30, tables=("T3",), ids="third-"), every=4, cents=-TOO_MUCH),
    ]
    rounds.sort(key=lambda each: each["at"])
    room = Room()
    with without_access_scope():
        on_file(room.party, rounds)
    replayed(room.party)
    day = closed(room.party)
    findings = listed(day)
    with without_access_scope():
        made = {
            kind: make_report(kind=kind, about=about(day)) for kind in ("nightly", "restitution")
        }
    return rounds, [each for each in findings if each["round"]], made


def test_printed_tables_are_computed_again_from_logs(night):
    rounds, findings, made = night
    pages = recomputed.read_pages(body_of(made["nightly"]))
    assert recomputed.printed_issues(pages) == recomputed.summed_issues(findings)
    assert recomputed.printed_others(pages) == recomputed.summed_others(findings)
    for by, pattern in (("table", recomputed.TABLE), ("shift", recomputed.SHIFT)):
        printed = recomputed.printed_figures(pattern, pages)
        assert printed == recomputed.summed_figures(rounds, findings, by)
        assert printed


def test_printed_restitution_is_computed_again_from_logs(night):
    rounds, findings, made = night
    pages = recomputed.read_pages(body_of(made["restitution"]))
    owed = recomputed.owed_rounds(rounds, findings)
    assert owed
    assert recomputed.printed_owed(pages) == owed
    payable: dict[tuple[str, str], tuple[int, int]] = {}
    for (player, _, table), amount in owed.items():
        count, total = payable.get((player, table), (0, 0))
        payable[player, table] = (count + 1, total + amount)
    assert recomputed.printed_payable(pages) == payable
    assert f"${sum(owed.values()) / 100:,.2f} payable to" in pages


def test_printed_periods_are_computed_again_from_logs():
    room, sunday = Room(), NIGHT + timedelta(days=1)
    rounds = {
        NIGHT: spoiled(dealt(20), every=5, cents=TOO_MUCH),
        sunday: spoiled(dealt(12, day=sunday), every=4, cents=-TOO_MUCH),
    }
    with without_access_scope():
        for each in rounds.values():
            on_file(room.party, each)
    replayed(room.party)
    days = [closed(room.party, on) for on in rounds]
    with without_access_scope():
        for day in days:
            make_report(kind="nightly", about=about(day))
        summary = make_report(kind=SUMMARY, about=About(day=NIGHT))
        week = make_report(kind=WEEKLY, about=About(party=room.party, day=sunday))
    found = [listed(day) for day in days]
    nights = list(zip(rounds.values(), found, strict=True))
    for report, parts in ((summary, nights[:1]), (week, nights)):
        pages = recomputed.read_pages(body_of(report))
        name = room.party.name
        assert recomputed.printed_rooms(pages) == {name: recomputed.summed_room(parts)}
        issues = [each for _, findings in parts for each in findings if each["round"]]
        printed = recomputed.printed_issues(pages, recomputed.OF_A_PERIOD)
        assert printed == recomputed.summed_issues(issues)
    assert recomputed.printed_nights(recomputed.read_pages(body_of(week))) == {
        f"{on:%a, %b %-d, %Y}": recomputed.summed_night(*parts)
        for on, parts in zip(rounds, nights, strict=True)
    }
