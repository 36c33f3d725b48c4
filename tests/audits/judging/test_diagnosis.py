"""An issue is explained by the one interpretation on file that removes all its findings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from audits.replay.judging.diagnosis import diagnose
from audits.replay.judging.tally import IssueKey
from audits.replay.judging.terms import Cap, Reading, Span
from tests.audits.judging.nights import ahead, level, local, pyramid, straight_flush
from tests.audits.judging.segments import EVER, judged, terms_under
from tests.games.written_rounds import pyramid_seat

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from audits.replay.judging.diagnosis import Diagnosis
    from audits.replay.judging.terms import Terms

PYRAMID = "pyramid-poker"
LAYOUT = Reading(says="the table layout", pay_tables={"three_card": {"straight_flush": 50}})
OLDER = Reading(
    says="version 1 of the rules", rules=True, pay_tables={"three_card": {"straight_flush": 40}}
)
TERMS = terms_under({}, PYRAMID, readings=(LAYOUT, OLDER))


def diagnosed(
    folder: Path, lines: Sequence[bytes], code: str, terms: Terms = TERMS
) -> Diagnosis | None:
    judgment, _ = judged(folder, lines, terms)
    (issue,) = [count for key, count in judgment.issues.items() if key.code == code]
    return diagnose(issue.examples, terms)


def night(*seats: dict[str, object]) -> list[bytes]:
    return [pyramid(f"R-{n}", local(2025, 7, 12, 20, n), seat) for n, seat in enumerate(seats)]


@pytest.mark.parametrize(
    ("pays", "kind", "says"),
    [
        (50, "layout", "Paid by the table layout: straight flush 50 to 1 (rules: 30 to 1)"),
        (29, "odds_for", "Odds paid N for 1 instead of N to 1: the stake was kept."),
        (
            40,
            "other_rules",
            "Settled by version 1 of the rules: straight flush 40 to 1 (rules: 30 to 1)",
        ),
    ],
)
def test_a_line_paid_otherwise_is_found_on_file(
    pays: int, kind: str, says: str, tmp_path: Path
) -> None:
    found = diagnosed(
        tmp_path, night(straight_flush(pays), straight_flush(pays)), "settlement.three_card"
    )
    assert found is not None
    assert (found.kind, found.says) == (kind, says)


def test_a_line_that_no_paper_prints_is_not_explained(tmp_path: Path) -> None:
    assert diagnosed(tmp_path, night(straight_flush(35)), "settlement.three_card") is None


def test_a_reading_must_explain_every_example(tmp_path: Path) -> None:
    lines = night(straight_flush(50), straight_flush(50), straight_flush(45))
    assert diagnosed(tmp_path, lines, "settlement.three_card") is None


def test_another_reading_of_an_open_question(tmp_path: Path) -> None:
    taken = level(result={"main": -1000, "three_card": -1000, "six_card": 1000})
    found = diagnosed(tmp_path, night(taken), "settlement.main")
    assert found is not None
    assert found.kind == "reading"
    assert found.says.startswith("Settled by another reading of PP-I1, `dealer_wins`: Pai Gow")


def test_the_approved_reading_is_no_explanation_of_what_breaks_it(tmp_path: Path) -> None:
    span = Span(
        begin=-EVER, end=EVER, setup=json.dumps({"interpretations": {"PP-I1": "dealer_wins"}})
    )
    terms = terms_under({}, PYRAMID, spans=(span,))
    found = diagnosed(tmp_path, night(level()), "settlement.main", terms)
    assert found is not None
    assert found.says.startswith("Settled by another reading of PP-I1, `push`")


def test_the_dealers_hand_as_it_lay(tmp_path: Path) -> None:
    # House Way of K-T-8: T low, K-8 high. As set, K low and T-8 high: against A-9 over J the
    # player is ahead above and behind below, one hand each.
    house = {"cards": "Kd Ts 8c", "low": "Kd"}
    seat = ahead(result={"main": 0, "three_card": -1000, "six_card": -1000})
    lines = [pyramid("a", local(2025, 7, 12, 20), seat, house=house)]
    found = diagnosed(tmp_path, lines, "settlement.main")
    assert found is not None
    assert found.kind == "dealer_as_set"


def test_a_maximum_that_was_not_applied(tmp_path: Path) -> None:
    setup = {"max_aggregate": 20_000}
    terms = terms_under(setup, PYRAMID)
    found = diagnosed(tmp_path, night(straight_flush(30)), "settlement.aggregate", terms)
    assert found is not None
    assert found.kind == "no_maximum"


def test_a_maximum_of_a_deal_that_was_not_applied_is_not_taken_for_odds_that_kept_the_stake(
    tmp_path: Path,
) -> None:
    # $300.00 and, for the pair of queens, $10.00 of at most $295.00 in a deal: paid at one less to
    # 1 there would be $290.00, so the maximum would not apply, and both wagers were overpaid.
    setup = {
        "interpretations": {"PP-I8": "per_deal"},
        "max_aggregate": {PYRAMID: {"three_card": 29_500}},
    }
    queens = pyramid_seat("Qs Qd 5c", "5c", (1000, 1000, 1000), player="p-4")
    queens |= {"seat": 2, "result": {"main": 0, "three_card": 1000, "six_card": -1000}}
    round_ = pyramid("R-1", local(2025, 7, 12, 20), straight_flush(30, seat=1), queens)
    terms = terms_under(setup, PYRAMID)
    found = diagnosed(tmp_path, [round_], "settlement.aggregate", terms)
    assert found is not None
    assert found.kind == "no_maximum"


def test_what_no_reading_decides_is_not_diagnosed(tmp_path: Path) -> None:
    cap = Cap(begin=-EVER, kind="wac", amount=900, cites=())
    terms = terms_under({}, PYRAMID, caps=(cap,))
    judgment, _ = judged(tmp_path, night(ahead()), terms)
    wac = judgment.issues[IssueKey("T1", "limit.wac", "main")]
    assert diagnose(wac.examples, terms) is None
    assert diagnose([], terms) is None
