"""The round sheet shows logged and expected results, and quotes each clause once."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from audits.intake.rounds import find_round
from audits.review.releases.writes import release_day
from compliance.access.models import Party
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from reports.documents.models import Report
from reports.documents.registry import About, NothingToReportError
from reports.documents.round_blocks import LONGEST_LINE
from reports.documents.round_sheet import about_round
from reports.documents.sheets import sheet_of
from reports.library.reads import Outcome, reproduce
from reports.library.verification import check_pdf
from reports.rendering.blocks import Board, Callout
from reports.schedules.making import make_report
from tests.audits.replay.nights import dealt, on_file, spoiled
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import browser_of
from tests.compliance.people import person_as
from tests.reports.made import body_of, file_of
from tests.reports.nights import TOO_MUCH, closed, inputs_of, replayed
from tests.reports.paper.sheets import LONG_NAME, text_of
from tests.reports.working import make_next

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def squeezed(text: str) -> str:
    return "".join(text.split())


def printed(report: Report) -> str:
    return squeezed("".join(text_of(body_of(report))))


def night(rounds):
    """Return a room's night with these rounds, audited and closed."""
    room = Room()
    with without_access_scope():
        log = on_file(room.party, rounds)
    replayed(room.party)
    return room, closed(room.party), log


def sheet_made(room, id_) -> Report:
    with without_access_scope():
        on_file = find_round([room.party], id_)
        assert on_file is not None
        return make_report(kind="round_sheet", about=about_round(on_file))


def test_wrong_round_is_printed_logged_and_expected():
    rounds = spoiled(dealt(4, tables=("T1",)), every=4, cents=TOO_MUCH)
    house = rounds[0]["house"]
    house["low"] = next(c for c in house["cards"].split() if c[0] != house["low"][0])
    room, day, log = night(rounds)
    report = sheet_made(room, rounds[0]["round"])
    sheet, text = sheet_of(inputs_of(report)), printed(report)
    titles = [row[0] for row in sheet.tables["findings"].rows]
    assert titles == ["Dealer's hand not set as the rules require", "Payout error"]
    verdict = next(each for each in sheet.blocks if isinstance(each, Callout))
    assert verdict.heading == "2 apparent violations"
    assert verdict.says == "Players were overpaid $1.00."
    seat = rounds[0]["seats"][0]
    due = seat["result"]["main"] - TOO_MUCH
    row = next(each for each in sheet.tables["wagers"].rows if each[1] == "Main")
    assert row[2:] == (
        *(_dollars(seat["wagers"]["main"]), _won(seat["result"]["main"]), _won(due)),
        "$1.00 overpaid",
    )
    (board,) = (each for each in sheet.blocks if isinstance(each, Board))
    drawn = {hand.label: hand.cards for hand in board.places[0].hands}
    assert drawn["Low card as set"] == (house["low"],)
    assert drawn["Low card as the rules require"] != (house["low"],)
    marked = {each.title for each in board.places if each.is_marked}
    assert marked == {"Dealer", "Seat 1"}
    assert log.sha256 in text
    for digest in (day.current.digest, day.current.fingerprint):
        assert digest[:16] in text
    data = inputs_of(report)["data"]
    assert json.loads(data["raw"]) == rounds[0]
    assert f"theline({len(data['raw'])}characters)" in text
    assert "c2sp.org/tlog-proof" in data["inclusion"]
    assert all(check.holds for check in check_pdf(file_of(report)).checks)


def test_house_wager_is_not_money_of_players():
    # PP-23: in a player-banked round the house wagers against the bank.
    rounds = dealt(400, tables=("T1",))
    wrong = next(each for each in rounds if "banker" in each and not each.get("void"))
    wrong["house"]["result"] += 8000
    room, _, _ = night(rounds)
    sheet = sheet_of(inputs_of(sheet_made(room, wrong["round"])))
    verdict = next(each for each in sheet.blocks if isinstance(each, Callout))
    assert verdict.says == "The house was overpaid $80.00."


def _dollars(cents: int) -> str:
    return f"{'−' if cents < 0 else ''}${abs(cents) / 100:,.2f}"


def _won(cents: int) -> str:
    return f"+{_dollars(cents)}" if cents > 0 else _dollars(cents)


@pytest.mark.parametrize("game", ["chinese-poker", "casino-version", "pick-2-poker", "showdown"])
def test_clause_is_quoted_once_then_referred_to(game):
    rounds = dealt(3, game=game, tables=("T1",))
    result = rounds[1]["seats"][0]["result"]
    result[next(iter(result))] += TOO_MUCH
    room, _, _ = night(rounds)
    report = sheet_made(room, rounds[1]["round"])
    sheet = sheet_of(inputs_of(report))
    quoted: dict[str, int] = {}
    for number, (step, _, basis) in enumerate(sheet.tables["steps"].rows, start=1):
        assert step == str(number)
        for line in filter(None, basis.splitlines()):
            if line == "–":
                continue
            if line.startswith("see "):
                for pointed in line.removeprefix("see ").split("; "):
                    ids, _, at = pointed.removesuffix(")").partition(" (step ")
                    assert {quoted[id_] for id_ in ids.split(", ")} == {int(at)}
            else:
                id_, _, text = line.partition(": ")
                assert id_ not in quoted
                assert len(text) > 20, line
                quoted[id_] = number
    assert quoted


def test_result_of_void_round_is_printed_in_dollars():
    rounds = dealt(1, tables=("T1",))
    rounds[0]["void"] = "power failure"
    for seat in rounds[0]["seats"]:
        seat["result"] = dict.fromkeys(seat["result"], 0)
    rounds[0]["seats"][0]["result"]["main"] = 1234
    room, _, _ = night(rounds)
    sheet = sheet_of(inputs_of(sheet_made(room, rounds[0]["round"])))
    (found,) = (
        row
        for row in sheet.tables["findings"].rows
        if row[0].startswith("Money won or lost in a void")
    )
    assert found[2:5] == ("$12.34", "$0.00", "$12.34 overpaid")


def test_clauses_name_their_document_and_page():
    rounds = dealt(1, tables=("T1",))
    room, _, _ = night(rounds)
    text = printed(sheet_made(room, rounds[0]["round"]))
    assert "(PyramidPoker,RulesofPlay,page1)" in text


def test_sheet_of_clean_round_is_reproducible():
    rounds = dealt(3, tables=("T1",))
    room, _, _ = night(rounds)
    report = sheet_made(room, rounds[2]["round"])
    assert "Noapparentviolations" in printed(report)
    assert reproduce(report).outcome is Outcome.SAME
    assert sheet_made(room, rounds[2]["round"]).pk == report.pk


def test_long_names_amounts_and_lines_fit_the_page():
    rounds = dealt(1, tables=("T1",))
    seat = rounds[0]["seats"][0]
    seat["player"] = "p" * 64
    seat["wagers"]["main"] = seat["result"]["main"] = 999_999_999
    rounds[0]["x_own"] = "x" * 3 * LONGEST_LINE
    room, _, _ = night(rounds)
    with without_access_scope():
        Party.objects.filter(pk=room.party.pk).update(name=LONG_NAME)
    report = sheet_made(room, rounds[0]["round"])
    text = printed(report)
    assert squeezed(LONG_NAME) in text
    assert "$9,999,999.99" in text


def test_only_commission_orders_a_round_sheet():
    rounds = dealt(2, tables=("T1",))
    room, day, log = night(rounds)
    address = reverse("round_sheet", args=[log.uuid, 2])
    operator = browser_of(room.manager)
    assert operator.get(address).status_code == 404
    agent = person_as(Role.AGENT)
    browser = browser_of(agent)
    assert browser.get(reverse("round_sheet", args=[log.uuid, 3])).status_code == 404
    assert browser.get(address).status_code == 200
    browser.post(address)
    with without_access_scope():
        assert make_next() is not None
        report = Report.objects.get(kind="round_sheet")
    assert browser.get(address)["Location"] == reverse("report", args=[report.uuid])
    shown = reverse("report", args=[report.uuid])
    assert operator.get(shown).status_code == 404
    release_day(day=day, by=agent)
    assert operator.get(shown).status_code == 200


def test_round_without_replay_has_no_sheet():
    room = Room()
    with without_access_scope():
        log = on_file(room.party, dealt(2, tables=("T1",)))
        found = find_round([room.party], dealt(1, tables=("T1",))[0]["round"])
        assert found is not None
        with pytest.raises(NothingToReportError, match="covers this round yet"):
            make_report(kind="round_sheet", about=about_round(found))
        nowhere = About(party=room.party, day=found.segment.day, subject=log.uuid, line=99)
        with pytest.raises(NothingToReportError, match="Line 99 of log"):
            make_report(kind="round_sheet", about=nowhere)
