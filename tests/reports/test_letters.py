"""Decision letters are made by themselves, once, and their recipient sees them."""

from __future__ import annotations

import pytest
from django.urls import reverse

from compliance.access.permissions import PartyKind, Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.digests import state_digest
from compliance.filings.games.models import RuleVersion
from compliance.filings.letters.writes import save_template
from compliance.filings.requests.models import Approval, Denial, GameRequest
from compliance.filings.requests.writes import (
    approve_request,
    refuse_request,
    submit_request,
    take_step,
)
from reports.documents.letters import (
    compose_approval,
    compose_denial,
    gather_approval,
    gather_denial,
)
from reports.documents.models import Report, ReportOrder
from reports.documents.registry import About, ReportContent
from reports.schedules.making import make_report
from reports.schedules.orders import order_letters
from tests.compliance.games.filing import (
    approved,
    filed_rules_of,
    maker_and_officer,
    readings,
    under_review,
)
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import made_party, made_person, party_for, person_as
from tests.reports.working import make_next

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def test_approval_has_one_letter_readable_by_holder():
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    assert order_letters() == 1
    assert order_letters() == 0
    assert make_next().state == "made"
    assert order_letters() == 0
    with without_access_scope():
        letter = Report.objects.get()
    assert letter.subject == approval.uuid
    browser = browser_of(maker)
    assert letter.title in words(browser.get(reverse("reports")))
    assert browser.get(reverse("report_file", args=[letter.uuid])).status_code == 200
    log = words(browser.get(reverse("events")))
    assert f"({letter.reference}) was shown to {approval.party}" in log


def test_denial_letter_reaches_the_requester():
    maker, officer = maker_and_officer()
    refuse_request(
        request=under_review(maker, officer), reasons="The wager has no limit.", by=officer
    )
    assert order_letters() == 1
    make_next()
    with without_access_scope():
        letter = Report.objects.get(kind="denial_letter")
    page = words(browser_of(maker).get(reverse("report", args=[letter.uuid])))
    assert "The wager has no limit." in page


def test_each_letter_names_its_issuer_and_effect():
    maker, officer = maker_and_officer()
    first = approved(maker, officer)
    agency = party_for(Role.AGENCY_REVIEWER, "agency")
    casino = made_party(PartyKind.TRIBAL_OPERATION, "casino", agency=agency)
    manager = made_person("manager", casino, Role.OPERATOR_MANAGER)
    reviewer = person_as(Role.AGENCY_REVIEWER, "agency")
    with without_access_scope():
        version = RuleVersion.objects.get(uuid=first.subject)

    def asked() -> GameRequest:
        return submit_request(
            rule_version=version, path=GameRequest.Path.TRIBAL, asked_by=casino, by=manager
        )

    seen, request = state_digest(version), asked()
    refused = refuse_request(request=request, reasons="No plan.", by=reviewer)
    assert denial_content(refused).title == "Denial by The agency of Pyramid Poker, version 1"
    request = asked()
    of_agency = approve_request(request=request, seen=seen, by=reviewer)
    take_step(request=request, name="seek_concurrence", reason="Please.", by=reviewer)
    concurrence = approve_request(request=request, seen=seen, by=officer)
    letters = [approval_content(each) for each in (first, of_agency, concurrence)]
    assert [each.title for each in letters] == [
        "Approval of Pyramid Poker, version 1",
        "Approval by The agency of Pyramid Poker, version 1",
        "Concurrence in the approval of Pyramid Poker, version 1",
    ]
    commercial, tribal, concurred = (str(each.blocks) for each in letters)
    assert "WAC 230-15-040" in commercial
    assert "WAC 230-15-045" in commercial
    assert "once the commission has concurred" in tribal
    assert "This concurrence holds under" in concurred
    for each in (tribal, concurred):
        assert "WAC" not in each
        assert "the compact and its appendices" in each
    with without_access_scope():
        letter = make_report(kind="approval_letter", about=About(subject=concurrence.uuid))
    assert letter.file_name == (
        f"{letter.reference}-concurrence-in-the-approval-of-pyramid-poker-version-1.pdf"
    )


def test_commission_game_decision_is_sent_once_per_unit():
    officer, director = person_as(Role.LICENSING), person_as(Role.DIRECTOR, "second-unit")
    version = filed_rules_of(None, by=officer)
    own = party_for(Role.LICENSING)
    request = submit_request(
        rule_version=version, path=GameRequest.Path.COMMERCIAL, asked_by=own, by=officer
    )
    take_step(request=request, name="review", reason="Ours.", by=officer)
    approval = approve_request(
        request=request,
        seen=state_digest(version),
        interpretations=readings(version),
        by=director,
    )
    with without_access_scope():
        sent = gather_approval(About(subject=approval.uuid))["distribution"]
    assert sorted(sent) == sorted([own.name, party_for(Role.DIRECTOR, "second-unit").name])


OWN = {
    "opening": "Thank you for coming to our meeting.",
    "contacts": "For tables, ask Pat Moss at (360) 555-0101.\nFor licenses, ask Lee Ray.",
    "signature": "for Robin Hale\nAssistant Director",
    "copies": "File",
}


def test_letter_has_its_agencys_template_or_own_words():
    maker, officer = maker_and_officer()
    unit = party_for(Role.LICENSING)
    template = {"letterhead": "State of Tests\nGambling Unit", **OWN, "opening": "Good day."}
    save_template(party=unit, words=template, by=officer)
    content = approval_content(approved(maker, officer))
    assert content.letterhead == ("State of Tests", "Gambling Unit")
    text = str(content.blocks)
    for part in ("Good day.", "(360) 555-0101", "for Robin Hale", "File"):
        assert part in text
    assert officer.name not in text


def test_denial_letter_keeps_its_own_words():
    maker, officer = maker_and_officer()
    denial = refuse_request(
        request=under_review(maker, officer), reasons="Not whole.", by=officer, letter=OWN
    )
    save_template(party=party_for(Role.LICENSING), words={"opening": "Later."}, by=officer)
    assert "Thank you for coming" in str(denial_content(denial).blocks)


def test_template_is_for_those_who_decide():
    maker, officer = maker_and_officer()
    unit = party_for(Role.LICENSING)
    with pytest.raises(NotAllowedError):
        save_template(party=unit, words=OWN, by=maker)
    with without_access_scope(), pytest.raises(RefusedError, match="has no letters"):
        save_template(party=maker.memberships.get().party, words=OWN, by=officer)
    address = reverse("letter_template", args=[unit.code])
    assert browser_of(maker).get(address).status_code == 404
    browser = browser_of(officer)
    approved(maker, officer)
    answer = browser.post(address, {"letterhead": "Card Games Unit", **OWN}, follow=True)
    page = words(answer)
    assert "The template is saved." in page
    assert "Thank you for coming to our meeting." in page  # the preview
    assert unit.name in words(browser.get(reverse("letter_templates")))


def approval_content(approval: Approval) -> ReportContent:
    with without_access_scope():
        return compose_approval(gather_approval(About(subject=approval.uuid)))


def denial_content(denial: Denial) -> ReportContent:
    with without_access_scope():
        return compose_denial(gather_denial(About(subject=denial.uuid)))


def test_failed_letter_is_not_ordered_again(settings):
    approved(*maker_and_officer())
    settings.REPORT_KEY = "/nowhere/key.p12"
    order_letters()
    make_next()
    assert order_letters() == 0
    assert ReportOrder.objects.get().state == "failed"
