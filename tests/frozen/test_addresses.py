"""The status of each page for each role, compared with the permission table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from compliance.access.models import Membership
from compliance.access.permissions import Action, Role, may
from compliance.access.scope import memberships_of, without_access_scope
from tests.compliance.accounts.test_addresses import each_undone, of_party, reach
from tests.compliance.addresses import ANYONE, ROWS
from tests.compliance.people import party_for, person_as, signed_in, with_second_factor
from tests.frozen.facts import as_fact, require_unchanged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.access.models import Party, Person

OPERATORS = {Role.OPERATOR_MANAGER, Role.OPERATOR_CLERK}
NOT_THERE = {
    "letter_template",  # only agencies have templates
    *("anchor_numbered", "count_draft_odds", "definition_item", "definition_text"),
    *("download_definition", "select_words"),  # no draft of the game was begun
}
"""Addresses of things that the party doesn't have, so that permission alone opens none."""
COMMITS = "export_events"
"""It needs a transaction of its own, and this test is inside one."""


@pytest.mark.django_db
@pytest.mark.parametrize("role", Role)
def test_each_page_keeps_its_status_for_a_role(role: Role) -> None:
    person_as(Role.OPERATOR_MANAGER, "here")
    here = party_for(Role.OPERATOR_MANAGER, "here")
    things = of_party(here)
    person = _person(role, here)
    with_second_factor(person)
    roles = memberships_of(person)
    client = signed_in(Client(), person)
    statuses = {
        name: reach(client, name, things).status_code for name in each_undone(client, _names())
    }
    not_as_permitted = {
        name: status
        for name, status in statuses.items()
        if ROWS[name].of
        and (status != 404) != (name not in NOT_THERE and may(roles, _action(name), here))
    }
    assert not_as_permitted == {}
    facts = [as_fact(role, name, status) for name, status in sorted(statuses.items())]
    require_unchanged({f"pages-{role}": facts}, may_grow=True)


def _person(role: Role, here: Party) -> Person:
    if role == Role.OPERATOR_MANAGER:
        with without_access_scope():
            return Membership.objects.get(party=here, role=role).person
    return person_as(role, "here" if role in OPERATORS else None)


def _names() -> Iterator[str]:
    """Yield every address that isn't open to all and needs only a party's own objects."""
    for name, row in ROWS.items():
        if row.of or (row.open_to != ANYONE and name != COMMITS and _is_plain(name)):
            yield name


def _is_plain(name: str) -> bool:
    try:
        return bool(reverse(name))
    except NoReverseMatch:
        return False


def _action(name: str) -> Action:
    action = ROWS[name].open_to
    assert isinstance(action, Action)
    return action
