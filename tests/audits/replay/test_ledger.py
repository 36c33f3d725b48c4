"""The ledger: one holder at a time, and a token that no longer holds writes nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from audits.models import Replay, ReplaySegment
from audits.services import ledger
from compliance.models import Event
from compliance.walls import without_walls
from tests.audits.replay.ledger_rows import made_replay
from tests.installation import wait_until


def end_leases() -> None:
    """Let all leases have ended a second ago, by the database's clock."""
    with without_walls():
        ReplaySegment.objects.filter(state="leased").update(
            lease_until=Now() - timedelta(seconds=1)
        )
        Replay.objects.filter(state="settling").update(lease_until=Now() - timedelta(seconds=1))


def share_of(lease: ledger.Lease) -> ReplaySegment:
    with without_walls():
        return ReplaySegment.objects.get(pk=lease.row)


def done(replay: Replay) -> None:
    with without_walls():
        replay.shares.update(state="done")
        Replay.objects.filter(pk=replay.pk).update(state="running")


@pytest.mark.django_db
def test_shares_are_taken_in_order_and_each_once():
    replay = made_replay(3)
    taken = [ledger.take_share() for _ in range(4)]
    assert [share_of(lease).position for lease in taken[:3]] == [0, 1, 2]
    assert taken[3] is None
    replay.refresh_from_db()
    assert replay.state == Replay.State.RUNNING
    assert replay.begun is not None


@pytest.mark.django_db
def test_the_higher_priority_goes_first_from_the_next_share_on():
    made_replay(2)
    first = ledger.take_share()
    urgent = made_replay(1, code="harbor", priority=5)
    then = ledger.take_share()
    assert share_of(first).replay_id != urgent.pk
    assert share_of(then).replay_id == urgent.pk


@pytest.mark.django_db
def test_a_lease_is_one_update_whose_conditions_stand_on_its_own_row():
    made_replay(1)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert ledger.take_share()
    update = next(q["sql"] for q in queries if q["sql"].startswith("UPDATE"))
    own, of_replays = update.split(" WHERE ")[1], update.split("IN (SELECT")
    assert '"audits_replaysegment"."state" =' in own
    # A subquery over the shares themselves would be read before another's UPDATE was waited for.
    assert len(of_replays) == 2
    assert "audits_replaysegment" not in of_replays[1].split("FROM")[1].split("WHERE")[0]


@pytest.mark.django_db
def test_an_ended_lease_goes_to_whoever_looks_and_its_former_holder_writes_nothing():
    made_replay(1)
    slow = ledger.take_share()
    assert ledger.take_share() is None
    end_leases()
    quick = ledger.take_share()
    assert quick is not None
    assert quick.row == slow.row
    assert not ledger.renew_share(slow)
    for write in (
        lambda: ledger.finish_share(slow, {"rounds": 666}),
        lambda: ledger.give_back_share(slow),
        lambda: ledger.fail_share(slow, failure="broken"),
    ):
        with pytest.raises(ledger.LeaseLostError):
            write()
    share = share_of(quick)
    assert (share.state, share.token, share.rounds) == ("leased", quick.token, 0)
    ledger.finish_share(quick, {"rounds": 10})
    share.refresh_from_db()
    assert (share.state, share.token, share.rounds) == ("done", None, 10)
    with pytest.raises(ledger.LeaseLostError):
        ledger.finish_share(quick, {"rounds": 11})


@pytest.mark.django_db
def test_a_lease_ends_by_itself_by_the_databases_clock(monkeypatch):
    made_replay(1)
    monkeypatch.setattr(ledger, "LEASE_SECONDS", 0.5)
    left = ledger.take_share()
    assert ledger.take_share() is None
    taken = []
    wait_until(lambda: taken.append(ledger.take_share()) or taken[-1])
    assert taken[-1].row == left.row
    assert not ledger.renew_share(left)


@pytest.mark.django_db
def test_a_renewed_lease_does_not_end():
    made_replay(1)
    lease = ledger.take_share()
    end_leases()
    assert ledger.renew_share(lease)
    assert ledger.take_share() is None
    assert ledger.sweep() == 0
    assert ledger.renew_share(lease)


@pytest.mark.django_db
def test_the_sweep_puts_back_what_was_left_and_counts_what_is_to_be_done():
    made_replay(3)
    ledger.finish_share(ledger.take_share(), {})
    left = ledger.take_share()
    assert ledger.sweep() == 1
    end_leases()
    assert ledger.sweep() == 2
    share = share_of(left)
    assert (share.state, share.token, share.attempts) == ("pending", None, 1)


@pytest.mark.django_db
def test_the_third_failure_of_a_share_ends_its_replay_with_the_reason():
    replay = made_replay(3)
    for number in range(ledger.MOST_FAILURES):
        lease = ledger.take_share()
        assert share_of(lease).position == 0
        ledger.fail_share(lease, failure=f"broken {number}")
    replay.refresh_from_db()
    assert replay.state == Replay.State.FAILED
    assert replay.failure == "segment 1: broken 2"
    assert replay.ended is not None
    assert ledger.take_share() is None
    assert Event.objects.get(type="replay.failed").payload["failure"] == "segment 1: broken 2"


@pytest.mark.django_db
def test_what_is_given_back_for_other_reasons_never_ends_a_replay():
    replay = made_replay(1)
    for _ in range(20):
        ledger.give_back_share(ledger.take_share(), failure="No space left on device")
    replay.refresh_from_db()
    assert replay.state == Replay.State.RUNNING
    assert share_of(ledger.take_share()).failure == "No space left on device"


@pytest.mark.django_db
def test_a_share_that_ends_its_workers_is_written_off():
    replay = made_replay(1)
    for _ in range(ledger.MOST_ATTEMPTS):
        assert ledger.take_share()
        end_leases()
    assert ledger.take_share() is None
    assert ledger.sweep() == 0
    replay.refresh_from_db()
    assert replay.state == Replay.State.FAILED
    assert replay.failure == "segment 1: 10 workers ended while they judged it."


@pytest.mark.django_db
def test_of_two_replays_of_an_operator_one_settles_at_a_time():
    first, second = made_replay(1), made_replay(1)
    other = made_replay(1, code="harbor")
    for replay in (first, second, other):
        done(replay)
    taken = [ledger.take_settling() for _ in range(3)]
    assert [lease and lease.row for lease in taken] == [first.pk, other.pk, None]
    ledger.finish_settling(taken[0], {"state": Replay.State.DONE})
    assert ledger.take_settling().row == second.pk


@pytest.mark.django_db
def test_a_replay_settles_only_once_all_its_shares_are_done():
    replay = made_replay(2)
    assert ledger.take_settling() is None
    first, second = ledger.take_share(), ledger.take_share()
    ledger.finish_share(second, {})
    assert ledger.take_settling() is None
    ledger.finish_share(first, {})
    left = ledger.take_settling()
    assert left.row == replay.pk
    assert ledger.take_settling() is None
    end_leases()
    assert ledger.sweep() == 1
    again = ledger.take_settling()
    assert again.row == replay.pk
    assert not ledger.renew_settling(left)
    with pytest.raises(ledger.LeaseLostError):
        ledger.finish_settling(left, {"state": Replay.State.DONE})


def test_many_who_look_at_once_take_every_share_once(own_database):
    shares, workers = 40, 6
    made_replay(shares)
    together = Barrier(workers)

    def take_all(_: int) -> list[int]:
        taken = []
        together.wait()
        try:
            while lease := ledger.take_share():
                ledger.finish_share(lease, {"rounds": F("rounds") + 1})
                taken.append(lease.row)
        finally:
            connection.close()
        return taken

    with ThreadPoolExecutor(workers) as pool:
        taken = [row for each in pool.map(take_all, range(workers)) for row in each]
    assert len(taken) == len(set(taken)) == shares
    with without_walls():
        assert set(ReplaySegment.objects.values_list("rounds", "attempts")) == {(1, 1)}


def test_of_many_who_take_an_ended_lease_one_holds_it(own_database):
    workers = 6
    made_replay(1)
    for _ in range(5):
        ledger.take_share()
        end_leases()
        together = Barrier(workers)

        def take(_: int, together: Barrier = together) -> ledger.Lease | None:
            together.wait()
            try:
                return ledger.take_share()
            finally:
                connection.close()

        with ThreadPoolExecutor(workers) as pool:
            held = [lease for lease in pool.map(take, range(workers)) if lease]
        assert len(held) == 1
        ledger.give_back_share(held[0])
