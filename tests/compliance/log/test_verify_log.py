"""History rewritten in the database, anywhere, is found and named."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from compliance.event_log import verifier
from compliance.event_log import writes as integrator
from compliance.event_log.events import EXPORTED
from compliance.event_log.models import Checkpoint, Leaf
from compliance.event_log.proof import SigningKey, sign_checkpoint
from compliance.event_log.verification import verify_log
from compliance.event_log.verifier import Frontier, leaf_hash
from compliance.event_log.writes import integrate
from compliance.events.actor import Actor
from compliance.events.canonical import canonical
from compliance.events.models import ActorKind, Event
from compliance.events.record import record
from tests.compliance.log.attacker import attacker

if TYPE_CHECKING:
    from collections.abc import Iterator

PERSON = Actor(ActorKind.PERSON, name="Ada Example")


@pytest.fixture(scope="module")
def honest(databases, django_db_blocker, tmp_path_factory) -> tuple[str, Path]:
    """Create events 1 to 300 with checkpoints at 100, 200 and 300; then 301, the key in use."""
    kept_checkpoint = tmp_path_factory.mktemp("held") / "log.checkpoint"
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock():
        patch.setattr(integrator, "BATCH", 100)
        patch.setattr(settings, "KEPT_CHECKPOINT", kept_checkpoint)
        name = databases.copy()
        with databases.using(name):
            with transaction.atomic():
                for number in range(300):
                    carried = {"count": number, "filter": "", "size": number}
                    record(EXPORTED, by=PERSON, carries=carried)
            integrate()
    return name, kept_checkpoint


@pytest.fixture
def log(honest, databases, django_db_blocker, monkeypatch, tmp_path) -> Iterator[str]:
    """Copy the honest log, to be attacked; yield its URL."""
    name, kept_checkpoint = honest
    monkeypatch.setattr(settings, "KEPT_CHECKPOINT", tmp_path / "log.checkpoint")
    settings.KEPT_CHECKPOINT.write_text(kept_checkpoint.read_text())
    with django_db_blocker.unblock():
        copy = databases.copy(of=name)
        with databases.using(copy):
            yield databases.url(copy)


def problems() -> list[tuple[str, str]]:
    return [(each["where"], each["what"]) for each in verify_log().problems]


def named(number: int) -> str:
    event = Event.objects.get(pk=number)
    return f"event {number} ({event.uuid}, {event.type})"


def test_the_log_under_attack_has_four_checkpoints(log):
    assert [each.size for each in Checkpoint.objects.all()] == [100, 200, 300, 301]


def test_an_honest_log_is_intact_and_all_of_it_was_looked_at(log):
    answer = verify_log({"held": Path(settings.KEPT_CHECKPOINT).read_text()})
    assert answer.as_json() == {"ok": True, "checked": 301 + 4, "problems": []}


def test_events_that_wait_for_their_place_are_no_problem(log):
    with transaction.atomic():
        record(EXPORTED, by=PERSON, carries={"count": 0, "filter": "", "size": 0})
    assert problems() == []


@pytest.mark.parametrize("column", [field.name for field in Event._meta.concrete_fields][1:])
def test_a_change_in_any_column_of_an_event_is_named(log, column):
    values = {"at": "2020-01-01 00:00:00+00:00", "payload": '{"count": 0.5}'}
    values |= dict.fromkeys(("states", "signature"), "{}")
    values |= dict.fromkeys(("uuid", "actor", "party", "object"), "1" * 32)
    value = values.get(column, "x")
    with attacker(log) as execute:
        execute(f"UPDATE compliance_event SET {column} = %s WHERE id = 150", [value])
    found = problems()
    assert found[-1] == (named(150), "was changed after it was recorded at leaf 149")
    assert {where for where, _ in found} == {named(150)}


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("at", "no day"),
        ("at", "2020-02-30 00:00:00"),
        ("uuid", "nobody"),
        ("actor", "x" * 32),
    ],
)
def test_a_value_that_nothing_can_read_is_named(log, column, value):
    if connection.vendor != "sqlite":
        with pytest.raises(psycopg.DataError), attacker(log) as execute:
            execute(f"UPDATE compliance_event SET {column} = %s WHERE id = 150", [value])
        return
    with attacker(log) as execute:
        execute(f"UPDATE compliance_event SET {column} = %s WHERE id = 150", [value])
        execute("UPDATE compliance_leaf SET hash = 'no bytes' WHERE event_id = 7")
    assert set(problems()) == {
        ("event 150", f"holds in {column} what this system never writes"),
        ("leaf 6", "holds in hash what this system never writes"),
    }


def test_a_removed_event_is_named(log):
    with attacker(log) as execute:
        execute("DELETE FROM compliance_personaldata WHERE event_id = 150")
        execute("DELETE FROM compliance_event WHERE id = 150")
    assert problems() == [("event 150, leaf 149", "was removed")]


def test_an_event_removed_with_its_leaf_is_named(log):
    with attacker(log) as execute:
        execute("DELETE FROM compliance_leaf WHERE event_id = 150")
        execute("DELETE FROM compliance_personaldata WHERE event_id = 150")
        execute("DELETE FROM compliance_event WHERE id = 150")
    assert problems() == [("leaf 149", "missing from the log")]


def test_a_removed_leaf_is_named_and_so_is_its_event(log):
    with attacker(log) as execute:
        execute("DELETE FROM compliance_leaf WHERE event_id = 150")
    assert problems() == [
        ("leaf 149", "missing from the log"),
        (named(150), "has no place in the log and does not wait for one"),
    ]


def insert_copy(execute, number: int) -> None:
    columns = "type, at, actor_kind, object_type, reason, before, after, payload"
    execute(
        f"INSERT INTO compliance_event (id, uuid, personal_digest, {columns})"
        f" SELECT 9000, '11111111222233334444555555555555', '', {columns}"
        f" FROM compliance_event WHERE id = {number}"
    )


def test_an_inserted_event_is_named(log):
    with attacker(log) as execute:
        insert_copy(execute, 150)
    assert problems() == [(named(9000), "has no place in the log and does not wait for one")]


def test_inserted_pending_event_is_reported(log):
    with attacker(log) as execute:
        insert_copy(execute, 150)
        execute(
            "INSERT INTO compliance_waiting (event_id, seal, refused) VALUES (9000, %s, false)",
            [b"x" * 32],
        )
    expected = (named(9000), "was not written by this system")
    assert problems() == [expected]
    integrate()
    assert problems() == [expected]
    assert not Leaf.objects.filter(event=9000).exists()


def test_an_event_inserted_with_a_leaf_is_named(log):
    with attacker(log) as execute:
        insert_copy(execute, 150)
        execute(
            'INSERT INTO compliance_leaf ("index", event_id, hash) VALUES (301, 9000, %s)',
            [b"x" * 32],
        )
    assert ("leaf 301", "no checkpoint covers these") in problems()


def test_a_change_before_an_event_has_its_place_is_named(log):
    with transaction.atomic():
        late = record(EXPORTED, by=PERSON, carries={"count": 0, "filter": "", "size": 0})
    with attacker(log) as execute:
        execute(f"UPDATE compliance_event SET reason = 'changed' WHERE id = {late.pk}")
    assert problems() == [(named(late.pk), "was not written by this system")]


def test_an_event_kept_from_its_place_is_named(log):
    with transaction.atomic():
        late = record(EXPORTED, by=PERSON, carries={"count": 0, "filter": "", "size": 0})
    with attacker(log) as execute:
        execute("UPDATE compliance_waiting SET refused = true")
    assert problems() == [(named(late.pk), "is kept from its place, though this system wrote it")]


def test_changed_personal_data_of_pending_event_is_named(log):
    with transaction.atomic():
        late = record(EXPORTED, by=PERSON, carries={"count": 0, "filter": "", "size": 0})
    with attacker(log) as execute:
        execute(
            f"UPDATE compliance_personaldata SET data = '{{}}' WHERE event_id = {late.pk}",
        )
    assert problems() == [(named(late.pk), "its personal data was changed")]


def test_personal_data_of_no_event_is_named(log):
    with attacker(log) as execute:
        execute(
            "INSERT INTO compliance_personaldata (event_id, salt, data) VALUES (7777, NULL, NULL)"
        )
    assert problems() == [("personal data 7777", "belongs to nothing")]


def test_events_that_changed_places_are_named(log):
    with attacker(log) as execute:
        execute("UPDATE compliance_leaf SET event_id = -1 WHERE event_id = 150")
        execute("UPDATE compliance_leaf SET event_id = 150 WHERE event_id = 151")
        execute("UPDATE compliance_leaf SET event_id = 151 WHERE event_id = -1")
    assert problems() == [
        (named(151), "stands at leaf 149, recorded at 150"),
        (named(150), "stands at leaf 150, recorded at 149"),
    ]


def test_events_that_changed_their_numbers_are_named(log):
    with attacker(log) as execute:
        execute("UPDATE compliance_event SET id = -1 WHERE id = 150")
        execute("UPDATE compliance_event SET id = 150 WHERE id = 151")
        execute("UPDATE compliance_event SET id = 151 WHERE id = -1")
        execute("UPDATE compliance_leaf SET event_id = -1 WHERE event_id = 150")
        execute("UPDATE compliance_leaf SET event_id = 150 WHERE event_id = 151")
        execute("UPDATE compliance_leaf SET event_id = 151 WHERE event_id = -1")
    assert {where for where, _ in problems()} >= {named(150), named(151)}


def test_changed_leaf_differs_from_changed_event(log):
    with attacker(log) as execute:
        execute("UPDATE compliance_leaf SET hash = %s WHERE event_id = 150", [b"x" * 32])
    assert problems() == [(named(150), "is as it was signed, but leaf 149 was changed")]


def rewrite(execute, number: int, reason: str) -> list[bytes]:
    """Change an event and make its leaf fit, like someone who read the source."""
    event = Event.objects.get(pk=number)
    event.reason = reason
    leaf = leaf_hash(canonical(event.leaf()))
    execute("UPDATE compliance_event SET reason = %s WHERE id = %s", [reason, number])
    execute("UPDATE compliance_leaf SET hash = %s WHERE event_id = %s", [leaf, number])
    leaves = Leaf.objects.order_by("index").values_list("event", "hash")
    return [leaf if event == number else bytes(stored) for event, stored in leaves]


def test_an_event_rewritten_together_with_its_leaf_is_found(log):
    leaves_before = Leaf.objects.count()
    with attacker(log) as execute:
        leaves = rewrite(execute, 150, "changed")
    assert len(leaves) == leaves_before
    assert problems() == [
        (
            "leaves 100 to 199",
            "events and leaves were rewritten together: they do not give the root of checkpoint 2",
        )
    ]


def test_rewritten_log_fails_its_signatures(log):
    with attacker(log) as execute:
        frontier = Frontier()
        for leaf in rewrite(execute, 150, "changed"):
            frontier.append(leaf)
            if frontier.size in {200, 300, 301}:
                execute(
                    "UPDATE compliance_checkpoint SET root = %s, peaks = %s WHERE size = %s",
                    [frontier.root(), b"".join(frontier.peaks), frontier.size],
                )
    found = problems()
    for number in (2, 3, 4):
        assert (f"checkpoint {number}", "its row does not say what was signed") in found


def test_a_checkpoint_forged_with_another_key_is_named(log):
    newest = Checkpoint.objects.last()
    forged = verifier.Checkpoint("demonstration.invalid/log", 301, bytes(newest.root))
    note = sign_checkpoint(forged, [SigningKey.generate(forged.origin)])
    with attacker(log) as execute:
        execute("UPDATE compliance_checkpoint SET note = %s WHERE number = 4", [note])
    assert ("checkpoint 4", "no trusted key signed this checkpoint") in problems()


@pytest.mark.parametrize("column", ["root", "peaks"])
def test_a_changed_checkpoint_is_named(log, column):
    with attacker(log) as execute:
        execute(f"UPDATE compliance_checkpoint SET {column} = %s WHERE number = 2", [b"x" * 32])
    assert problems()[0][0] == "checkpoint 2"


def test_a_removed_checkpoint_is_named(log):
    with attacker(log) as execute:
        execute("DELETE FROM compliance_checkpoint WHERE number = 2")
    assert problems() == [("checkpoint 2", "missing")]


def test_two_checkpoints_that_changed_places_are_named(log):
    with attacker(log) as execute:
        execute("UPDATE compliance_checkpoint SET number = -1 WHERE number = 2")
        execute("UPDATE compliance_checkpoint SET number = 2 WHERE number = 3")
        execute("UPDATE compliance_checkpoint SET number = 3 WHERE number = -1")
    assert problems() == [("checkpoint 3", "covers 200 events, the one before it 300")]


def test_kept_checkpoint_reveals_a_truncated_log(log):
    kept_checkpoint = {"held": Path(settings.KEPT_CHECKPOINT).read_text()}
    with attacker(log) as execute:
        for statement in (
            "DELETE FROM compliance_checkpoint WHERE size > 200",
            'DELETE FROM compliance_leaf WHERE "index" >= 200',
            "DELETE FROM compliance_subtree",
            "DELETE FROM compliance_personaldata WHERE event_id > 200",
            "DELETE FROM compliance_event WHERE id > 200",
        ):
            execute(statement)
    (problem,) = verify_log(kept_checkpoint).problems
    assert problem == {
        "where": "held",
        "what": "the log has 200 events, this checkpoint 301",
    }


def test_kept_checkpoint_reveals_a_different_log(log):
    other = verifier.Checkpoint("demonstration.invalid/log", 200, bytes(32))
    key = SigningKey.from_pem(other.origin, Path(settings.SIGNING_KEY).read_bytes())
    (problem,) = verify_log({"held": sign_checkpoint(other, [key])}).problems
    assert problem["where"] == "held"
    assert "the first 200 events of the log are not those" in problem["what"]


@pytest.mark.parametrize(
    ("attack", "where"),
    [
        ("UPDATE compliance_subtree SET position = 7", "subtree 1/0"),
        ("DELETE FROM compliance_subtree", "subtree 1/0"),
        (
            "INSERT INTO compliance_subtree (level, position, hash)"
            " SELECT 2, 0, hash FROM compliance_subtree",
            "subtree 2/0",
        ),
    ],
)
def test_a_changed_subtree_is_named(log, attack, where):
    with attacker(log) as execute:
        execute(attack)
    assert where in {each for each, _ in problems()}


@pytest.mark.parametrize(
    ("attack", "what"),
    [
        ('UPDATE {} SET data = \'{{"actor": "Eve"}}\'', "its personal data was changed"),
        ("DELETE FROM {}", "its personal data is missing, not removed by rule"),
        (
            "UPDATE {} SET data = NULL, salt = NULL",
            "its personal data was emptied, not removed by rule",
        ),
    ],
)
def test_personal_data_changed_outside_a_rule_is_named(log, attack, what):
    with attacker(log) as execute:
        execute(attack.format("compliance_personaldata") + " WHERE event_id = 150")
    assert problems() == [(named(150), what)]


def test_each_of_many_attacks_is_named_where_it_happened(log):
    with attacker(log) as execute:
        execute("UPDATE compliance_event SET reason = 'x' WHERE id IN (10, 250)")
        execute("DELETE FROM compliance_leaf WHERE event_id = 150")
        execute("UPDATE compliance_leaf SET hash = %s WHERE event_id = 301", [b"x" * 32])
    assert {where for where, _ in problems()} == {
        named(10), "leaf 149", named(250), named(301), named(150),
    }  # fmt: skip


def test_a_missing_guard_is_named(log):
    on = "" if connection.vendor == "sqlite" else " ON compliance_event"
    name = "compliance_event_history_update" if connection.vendor == "sqlite" else "history"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{on}")
    assert problems() == [("table compliance_event", "triggers that keep this history are missing")]


def test_the_command_answers_as_its_contract_says(log, capsys):
    call_command("verify", "log", "--json")
    assert json.loads(capsys.readouterr().out) == {"ok": True, "checked": 305, "problems": []}
    with attacker(log) as execute:
        execute("UPDATE compliance_event SET reason = 'x' WHERE id = 10")
    with pytest.raises(SystemExit, match="1"):
        call_command("verify", "log", "--json")
    output = json.loads(capsys.readouterr().out)
    assert output["ok"] is False
    assert [set(problem) for problem in output["problems"]] == [{"what", "where"}]
    with pytest.raises(SystemExit, match="1"):
        call_command("verify", "log")
    assert f"BROKEN  {named(10)}: was changed" in capsys.readouterr().out


def test_command_reports_undetermined(log, monkeypatch, capsys):
    with pytest.raises(SystemExit, match="2"):
        call_command("verify", "log", "--held", "nowhere.checkpoint")
    assert "Cannot tell" in capsys.readouterr().err
    monkeypatch.setattr(settings, "SIGNING_KEY", "nowhere.pem")
    with pytest.raises(SystemExit, match="2"):
        call_command("verify", "log", "--json")
    assert "SIGNING_KEY names nowhere.pem" in capsys.readouterr().err


def test_a_log_that_grows_while_it_is_checked_is_intact(own_database, monkeypatch, tmp_path):
    monkeypatch.setattr(settings, "KEPT_CHECKPOINT", tmp_path / "log.checkpoint")
    monkeypatch.setattr(integrator, "BATCH", 40)
    done = threading.Event()

    def grow() -> None:
        while not done.is_set():
            with transaction.atomic():
                for _ in range(30):
                    record(EXPORTED, by=PERSON, carries={"count": 0, "filter": "", "size": 0})
            integrate()
        connection.close()

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        found = []
        while Leaf.objects.count() < 600:
            kept_checkpoint = settings.KEPT_CHECKPOINT
            found += verify_log(
                {"held": kept_checkpoint.read_text()} if kept_checkpoint.exists() else {}
            ).problems
    finally:
        done.set()
        thread.join()
    assert found == []


def test_log_verification_query_count_is_constant(own_database, monkeypatch, tmp_path):
    monkeypatch.setattr(settings, "KEPT_CHECKPOINT", tmp_path / "log.checkpoint")
    counted = []
    for times in (3, 300):
        with transaction.atomic():
            for _ in range(times):
                record(EXPORTED, by=PERSON, carries={"count": 0, "filter": "", "size": 0})
        integrate()
        with CaptureQueriesContext(connection) as queries:
            assert verify_log().problems == []
        counted.append(len(queries))
    assert counted[1] - counted[0] <= 1, "a tile of subtrees more"
