"""Whatever was dealt and whatever is wrong with it, the explanation matches the filter."""

import json

import pytest

from games.commands.explain import explanation_page
from games.commands.settle import settled_answer
from games.explanation.model import Section
from games.explanation.rounds import explain_round
from games.explanation.search import find_round
from games.log.form import Rejection, read_line
from games.settlement.verdict import Run
from games.setup import read_setup
from tests.games.rounds.batches import Batch, deal_batch
from tests.games.rounds.emptied import emptied_batch
from tests.games.rounds.table import GAMES

WIDTH = 80
WIDEST_WORD = 40


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", ["told", "and told again"])
def test_explanation_expects_what_filter_expects(game, seed, tmp_path):
    explain_all(deal_batch(game, seed, 24, 0.5), tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_hand_without_card_is_explained_as_settled(game, tmp_path):
    batch = emptied_batch(game)
    # In short logs, because the whole log is read again for each line.
    for few in range(0, len(batch.lines), 12):
        explain_all(Batch(game, batch.setup, batch.lines[few : few + 12]), tmp_path)


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_thousands_of_explanations_match_the_filter(game, tmp_path):
    for number in range(60):
        explain_all(deal_batch(game, f"deep {number}", 24, 0.5), tmp_path)


def explain_all(batch, tmp_path):
    log, setup = tmp_path / "log.jsonl", read_setup(json.dumps(batch.setup))
    log.write_bytes(b"".join(batch.lines))
    for number, (round_, verdict) in verdicts(batch.lines, setup).items():
        found = [one for one in find_round(log, round_.round, setup).settled if one.line == number]
        assert [one.verdict for one in found] == [verdict]
        explanation = explain_round(round_, setup, verdict)
        assert expected_by_seat(explanation.sections) == expected_of(verdict, round_), round_
        assert max(map(len, explanation_page(explanation, WIDTH))) <= WIDTH + WIDEST_WORD
        named = {id_ for section in explanation.sections for id_ in cited(section)}
        assert named <= {clause.id for clause in explanation.clauses if clause.says}


def verdicts(lines, setup):
    """Return, by line number, the rounds of a log that can be settled, with their verdicts."""
    run, answers, second_decks = Run(setup), {}, set()
    run.new_log()
    for number, line in enumerate(lines, 1):
        read = read_line(line.rstrip(b"\r\n"))
        if isinstance(read, Rejection):
            run.reject(read)
            continue
        answers[number] = (read, run.verdict(read))
        if run.two_decks(read):
            second_decks.add(read.table)
    return {
        number: (read, verdict.with_two_decks() if read.table in second_decks else verdict)
        for number, (read, verdict) in answers.items()
    }


def expected_of(verdict, round_):
    """Return what the filter answers for each seat, as cents by key."""
    answer = settled_answer({}, round_, verdict)
    seats = {seat["seat"]: seat["expected"] or {} for seat in answer.get("seats", ())}
    return {
        seat.seat: {key: seats.get(seat.seat, {}).get(key) for key in seat.result}
        for seat in round_.seats
    }


def expected_by_seat(sections):
    """Return the amounts expected by the sections about one seat."""
    expected = {}
    for section in sections:
        if section.seat is not None:
            expected[section.seat] = {wager.key: wager.expected for wager in section.wagers}
    return expected


def cited(section: Section):
    for steps in (section.steps, *(wager.steps for wager in section.wagers)):
        for step in steps:
            yield from step.cites
