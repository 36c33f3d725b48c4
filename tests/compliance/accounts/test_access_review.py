"""An access review says who had which role, when, and by whom."""

from __future__ import annotations

import csv
import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.people.access_review import review_access
from compliance.people.writes import end_role, give_role
from tests.compliance.people import made_person, party_for, person_as, with_second_factor

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def test_review_names_each_role_and_who_gave_it():
    room = party_for(Role.OPERATOR_CLERK, "room")
    manager = made_person("mona", room, Role.OPERATOR_MANAGER)
    clerk = made_person("carl")
    before = timezone.now()
    give_role(person=clerk, party=room, role=Role.OPERATOR_CLERK, by=manager)
    with without_access_scope():
        clerk_role = Membership.objects.get(person=clerk)
    meanwhile = timezone.now()
    end_role(membership=clerk_role, reason="She left.", by=manager)
    give_role(person=clerk, party=room, role=Role.OPERATOR_CLERK, by=manager)
    with_second_factor(clerk)
    first, second, of_manager = review_access(party=room)
    assert [first.person, first.role, first.given_by] == ["Carl", "Clerk", "Mona"]
    assert [first.ended_by, first.reason] == ["Mona", "She left."]
    assert second.ended is None
    assert second.factors == ("TOTP Authenticator",)
    assert of_manager.given_by == "the system, during setup"
    assert [each.person for each in review_access(at=before, party=room)] == ["Mona"]
    assert first in review_access(at=meanwhile, party=room)
    assert second not in review_access(at=meanwhile, party=room)


def test_command_lists_a_day_and_a_party(capsys):
    agent = person_as(Role.AGENT)
    person_as(Role.OPERATOR_CLERK, "room")
    out = StringIO()
    call_command("access_review", stdout=out)
    rows = list(csv.DictReader(StringIO(out.getvalue())))
    assert {each["person"] for each in rows} == {agent.name, "Operator_Clerk-Room"}
    out = StringIO()
    call_command("access_review", "--party", "room", "--json", stdout=out)
    assert [each["party"] for each in json.loads(out.getvalue())] == ["room"]
    yesterday = timezone.localdate() - timedelta(days=1)
    call_command("access_review", "--at", str(yesterday))
    assert "Nobody had a role" in capsys.readouterr().err
    with pytest.raises(CommandError, match="written as"):
        call_command("access_review", "--at", "today")
    with pytest.raises(CommandError, match="no party has this code"):
        call_command("access_review", "--party", "nobody")
