"""Inputs are read back as they were written, whatever others submitted."""

import json

import pytest

from reports.documents.registry import read_inputs, write_inputs


@pytest.mark.parametrize("number", [2**53 - 1, 2**53, -(2**53), 2**53 + 1, 10**30, 0, -1])
def test_whole_numbers_of_any_size_come_back(number):
    data = {"sums": [number, {"over": number}], "none": None, "so": True}
    assert read_inputs(write_inputs(data)) == data


def test_large_number_is_kept_as_text():
    # 2^53 + 1 is the first whole number that a double cannot hold
    assert json.loads(write_inputs({"over": 2**53 + 1})) == {"over": {"whole": "9007199254740993"}}


def test_unstorable_character_is_replaced():
    data = {"player": "a\0b", "table\ud800": "\udfff"}
    assert read_inputs(write_inputs(data)) == {"player": "a\ufffdb", "table\ufffd": "\ufffd"}
