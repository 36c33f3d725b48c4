"""What a replay found on a night, by cause: counts, money both ways, an example with its cards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from audits.findings_in_words import NO_AMOUNTS, value_in_words
from audits.instants import instant as instant_of
from audits.judging.whose_money import Whose, whose
from audits.marks import Key
from audits.models import PatternNight
from audits.selectors.findings import shares_of
from audits.selectors.share_files import patterns_of
from compliance.selectors.games import names_of_games
from games.story.card_words import cards_in_words
from games.story.findings import WORDS
from reports.documents.by_code import codes_table, count
from reports.documents.people import local
from reports.documents.wording import counted, dollars, instant, said
from reports.paper.blocks import Align, Column, Facts, Hand, Heading, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audits.models import GamblingDay
    from audits.selectors.share_files import Occurred
    from reports.paper.blocks import Block

WEIGHTS = ("money", "procedure", "notice")
MOST_LISTED = 100
MOST_EXAMPLES = 12
MOST_SEATS = 8
SET = ("low", "three")
OF_THE_TABLE = ("deal.", "setting.", "settlement.", "bank.")
"""Findings that name no seat, and of which the cards of every seat tell something."""


def patterns_of_night(day: GamblingDay) -> list[dict[str, Any]]:
    """Every pattern that occurred in rounds of a day, what weighs most first."""
    nights = PatternNight.objects.filter(
        pattern__party=day.party, day=day.day, findings__gt=0, replay__isnull=False
    ).select_related("pattern")
    found = sorted(nights, key=_first_looked_at)
    keys = [
        Key(each.game, each.table, each.code, each.wager, each.line)
        for each in (night.pattern for night in found)
    ]
    examples = _examples(day, set(keys[:MOST_EXAMPLES]))
    names = names_of_games()
    return [
        {
            "game": night.pattern.game,
            "game_name": names[night.pattern.game],
            "table": night.pattern.table,
            "code": night.pattern.code,
            "wager": night.pattern.wager,
            "line": night.pattern.line,
            "weight": night.pattern.weight,
            "says": words_of(night.pattern.code),
            "diagnosis": night.pattern.diagnosis,
            "state": night.pattern.get_state_display(),
            "decided": not night.pattern.open,
            "again": night.pattern.again_after_id is not None,
            "findings": night.findings,
            "rounds": night.rounds,
            "over": night.over,
            "under": night.under,
            "example": examples.get(key),
        }
        for night, key in zip(found, keys, strict=True)
    ]


def words_of(code: str) -> str:
    """What a finding says, in words that need no round."""
    return WORDS.get(code, "The logged result is not what the rules give.")


def patterns_blocks(patterns: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """A table of patterns, and the first of them one by one."""
    yield Heading("Apparent violations, by pattern")
    yield Words(
        "Findings of one cause are one pattern: one game, table, code, wager and line. What "
        "weighs most stands first: money, then procedure, then notices. An apparent violation is "
        "what the log shows against what was in force; nobody has decided on it by this report."
    )
    yield codes_table(_by_code(patterns), "Patterns", "patterns")
    listed = patterns[:MOST_LISTED]
    yield Rows(
        "patterns",
        "Patterns of the night",
        (
            Column("No.", Align.NUMBERS),
            Column("Pattern"),
            Column("Where"),
            Column("Findings", Align.NUMBERS),
            Column("Rounds", Align.NUMBERS),
            Column("Too much", Align.NUMBERS),
            Column("Too little", Align.NUMBERS),
            Column("State"),
        ),
        tuple(
            (
                str(number),
                what(each),
                f"{each['game_name']}, table {each['table']}",
                f"{each['findings']:,}",
                f"{each['rounds']:,}",
                dollars(each["over"]),
                dollars(each["under"]),
                each["state"] + (", again after a decision" if each["again"] else ""),
            )
            for number, each in enumerate(listed, start=1)
        ),
        "Nothing was found in any round.",
    )
    more = patterns[MOST_LISTED:]
    if more:
        count = sum(each["findings"] for each in more)
        yield Words(
            f"{len(more):,} more patterns with {count:,} findings are not listed here; all stand "
            "in the data of this report."
        )
    told = [each for each in patterns if each["example"]]
    if told:
        left = len(patterns) - len(told)
        rest = f"; {left:,} other patterns stand above without one" if left else ""
        yield Heading("Examples")
        yield Words(f"Of each pattern the first round, with its cards{rest}.", quiet=True)
    for number, each in enumerate(patterns, start=1):
        if each["example"]:
            yield from _example(number, each)


def _by_code(patterns: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    codes: dict[str, dict[str, Any]] = {}
    for each in patterns:
        nothing = {"says": each["says"], "patterns": 0, "findings": 0, "over": 0, "under": 0}
        sums = codes.setdefault(each["code"], nothing)
        sums["patterns"] += 1
        count(sums, each)
    return codes


def what(pattern: Mapping[str, Any]) -> str:
    """A pattern in few words: code, wager, line."""
    of_wager = "" if pattern["code"].endswith(f".{pattern['wager']}") else said(pattern["wager"])
    return ", ".join(filter(None, (pattern["code"], of_wager, said(pattern["line"]))))


def _example(number: int, pattern: Mapping[str, Any]) -> Iterator[Block]:
    example = pattern["example"]
    yield Heading(f"Pattern {number}: {what(pattern)}, table {pattern['table']}", 2)
    money = [
        f"{dollars(pattern[way])} {word}"
        for way, word in (("over", "too much"), ("under", "too little"))
        if pattern[way]
    ]
    who = whose(pattern["code"], pattern["wager"])
    paid = f" {who.capitalize()} received {' and '.join(money)} in all." if money else ""
    found = f"{counted(pattern['findings'], 'finding')} in {counted(pattern['rounds'], 'round')}"
    yield Words(f"{pattern['says']} {found}.{paid}")
    facts = [("Diagnosis", pattern["diagnosis"])] if pattern["diagnosis"] else []
    facts += [
        ("Round", f"{example['round']}, {instant(example['at'])}"),
        ("Where", example["where"]),
    ]
    facts += [
        (word, text)
        for word, text in (
            ("Logged", value_in_words(pattern["code"], example["logged"])),
            ("Expected", value_in_words(pattern["code"], example["expected"])),
        )
        if text != "–"
    ]
    if example["delta"]:
        word = "too much" if example["delta"] > 0 else "too little"
        one = "player" if who is Whose.PLAYERS else who
        facts.append((f"{one.capitalize()} received", f"{dollars(abs(example['delta']))} {word}"))
    facts.append(("Rests on", ", ".join(example["cites"]) or "–"))
    facts.append(("Evidence", f"line {example['line']:,} of log {example['log'][:16]}…"))
    yield Facts(tuple(facts))
    for label, cards in example["cards"]:
        yield Hand(label, tuple(cards))


def _first_looked_at(night: PatternNight) -> tuple[int, int, int, int]:
    weight = WEIGHTS.index(night.pattern.weight)
    return weight, -(night.over + night.under), -night.findings, night.pattern_id


def _examples(day: GamblingDay, wanted: set[Key]) -> dict[Key, dict[str, Any]]:
    """The first example of each pattern, from the files of the shares."""
    found: dict[Key, dict[str, Any]] = {}
    if day.current is None:
        return found
    for share in shares_of(day):
        for occurred in patterns_of(share):
            if occurred.key in wanted and occurred.key not in found and occurred.examples:
                found[occurred.key] = _told(occurred)
    return found


def _told(occurred: Occurred) -> dict[str, Any]:
    first = occurred.examples[0]
    finding, round_ = json.loads(first.finding), json.loads(first.round)
    money = finding["code"] not in NO_AMOUNTS
    seat, wager = finding["seat"], finding["wager"]
    parts = (
        f"Table {finding['table']}",
        f"seat {seat}" if seat is not None else "",
        f"player {finding['player']}" if finding["player"] else "",
        f"wager {said(wager)}" if wager else "",
    )
    return {
        "round": finding["round"],
        "at": local(instant_of(finding["at"])),
        "where": ", ".join(part for part in parts if part),
        "logged": _kept(finding["logged"], money=money),
        "expected": _kept(finding["expected"], money=money),
        "delta": finding["delta"],
        "cites": finding["cites"],
        "log": finding["log"],
        "line": finding["source_line"],
        "cards": list(_cards(finding, round_)),
    }


def _kept(value: Any, *, money: bool) -> Any:
    """Cents stay numbers; numbers of cards, decks or players become text."""
    return value if value is None or (money and isinstance(value, int)) else str(value)


def _cards(finding: Mapping[str, Any], round_: Mapping[str, Any]) -> Iterator[list[Any]]:
    seats = round_["seats"]
    if finding["seat"] is not None:
        seats = [each for each in seats if each["seat"] == finding["seat"]]
    elif not finding["code"].startswith(OF_THE_TABLE):
        return
    yield from _of("Dealer", round_.get("house", {}))
    for seat in seats[:MOST_SEATS]:
        yield from _of(f"Seat {seat['seat']}", seat)


def _of(whose: str, holder: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Cards as dealt, what was set of them in the label; or each hand as it was set."""
    if cards := holder.get("cards"):
        chosen = [
            f"; set {name}: {cards_in_words(tuple(holder[name].split()))}"
            for name in SET
            if holder.get(name)
        ]
        yield [whose + "".join(chosen), cards.split()]
    hands = holder.get("hands", [])
    for number, hand in enumerate(hands, start=1):
        yield [f"{whose}, hand {number}", hand.split()]
