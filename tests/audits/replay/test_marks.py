"""Two replays compared by the marks of their findings; expected counts are by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from audits.replay.findings.marks import Key, Marks, Place, Standing, compare, differences, mark

STRAIGHT = Key("pyramid-poker", "odds three_card straight 4")
FLUSH = Key("pyramid-poker", "odds three_card flush 3")


Found = tuple[dict[str, object], Key]


def finding(number: int, key: Key = STRAIGHT, delta: int = 100) -> Found:
    data = {
        "id": f"{number:032x}",
        "logged": 500 + delta,
        "expected": 500,
        "delta": delta,
        "cites": ["PP-15"],
    }
    return data, key


def marks(*findings: Found) -> Marks:
    keys = sorted({key for _, key in findings})
    return Marks(mark([(data, keys.index(key)) for data, key in findings]), tuple(keys))


def test_each_finding_is_confirmed_changed_gone_or_new():
    former = marks(finding(1), finding(2), finding(3), finding(4, FLUSH))
    later = marks(finding(2), finding(1, delta=200), finding(5), finding(4, FLUSH))
    assert compare([former], [later]) == {
        FLUSH: Standing(confirmed=1),
        STRAIGHT: Standing(confirmed=1, changed=1, gone=1, new=1),
    }


def test_moved_finding_changes_both_issues():
    assert compare([marks(finding(1))], [marks(finding(1, FLUSH))]) == {
        STRAIGHT: Standing(changed=1),
        FLUSH: Standing(changed=1),
    }


def test_two_empty_sets_compare_as_equal():
    empty = Marks(np.empty(0, marks(finding(1)).rows.dtype), ())
    assert compare([], []) == {}
    assert compare([empty], [marks(finding(1))]) == {STRAIGHT: Standing(new=1)}
    assert compare([marks(finding(1))], [empty]) == {STRAIGHT: Standing(gone=1)}


def test_differences_name_file_and_row_on_both_sides():
    former = [marks(finding(9)), marks(finding(1), finding(2))]
    later = [marks(finding(2, delta=1)), marks(finding(9), finding(7))]
    assert differences(former, later, most=5) == {
        "changed": [(Place(1, 1), Place(0, 0))],
        "gone": [(Place(1, 0), None)],
        "new": [(None, Place(1, 1))],
    }


@given(
    st.dictionaries(st.integers(0, 2**128 - 1), st.integers(0, 2)),
    st.dictionaries(st.integers(0, 2**128 - 1), st.integers(0, 2)),
    st.integers(1, 4),
)
def test_comparison_agrees_with_dictionaries(former, later, files):
    later = {**dict(list(former.items())[::2]), **later}

    def cut(findings: dict[int, int]) -> list[Marks]:
        rows = [finding(number, delta=delta) for number, delta in findings.items()]
        return [marks(*rows[at::files]) for at in range(files) if rows[at::files]]

    expected = Standing(
        confirmed=sum(former[each] == later[each] for each in former.keys() & later),
        changed=sum(former[each] != later[each] for each in former.keys() & later),
        gone=len(former.keys() - later),
        new=len(later.keys() - former),
    )
    found = compare(cut(former), cut(later))
    assert found.get(STRAIGHT, Standing()) == expected
