"""Answers that wait keep the order of the lines, in memory or on disk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.commands.settle import Waiting

steps = st.lists(
    st.tuples(st.just("answer"), st.none())
    | st.tuples(st.sampled_from(["either", "second"]), st.sampled_from("ABC"))
)


@pytest.mark.parametrize("in_memory", [1, 1 << 25])
@given(steps)
def test_answers_keep_order_near_a_second_deck(in_memory, todo):
    written = []
    waiting = Waiting(written.append, in_memory)
    wanted = []
    decided = set()
    for place, (step, table) in enumerate(todo):
        if step == "answer":
            waiting.answer(b"%d" % place)
            wanted.append(b"%d" % place)
        elif step == "second":
            waiting.second_deck(table)
            decided.add(table)
        elif table not in decided:  # nothing is undecided for a table with two decks
            waiting.either(table, b"one %d" % place, b"two %d" % place)
            form = b"two %d" if ("second", table) in todo[place:] else b"one %d"
            wanted.append(form % place)
    waiting.end_of_log()
    assert written == wanted


def test_answer_without_anything_to_wait_for_passes_at_once():
    written = []
    waiting = Waiting(written.append)
    waiting.answer(b"a")
    assert written == [b"a"]
    waiting.either("T1", b"one", b"two")
    waiting.answer(b"b")
    assert written == [b"a"]
    waiting.second_deck("T1")
    assert written == [b"a", b"two", b"b"]
