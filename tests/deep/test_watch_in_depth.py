"""The watch over a million fair streams, planted rooms, and the streams of a whole state."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from time import process_time

import numpy as np
import pytest

from audits.intake.models import Segment
from audits.watch.filed import known_chances
from audits.watch.gather import gather_statistics
from audits.watch.models import WatchedSegment
from audits.watch.reads import coverage, streams
from audits.watch.statistics import VERSION
from audits.watch.writes import update_alarms, watch_operator
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from games.statistics.cards import Draw, distribution, log_mgf
from games.statistics.evidence import ALARM, TILTS, evidence_of
from games.statistics.shoes import moments_of
from tests.audits.auditing.segments import made_segment
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.nights import NIGHT, dealt, on_file
from tests.compliance.people import party_for

STREAMS = int(os.environ.get("DEEP_STREAMS", "1000000"))
SEED = 20251119
NIGHTS, ROUNDS = 60, 200
"""Nights that a fair stream is watched, and the rounds of each."""
AT_ONCE = 20_000

ACES = Draw(312, 24, 24)
ONE_CARD = Draw(312, 6, 24)
"""Seven seats and a dealer with three cards each, from six decks shuffled before each round."""


def of_a_night(values, chances, rounds):
    """Return the distribution of a night's sum, whose values begin with the least possible one."""
    total = np.ones(1)
    for _ in range(rounds):
        total = np.convolve(total, chances)
    return rounds * values[0] + np.arange(len(total)), total / total.sum()


def coin():
    return np.array([-1.0, 0.0, 1.0]), np.array([0.5, 0.0, 0.5]), np.log(np.cosh(TILTS))


def card(draw):
    return *distribution(draw), log_mgf(draw)


@pytest.mark.deep
def test_fair_streams_alarm_as_rarely_as_promised(record_property):
    # Ville: of fair streams, at most one in a thousand ever reaches a thousand, whenever one looks
    rng = np.random.default_rng(SEED)
    over = watched = 0
    for values, chances, normal in (coin(), card(ACES), card(ONE_CARD)):
        sums, likely = of_a_night(values, chances, ROUNDS)
        edges = likely.cumsum()
        for _ in range(STREAMS // 3 // AT_ONCE + 1):
            seen, highest = np.zeros(AT_ONCE), np.full(AT_ONCE, -np.inf)
            for night in range(1, NIGHTS + 1):
                seen += sums[np.searchsorted(edges, rng.random(AT_ONCE), side="right")]
                strength = evidence_of(np.outer(seen, TILTS) - night * ROUNDS * normal)
                highest = np.maximum(highest, strength)
            over, watched = over + int((highest >= 3).sum()), watched + AT_ONCE
    record_property("streams", f"{watched:,}")
    record_property("alarms at 10^-3", f"{over:,}, at most {watched / 1000:,.0f} expected")
    assert watched >= STREAMS
    assert over <= watched / 1000


@pytest.mark.deep
@pytest.mark.parametrize(
    ("draw", "missing", "bound"),
    [
        (ONE_CARD, 1, 3_900), (ONE_CARD, 2, 930), (ONE_CARD, 4, 190),
        (ACES, 1, 16_800), (ACES, 2, 4_000), (ACES, 4, 975),
    ],
    ids=["card-1", "card-2", "card-4", "aces-1", "aces-2", "aces-4"],
)  # fmt: skip
def test_missing_cards_are_found_in_time(draw, missing, bound, record_property):
    values, chances = distribution(Draw(draw.size - missing, draw.of_kind - missing, draw.drawn))
    found = median_alarm(values, chances, log_mgf(draw), most=3 * bound)
    record_property("median rounds", f"{found:,.0f} of {bound:,}")
    assert found <= bound


@pytest.mark.deep
@pytest.mark.parametrize(("edge", "bound"), [(0.05, 20_500), (0.10, 5_300)], ids=["5", "10"])
def test_edges_of_players_are_found_in_time(edge, bound, record_property):
    values, _, normal = coin()
    found = median_alarm(
        values, np.array([(1 - edge) / 2, 0, (1 + edge) / 2]), normal, most=3 * bound
    )
    record_property("median wagers", f"{found:,.0f} of {bound:,}")
    assert found <= bound


def median_alarm(values, chances, normal, *, most, runs=1_001):
    """Return the median round of the first alarm, over planted runs watched round by round."""
    rng = np.random.default_rng(SEED)
    seen, first = np.zeros(runs), np.full(runs, most + 1)
    for round_ in range(1, most + 1):
        seen += rng.choice(values, p=chances, size=runs)
        over = (first > most) & (evidence_of(np.outer(seen, TILTS) - round_ * normal) >= ALARM)
        first[over] = round_
        if (first <= most).sum() * 2 > runs:
            break
    return float(np.median(first))


def counted_night(operator, day, packed):
    """Put a night on file whose statistics are those of a long one."""
    on_file(operator, dealt(2, day=day))
    segment = Segment.objects.get(party=operator, day=day)
    WatchedSegment.objects.create(segment=segment, version=VERSION, statistics=packed)


@pytest.mark.deep
@pytest.mark.django_db
def test_streams_of_a_state_are_updated_in_a_minute(record_property, tmp_path):
    # of each room, a night is added to the sum on file; all is stored, weighed again and noted
    lines = [json.dumps(each).encode() + b"\n" for each in dealt(3_000)]
    packed = gather_statistics(made_segment(tmp_path / "segment", lines, "pyramid-poker")).packed()
    known_chances("pyramid-poker", 6)
    commission()
    took, watched, number = 0.0, 0, 0
    with without_access_scope():
        while watched < 300_000:
            number += 1
            room = party_for(Role.OPERATOR_CLERK, f"room-{number}")
            counted_night(room, NIGHT, packed)
            watch_operator(room)
            second = NIGHT + timedelta(days=1)
            counted_night(room, second, packed)
            begun = process_time()
            watch_operator(room)
            found = streams(room)
            update_alarms(room, found)
            took += process_time() - begun
            watched += len(found)
            assert coverage(room).last == second
    record_property("streams", f"{watched:,} in {took:,.1f} s of one core, with the database")
    assert took < 60


ROUNDS_OF_A_SHOE, CARDS_OF_A_ROUND = 12, 24
"""Rounds dealt through one named shoe of six decks, until the cut card."""


def left_in_shoe(aces, size=312):
    """Return by round and aces left what makes the ratios fair, for a shoe of so many aces."""
    normal = np.zeros((ROUNDS_OF_A_SHOE, aces + 1, len(TILTS)))
    for round_ in range(ROUNDS_OF_A_SHOE):
        left = size - CARDS_OF_A_ROUND * round_
        draws = [[left, kind, CARDS_OF_A_ROUND] for kind in range(aces + 1)]
        normal[round_] = moments_of(np.array(draws))[:, 2:]
    return normal


def deal_shoes(rng, streams, lacking=0):
    """Return what a shoe adds to the logs of each stream; `lacking` aces are not in it."""
    left = np.full(streams, 24 - lacking)
    logs = np.zeros((streams, len(TILTS)))
    for round_ in range(ROUNDS_OF_A_SHOE):
        size = 312 - lacking - CARDS_OF_A_ROUND * round_
        seen = rng.hypergeometric(left, size - left, CARDS_OF_A_ROUND)
        logs += np.outer(seen, TILTS) - NORMAL[round_, left + lacking]
        left -= seen
    return logs


NORMAL = left_in_shoe(24)


@pytest.mark.deep
def test_fair_named_shoes_alarm_as_rarely_as_promised(record_property):
    rng = np.random.default_rng(SEED)
    over = watched = 0
    for _ in range(STREAMS // 10 // AT_ONCE):
        logs, highest = np.zeros((AT_ONCE, len(TILTS))), np.full(AT_ONCE, -np.inf)
        for _ in range(NIGHTS):
            logs += deal_shoes(rng, AT_ONCE)
            highest = np.maximum(highest, evidence_of(logs))
        over, watched = over + int((highest >= 3).sum()), watched + AT_ONCE
    record_property("streams", f"{watched:,}")
    record_property("alarms at 10^-3", f"{over:,}, at most {watched / 1000:,.0f} expected")
    assert over <= watched / 1000


@pytest.mark.deep
@pytest.mark.parametrize(("lacking", "bound"), [(1, 16_800), (2, 4_000), (4, 975)])
def test_named_shoes_without_aces_are_found_sooner(lacking, bound, record_property):
    rng = np.random.default_rng(SEED)
    logs, first, shoes = np.zeros((401, len(TILTS))), np.zeros(401), 0
    while (first > 0).sum() * 2 <= len(first):
        logs += deal_shoes(rng, len(first), lacking)
        shoes += 1
        found = (first == 0) & (evidence_of(logs) >= ALARM)
        first[found] = shoes * ROUNDS_OF_A_SHOE
        assert shoes * ROUNDS_OF_A_SHOE <= bound
    record_property("median rounds", f"{shoes * ROUNDS_OF_A_SHOE:,} of {bound:,}")
