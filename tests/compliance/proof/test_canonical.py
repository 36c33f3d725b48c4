import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compliance.event_log.verifier import BrokenError, canonical_json, check_personal
from compliance.events.canonical import (
    NotCanonicalError,
    canonical,
    digest,
    new_salt,
    salted_digest,
)

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_both_canonical_json_writers_agree(value):
    assert canonical(value) == canonical_json(value)


def test_names_are_ordered_as_rfc_8785_orders_them():
    # its section 3.2.3: by UTF-16 code units, so U+1F600 (D83D DE00) comes before U+FB33
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    written = canonical_json(dict.fromkeys(names, 1)).decode()
    places = [written.index(name if name != "\r" else "\\r") for name in
              ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]]  # fmt: skip
    assert places == sorted(places)
    assert canonical(dict.fromkeys(names, 1)).decode() == written


@pytest.mark.parametrize("value", [1.0, 25.5, {"a": [0.1]}, 2**53, float("nan")])
def test_fractions_and_huge_numbers_are_refused_by_both(value):
    with pytest.raises(NotCanonicalError):
        canonical(value)
    with pytest.raises(BrokenError):
        canonical_json(value)


@pytest.mark.parametrize("value", ["a\0b", {"a\0": 1}, ["\ud800"], {1, 2}, b"bytes"])
def test_what_no_database_can_keep_is_refused(value):
    with pytest.raises(NotCanonicalError):
        canonical(value)


def test_an_error_says_where_the_fraction_stands():
    with pytest.raises(NotCanonicalError, match=r"wagers\.main: 25\.5 is a fraction"):
        canonical({"wagers": {"main": 25.5}})


def test_a_digest_is_that_of_the_canonical_bytes():
    assert digest({"b": 1, "a": "é"}) == hashlib.sha256('{"a":"é","b":1}'.encode()).hexdigest()


def test_personal_data_is_checked_against_its_salted_digest():
    salt, data = new_salt(), {"name": "Ada"}
    event = {"personal": salted_digest(salt, data)}
    check_personal(event, {"salt": salt.hex(), "data": data})
    check_personal(event, None)
    for salt_given, data_given in ((new_salt(), data), (salt, {"name": "Eve"})):
        with pytest.raises(BrokenError):
            check_personal(event, {"salt": salt_given.hex(), "data": data_given})


def test_the_same_personal_data_has_another_digest_each_time():
    assert salted_digest(new_salt(), {"name": "Ada"}) != salted_digest(new_salt(), {"name": "Ada"})
