"""A game whose terms cannot be built keeps no other game of the night from being audited."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from audits.replay.models import Replay
from audits.replay.writes import Scope, begin_replay
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.filings.games.models import FiledPayLine, RuleVersion
from compliance.filings.licenses.models import LicenseClass
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import dealt, on_file
from tests.audits.replay.working import work
from tests.compliance.controls.filing import licensed, local
from tests.compliance.games import filing
from tests.compliance.games.filing import approved, maker_and_officer
from tests.compliance.pages.browsing import browser_as, words
from tests.compliance.people import party_for

pytestmark = pytest.mark.django_db


def test_unbuildable_game_is_set_aside_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    # a version from before games were filed by their definition
    monkeypatch.setattr(filing, "seed_definitions", dict)
    commission()
    with without_access_scope():
        cedar = party_for(Role.OPERATOR_CLERK, "cedar")
        maker, officer = maker_and_officer()
        with clock.standing_at(local(2025, 1, 15, 12)):
            approved(maker, officer)
            licensed(party_for(Role.SUPPLIER, "maker"), LicenseClass.MANUFACTURER, officer)
        # no filing takes such a line now; one that was approved before may have it
        version = RuleVersion.objects.get()
        FiledPayLine.objects.bulk_create(
            [
                FiledPayLine(
                    rule_version=version,
                    origin="rules",
                    table="six_card",
                    line="mini_royal",
                    pays=9,
                )
            ]
        )
        tables = {"pyramid-poker": ("T1",), "pick-2-poker": ("T2",)}
        for game, names in tables.items():
            on_file(cedar, dealt(30, game=game, tables=names, ids=game))
        replay = begin_replay(operator=cedar, scope=Scope(day=date(2025, 7, 12)), by=None)
        while work(of=replay):
            pass
        replay.refresh_from_db()
        assert (replay.state, replay.failure) == (Replay.State.DONE, "")
        assert replay.rounds == 30
        (aside,) = replay.set_aside
        assert (aside["game"], aside["day"]) == ("pyramid-poker", "2025-07-12")
        assert "a line that Pyramid Poker cannot produce: `mini_royal`" in aside["why"]
        assert Event.objects.filter(type="replay.game_set_aside").count() == 1
    page = browser_as(Role.AGENT).get(reverse("replay", args=[replay.uuid]))
    assert "Not audited: pyramid-poker on 2025-07-12" in words(page)
