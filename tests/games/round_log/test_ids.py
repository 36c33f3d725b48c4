"""Ids already seen, in memory and on disk."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.settlement.verdict import UsedIds

ids = st.text("abc-:.", min_size=1, max_size=3)


@given(st.lists(ids), st.integers(1, 6))
def test_id_is_accepted_once_wherever_it_is_kept(seen, kept):
    accepted = UsedIds(kept)
    try:
        known = set()
        for id_ in seen:
            assert accepted.take(id_) is (id_ not in known)
            known.add(id_)
    finally:
        accepted.close()
