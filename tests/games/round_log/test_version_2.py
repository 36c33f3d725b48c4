"""Version 2 of the round log: optional fields of a round, and records that are no rounds."""

from __future__ import annotations

import io
import json

import pytest
from jsonschema import Draft202012Validator

from games.log.digests import digest_of, digests_of
from games.log.form import Record, Rejection, line_of, read_line, read_written
from games.log.gather import Gatherer, columns_of
from games.log.reader import ColumnReader
from games.log.reference import json_schema
from tests.games.both_readings import settled
from tests.games.round_log.test_form import PICK_2, PYRAMID
from tests.games.written_rounds import as_line

SCHEMA = Draft202012Validator(json.loads(json_schema()))
FIELDS = {
    "dealer_id": "d-1",
    "supervisor_id": "s-1",
    "shift": "swing",
    "shoe": "shoe-9",
    "video": "cam 4, 20:14",
    "irregularities": ["card face up"],
    "meters": {"grand": 123_456},
}
CASH = {
    "v": 2, "record": "table_cash", "table": "T3",
    "from": "2025-07-12T06:00:00-07:00", "to": "2025-07-13T06:00:00-07:00",
    "opener": 1_250_000, "fills": 300_000, "credits": 0, "closer": 1_402_500, "drop": 611_000,
}  # fmt: skip
CLOSED = {"v": 2, "record": "table_closed", "table": "T5", "day": "2025-07-12", "reason": "no one"}


def version_2(round_, **fields):
    seats = [{**seat, "tokes": 500} for seat in round_["seats"]]
    return {**round_, "v": 2, "seats": seats, **FIELDS, **fields}


def read(line):
    return read_line(json.dumps(line).encode())


@pytest.mark.parametrize("void", [None, "power failure"])
@pytest.mark.parametrize("round_", [PYRAMID, PICK_2], ids=["pyramid", "pick 2"])
def test_fields_of_version_2_survive_writing_and_reading(round_, void):
    given = version_2(round_, **({} if void is None else {"void": void}))
    found = read(given)
    assert not isinstance(found, Rejection), found
    assert (found.dealer_id, found.meters, found.seats[0].tokes) == ("d-1", {"grand": 123_456}, 500)
    line = line_of(found)
    assert json.loads(line)["v"] == 2
    assert read_line(line) == read_written(line) == found
    assert SCHEMA.is_valid(given)
    assert not Gatherer(found.game).add(found)  # meters have no columns: the line is kept instead


def test_version_2_texts_are_columns_where_present():
    texts = {key: FIELDS[key] for key in ("dealer_id", "supervisor_id", "shift", "shoe", "video")}
    lines = [PYRAMID, {**PYRAMID, "v": 2, **texts}, {**PYRAMID, "v": 2, "shoe": "shoe-10"}]
    log = b"\n".join(json.dumps(line).encode() for line in lines)
    (block,) = ColumnReader(io.BytesIO(log)).blocks()
    (columns,) = block.columns
    assert not block.odd
    assert columns.to_rounds() == [read(line) for line in lines]
    assert [columns.rounds.texts["shoe"][row] for row in range(3)] == [None, "shoe-9", "shoe-10"]
    (plain,) = next(ColumnReader(io.BytesIO(log[: log.index(b"\n")])).blocks()).columns
    assert "shoe" not in plain.rounds.texts  # costs nothing


@pytest.mark.parametrize("shift", ["", "s" * 33, "é" * 17, 'a "b"'])
def test_short_irregular_text_is_left_to_scalar_parser(shift):
    line = json.dumps({**PYRAMID, "v": 2, "shift": shift}, ensure_ascii=False).encode()
    (block,) = ColumnReader(io.BytesIO(line)).blocks()
    assert [given for _, given in block.odd] == [line]


def test_version_1_line_in_the_shape_of_version_2_is_rejected():
    lines = [json.dumps({**PYRAMID, "v": v, "shoe": "s-1"}).encode() for v in (2, 2, 1, 2)]
    (block,) = ColumnReader(io.BytesIO(b"\n".join(lines))).blocks()
    assert [number for number, _ in block.odd] == [3]


def test_digest_is_that_of_the_round_and_its_texts():
    shoe, dealer = ({**PYRAMID, "v": 2, key: "a-1"} for key in ("shoe", "dealer_id"))
    rounds = [read(line) for line in (PYRAMID, shoe, dealer, {**shoe, "dealer_id": "a-1"})]
    assert len({digest_of(each) for each in rounds}) == 4
    both = columns_of("pyramid-poker", rounds)
    assert [row.tobytes() for row in digests_of(both)] == [digest_of(each) for each in rounds]


def test_plain_round_of_version_2_is_that_of_version_1():
    assert read({**PYRAMID, "v": 2}) == read(PYRAMID)


@pytest.mark.parametrize("field", [*FIELDS, "tokes"])
def test_version_1_has_no_field_of_version_2(field):
    round_ = {**PYRAMID, **{key: FIELDS[key] for key in FIELDS if key == field}}
    if field == "tokes":
        round_["seats"] = [{**seat, "tokes": 5} for seat in round_["seats"]]
    found = read(round_)
    assert 'write "v": 2' in found.reason
    assert not SCHEMA.is_valid(round_)


@pytest.mark.parametrize(
    ("field", "value", "at"),
    [
        ("shift", "", "shift"),
        ("shift", "s" * 33, "shift"),
        ("shoe", "a b", "shoe"),
        ("irregularities", "card face up", "irregularities"),
        ("irregularities", ["x" * 65], "irregularities[0]"),
        ("meters", {"a b": 1}, "meters.a b"),
        ("meters", {"a": -1}, "meters.a"),
        ("meters", [], "meters"),
    ],
)
def test_invalid_field_of_version_2_is_rejected_there(field, value, at):
    round_ = version_2(PYRAMID, **{field: value})
    assert read(round_).field == at
    assert not SCHEMA.is_valid(round_)


@pytest.mark.parametrize("record", [CASH, CLOSED], ids=["cash", "closed"])
def test_record_is_neither_settled_nor_rejected(record):
    found = read({**record, "x_own": [1]})
    assert isinstance(found, Record)
    assert (found.record, found.of) == (record["record"], record["table"])
    assert SCHEMA.is_valid(record)


@pytest.mark.parametrize(
    ("record", "field"),
    [
        ({**CASH, "v": 1}, "v"),
        ({**CASH, "to": CASH["from"]}, "to"),
        ({**CASH, "drop": -1}, "drop"),
        ({key: CASH[key] for key in CASH if key != "fills"}, "fills"),
        ({**CASH, "game": "pyramid-poker"}, "game"),
        ({**CLOSED, "day": "2025-02-30"}, "day"),
        ({**CLOSED, "record": "table_open"}, "record"),
    ],
)
def test_invalid_record_is_rejected_at_its_field(record, field):
    found = read(record)
    assert not isinstance(found, Record)
    assert found.field == field


def test_filter_answers_records_and_they_change_nothing(tmp_path):
    other = {**PYRAMID, "round": "R-2"}
    log = tmp_path / "log.jsonl"
    lines = [PYRAMID, CASH, other, {**CLOSED, "day": "never"}]
    log.write_bytes(b"\xef\xbb\xbf" + b"".join(map(as_line, lines)))
    answers = settled(str(log))
    assert answers[1] == {"line": 2, "record": "table_cash", "status": "ok"}
    assert (answers[3]["record"], answers[3]["status"]) == ("table_closed", "rejected")
    without = tmp_path / "without.jsonl"
    without.write_bytes(as_line(PYRAMID) + as_line(other))
    assert [answers[0], {**answers[2], "line": 2}] == settled(str(without))
