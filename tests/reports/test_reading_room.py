"""The reading room: approved documents, for anyone; nothing else, and nothing when closed."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compliance import clock
from compliance.access.models import Person
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.digests import state_digest
from compliance.filings.games.models import RuleVersion
from compliance.filings.games.writes import FiledDocuments, file_rule_version, pay_tables_of_rules
from compliance.filings.requests.approvals import step_withdrawal
from compliance.filings.requests.models import Approval, GameRequest, Withdrawal
from compliance.filings.requests.writes import approve_request, submit_request, take_step
from compliance.project.environment import read_environment
from reports.library.pages import A_MINUTE as VISITS
from reports.reading_room.pages import A_MINUTE
from tests.compliance.controls.filing import Room
from tests.compliance.games.filing import (
    DAY,
    approved,
    asked,
    filed_rules,
    filed_rules_of,
    maker_and_officer,
    readings,
)
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import party_for, person_as

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def room(client=None):
    return (client or Client()).get(reverse("reading_room"))


def shown(name, *args, **query):
    return Client().get(reverse(name, args=args), query)


def next_version(approval, maker, officer, note="A secret between us."):
    """Approve a second version whose layout pays another amount, with a note."""
    with without_access_scope():
        first = RuleVersion.objects.select_related("game__supplier").get(uuid=approval.subject)
        rules = [each.document_version for each in first.documents.filter(binding=True)]
    tables = pay_tables_of_rules("pyramid-poker")
    name, lines = next(iter(tables.items()))
    line = next(iter(lines))
    filed = FiledDocuments(
        rules=rules, pay_tables={"rules": {**tables, name: {**lines, line: lines[line] + 7}}}
    )
    version = file_rule_version(game=first.game, papers=filed, as_of=DAY, by=maker)
    request = submit_request(
        rule_version=version,
        path=GameRequest.Path.COMMERCIAL,
        asked_by=party_for(Role.SUPPLIER, "maker"),
        by=maker,
    )
    take_step(request=request, name="review", reason="complete", by=officer)
    seen = state_digest(version)
    read = readings(version)
    approval = approve_request(
        request=request, seen=seen, interpretations=read, by=officer, note=note
    )
    return approval, lines[line]


def test_anyone_can_read_an_approved_game():
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    assert "Pyramid Poker" in words(room())
    page = words(shown("public_game", "pyramid-poker"))
    assert officer.name in page
    rules = words(shown("public_rules", approval.subject))
    assert "Rules of play as read: Pyramid Poker, version 1" in rules
    assert f"Approved by {officer.name}" in rules
    assert "PP-15" in rules
    assert "How open questions are read" in rules
    assert "Pays, to 1" in rules
    with without_access_scope():
        document_file = RuleVersion.objects.get().documents.get().document_version
        assert document_file.document.title not in rules
        assert document_file.files.get().sha256 not in rules


def test_what_is_not_approved_is_not_there():
    maker, officer = maker_and_officer()
    request = asked(maker, filed_rules(maker))
    take_step(request=request, name="review", reason="complete", by=officer)
    assert "Pyramid" not in words(room())
    version = request.rule_version
    for name, thing in (
        ("public_game", "pyramid-poker"),
        ("public_comparison", "pyramid-poker"),
        ("public_rules", version.uuid),
        ("public_rules", uuid4()),
        ("public_letter", version.uuid),
    ):
        assert shown(name, thing).status_code == 404, name


def test_public_letter_omits_notes_and_operators():
    here = Room()
    approval, _ = next_version(
        here.game_approval, _maker(), here.officer, note="A secret between us."
    )
    letter = shown("public_letter", approval.uuid)
    assert "has approved Pyramid Poker, version 2" in words(letter)
    assert "Copies: The maker" in words(letter)
    assert "Dear The maker:" in words(letter)
    for secret in ("secret", "@", "SHA-256", "Documents of the filing"):
        assert secret not in words(letter)
    with without_access_scope():
        of_controls = Approval.objects.get(subject=here.version.uuid)
    assert shown("public_letter", of_controls.uuid).status_code == 404
    for page in (room(), letter):  # the page of a game says where it is offered
        assert here.party.name not in page.text
        assert here.manager.name not in page.text


def _maker():
    return Person.objects.get(email="supplier-maker@example.org")


def test_two_approved_versions_are_compared_and_no_other():
    maker, officer = maker_and_officer()
    first = approved(maker, officer)
    _, before = next_version(first, maker, officer)
    compared = shown("public_comparison", "pyramid-poker", **{"from": "1", "to": "2"})
    assert f": {before} to 1 (rules of play)" in words(compared)
    assert f": {before + 7} to 1 (rules of play)" in words(compared)
    assert "Papers" not in words(compared)
    same = words(shown("public_comparison", "pyramid-poker", **{"from": "2", "to": "2"}))
    assert "are the same in both" in same
    for nonsense in ({"from": "1", "to": "3"}, {"from": "²", "to": "1"}, {"to": "1"}, {}):
        assert shown("public_comparison", "pyramid-poker", **nonsense).status_code == 404


def test_a_withdrawn_approval_says_so():
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    at = clock.now() + timedelta(days=30)
    step_withdrawal(approval=approval, step=Withdrawal.Step.NOTICED, reason="Rigged", by=officer)
    assert "Withdrawn" not in words(shown("public_game", "pyramid-poker"))
    step_withdrawal(
        approval=approval,
        step=Withdrawal.Step.FINAL,
        reason="Rigged",
        by=officer,
        in_effect_from=at,
    )
    for page in (shown("public_game", "pyramid-poker"), shown("public_rules", approval.subject)):
        assert "Withdrawn" in words(page)
        assert "Rigged" not in words(page)


def test_public_pages_are_cached_without_cookies():
    maker, officer = maker_and_officer()
    empty = room()
    assert "Set-Cookie" not in empty.headers
    assert empty.headers["Cache-Control"] == "public, max-age=60"
    again = Client().get(reverse("reading_room"), headers={"If-None-Match": empty.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    approved(maker, officer)
    changed = Client().get(
        reverse("reading_room"), headers={"If-None-Match": empty.headers["ETag"]}
    )
    assert changed.status_code == 200
    assert changed.headers["ETag"] != empty.headers["ETag"]
    signed_in = room(browser_of(maker))
    assert "no-store" in signed_in.headers["Cache-Control"]
    assert "ETag" not in signed_in.headers


def test_personal_message_is_not_cached():
    maker, _ = maker_and_officer()
    browser = browser_of(maker)
    browser.post(reverse("account_logout"))
    answer = room(browser)
    assert "You have signed out" in words(answer)
    assert "no-store" in answer.headers["Cache-Control"]
    assert "public" not in answer.headers["Cache-Control"]


def test_closed_reading_room_is_404(settings):
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    settings.READING_ROOM = False
    for name, args in (
        ("reading_room", ()),
        ("public_game", ("pyramid-poker",)),
        ("public_comparison", ("pyramid-poker",)),
        ("public_rules", (approval.subject,)),
        ("public_letter", (approval.uuid,)),
        ("public_law", ()),
        ("public_law_rule", ("wager_house_banked",)),
    ):
        for client in (Client(), browser_of(person_as(Role.DIRECTOR, f"unit-{name}"))):
            assert client.get(reverse(name, args=args)).status_code == 404


def test_reading_room_limits_each_address():
    with time_machine.travel("2026-11-18 12:00:20Z", tick=False):
        for _ in range(A_MINUTE):
            assert room().status_code == 200
        refused = room()
        assert (refused.status_code, refused["Retry-After"]) == (429, "40")
        assert "Wait a minute" in words(refused)
        assert "no-store" in refused["Cache-Control"]
        assert Client().get(reverse("reading_room"), REMOTE_ADDR="203.0.113.9").status_code == 200
        assert room(browser_of(person_as(Role.DIRECTOR))).status_code == 200
        for _ in range(VISITS):
            assert shown("verify_report").status_code == 200
        assert shown("verify_report").status_code == 429
    with time_machine.travel("2026-11-18 12:01:00Z", tick=False):
        assert room().status_code == 200


def test_definition_is_public_and_supplier_documents_are_not():
    approval = approved(*maker_and_officer())
    with without_access_scope():
        version = RuleVersion.objects.get(uuid=approval.subject)
        file = version.documents.get().document_version.files.get()
    definition = shown("public_definition", version.uuid)
    assert definition.status_code == 200
    assert b'slug = "pyramid-poker"' in definition.content
    assert shown("public_file", version.uuid, file.sha256).status_code == 404
    assert (
        reverse("public_definition", args=[version.uuid])
        in shown("public_rules", version.uuid).text
    )


def test_commissions_own_documents_are_public():
    officer = person_as(Role.LICENSING)
    version = filed_rules_of(None, by=officer)
    with without_access_scope():
        unapproved = version.documents.get().document_version.files.get()
    assert shown("public_file", version.uuid, unapproved.sha256).status_code == 404
    request = submit_request(
        rule_version=version,
        path=GameRequest.Path.COMMERCIAL,
        asked_by=party_for(Role.LICENSING),
        by=officer,
    )
    take_step(request=request, name="review", reason="Our own.", by=officer)
    approve_request(
        request=request,
        seen=state_digest(version),
        interpretations=readings(version),
        by=person_as(Role.DIRECTOR, "directors"),
    )
    file = shown("public_file", version.uuid, unapproved.sha256)
    assert (file.status_code, file.content[:4]) == (200, b"%PDF")
    assert file["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    ("configured", "is_open"),
    [
        ({}, True),
        ({"MODE": "production"}, False),
        ({"MODE": "production", "READING_ROOM": "true"}, True),
        ({"READING_ROOM": "false"}, False),
    ],
)
def test_reading_room_is_open_if_configured(monkeypatch, configured, is_open):
    for name, value in configured.items():
        monkeypatch.setenv(name, value)
    assert read_environment().reading_room == is_open


def test_public_law_page_says_what_is_unknown():
    page = words(shown("public_law", on="1975-01-01"))
    assert "Nothing is known for this day" in page
    assert "$400" not in page
    assert "$400" in words(shown("public_law", on="2024-06-01"))
    assert shown("public_law", on="2024-02-30").status_code == 422
    assert shown("public_law", on="9" * 400).status_code == 422
    line = words(shown("public_law_rule", "wager_house_banked"))
    assert "Carried forward" in line
    assert shown("public_law_rule", "no_such_rule").status_code == 404


def test_many_games_take_as_many_queries_as_one():
    maker, officer = maker_and_officer()
    approved(maker, officer)
    with CaptureQueriesContext(connection) as of_one:
        room()
    for slug in ("casino-version", "pick-2-poker"):
        request = asked(maker, filed_rules(maker, slug))
        take_step(request=request, name="review", reason="complete", by=officer)
        version = request.rule_version
        approve_request(
            request=request,
            seen=state_digest(version),
            interpretations=readings(version),
            by=officer,
        )
    with CaptureQueriesContext(connection) as of_three:
        assert "Casino Version" in words(room())
    assert len(of_three) == len(of_one)


def test_search_finds_clauses_and_where_a_game_is_offered() -> None:
    Room()
    found = words(shown("reading_room", q="pair of jacks"))
    assert "1 game with “pair of jacks”" in found
    assert "PP-15" in found
    assert "No approved game or clause contains these words." in words(
        shown("reading_room", q="roulette <script>")
    )
    game = words(shown("public_game", "pyramid-poker"))
    assert "The room T1" in game
