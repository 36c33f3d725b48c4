"""An answer of the filter, with everything checked that another program may depend on."""

from __future__ import annotations

import json

from games.checks import CODES
from games.commands.settle import settled_answer, unsettled_answer
from games.log.form import Rejection
from games.rule_set import rule_set


def answered(read, run):
    """Return the answer to the next line of a run, checked."""
    if isinstance(read, Rejection):
        run.reject(read)
        answer = unsettled_answer({"line": 1}, read)
        assert set(answer["error"]) == {"field", "reason"}
        assert answer["error"]["reason"]
        assert len(answer["error"]["reason"]) < 600
    else:
        verdict = run.verdict(read)
        answer = settled_answer({"line": 1}, read, verdict.with_two_decks())
        checked(answer, read)
    json.dumps(answer, ensure_ascii=False).encode()
    return answer


def checked(answer, round_):
    assert answer["status"] in ("ok", "flagged", "irregular")
    assert (answer["status"] == "ok") is (not answer["findings"])
    irregular = [one for one in answer["findings"] if one["code"] == "irregular"]
    assert len(irregular) == (answer["status"] == "irregular")
    assert ("seats" in answer) is (answer["status"] != "irregular")
    for finding in answer["findings"]:
        assert finding["code"] in CODES
        assert type(finding["delta"]) is int
        assert finding["cites"] == sorted(set(finding["cites"]))
        if finding["code"].startswith("settlement."):
            assert finding["delta"] == finding["logged"] - finding["expected"] != 0
    text = [(one["seat"] or 0, one["wager"] or "", one["code"]) for one in answer["findings"]]
    assert text == sorted(set(text))
    for seat, logged in zip(answer.get("seats", ()), round_.seats, strict=False):
        assert seat["seat"] == logged.seat
        if seat["expected"] is not None:
            assert set(seat["expected"]) == set(rule_set(round_.game).results)
            assert all(type(amount) is int for amount in seat["expected"].values())
