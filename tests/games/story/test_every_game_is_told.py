"""Whatever was dealt and whatever is wrong with it: the story says what the filter says."""

import json

import pytest

from games.commands.settle import judged
from games.judge.run import Run
from games.round_log.form import Rejection, read_line
from games.setup_file import read_setup
from games.story.page import story_page
from games.story.search import find_round
from games.story.story import Section
from games.story.telling import tell
from tests.games.rounds.batches import Batch, deal_batch
from tests.games.rounds.emptied import emptied_batch
from tests.games.rounds.table import GAMES

WIDTH = 80
WIDEST_WORD = 40


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", ["told", "and told again"])
def test_a_story_expects_what_the_filter_expects(game, seed, tmp_path):
    tell_all(deal_batch(game, seed, 24, 0.5), tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_without_a_card_is_told_as_the_filter_judges_it(game, tmp_path):
    batch = emptied_batch(game)
    # In short logs: for each line the whole of its log is read again.
    for few in range(0, len(batch.lines), 12):
        tell_all(Batch(game, batch.setup, batch.lines[few : few + 12]), tmp_path)


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_thousands_of_stories_expect_what_the_filter_expects(game, tmp_path):
    for number in range(60):
        tell_all(deal_batch(game, f"deep {number}", 24, 0.5), tmp_path)


def tell_all(batch, tmp_path):
    log, setup = tmp_path / "log.jsonl", read_setup(json.dumps(batch.setup))
    log.write_bytes(b"".join(batch.lines))
    for number, (round_, verdict) in verdicts(batch.lines, setup).items():
        found = [one for one in find_round(log, round_.round, setup).judged if one.line == number]
        assert [one.verdict for one in found] == [verdict]
        story = tell(round_, setup, verdict)
        assert expected_by_seat(story.sections) == expected_of(verdict, round_), round_
        assert max(map(len, story_page(story, WIDTH))) <= WIDTH + WIDEST_WORD
        named = {id_ for section in story.sections for id_ in cited(section)}
        assert named <= set(story.cited), "an id is named whose text is not told"


def verdicts(lines, setup):
    """By line number, the rounds of a log that can be judged, with their verdicts."""
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
    """What the filter answers for each seat, as cents by key."""
    answer = judged({}, round_, verdict)
    seats = {seat["seat"]: seat["expected"] or {} for seat in answer.get("seats", ())}
    return {
        seat.seat: {key: seats.get(seat.seat, {}).get(key) for key in seat.result}
        for seat in round_.seats
    }


def expected_by_seat(sections):
    """What the sections that tell of one seat's amounts expect."""
    expected = {}
    for section in sections:
        if section.accounts and section.title.startswith("Seat "):
            seat = int(section.title.split()[1].rstrip(","))
            expected[seat] = {account.key: account.expected for account in section.accounts}
    return expected


def cited(section: Section):
    for sentence in section.sentences:
        yield from sentence.cites
    for account in section.accounts:
        for sentence in account.sentences:
            yield from sentence.cites
