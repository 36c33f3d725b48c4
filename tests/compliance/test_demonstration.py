"""The demonstration's filings form a complete story, created once."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command

from compliance.access.models import Party
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.filings.controls.models import ControlsFiling
from compliance.filings.games.models import DocumentFinding
from compliance.filings.requests.models import GameRequest
from compliance.in_effect.reads import find_terms

pytestmark = pytest.mark.django_db
WEST = ZoneInfo("America/Los_Angeles")


@pytest.fixture
def loaded():
    call_command("load_demonstration")
    with without_access_scope():
        yield


def asked(code, game, table, *at):
    return find_terms(
        operator=Party.objects.get(code=code),
        game=game,
        table=table,
        at=datetime(*at, tzinfo=WEST),
    )


@pytest.mark.usefixtures("loaded")
def test_cedar_ridge_controls_change_at_midnight():
    before = asked("cedar", "pyramid-poker", "T1", 2025, 7, 12, 23, 59)
    after = asked("cedar", "pyramid-poker", "T1", 2025, 7, 13, 0, 0)
    assert before.authorized
    assert after.authorized
    assert (before.limits["main"], after.limits["main"]) == ((500, 20_000), (1_000, 10_000))
    assert before.interpretations["PP-I1"] == "push"
    assert after.interpretations["PP-I1"] == "dealer_wins"


@pytest.mark.usefixtures("loaded")
def test_filed_game_has_another_pay_table_from_midnight():
    before = asked("cedar", "three-card-poker", "T8", 2025, 7, 12, 23, 59)
    after = asked("cedar", "three-card-poker", "T8", 2025, 7, 13, 0, 0)
    assert before.authorized
    assert after.authorized
    names = [each.pay_tables["pair_plus"].name for each in (before, after)]
    assert names == ["standard", "flush_3"]


@pytest.mark.usefixtures("loaded")
def test_harbor_hours_and_twin_rivers_compact():
    assert asked("harbor", "pyramid-poker", "H1", 2025, 7, 13, 3, 59).authorized
    late = asked("harbor", "pyramid-poker", "H1", 2025, 7, 13, 4, 0)
    assert [each.code for each in late.reasons] == ["approval.hours"]
    tribal = asked("twin-rivers", "pyramid-poker", "R1", 2025, 7, 12, 22)
    assert tribal.authorized
    assert tribal.cap["value"] == 50_000


@pytest.mark.usefixtures("loaded")
def test_demonstration_filings_have_their_states():
    for game in ("showdown", "casino-version"):
        found = asked("cedar", game, "T1", 2025, 7, 12, 22)
        assert "approval.game" in [each.code for each in found.reasons]
    states = sorted(ControlsFiling.objects.values_list("state", flat=True))
    assert states == ["approved"] * 5 + ["returned", "submitted"]
    assert GameRequest.objects.filter(state="under_review").count() == 1


@pytest.mark.usefixtures("loaded")
def test_the_filings_differ_as_those_of_2008_did():
    says = " ".join(DocumentFinding.objects.values_list("says", flat=True))
    for difference in ("50 to 1; the rules pay 30", "3 to 1; the rules pay 10", "$5,000.00"):
        assert difference in says


@pytest.mark.usefixtures("loaded")
def test_a_second_load_adds_nothing():
    events = Event.objects.count()
    call_command("load_demonstration")
    assert Event.objects.count() == events
