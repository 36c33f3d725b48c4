"""Restitution confirmed by the operator: of what was released, never more than remains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from audits.replay.findings.models import Issue
from audits.replay.writes import Scope, begin_replay
from audits.review.releases.writes import release_issue
from audits.review.restitution.models import RestitutionPayment
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.filings.documents.models import Document
from compliance.law.business_days import last_day
from compliance.notifications.models import Notice
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import NIGHT, dealt, on_file
from tests.audits.replay.working import work
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import made_person, party_for

if TYPE_CHECKING:
    from audits.replay.models import Replay

pytestmark = pytest.mark.django_db
PAGE = f"/restitution/cedar/{NIGHT}/"


def audited(replay: Replay) -> None:
    while work(of=replay):
        pass
    replay.refresh_from_db()
    assert replay.state == "done"


def test_operator_confirms_only_released_payments():
    agent = made_person("agent", commission(), Role.AGENT)
    with without_access_scope():
        cedar = party_for(Role.OPERATOR_CLERK, "cedar")
        rounds = dealt(40, tables=("T1",))
        for each in (rounds[0], rounds[20]):
            each["seats"][0]["player"] = "p-7"
            each["seats"][0]["result"]["main"] -= 250
        on_file(cedar, rounds)
        audited(begin_replay(operator=cedar, scope=Scope(), by=None))
        found = list(Issue.objects.filter(code="settlement.main"))
    clerk = browser_of(made_person("clerk", cedar, Role.OPERATOR_CLERK))
    assert "No released finding" in words(clerk.get("/restitution/"))
    assert "No released finding" in words(clerk.get(PAGE))
    nothing = {"row": "pyramid-poker|T1|p-7|500", "cents": "5.00", "paid_on": str(NIGHT)}
    assert clerk.post(PAGE, nothing).status_code == 422

    for issue in found:
        release_issue(issue=issue, by=agent)
    # two rounds of $2.50 each
    assert f'href="{PAGE}"' in clerk.get("/restitution/").text
    assert "$5.00 is owed by released findings; $5.00 of it is left" in words(clerk.get(PAGE))
    due = last_day(clock.today(), 30)
    answer = f"Pay players $5.00 of July 12, 2025, and confirm it … Due {due:%B %-d, %Y}"
    assert answer in words(clerk.get("/"))
    with without_access_scope():
        assert PAGE in Notice.objects.filter(kind="restitution").values_list("link", flat=True)
    for changes, says in (
        ({"cents": "5.01"}, "$5.00 is left to be paid here"),
        ({"cents": "0"}, "$5.00 is left to be paid here"),
        ({"cents": "-1"}, "greater than or equal to 0"),
        ({"row": "pyramid-poker|T1|p-8|500"}, "has changed"),
        ({"paid_on": "2024-01-01"}, "the day of play, and today"),
        ({"paid_on": "2199-01-01"}, "the day of play, and today"),
        ({"papers": [SimpleUploadedFile("a.exe", b"MZ")]}, "a.exe"),
    ):
        refused = clerk.post(PAGE, {**nothing, **changes})
        assert (refused.status_code, says in words(refused)) == (422, True), words(refused)
    with without_access_scope():
        assert not RestitutionPayment.objects.exists()
        assert not Document.objects.exists()

    receipt = SimpleUploadedFile("receipt.txt", b"Signed by the player.")
    part = {**nothing, "cents": "$2.00", "note": "At the <cage>.", "papers": [receipt]}
    assert clerk.post(PAGE, part).status_code == 302
    twice = clerk.post(PAGE, part)  # the button pressed twice, or another tab
    assert "The amount left for this player has changed" in words(twice)
    with without_access_scope():
        assert [each.cents for each in RestitutionPayment.objects.all()] == [200]
    nothing["row"] = "pyramid-poker|T1|p-7|300"
    assert Event.objects.get(type="restitution.paid").party == cedar.uuid
    queue = browser_of(agent)
    shown = queue.get(PAGE)
    assert "$3.00 of it is left" in words(shown)
    assert "At the &lt;cage&gt;." in shown.text
    assert "Restitution of" in words(shown)
    assert "Confirm a payment" not in words(shown)
    assert f'href="{PAGE}"' in queue.get("/restitution/").text
    again = clerk.post(PAGE, {**nothing, "cents": "4.00"})
    assert "$3.00 is left to be paid here" in words(again)
    assert clerk.post(PAGE, {**nothing, "cents": "3.00"}).status_code == 302
    assert "Confirm a payment" not in words(clerk.get(PAGE))
    assert "Pay players" not in words(clerk.get("/"))
    assert "$5.00 $0.00 ✓ Paid" in words(clerk.get("/restitution/"))

    rival = browser_as(Role.OPERATOR_CLERK, "rival")
    assert rival.get(PAGE).status_code == 404
    assert rival.post(PAGE, part).status_code == 404
    assert "cedar" not in rival.get("/restitution/").text


@pytest.mark.parametrize("day", ["2025-02-30", "x", "2025-7-12", "9" * 30])
def test_a_day_that_there_is_not_is_not_there(day):
    clerk = browser_as(Role.OPERATOR_CLERK, "cedar")
    assert clerk.get(f"/restitution/cedar/{day}/").status_code == 404


def test_void_rounds_money_is_owed_under_any_leading_code():
    agent = made_person("agent", commission(), Role.AGENT)
    with without_access_scope():
        cedar = party_for(Role.OPERATOR_CLERK, "cedar")
        rounds = dealt(40, tables=("T1",))
        lost = rounds[0]
        lost["void"] = "no reason that the rules know"
        for seat in lost["seats"]:
            seat["result"] = dict.fromkeys(seat["result"], 0)
        lost["seats"][0]["player"] = "p-7"
        lost["seats"][0]["result"]["main"] = -250
        on_file(cedar, rounds)
        audited(begin_replay(operator=cedar, scope=Scope(), by=None))
        found = list(Issue.objects.filter(parts__code="void.result").distinct())
    [issue] = found
    assert issue.code == "void.reason"
    release_issue(issue=issue, by=agent)
    clerk = browser_of(made_person("clerk", cedar, Role.OPERATOR_CLERK))
    assert f'href="{PAGE}"' in clerk.get("/restitution/").text
    assert "$2.50 is owed by released findings" in words(clerk.get(PAGE))
