"""Committed events get their places: all of them, once, in a tree that only grows."""

import threading
from itertools import pairwise
from pathlib import Path

import pytest
from django.db import connection, transaction

from compliance.event_log import writes as integrator
from compliance.event_log.events import EXPORTED
from compliance.event_log.models import Checkpoint, Leaf, Subtree
from compliance.event_log.proof import SigningKey
from compliance.event_log.tree import (
    LogBrokenError,
    consistency_proof,
    newest_checkpoint,
    trusted_keys,
)
from compliance.event_log.verifier import (
    Frontier,
    InclusionProof,
    canonical_json,
    check_consistency,
    leaf_hash,
    read_checkpoint,
    read_consistency,
)
from compliance.event_log.writes import integrate, prove
from compliance.events.actor import SYSTEM
from compliance.events.models import Event, Waiting
from compliance.events.record import record

COUNTS = {"filter": "", "size": 0}


@pytest.fixture(autouse=True)
def checkpoint_file(settings, tmp_path) -> Path:
    settings.KEPT_CHECKPOINT = tmp_path / "log.checkpoint"
    return settings.KEPT_CHECKPOINT


def happen(times: int = 1) -> list[Event]:
    with transaction.atomic():
        return [
            record(EXPORTED, by=SYSTEM, carries={"count": number, **COUNTS})
            for number in range(times)
        ]


def roots_of_leaves() -> list[bytes]:
    frontier, roots = Frontier(), []
    for index, event, stored in Leaf.objects.order_by("index").values_list(
        "index", "event", "hash"
    ):
        assert index == frontier.size
        leaf = leaf_hash(canonical_json(Event.objects.get(pk=event).leaf()))
        assert bytes(stored) == leaf
        frontier.append(leaf)
        roots.append(frontier.root())
    return roots


def test_every_event_is_under_a_signed_checkpoint_once(own_database, checkpoint_file):
    happen(3)
    assert integrate() == 4, "the key in use is an event too"
    assert integrate() == 0
    assert not Waiting.objects.exists()
    assert Event.objects.filter(placed=None).count() == 0
    newest = newest_checkpoint()
    assert newest.size == 4
    signed = read_checkpoint(newest.note, trusted_keys())
    assert signed.root == roots_of_leaves()[-1]
    assert checkpoint_file.read_text() == newest.note


def test_each_checkpoint_continues_the_one_before(own_database, monkeypatch):
    monkeypatch.setattr(integrator, "BATCH", 7)
    happen(40)
    integrate()
    happen(3)
    integrate()
    roots = roots_of_leaves()
    checkpoints = list(Checkpoint.objects.all())
    assert [each.number for each in checkpoints] == list(range(1, len(checkpoints) + 1))
    for old, new in pairwise(checkpoints):
        assert bytes(new.root) == roots[new.size - 1]
        old_size, new_size, path = read_consistency(consistency_proof(old.size, new.size))
        check_consistency(old_size, bytes(old.root), new_size, bytes(new.root), path)


def test_the_subtrees_kept_are_those_of_complete_tiles(own_database):
    events = happen(600)
    integrate()
    assert list(Subtree.objects.values_list("level", "position")) == [(1, 0), (1, 1)]
    for event in (events[0], events[255], events[256], events[599]):
        proof = InclusionProof.parse(prove(event))
        proof.check(leaf_hash(canonical_json(event.leaf())), trusted_keys())


def test_a_proof_of_an_event_just_committed_is_there_at_once(own_database):
    (event,) = happen()
    proof = InclusionProof.parse(prove(event))
    assert proof.check(leaf_hash(canonical_json(event.leaf())), trusted_keys()).size >= 1


def test_nothing_is_integrated_inside_a_transaction(own_database):
    happen()
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        integrate()


def test_an_event_rolled_back_never_had_a_place(own_database):
    with transaction.atomic():
        record(EXPORTED, by=SYSTEM, carries={"count": 1, **COUNTS})
        transaction.set_rollback(True)
    happen()
    integrate()
    assert Leaf.objects.count() == Event.objects.count() == 2


@pytest.mark.services
def test_late_commit_is_integrated_later(own_database):
    if connection.vendor == "sqlite":
        pytest.fail("SQLite has one writer; run this with DATABASE_URL on PostgreSQL")
    written, commit = threading.Event(), threading.Event()
    late: list[int] = []

    def slow_service() -> None:
        with transaction.atomic():
            late.append(record(EXPORTED, by=SYSTEM, carries={"count": 0, **COUNTS}).pk)
            written.set()
            commit.wait(600)  # as long as writing the others alongside it takes
        connection.close()

    thread = threading.Thread(target=slow_service, daemon=True)
    thread.start()
    assert written.wait(60)
    happen(2500)
    integrate()
    assert Event.objects.get(pk=max(Event.objects.values_list("pk", flat=True))).pk > late[0]
    assert not Leaf.objects.filter(event=late[0]).exists()
    commit.set()
    thread.join()
    assert integrate() == 1
    assert Leaf.objects.get(event=late[0]).index == Leaf.objects.count() - 1
    roots_of_leaves()


def test_integrators_at_once_give_each_event_one_place(own_database, monkeypatch):
    monkeypatch.setattr(integrator, "BATCH", 20)
    happen(300)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            integrate()
        except BaseException as error:  # noqa: BLE001 - shown by the test
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert Leaf.objects.count() == Event.objects.count() == 301
    assert bytes(newest_checkpoint().root) == roots_of_leaves()[-1]


def test_foreign_event_gets_no_place_and_blocks_none(own_database):
    (event,) = happen()
    forged = Event(at=event.at, type=event.type, actor_kind="system", payload=event.payload)
    forged.save()
    Waiting(event=forged, seal=bytes(32)).save(force_insert=True)
    happen()
    integrate()
    assert not Leaf.objects.filter(event=forged).exists()
    assert Waiting.objects.get(event=forged).refused
    refusal = Event.objects.get(type="log.event_refused")
    assert refusal.payload == {"number": forged.pk}
    assert Leaf.objects.filter(event=refusal).exists()


def test_nothing_more_is_signed_once_the_head_is_forged(own_database):
    happen()
    integrate()
    last = newest_checkpoint()
    Checkpoint(
        number=last.number + 1, size=last.size + 1, root=bytes(32), peaks=b"", note=last.note,
        at=last.at,
    ).save()  # fmt: skip
    happen()
    with pytest.raises(LogBrokenError, match="Nothing more is signed"):
        integrate()
    assert Waiting.objects.count() == 1, "what waits is not lost"


def test_nothing_more_is_signed_with_a_leaf_too_many(own_database):
    happen()
    integrate()
    forged = Event(at=Event.objects.first().at, type="x.y", actor_kind="system")
    forged.save()
    Leaf(index=Leaf.objects.count(), event=forged, hash=bytes(32)).save()
    happen()
    with pytest.raises(LogBrokenError, match="3 leaves, the newest checkpoint covers 2"):
        integrate()


def test_while_keys_change_both_sign_and_the_log_says_so(own_database, settings, tmp_path):
    happen()
    integrate()
    old = SigningKey.from_pem(settings.LOG_ORIGIN, Path(settings.SIGNING_KEY).read_bytes())
    new = SigningKey.generate(settings.LOG_ORIGIN)
    settings.SIGNING_KEY = str(tmp_path / "both.pem")
    Path(settings.SIGNING_KEY).write_bytes(new.to_pem() + old.to_pem())
    happen()
    integrate()
    note = newest_checkpoint().note
    assert read_checkpoint(note, [new.public]) == read_checkpoint(note, [old.public])
    data = Event.objects.filter(type="log.key_in_use").values_list("payload__key", flat=True)
    assert list(data) == [str(old.public), str(new.public)]


def test_a_retired_key_is_believed_up_to_its_last_checkpoint(own_database, settings, tmp_path):
    happen()
    integrate()
    last = newest_checkpoint()
    old = trusted_keys()[0]
    settings.SIGNING_KEY = str(tmp_path / "new.pem")
    new = SigningKey.generate(settings.LOG_ORIGIN)
    Path(settings.SIGNING_KEY).write_bytes(new.to_pem())
    happen()
    with pytest.raises(LogBrokenError, match="no trusted key"):
        integrate()
    settings.RETIRED_KEYS = str(tmp_path / "retired")
    Path(settings.RETIRED_KEYS).write_text(f"# until the new key came\n{old} {last.size}\n")
    assert integrate() == 2
    assert read_checkpoint(newest_checkpoint().note, [new.public]).size == last.size + 2


def test_older_log_does_not_overwrite_kept_checkpoint(own_database, databases, checkpoint_file):
    older = databases.copy()
    happen(5)
    integrate()
    newest = checkpoint_file.read_text()
    with databases.using(older):
        happen()
        integrate()
    assert checkpoint_file.read_text() == newest
    happen()
    integrate()
    assert checkpoint_file.read_text() == newest_checkpoint().note != newest


def test_a_batch_costs_a_fixed_number_of_statements(own_database, django_assert_num_queries):
    happen()
    integrate()
    happen(50)
    with django_assert_num_queries(12 if connection.vendor == "postgresql" else 11):
        integrate()
