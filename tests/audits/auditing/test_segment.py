"""An audited segment has the filter's findings for each round, in the segment's order."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from audits.replay.auditing.findings import digest_of
from audits.replay.auditing.terms import Cap, Refusal, Span
from audits.replay.findings.files import count_issues
from games.log.form import read_line
from games.log.round import Round
from games.rule_set import SLUGS, rule_set
from games.screens.run import ColumnRun
from tests.audits.auditing.segments import EVER, audited, terms_under
from tests.games.replayed import replayed
from tests.games.rounds.batches import deal_batch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OF_THE_CONTRACT = ("code", "seat", "wager", "logged", "expected", "delta", "cites")


def without_repeats(lines: Sequence[bytes]) -> list[bytes]:
    """Return the lines whose id no earlier line has: submission accepts no others.

    Decks dealt by hand lose their names: for the filter a day is the calendar's, here a gambling
    day.
    """
    seen: set[Any] = set()
    kept = []
    for line in lines:
        try:
            id_ = json.loads(line)["round"]
        except (ValueError, KeyError, TypeError):
            id_ = None
        if id_ is None or str(id_) not in seen:
            kept.append(line if id_ is None else without_deck_by_hand(line))
            seen.add(str(id_))
    return kept


def without_deck_by_hand(line: bytes) -> bytes:
    """Return a line of Pick 2 Poker without its deck, unless a machine shuffled it."""
    round_ = json.loads(line)
    if round_.get("game") != "pick-2-poker" or round_.get("shuffler") or "deck" not in round_:
        return line
    del round_["deck"]
    return json.dumps(round_, ensure_ascii=False).encode() + b"\n"


def of_the_filter(lines: Sequence[bytes], game: str, setup: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the filter's findings for one game, tables ascending, each in the order of lines."""
    stripped = [line.removesuffix(b"\n").removesuffix(b"\r") for line in lines]
    found = []
    for line, answer in zip(stripped, replayed(*stripped, setup=setup), strict=True):
        if answer["status"] != "rejected" and json.loads(line)["game"] == game:
            table = json.loads(line)["table"]
            found += [{**one, "table": table, "line": answer["line"]} for one in answer["findings"]]
    return sorted(found, key=lambda one: one["table"])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", SLUGS)
def test_segment_is_audited_as_the_filter_audits_its_log(
    game: str, seed: int, tmp_path: Path
) -> None:
    batch = deal_batch(game, f"segment {seed}", 120, 0.25)
    lines = without_repeats(batch.lines)
    wanted = of_the_filter(lines, game, batch.setup)
    outcome, found = audited(tmp_path, lines, terms_under(batch.setup, game))

    assert [[one[key] for key in OF_THE_CONTRACT] for one in found] == [
        [one[key] for key in OF_THE_CONTRACT] for one in wanted
    ]
    assert [(one["table"], one["source_line"]) for one in found] == [
        (one["table"], one["line"]) for one in wanted
    ]
    assert outcome.findings == len(wanted) > 0
    assert outcome.digest == digest_of(outcome.file)
    parts = [each for count in count_issues(outcome)[0].values() for each in count.parts.items()]
    assert Counter(one["code"] for one in found) == Counter(
        {
            code: sum(sums[0] for part, sums in parts if part.code == code)
            for code in {part.code for part, _ in parts}
        }
    )


@pytest.mark.parametrize("game", SLUGS)
def test_nothing_is_lost_when_rounds_are_merged(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = deal_batch(game, "screened", 150, 0.05)
    closed = Refusal("approval.hours", "The approved hours do not cover this instant.")
    unknown = Cap(begin=-EVER, kind="wac", amount=None, cites=("WAC 230-40-120",))
    lines = without_repeats(batch.lines)
    middle = sorted(
        each.at
        for line in lines
        if isinstance(each := read_line(line.removesuffix(b"\n").removesuffix(b"\r")), Round)
    )[len(lines) // 2]
    spans = (
        Span(begin=-EVER, end=middle, tables=("T1", "T3")),
        Span(begin=middle, end=EVER, refused=(closed,)),
    )
    caps = (unknown,) if rule_set(game).house_banked else ()
    terms = terms_under({}, game, spans=spans, caps=caps)
    screened, found = audited(tmp_path, lines, terms)
    monkeypatch.setattr(
        "audits.replay.auditing.segment.ColumnRun", partial(ColumnRun, screen=False)
    )
    answers, again = audited(tmp_path, lines, terms)
    assert found == again
    assert answers == screened
    assert {"approval.hours"} <= {one["code"] for one in found}
