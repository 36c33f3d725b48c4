"""A night costs the same with many nights on file as with few: queries, and bytes read or written.

`make bench` measures the same with thousands of nights.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from audits.replay.writes import Scope, begin_replay
from compliance.access.permissions import PartyKind, Role
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.audits.replay.working import work
from tests.compliance.people import made_party, party_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.access.models import Party

pytestmark = pytest.mark.django_db
NIGHTS, SOME = 24, 6
IO = Path("/proc/self/io")


@pytest.fixture
def room() -> Party:
    party_for(Role.AGENT)
    return made_party(PartyKind.CARD_ROOM, "room")


@contextmanager
def counting(costs: list[tuple[int, int]]) -> Iterator[None]:
    """Note the queries, and the bytes that the process read and wrote."""
    queries = 0

    def count(execute: Any, *arguments: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*arguments)

    before = moved()
    with connection.execute_wrapper(count):
        yield
    costs.append((queries, moved() - before))


def moved() -> int:
    if not IO.exists():
        return 0
    lines = dict(line.split(": ") for line in IO.read_text("ascii").splitlines())
    return int(lines["rchar"]) + int(lines["wchar"])


def test_submitting_and_auditing_a_night_costs_the_same_later(room):
    submitted: list[tuple[int, int]] = []
    audited: list[tuple[int, int]] = []
    for number in range(NIGHTS):
        day = NIGHT + timedelta(days=number)
        with counting(submitted):
            on_file(room, spoiled(dealt(6, day=day), every=3))
        with counting(audited):
            replay = begin_replay(operator=room, scope=Scope(day=day), by=None)
            while work(of=replay):
                pass
    for costs in (submitted, audited):
        queries = [each for each, _ in costs]
        # The first night opens issues and fills caches; merging indexes takes no query.
        assert max(queries[-SOME:]) <= max(queries[2 : 2 + SOME])
        early, late = (sum(size for _, size in of) for of in (costs[2 : 2 + SOME], costs[-SOME:]))
        assert late <= 1.25 * early


def test_replay_of_many_nights_costs_no_more_a_night_than_of_few(room):
    costs: list[tuple[int, int]] = []
    days = [NIGHT + timedelta(days=number) for number in range(NIGHTS)]
    on_file(room, [each for day in days for each in spoiled(dealt(6, day=day), every=3)])
    for first, last in ((0, 0), (1, 4), (5, NIGHTS - 1)):
        scope = Scope(day=days[first], last=days[last])
        replay = begin_replay(operator=room, scope=scope, by=None)
        with counting(costs):
            while work(of=replay):
                pass
    _, few, many = (queries for queries, _ in costs)
    assert many / (NIGHTS - 5) <= few / 4
