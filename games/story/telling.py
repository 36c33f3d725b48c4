"""A judged round as a story: the table and the time, the hands, the findings, what it rests on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from importlib import import_module
from typing import TYPE_CHECKING, cast

from games.catalogue import game
from games.judge.aggregate import capped
from games.judge.sequence import NOTHING
from games.judge.settlement import Settlement
from games.story.before import what_came_before
from games.story.maximum import with_maximum
from games.story.story import Section, Sentence, Story
from games.story.terms import approved_terms
from games.story.words import time_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import tzinfo

    from games.judge.sequence import Before
    from games.judge.verdict import Verdict
    from games.round_log.round import Round
    from games.setup import Setup
    from games.story.story import Teller


def tell(
    round_: Round,
    setup: Setup,
    verdict: Verdict,
    *,
    before: Before = NOTHING,
    zone: tzinfo = UTC,
) -> Story:
    """Tell a round with the verdict on it, what came before it, times as a zone's clocks show."""
    teller = cast("Teller", import_module(f"games.story.{round_.game.replace('-', '_')}"))
    settlement = game(round_.game).settle(round_, setup) if round_.played else Settlement()
    sections = tuple(teller.sections(round_, setup, settlement))
    if round_.void is not None:
        sections = tuple(_voided(section) for section in sections)
    if settlement.seats:
        sections = tuple(with_maximum(sections, round_, capped(round_, settlement.seats, setup)))
    about = (*_about(round_, setup, zone), *what_came_before(round_, before, zone))
    ids = {id_ for sentence in (*about, *_sentences(sections)) for id_ in sentence.cites}
    ids.update(id_ for finding in verdict.findings for id_ in finding.cites)
    rules = setup.rules(round_.game)
    return Story(
        title=f"Round {round_.round}: {rules.name}, table {round_.table}",
        about=about,
        sections=sections,
        status=verdict.status,
        findings=verdict.findings,
        cited=_cited(round_.game, setup, ids),
    )


def _voided(section: Section) -> Section:
    """Of a void round every result is 0."""
    accounts = tuple(replace(account, expected=0) for account in section.accounts)
    return replace(section, accounts=accounts)


def _about(round_: Round, setup: Setup, zone: tzinfo) -> Iterable[Sentence]:
    began = "" if round_.since is None else f"First wager {time_in_words(round_.since, zone)}. "
    yield Sentence(f"{began}Ended {time_in_words(round_.at, zone)}.")
    decks = round_.decks or setup.rules(round_.game).decks.number
    named = "" if round_.deck is None else f", `{round_.deck}`"
    shuffled = ", from a shuffling machine" if round_.shuffler else ""
    yield Sentence(f"Dealt from {decks} deck{'s' if decks > 1 else ''}{named}{shuffled}.")
    if round_.void is not None:
        yield Sentence(f"Void: {round_.void or 'no reason given'}. Every result is 0.")
    yield from approved_terms(round_, setup)


def _sentences(sections: Iterable[Section]) -> Iterable[Sentence]:
    for section in sections:
        yield from section.sentences
        for account in section.accounts:
            yield from account.sentences


def _cited(slug: str, setup: Setup, ids: Iterable[str]) -> Mapping[str, str]:
    """The text of every clause, and the reading in force of every open question."""
    rules = setup.rules(slug)
    texts = {clause.id: clause.says for clause in rules.clauses.values()}
    for item in rules.interpretations.values():
        name = setup.interpretations.get(item.id, item.default)
        alone = "" if name == item.default else ", chosen by the approved controls"
        texts[item.id] = f"{item.asks} Read as `{name}`{alone}: {item.readings[name]}"
    wanted = set(ids)
    return {id_: text for id_, text in texts.items() if id_ in wanted}
