"""The memory of tables gives the same results in memory and on disk."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.settlement.sequence import Tables
from tests.games.as_round import as_round
from tests.games.rounds.table import deal_table

DEALT = [
    as_round(round_)
    for game in ("pyramid-poker", "pick-2-poker")
    for table in ("T1", "T2", "T3")
    for round_ in deal_table(Random(f"{game} {table}"), game, table, 8, {})
]
steps = st.lists(
    st.sampled_from(DEALT) | st.sampled_from(["T1", "T2", "T9", None]) | st.just("another log"),
    max_size=40,
)


@given(steps)
def test_a_memory_on_disk_is_the_memory_in_memory(todo):
    large, small = Tables(), Tables(in_memory=2)
    for step in todo:
        for tables in (large, small):
            if step == "another log":
                tables.new_log()
            elif isinstance(step, str) or step is None:
                tables.note_rejection(step)
            else:
                tables.note(step)
        for round_ in DEALT[::8]:
            assert small.before(round_) == large.before(round_)
    small.close()
    large.close()
