"""A filed game from submission to findings: by the definition and pay tables of each table."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from audits.intake.models import RejectedCause
from audits.intake.rounds import find_round
from audits.replay.auditing.terms import UnsettledGame
from audits.replay.findings.models import Finding, Issue
from audits.replay.terms import terms_of
from audits.review.rounds.explanation import explain_round_on_file
from compliance import clock
from compliance.access.models import Party
from compliance.access.scope import within, without_access_scope
from games.commands.definitions import definition_named
from games.families.filed import with_definition
from games.setup import read_setup
from games.simulator.night import deal_night
from games.simulator.plan import Plan
from tests.audits.replay.nights import on_file
from tests.compliance.controls.filing import (
    Room,
    bring_into_effect,
    local,
    only_three_card_poker,
    submitted,
)
from tests.reports.nights import replayed

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
SLUG = "three-card-poker"
ALL_DAY = {"saturday": ["00:00", "00:00"], "sunday": ["00:00", "00:00"]}
EVENING, NIGHT = local(2025, 7, 12, 23, 59), local(2025, 7, 13, 0, 1)
MIDNIGHT = local(2025, 7, 13)


def open_all_day(**choice: Any) -> dict[str, Any]:
    content = {**only_three_card_poker(), "hours": ALL_DAY}
    content["games"][SLUG] |= choice
    return content


@pytest.fixture
def room():
    with without_access_scope():
        yield Room(SLUG, open_all_day())


def flush(name: str, table: str, at: Any, pays: int, **more: Any) -> dict[str, Any]:
    """Return a round with a flush (TC-9) on Pair Plus, which beats a dealer without a queen."""
    wagers = {"ante": 500, "play": 500, "pair_plus": 100, "six_card": 0, **more}
    result = {"ante": 500, "play": 0, "pair_plus": pays * 100, "six_card": 0}
    seat = {"seat": 2, "player": "p-1", "cards": "Ks 8s 2s", "choices": {"play": "raise"},
            "wagers": wagers, "result": result}  # fmt: skip
    return {"v": 2, "round": name, "game": SLUG, "table": table, "at": at.isoformat(),
            "house": {"cards": "Jh 9d 4c"}, "seats": [seat]}  # fmt: skip


def found(party: Party) -> list[tuple[Any, ...]]:
    replayed(party)
    rows = Finding.objects.order_by("round", "code")
    return [(each.round, each.code, each.delta) for each in rows]


def test_tables_pay_by_own_pay_table_changed_at_midnight(room):
    """T1 pays a flush 4 to 1 and T2 3 to 1; from midnight T1 pays 3 to 1 as well."""
    with clock.standing_at(local(2025, 7, 10, 12)):
        changed = submitted(room.manager, open_all_day(pay_tables={"pair_plus": "flush_3"}))
        bring_into_effect(changed, room.officer, MIDNIGHT)
    log = on_file(room.party, [
        flush("a", "T1", EVENING, 4), flush("b", "T1", NIGHT, 3), flush("c", "T2", EVENING, 3),
        flush("d", "T1", NIGHT + timedelta(minutes=1), 4), flush("e", "T2", NIGHT, 4),
    ])  # fmt: skip
    assert (log.good, log.rejected) == (5, 0)
    assert found(room.party) == [
        ("d", "settlement.pair_plus", 100),
        ("e", "settlement.pair_plus", 100),
    ]


def test_relation_limit_and_authorization_of_a_filed_game(room):
    on_file(room.party, [
        flush("a", "T1", EVENING, 4, play=1000),
        flush("b", "T2", EVENING, 3, pair_plus=100, six_card=0, ante=500),
        flush("c", "T9", EVENING, 4),
    ])  # fmt: skip
    codes = {(name, code) for name, code, _ in found(room.party)}
    assert codes == {("a", "wager.relation"), ("c", "approval.controls")}


def test_lines_are_checked_by_the_approved_form(room):
    misspelled = flush("a", "T1", EVENING, 4)
    misspelled["seats"][0]["choices"] = {"play": "rase"}
    unknown = {**flush("b", "T1", EVENING, 4), "game": "faro"}
    log = on_file(room.party, [misspelled, unknown, flush("c", "T1", EVENING, 4)])
    assert (log.good, log.rejected) == (1, 2)
    (cause,) = RejectedCause.objects.filter(log=log)
    wrong, nowhere = cause.examples
    assert wrong["field"] == "seats[0].choices.play"
    reason = 'or a game whose definition is approved; this line has the text "faro"'
    assert reason in nowhere["reason"]


def test_submitting_again_changes_nothing(room):
    rounds = [flush("a", "T1", EVENING, 4)]
    on_file(room.party, rounds)
    again = on_file(room.party, [*rounds, flush("b", "T1", EVENING, 4)])
    assert (again.good, again.already) == (1, 1)


def test_round_is_explained_by_its_definition(room):
    on_file(room.party, [flush("a", "T2", EVENING, 4)])
    replayed(room.party)
    with within([each.pk for each in Party.objects.all()]):
        on_record = find_round([room.party], "a")
        assert on_record is not None
        record = explain_round_on_file(on_record)
    assert record.audit is not None
    assert record.audit.as_on_file
    explained = record.explanation
    assert explained.game_name == "Three Card Poker"
    (seat,) = [each for each in explained.sections if each.seat == 2]
    wager = next(each for each in seat.wagers if each.key == "pair_plus")
    assert (wager.logged, wager.expected) == (400, 300)
    assert "paid by the line flush of the pay table flush 3: 3 to 1" in wager.steps[0].says
    (clause,) = [each for each in explained.clauses if each.id == "TC-9"]
    assert clause.says.startswith("Pair Plus is optional. It is paid by the approved table")
    assert clause.sources == ("Three Card Poker, Rules of Play, page 1",)


def test_same_wrong_odds_are_one_issue(room):
    """Fourteen flushes or more at one stake, all paid 5 to 1, are no slips of the hand."""
    at = local(2025, 7, 12, 20)
    on_file(room.party, [
        flush(f"r{n:02}", "T1", at + timedelta(minutes=n), 5, pair_plus=100) for n in range(20)
    ])  # fmt: skip
    replayed(room.party)
    issue = Issue.objects.get(code="settlement.pair_plus")
    assert "flush on the pair plus wager paid 5 to 1 instead of 4 to 1" in str(issue.headline)
    assert issue.over == 20 * 100


BACCARAT = "mini-baccarat"


def dealt(name: str, minute: int, player: str, banker: str, *seats: dict[str, Any]) -> Any:
    """Return a round of Mini-Baccarat."""
    at = local(2025, 7, 12, 20) + timedelta(minutes=minute)
    return {"v": 2, "round": name, "game": BACCARAT, "table": "T1", "at": at.isoformat(),
            "hands": {"player": player, "banker": banker}, "seats": list(seats)}  # fmt: skip


def bets(streak: int = 0, won: int = 0, banker: int = 0, result: int = 0) -> dict[str, Any]:
    """Return a seat with a wager on the banker hand, and with a streak wager since round `a`."""
    nothing = dict.fromkeys(("player", "tie", "player_pair", "banker_pair"), 0)
    return {"seat": 1, "player": "p-1",
            "wagers": {**nothing, "banker": banker, "streak": streak},
            "result": {**nothing, "banker": result, "streak": won},
            "carried": {"streak": {"since": "a", "choice": "banker", "amount": 500}}}  # fmt: skip


def baccarat_controls() -> dict[str, Any]:
    limits = {"player": [500, 20_000], "banker": [500, 20_000], "tie": [100, 5_000]}
    content = {**only_three_card_poker(), "hours": ALL_DAY}
    content["games"] = {BACCARAT: {"tables": {"T1": limits}, "pay_tables": {"tie": "standard"}}}
    return content


@pytest.fixture
def baccarat_room():
    with without_access_scope():
        yield Room(BACCARAT, baccarat_controls())


def test_baccarat_goes_from_submission_to_finding(baccarat_room):
    """A round without players, a wrong draw, a full win, and a streak that is paid too little."""
    party = baccarat_room.party
    log = on_file(party, [
        dealt("a", 0, "Kd 7c", "4h 5s", bets(streak=500, banker=1000, result=950)),
        dealt("b", 1, "Kd 7c", "4h 3s"),
        dealt("c", 2, "2c 3d 8s", "Jh 3s 5h", bets(banker=1000, result=1000)),
        dealt("d", 3, "Kd 7c", "4h 5s", bets(won=2500)),
    ])  # fmt: skip
    assert (log.good, log.rejected) == (4, 0)
    assert found(party) == [
        ("c", "fee.commission", 0),
        ("c", "play.draw", 0),
        ("c", "settlement.banker", 50),
        ("d", "settlement.streak", -500),
    ]
    with within([each.pk for each in Party.objects.all()]):
        for name in ("c", "d"):
            on_record = find_round([party], name)
            assert on_record is not None
            record = explain_round_on_file(on_record)
            assert record.audit is not None
            assert record.audit.as_on_file
    (seat,) = [each for each in record.explanation.sections if each.seat == 1]
    wager = next(each for each in seat.wagers if each.key == "streak")
    assert (wager.wagered, wager.logged, wager.expected) == (500, 2500, 3000)
    assert "It has won all 3 rounds." in wager.steps[0].says


def test_game_that_is_not_settled_is_audited_for_the_rest(room):
    """A definition that this release cannot read leaves limits, tables and order to audit."""
    terms = terms_of(
        operator=room.party, game=SLUG, begin=local(2025, 7, 12, 6), end=local(2025, 7, 13, 6)
    )
    assert terms.filed is not None
    unreadable = dict.fromkeys(terms.filed.definitions, "")
    broken = replace(terms, filed=replace(terms.filed, definitions=unreadable))
    from audits.replay.auditing.terms import TermsInEffect

    assert isinstance(TermsInEffect(broken).setups[0].filed[SLUG], UnsettledGame)


def test_simulated_rounds_of_filed_games_are_settled_right(tmp_path: Path) -> None:
    for slug in (SLUG, "let-it-ride", "mississippi-stud", "spanish-21"):
        definition = definition_named(slug)
        setup = with_definition(read_setup("{}", {slug: definition}), definition)
        plan = Plan(game=slug, tables=("T1",), opening=EVENING, setup=setup)
        night = deal_night(plan)
        game: Any = setup.filed[slug]
        for _ in range(60):
            line = json.loads(next(night).line)
            logged = {each["seat"]: each["result"] for each in line["seats"]}
            assert game.due(line, setup) == logged, line


HOLDEM = "texas-holdem"


def stolen(name: str, to: int, rake: int = 0) -> dict[str, Any]:
    """Return a round of Hold'em that the button wins by a raise; the blinds are $1 and $2."""
    acts = (
        (1, "post", 100),
        (2, "post", 200),
        (3, "raise", to),
        (1, "fold", 100),
        (2, "fold", 200),
    )
    results = {1: -100, 2: -200, 3: 300 - rake}
    return {
        "v": 2, "round": name, "game": HOLDEM, "table": "T1", "at": EVENING.isoformat(),
        "button": 3, "community": "",
        "actions": [
            {"seat": seat, "street": "preflop", "act": act, "to": cents}
            for seat, act, cents in acts
        ],
        "pots": [{"amount": 500, "seats": [3], "won": {"3": 500 - rake}}],
        "fees": {"rake": rake, "jackpot": 0},
        "seats": [
            {"seat": seat, "stack": 50_000, "cards": None, "result": {"pot": pot}}
            for seat, pot in results.items()
        ],
    }  # fmt: skip


@pytest.fixture
def poker_room():
    content = open_all_day()
    game = {"tables": {"T1": {"bet": [200, 30_000]}}}
    with without_access_scope():
        yield Room(HOLDEM, {**content, "games": {HOLDEM: game}})


def test_poker_between_players_is_audited_by_law_and_rules(poker_room):
    """The room's license meets the condition of the law's $300 for a single wager."""
    log = on_file(
        poker_room.party,
        [
            stolen("right", 600),
            stolen("most", 30_200),
            stolen("above", 30_300),
            stolen("raked", 600, rake=51),
        ],
    )
    assert (log.good, log.rejected) == (4, 0)
    assert found(poker_room.party) == [
        ("above", "limit.table_max", 0),
        ("above", "limit.wac", 0),
        ("raked", "fee.rake", -1),
    ]
    with within([each.pk for each in Party.objects.all()]):
        on_record = find_round([poker_room.party], "above")
        assert on_record is not None
        record = explain_round_on_file(on_record)
    assert record.audit is not None
    assert record.audit.as_on_file
    betting, pots, *_ = record.explanation.sections
    assert "seat 3 raises to $303.00" in betting.steps[0].says
    assert pots.steps[0].says == "Nobody called $301.00 of seat 3: it is returned."
    cited = {each.id for each in record.explanation.clauses}
    assert {"TH-14", "WAC 230-15-135(1)(c)"} <= cited


def blackjack_round(name: str, table: str, paid: int, *dealers: str) -> dict[str, Any]:
    """Return a round of Blackjack: a blackjack at a main wager of $10."""
    wagers = {"main": 1000, "insurance": 0, "twenty_one_plus_three": 0, "match_the_dealer": 0,
              "lucky_ladies": 0}  # fmt: skip
    natural = {"cards": "As Kd", "wager": 1000, "split_from": None, "actions": []}
    seat = {"seat": 1, "player": "p-1", "hands": [natural], "wagers": wagers,
            "result": {**dict.fromkeys(wagers, 0), "main": paid}}  # fmt: skip
    return {"v": 2, "round": name, "game": "blackjack", "table": table,
            "at": local(2025, 7, 12, 22).isoformat(), "house": {"cards": " ".join(dealers)},
            "seats": [seat]}  # fmt: skip


def test_blackjack_is_replayed_by_the_tables_of_each_table():
    """T1 pays a blackjack 3 to 2 and T2 6 to 5; the dealer of the last round draws too many."""
    limits = {"main": [500, 10_000]}
    game = {
        "tables": {"T1": limits, "T2": limits},
        "pay_tables": {"main": "three_to_two", "twenty_one_plus_three": "nine",
                       "match_the_dealer": "six_decks", "lucky_ladies": "two_hundred"},
        "by_table": {"T2": {"pay_tables": {"main": "six_to_five"}}},
    }  # fmt: skip
    content = {**open_all_day(), "games": {"blackjack": game}}
    with without_access_scope():
        room = Room("blackjack", content)
        log = on_file(room.party, [
            blackjack_round("a", "T1", 1500, "Kh", "9d"),
            blackjack_round("b", "T2", 1500, "Kh", "9d"),
            blackjack_round("c", "T1", 1500, "Kh", "9d", "2c"),
            {**blackjack_round("d", "T1", 1500, "Kh", "9d"), "house": {"cards": "Kh 9x"}},
        ])  # fmt: skip
        assert (log.good, log.rejected) == (3, 1)
        assert found(room.party) == [("b", "settlement.main", 300), ("c", "play.draw", 0)]
