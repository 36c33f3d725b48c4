"""A game of the engine is settled by the definition that its supplier filed and controls chose."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from audits.replay.terms import terms_of
from compliance import clock
from compliance.access.models import Person
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.digests import state_digest
from compliance.filings.controls.writes import submit_controls
from compliance.filings.games.models import RuleVersion
from compliance.filings.games.writes import FiledDocuments, file_rule_version
from compliance.filings.requests.writes import approve_request, take_step
from compliance.in_effect.reads import find_terms
from games.commands.definitions import seed_definitions
from games.definition import read_definition
from tests.audits.auditing.nights import local as logged
from tests.audits.auditing.segments import audited
from tests.compliance.controls.filing import Room, bring_into_effect, local, only_pyramid
from tests.compliance.games.filing import asked, readings
from tests.games.written_rounds import as_line, pick_2_seat, round_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
GAME = "pick-2-poker"
TEXT = seed_definitions()[GAME].read_text("utf-8")
NO_EXAMPLES = TEXT[: TEXT.index("[[example]]")]
CHANGED = NO_EXAMPLES.replace("two_pairs = 3, pair_of_sixes_or_better = 1", "two_pairs = 2")
"""Two pairs pay 2 to 1, and a pair of sixes pays nothing."""
MIDNIGHT = local(2025, 7, 13)


def controls(**choice: Any) -> dict[str, Any]:
    content = only_pyramid()
    content["hours"] = {day: ["00:00", "00:00"] for day in ("saturday", "sunday")}
    limits = {key: [100, 10_000] for key in ("ante", "bonus_3_5", "bonus_5", "play")}
    return {**content, "games": {GAME: {"tables": {"T1": limits}, **choice}}}


@pytest.fixture
def room() -> Iterator[Room]:
    with without_access_scope():
        yield Room(GAME, controls())


def file_second(text: str) -> RuleVersion:
    version = RuleVersion.objects.get(game__slug=GAME)
    documents = [each.document_version for each in version.documents.all()]
    return file_rule_version(
        game=version.game,
        papers=FiledDocuments(rules=documents, definition=text),
        as_of=date(2025, 6, 1),
        by=Person.objects.get(email="supplier-maker@example.org"),
    )


def choose_second_from_midnight(room: Room) -> None:
    with clock.standing_at(local(2025, 6, 20, 15)):
        version = file_second(CHANGED)
        request = asked(Person.objects.get(email="supplier-maker@example.org"), version)
        take_step(request=request, name="review", reason="complete", by=room.officer)
        approve_request(
            request=request,
            seen=state_digest(version),
            interpretations=readings(version),
            by=room.officer,
        )
    for since, number in ((local(2025, 7, 1), 1), (MIDNIGHT, 2)):
        with clock.standing_at(since - timedelta(days=2)):
            chosen = submit_controls(
                operator=room.party, content=controls(version=number), by=room.manager
            )
            bring_into_effect(chosen, room.officer, since)


def play(name: str, at: str, cards: str, bonus_5: int) -> bytes:
    """Return a round in which five cards beat A-K-7-5-2, as it was logged."""
    seat = pick_2_seat(cards, "five", bonus_5=100)
    seat["result"] = {"ante": 100, "bonus_3_5": -100, "bonus_5": bonus_5, "play": 100}
    house = {"cards": "Ad Kh 7c 5s 2d"}
    return as_line(round_of(GAME, [seat], house=house, at=at, round=name, decks=1))


TWO_PAIRS, SIXES = "8s 8d 4c 4h Qs", "6s 6d 4c 3h Qs"
EVENING, NIGHT = logged(2025, 7, 12, 23, 59), logged(2025, 7, 13, 0, 1)


def test_definition_settles_from_the_instant_chosen(room: Room, tmp_path: Path) -> None:
    choose_second_from_midnight(room)
    start = local(2025, 7, 12, 6)
    terms = terms_of(operator=room.party, game=GAME, begin=start, end=start + timedelta(days=1))
    _, found = audited(
        tmp_path,
        (
            play("a", EVENING, TWO_PAIRS, 300),
            play("b", EVENING, SIXES, 100),
            play("c", NIGHT, TWO_PAIRS, 200),
            play("d", NIGHT, SIXES, -100),
            play("e", NIGHT, TWO_PAIRS, 300),
            play("f", NIGHT, SIXES, 100),
        ),
        terms,
    )
    wrong = [(one["round"], one["code"], one["expected"]) for one in found]
    assert wrong == [("e", "settlement.bonus_5", 200), ("f", "settlement.bonus_5", -100)]
    in_effect = find_terms(operator=room.party, game=GAME, table="T1", at=local(2025, 7, 13, 0, 1))
    assert in_effect.definition == read_definition(CHANGED).digest
    assert in_effect.pay_tables["bonus_5"].lines["bonus_5"]["two_pairs"] == 2
    assert set(in_effect.pay_tables["bonus_3_5"].lines) == {"bonus_3_5_five", "bonus_3_5_three"}


def test_line_that_no_family_settles_is_refused(room: Room) -> None:
    with pytest.raises(RefusedError, match="There is no line of this pay table `mini_royal`"):
        file_second(NO_EXAMPLES.replace("two_pairs = 3", "mini_royal = 3"))
