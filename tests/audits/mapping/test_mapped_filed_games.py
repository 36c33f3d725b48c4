"""Exports of games that only their approved definitions describe, of every family."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from audits.intake.mapping.conversion import convert_file, convert_sample
from audits.intake.mapping.definition import read_definition
from audits.intake.mapping.errors import MappingError
from audits.intake.mapping.filed_games import fields_of
from audits.intake.mapping.guess import guess_fields, guess_layout, guess_mapping
from audits.intake.mapping.tables import Row, read_table
from audits.intake.mapping.templates import columns_of_template, csv_template
from audits.intake.mapping.writes import save_mapping
from audits.intake.repair import repair_converted_file
from audits.intake.rounds import find_round, line_as_submitted
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from games.commands.definitions import definition_named
from games.families.filed import readers_of
from tests.audits.submission.logs import ingested
from tests.compliance.controls.filing import Room, only_three_card_poker

if TYPE_CHECKING:
    from pathlib import Path

    from games.definition import Definition

COMMON = {
    "round": {"columns": ["hand"]}, "table": {"value": "T1"}, "at": {"columns": ["time"]},
}  # fmt: skip
AT = "2025-07-12 21:15:03"


@cache
def filed(slug: str) -> Definition:
    return definition_named(slug)


def known(slug: str) -> list[Definition] | None:
    return None if slug == "faro" else [filed(slug)]


def rounds(
    content: str, game: str, fields: dict[str, Any], folder: Path, **more: Any
) -> list[dict[str, Any]]:
    """Return the lines of an export, each checked as a line of its game's log."""
    given = {"format": 1, "name": "export", "layout": {"kind": "csv"}, "rows": "hand", **more}
    given["fields"] = {**COMMON, "game": {"value": game}, **fields}
    definition = read_definition(given)
    path = folder / "export"
    path.write_text(content)
    sample = convert_sample(
        definition,
        read_table(path, definition.layout, folder),
        known,
        readers_of([filed(game)]),
    )
    assert sample.problems == ()
    log = convert_file(definition, path, folder, known)
    return [json.loads(line) for line in log.read_text().splitlines()]


def columns(**names: str) -> dict[str, Any]:
    return {target.replace("__", "."): {"columns": [name]} for target, name in names.items()}


def test_bets_of_a_stud_game_show_what_was_chosen(tmp_path: Path) -> None:
    """The raise shows by its amount, and the fold by the absence of one."""
    rows = [
        "hand;time;dealer;spot;cards;bet;amount;net",
        f"1;{AT};J♥ 9♦ 4♣;2;K♠ 8♠ 2♠;Ante;5;5",
        f"1;{AT};J♥ 9♦ 4♣;2;K♠ 8♠ 2♠;Play;5;0",
        f"1;{AT};J♥ 9♦ 4♣;2;K♠ 8♠ 2♠;Pair Plus;1;4",
        f"1;{AT};J♥ 9♦ 4♣;5;7c 4d 2s;Ante;10;-10",
    ]
    (made,) = rounds(
        "\n".join(rows),
        "three-card-poker",
        columns(house__cards="dealer", seat__seat="spot", seat__cards="cards",
                bet__wager="bet", bet__amount="amount", bet__result="net"),
        tmp_path,
        rows="bet",
        layout={"kind": "csv", "delimiter": ";"},
    )  # fmt: skip
    raised, folded = made["seats"]
    assert made["v"] == 2
    assert raised["wagers"] == {"ante": 500, "play": 500, "pair_plus": 100, "six_card": 0}
    assert raised["result"] == {"ante": 500, "play": 0, "pair_plus": 400, "six_card": 0}
    assert (raised["choices"], folded["choices"]) == ({"play": "raise"}, {"play": "fold"})
    assert made["x_derived"] == ["seat 2 play", "seat 5 play"]


def test_amount_that_fits_no_choice_derives_nothing(tmp_path: Path) -> None:
    """A play wager that is not the ante is for the audit to find, so the choice stays as given."""
    text = f"hand,time,d,c,a,p,choice\n1,{AT},Jh 9d 4c,Ks 8s 2s,5,7.50,Raise\n"
    fields = columns(
        house__cards="d", seat__cards="c", seat__wagers__ante="a", seat__wagers__play="p",
        seat__choices__play="choice",
    ) | {"seat.result.ante": {"value": "0"}, "seat.result.play": {"value": "0"}}  # fmt: skip
    (made,) = rounds(text, "three-card-poker", fields, tmp_path)
    assert made["seats"][0]["choices"] == {"play": "raise"}
    fields.pop("seat.choices.play")
    with pytest.raises(AssertionError, match="`play` is missing"):
        rounds(text, "three-card-poker", fields, tmp_path)


def test_decisions_of_several_streets_follow_from_one_wager(tmp_path: Path) -> None:
    """Ultimate Texas Hold'em: two checks and a raise of once the ante, or a fold at the end."""
    text = (
        "hand,time,d,board,spot,c,a,b,p,ra,rb,rp\n"
        f"1,{AT},Qh 9d,2c 7d Js Ks 4h,1,Kd 3c,5,5,5,5,0,5\n"
        f"1,{AT},Qh 9d,2c 7d Js Ks 4h,2,8d 3h,5,5,0,-5,-5,0\n"
    )
    (made,) = rounds(
        text,
        "ultimate-texas-holdem",
        columns(house__cards="d", community="board", seat__seat="spot", seat__cards="c",
                seat__wagers__ante="a", seat__wagers__blind="b", seat__wagers__play="p",
                seat__result__ante="ra", seat__result__blind="rb", seat__result__play="rp"),
        tmp_path,
    )  # fmt: skip
    assert made["community"] == "2c 7d Js Ks 4h"
    first, second = (list(seat["choices"].values()) for seat in made["seats"])
    assert (first, second) == (["check", "check", "1x"], ["check", "check", "fold"])


def test_dealer_set_follows_from_the_house_way(tmp_path: Path) -> None:
    """Pai Gow Poker: without a pair, the second and third highest cards are the low hand."""
    text = (
        "hand,time,d,c,parts,w,r\n"
        f"1,{AT},Ac Kd Js 9h 7c 5d 3s,Ah Qd Ts 8h 6c 4d 2s,Qd Ts / Ah 8h 6c 4d 2s,25,-25\n"
    )
    (made,) = rounds(
        text,
        "pai-gow-poker",
        columns(house__cards="d", seat__cards="c", seat__parts="parts",
                seat__wagers__main="w", seat__result__main="r"),
        tmp_path,
    )  # fmt: skip
    assert made["house"]["parts"] == ["Kd Js", "Ac 9h 7c 5d 3s"]
    assert made["x_derived"] == ["seat numbers", "house.parts"]
    assert made["seats"][0]["parts"] == ["Qd Ts", "Ah 8h 6c 4d 2s"]


def test_nested_json_keeps_rounds_without_wagers(tmp_path: Path) -> None:
    export = {"night": {"coups": [
        {"hand": 1, "time": AT, "p": ["KD", "8C"], "b": ["4H", "5S"], "bets": {
            "3": {"who": "p-7", "banker": 100, "won": 95},
        }},
        {"hand": 2, "time": AT, "p": ["KD", "9C"], "b": ["3H", "3S"], "bets": {}},
    ]}}  # fmt: skip
    first, second = rounds(
        json.dumps(export),
        "mini-baccarat",
        {
            "round": {"columns": ["night.coups.hand"]}, "at": {"columns": ["night.coups.time"]},
            "hands.player": {"columns": ["night.coups.p"]},
            "hands.banker": {"columns": ["night.coups.b"]},
            "seat.seat": {"columns": ["night.coups.bets.key"]},
            "seat.player": {"columns": ["night.coups.bets.who"]},
            "seat.wagers.banker": {"columns": ["night.coups.bets.banker"]},
            "seat.result.banker": {"columns": ["night.coups.bets.won"]},
        },
        tmp_path,
        layout={"kind": "json", "items": ["night.coups", "bets"]},
    )  # fmt: skip
    assert first["hands"] == {"player": "Kd 8c", "banker": "4h 5s"}
    (seat,) = first["seats"]
    assert (seat["seat"], seat["result"]["banker"], seat["wagers"]["tie"]) == (3, 9500, 0)
    assert second["seats"] == []


def test_rows_of_split_hands_become_one_seat(tmp_path: Path) -> None:
    """Two eights split: one hand doubled; the opening wager is the first hand's."""
    text = (
        "hand,time,d,spot,c,w,acts,won\n"
        f"1,{AT},Th 7d,4,8s 2d Th,25,P H S,25\n"
        f"1,{AT},Th 7d,4,8d 3c 9h,50,D,50\n"
    )
    (made,) = rounds(
        text,
        "blackjack",
        columns(house__cards="d", seat__seat="spot", seat__hands__cards="c",
                seat__hands__wager="w", seat__hands__actions="acts", seat__hands__result="won"),
        tmp_path,
    )  # fmt: skip
    (seat,) = made["seats"]
    assert [hand["actions"] for hand in seat["hands"]] == [["split", "hit", "stand"], ["double"]]
    assert (seat["hands"][1]["split_from"], seat["wagers"]["main"]) == (0, 2500)
    assert seat["result"]["main"] == 7500
    assert made["x_derived"] == ["seat 4 split_from", "seat 4 wagers.main"]


def test_actions_of_a_poker_hand_make_its_pot(tmp_path: Path) -> None:
    """Blinds of $1 and $2, a raise to $6 and a call: the pot is $12 and the small blind's $1."""
    rows = [
        "hand,time,board,button,spot,stack,c,street,act,to,net,rake",
        f"1,{AT},Ks 8d 2c,3,1,100,,Preflop,Post,1,-1,1",
        f"1,{AT},Ks 8d 2c,3,2,100,,Preflop,Post,2,-6,1",
        f"1,{AT},Ks 8d 2c,3,3,100,Ah Ad,Preflop,Raise,6,6,1",
        f"1,{AT},Ks 8d 2c,3,1,100,,Preflop,Fold,,-1,1",
        f"1,{AT},Ks 8d 2c,3,2,100,,Preflop,Call,6,-6,1",
        f"1,{AT},Ks 8d 2c,3,2,100,,Flop,Check,,-6,1",
        f"1,{AT},Ks 8d 2c,3,3,100,,Flop,Bet,10,6,1",
        f"1,{AT},Ks 8d 2c,3,2,100,,Flop,Fold,,-6,1",
    ]
    (made,) = rounds(
        "\n".join(rows),
        "texas-holdem",
        columns(community="board", button="button", fees__rake="rake", seat__seat="spot",
                seat__stack="stack", seat__cards="c", seat__result__pot="net",
                action__street="street", action__act="act", action__to="to"),
        tmp_path,
        rows="action",
    )  # fmt: skip
    assert made["actions"][2] == {"seat": 3, "street": "preflop", "act": "raise", "to": 600}
    assert made["pots"] == [{"amount": 1300, "seats": [3], "won": {"3": 1200}}]
    assert (made["fees"], made["x_derived"]) == ({"rake": 100, "jackpot": 0}, ["pots"])
    assert [seat["cards"] for seat in made["seats"]] == [None, None, "Ah Ad"]


def test_fields_of_every_family_can_be_mapped() -> None:
    """What the guided page offers comes from the line's own schema, and a mapping accepts it."""
    offered = {
        slug: set(fields_of(filed(slug)))
        for slug in ("three-card-poker", "pai-gow-poker", "mini-baccarat", "blackjack")
    }
    assert {"seat.choices.play", "seat.wagers.six_card", "shoe"} <= offered["three-card-poker"]
    assert {"house.parts", "seat.parts", "bank"} <= offered["pai-gow-poker"]
    assert {"hands.banker", "seat.carried.streak.since"} <= offered["mini-baccarat"]
    assert {"seat.hands.actions", "seat.hands.result"} <= offered["blackjack"]
    assert {"action.act", "fees.rake", "button"} <= set(fields_of(filed("texas-holdem")))


@pytest.mark.parametrize("game", ["three-card-poker", "pai-gow-poker", "mini-baccarat",
                                  "blackjack", "texas-holdem"])  # fmt: skip
def test_template_of_a_filed_game_needs_no_matching(game: str, tmp_path: Path) -> None:
    offered = columns_of_template(game, filed(game))
    path = tmp_path / "template"
    path.write_bytes(csv_template(offered))
    assert guess_fields(offered, filed(game)) == {column: column for column in offered}
    guessed = guess_mapping(
        "template", guess_layout(path), [Row(2, dict.fromkeys(offered, ""))],
        game=game, definition=filed(game),
    )  # fmt: skip
    assert guessed["rows"] == ("action" if game == "texas-holdem" else "hand")
    assert read_definition(guessed).fields["table"].columns == ("table",)


@pytest.mark.django_db
@pytest.mark.anywhere
def test_export_of_a_filed_game_is_on_file_with_its_receipt() -> None:
    with without_access_scope():
        room = Room("three-card-poker", only_three_card_poker())
        given = {
            "format": 1, "name": "pit", "layout": {"kind": "csv"}, "rows": "hand",
            "fields": {
                **COMMON, "game": {"value": "three-card-poker"},
                **columns(house__cards="d", seat__seat="spot", seat__cards="c",
                          seat__wagers__ante="a", seat__wagers__play="p",
                          seat__result__ante="ra", seat__result__play="rp"),
            },
        }  # fmt: skip
        saved = save_mapping(party=room.party, content=given, by=SYSTEM)
        text = f"hand,time,d,spot,c,a,p,ra,rp\n1,{AT},Jh 9d 4c,2,Ks 8s 2s,5,5,5,0\n"
        log = ingested(room.party, text.encode(), name="pit.csv", mapping=saved)
        assert (log.good, log.rejected) == (1, 0)
        found = find_round([room.party], "1")
        assert found is not None
        assert b'"x_derived":["seat 2 play"]' in line_as_submitted(log, 1)
        repair_converted_file(log)


@pytest.mark.parametrize(
    ("rows", "fields", "why"),
    [
        ("hand", {"seat.choices.": {"value": "x"}}, "A round has no"),
        ("hand", {"action.act": {"value": "x"}}, "only where a row is an action"),
        ("action", {"action.act": {"value": "x"}}, "Where a row is an action, say what fills"),
        ("hand", {"seat.hands.cards": {"value": "x"}}, "a player's hands are joined by it"),
    ],
)
def test_mapping_that_joins_nothing_is_rejected(
    rows: str, fields: dict[str, Any], why: str
) -> None:
    given = {"format": 1, "name": "x", "layout": {"kind": "csv"}, "rows": rows}
    given["fields"] = {**COMMON, "game": {"value": "blackjack"}, **fields}
    with pytest.raises(MappingError, match=why):
        read_definition(given)
