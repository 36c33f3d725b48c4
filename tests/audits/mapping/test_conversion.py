"""Exports of other shapes become the rounds that they describe."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from audits.intake.mapping.cards import read_cards
from audits.intake.mapping.definition import CardIndex, read_definition
from audits.intake.mapping.derived import derive_sets
from audits.intake.mapping.errors import MappingError, TableError
from audits.intake.mapping.values import read_cents
from games.log.form import Rejection, read_line
from tests.audits.mapping.files import BETS, converted, mapping, of_workbook, workbook

if TYPE_CHECKING:
    from pathlib import Path

FIRST = {
    "v": 1,
    "round": "1001",
    "game": "pyramid-poker",
    "table": "T1",
    "at": "2025-03-07T21:15:03-08:00",
    "house": {"cards": "Kd Ks Tc", "low": "Tc"},
    "seats": [
        {
            "seat": 1,
            "cards": "Qs Qd 9h",
            "low": "9h",
            "wagers": {"main": 2500, "three_card": 500, "six_card": 0},
            "result": {"main": 0, "three_card": 500, "six_card": 0},
        }
    ],
    "x_derived": ["house.low"],
}


def reason_of(line: str) -> str:
    reason: str = json.loads(line)["x_rejected"]["reason"]
    return reason


@pytest.mark.parametrize(
    ("content", "given"),
    [
        (BETS.encode(), mapping()),
        (b"\xef\xbb\xbf" + BETS.encode(), mapping()),
        (gzip.compress(BETS.encode()), mapping()),
        (
            BETS.encode("utf-16"),
            mapping(layout={"kind": "csv", "delimiter": ";", "encoding": "utf-16"}),
        ),
        (BETS.replace("\n", "\r").encode(), mapping()),
        (BETS.replace(";", "\t").encode(), mapping(layout={"kind": "csv", "delimiter": "\t"})),
        (workbook(), of_workbook()),
        (workbook(), of_workbook(sheet="Hands")),
    ],
    ids=["utf-8", "mark", "gzip", "utf-16", "old Mac", "tabs", "workbook", "sheet"],
)
def test_rows_of_bets_become_rounds(content: bytes, given: dict[str, Any], tmp_path: Path) -> None:
    first, second = converted(content, given, tmp_path)
    assert json.loads(first) == FIRST
    lost = json.loads(second)["seats"][0]
    assert (lost["cards"], lost["wagers"]["main"]) == ("Th 8c 4d", 100_000)
    assert lost["result"]["main"] == -100_000
    assert not isinstance(read_line(first.encode()), Rejection)


def test_one_row_per_round_and_json_of_any_shape(tmp_path: Path) -> None:
    export = {
        "night": "2025-03-07",
        "rounds": [
            {"id": 7, "tbl": "T1", "end": 1741410903, "dealer": ["KD", "KS", "TC"], "hands": [
                {"spot": 1, "cards": ["QS", "QD", "9H"], "set": "9H", "ante": 2500, "won": 0},
                {"spot": 3, "cards": ["TH", "8C", "4D"], "set": "8C", "ante": 500, "won": -500},
            ]},
        ],
    }  # fmt: skip
    hands = {
        "round": {"columns": ["rounds.id"]},
        "game": {"value": "pyramid-poker"},
        "table": {"columns": ["rounds.tbl"]},
        "at": {"columns": ["rounds.end"]},
        "house.cards": {"columns": ["rounds.dealer"]},
        "seat.seat": {"columns": ["rounds.hands.spot"]},
        "seat.cards": {"columns": ["rounds.hands.cards"]},
        "seat.low": {"columns": ["rounds.hands.set"]},
        "seat.wagers.main": {"columns": ["rounds.hands.ante"]},
        "seat.result.main": {"columns": ["rounds.hands.won"]},
    }
    given = mapping(
        rows="hand",
        layout={"kind": "json", "items": ["rounds", "hands"]},
        fields=hands,
        money="cents",
        results="net",
    )
    (line,) = converted(json.dumps(export), given, tmp_path)
    made = json.loads(line)
    assert made["at"] == "2025-03-07T21:15:03-08:00"
    assert [(seat["seat"], seat["result"]["main"]) for seat in made["seats"]] == [(1, 0), (3, -500)]

    wide = (
        "id,tbl,end,d,c1,l1,w1,r1,c2,l2,w2,r2\n7,T1,2025-03-07 21:15:03,KDKSTC,QSQD9H,9H,25,0,,,,\n"
    )
    fields = {
        "round": {"columns": ["id"]}, "game": {"value": "pyramid-poker"},
        "table": {"columns": ["tbl"]}, "at": {"columns": ["end"]},
        "house.cards": {"columns": ["d"]},
        **{
            f"seat{seat}.{name}": {"columns": [f"{column}{seat}"]}
            for seat in (1, 2)
            for name, column in (
                ("cards", "c"), ("low", "l"), ("wagers.main", "w"), ("result.main", "r"),
            )
        },
    }  # fmt: skip
    given = mapping(rows="round", layout={"kind": "csv"}, fields=fields, results="net")
    (line,) = converted(wide, given, tmp_path)
    assert [seat["seat"] for seat in json.loads(line)["seats"]] == [1]
    assert not isinstance(read_line(line.encode()), Rejection)


def test_rows_of_a_round_may_be_scattered_and_newest_first(tmp_path: Path) -> None:
    header, first, second, third = BETS.splitlines()
    scattered = "\n".join([header, third, first, second.replace("Three", "Six"), ""])
    lines = converted(scattered, mapping(newest_first=True), tmp_path)
    assert [json.loads(line)["round"] for line in lines] == ["1001", "1002"]


def test_bad_row_says_where_and_why_and_others_stay(tmp_path: Path) -> None:
    bad = BETS + "1003;Table 1;03/07/2025;9:17 PM;K♦ K♠ 10x;1;;;Ante;=1+1;0\n"
    lines = converted(bad, mapping(), tmp_path)
    assert len(lines) == 3
    assert reason_of(lines[2]).startswith('row 5: "K♦ K♠ 10x" is not a card or a list of cards.')


def test_clock_hour_shown_twice_follows_the_order_of_rounds(tmp_path: Path) -> None:
    header, row = BETS.splitlines()[0], BETS.splitlines()[3]
    times = ["12:59:00 AM", "1:58:00 AM", "1:02:00 AM"]
    rows = [
        row.replace("1002", str(n)).replace("03/07/2025;9:16:03 PM", f"11/02/2025;{time}")
        for n, time in enumerate(times, 1)
    ]
    lines = converted("\n".join([header, *rows]), mapping(), tmp_path)
    at = [datetime.fromisoformat(json.loads(line)["at"]) for line in lines]
    assert [each.utcoffset().total_seconds() / 3600 for each in at] == [-7, -7, -8]
    skipped = row.replace("03/07/2025;9:16:03 PM", "03/09/2025;2:30:00 AM")
    lines = converted("\n".join([header, row, skipped.replace("1002", "9")]), mapping(), tmp_path)
    assert "the hour that the clock skips" in reason_of(lines[1])


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("10h TH ♥10 h10 T♥", "Th Th Th Th Th"),
        ("AsKd2c", "As Kd 2c"),
        ("Ace of Spades, ten of hearts", "As Th"),
        ("♠️A|♦Q", "As Qd"),
        ("JK Joker=10h Jh", "Jo Jo=Th Jh"),
        ("", ""),
    ],
)  # fmt: skip
def test_cards_in_any_notation(text: str, cards: str) -> None:
    if text.startswith("10h"):
        assert [read_cards(each) for each in text.split()] == cards.split()
        return
    assert read_cards(text) == cards


def test_card_index_counts_by_suit_or_by_rank() -> None:
    assert read_cards("0 12 13 51", CardIndex()) == "2c Ac 2d As"
    assert read_cards("1,5,52", CardIndex(first=1, by="rank")) == "2c 3c As"
    with pytest.raises(ValueError, match='"52" is not the number of a card: 0 to 51'):
        read_cards("52", CardIndex())


@pytest.mark.parametrize(
    ("text", "decimal", "cents"),
    [
        *[("$1,200.50", ".", 120_050), ("(5.00)", ".", -500)],
        *[("1.200,50", ",", 120_050), ("-5", ".", -500)],
    ],
)  # fmt: skip
def test_money_in_dollars(text: str, decimal: str, cents: int) -> None:
    assert read_cents(text, dollars=True, decimal=decimal) == cents


@pytest.mark.parametrize("text", ["25,00", "1.005", "1e3x", "NaN", "", "=1+1", "1,2,3"])
def test_what_is_no_money_is_no_money(text: str) -> None:
    with pytest.raises(ValueError, match="is not a"):
        read_cents(text, dollars=True)


@pytest.mark.parametrize(
    ("cards", "low"),
    [
        ("Kd Ks Tc", "Tc"),  # PP-15: kings stay together with a third card of 9 or higher
        ("Kd Ks 7c", "Kd"),  # PP-15: and are split with a smaller one
        ("Kd Ks 9c", None),  # PP-I13: exactly four below, where it depends
        ("Kd Tc 8h", "Tc"),  # PP-17
        ("9d 9c 9h", "9d"),  # PP-14
        ("9d 9c", None),
    ],
)
def test_low_card_is_derived_only_where_rules_determine_it(cards: str, low: str | None) -> None:
    made: dict[str, Any] = {"game": "pyramid-poker", "house": {"cards": cards}, "seats": []}
    assert derive_sets(made) == (["house.low"] if low else [])
    assert made["house"].get("low") == low


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (mapping(rows="wager"), "`rows` of the mapping is one of bet, hand, round"),
        (mapping(fields={}), "Say what fills `round`"),
        (mapping(zone="Pacific"), "is no time zone"),
        (mapping(tint="red"), "the mapping has no `tint`"),
        (mapping(fields={"seat.lov": {"value": "x"}}), "Did you mean `seat.low`?"),
        ([], "the mapping is a JSON object, not list"),
    ],
)
def test_invalid_mapping_says_what_to_write(given: Any, says: str) -> None:
    with pytest.raises(MappingError) as wrong:
        read_definition(given)
    assert says in str(wrong.value)


def test_mapping_survives_its_export() -> None:
    first = read_definition(mapping(card_index={"first": 1}))
    assert read_definition(json.loads(json.dumps(first.as_json()))) == first


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (BETS.split("\n")[0] + "\n", "no row of data"),
        ("Round;Table\n1;2\n", 'no column "Hand #"'),
        (BETS + "\0", "NUL byte"),
        (BETS + "x;" * 1_001, "1,002 columns"),
        ("a," * 1_000_001, "longer than 1 MiB"),
        (BETS.encode("cp1252", "replace") + b"\xff\xfe\xfd", "is not UTF-8 text"),
        (BETS + '"' + "x\n" * 600_000, "a quotation mark is never closed"),
        (BETS.replace("K♦", "K?"), "No row of the file makes a round"),
    ],
    ids=["empty", "other", "nul", "wide", "million", "bytes", "quote", "nothing"],
)
def test_file_that_is_not_as_mapped_gets_a_sentence(
    content: bytes | str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(TableError) as wrong:
        converted(content, mapping(), tmp_path)
    assert says in str(wrong.value)
