"""Values stored by name come back, from memory or from disk."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.settlement.sequence import Kept

names = st.sampled_from("abcdefgh")


@given(st.lists(st.tuples(names, st.integers(1, 9))), st.integers(1, 20))
def test_the_last_value_put_under_a_name_comes_back(puts, most):
    kept = Kept(most, weigh=lambda value: value, write=str, read=int)
    wanted = {}
    for name, value in puts:
        kept.put(name, value)
        wanted[name] = value
        assert {name: kept.get(name) for name in "abcdefgh"} == {
            name: wanted.get(name) for name in "abcdefgh"
        }
        in_memory = sum(kept._held.values())
        assert in_memory <= most or len(kept._held) == 1
    kept.close()
