"""Rows are compared with their events in one state of the database, while others write."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from compliance.access.models import Membership, Party, PartyVisibility, Person
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.event_log.verifier import Answer
from compliance.people.writes import register_party
from compliance.verification import states
from compliance.verification.spill import LastDigests
from compliance.verification.states import check_states, find_differences
from tests.compliance.log.made_up_row import bind, insert_made_up_row

if TYPE_CHECKING:
    from collections.abc import Callable


def register(code: str) -> Party:
    return register_party(kind=PartyKind.CARD_ROOM, code=code, name=f"Room {code}", by=None)


def execute(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def elsewhere(act: Callable[[], object]) -> None:
    """Do something over another connection, and commit it."""

    def run() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


@pytest.mark.django_db
def test_field_edited_by_hand_is_named() -> None:
    party = register("lucky")
    execute(
        "UPDATE compliance_party SET name = 'Other', code = 'elsewhere' WHERE id = %s", party.pk
    )
    (found,) = find_differences()
    assert (found.table, found.row, found.fields) == (
        "compliance.party", str(party.pk), ("code", "name"),
    )  # fmt: skip
    assert found.event is not None


@pytest.mark.django_db
def test_field_emptied_by_hand_is_named() -> None:
    with transaction.atomic():
        key = insert_made_up_row(Membership)
        execute("UPDATE compliance_membership SET ended = %s WHERE id = %s", timezone.now(), key)
        bind(Membership, key)
        assert list(find_differences()) == []
        execute("UPDATE compliance_membership SET ended = NULL WHERE id = %s", key)
        (found,) = find_differences()
        assert found.fields == ("ended (now empty)",)
        transaction.set_rollback(True)  # what it refers to is made up


@pytest.mark.django_db
def test_many_edited_rows_are_named_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "MOST_NAMED", 2)
    for number in range(5):
        register(f"room-{number}")
    execute("UPDATE compliance_party SET name = 'Other'")
    answer = Answer()
    check_states(answer)
    assert [each["where"] for each in answer.problems][2:] == ["compliance.party"]
    assert answer.problems[-1]["what"] == "3 more rows differ from their events"
    assert answer.checked == 10  # each with the row of who may see it


@pytest.mark.usefixtures("own_database")
def test_writes_meanwhile_raise_no_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    changed, gone = register("changed"), register("gone")
    with without_access_scope():
        shown = gone.shown_to.get().pk
    read = LastDigests.read

    def write() -> None:
        register("added")
        with transaction.atomic():
            execute("UPDATE compliance_party SET name = 'Now another' WHERE id = %s", changed.pk)
            execute("DELETE FROM compliance_partyvisibility WHERE shown_id = %s", gone.pk)
            execute("DELETE FROM compliance_party WHERE id = %s", gone.pk)
            bind(Party, changed.pk)
            bind(Party, gone.pk)
            bind(PartyVisibility, shown)

    def read_then_write(last: LastDigests, **given: Any) -> None:
        read(last, **given)
        elsewhere(write)

    monkeypatch.setattr(LastDigests, "read", read_then_write)
    monkeypatch.setattr(states, "_again", lambda suspects, *_: suspects)
    assert list(find_differences()) == []
    monkeypatch.undo()
    assert list(find_differences()) == []
    changed.refresh_from_db()
    assert changed.name == "Now another"


@pytest.mark.usefixtures("own_database")
def test_change_bound_a_moment_later_raises_no_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person(email="ada@example.org", name="Ada")
    person.save()  # as a library does: committed, and bound by the connection's next event

    monkeypatch.setattr(states.time, "sleep", lambda _: None)
    assert [each.what for each in find_differences()] == ["no event recorded this row"]
    monkeypatch.setattr(states.time, "sleep", lambda _: bind(Person, person.pk))
    assert list(find_differences()) == []
