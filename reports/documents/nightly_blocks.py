"""A night's issues as blocks: a sentence on the first page, then criteria to follow-up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.documents.wording import (
    counted,
    dollars,
    hours,
    instant,
    join,
    lower,
)
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import Align, Column, Heading, Item, Items, Passage, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reports.rendering.blocks import Block

OWNERS = (("players", "Players"), ("house", "The house"), ("table", "Tables in total"))
MOST_TABLES = 4
MOST_DETAILED = 24
"""Issues described one by one; the table lists the first 100, and the data has all."""
MOST_LISTED = 100
APPROVALS = (
    ("approval.license", "without a license in effect"),
    ("approval.game", "which is not approved for this room"),
    ("approval.controls", "which the approved internal controls do not cover"),
    ("approval.hours", "outside the approved hours"),
)
ASKS = (
    ("approval.hours", "Close at the approved hour"),
    ("approval.", "Stop this play until it is approved"),
    ("limit.unverified", ""),
    ("void.", "Void and play rounds as the rules say, and instruct the dealers"),
    ("deal.", "Explain the rounds, and instruct the dealers"),
    ("setting.", "Explain the rounds, and instruct the dealers"),
    ("play.", "Explain the rounds, and instruct the dealers"),
    ("irregular", "Explain the rounds, and instruct the dealers"),
    ("log.", "Correct the log"),
    ("wager.", "Accept only wagers that the rules and limits allow"),
    ("limit.", "Accept only wagers that the rules and limits allow"),
    ("bank.", "Bank the rounds as the rules require"),
    ("fee.", "Collect only the approved fees"),
    ("settlement.aggregate", "Apply the approved maximum, and correct the payouts"),
    ("settlement.", "Pay as the approved rules say"),
    ("", "Explain what happened"),
)
"""What is asked of the operator, by the first prefix of the issue's code that fits."""
EFFECTS = (
    ("approval.", "Play without approval is outside what the commission has reviewed and the law "
     "allows."),
    ("limit.unverified", "These rounds neither pass nor fail."),
    ("void.", "Rounds that should not count were played, or the other way around."),
    ("deal.", "A round that is not dealt as approved does not have the approved odds."),
    ("setting.", "A hand that is not set as approved does not have the approved odds."),
    ("play.", "A hand that is not played as approved does not have the approved odds."),
    ("irregular", "Nobody can say what these rounds should have paid."),
    ("log.", "The record of the night cannot be followed in order."),
    ("wager.", "Players risked more or less than the rules allow."),
    ("limit.", "Players risked more or less than the rules allow."),
    ("bank.", "The bank was not held and covered as the rules require."),
)  # fmt: skip


def first_items(data: Mapping[str, Any], most: int) -> Items:
    """Return the most serious issues in sentences."""
    issues = data["issues"][:most]
    return Items(
        tuple(Item(_lead(each), _details(each, data["respond_by"]), each["short"])
              for each in issues),
        {each["short"]: each["path"] for each in issues},
    )  # fmt: skip


def _lead(issue: Mapping[str, Any]) -> str:
    """Say where and what."""
    tables = _tables(issue["tables"])
    codes = {each["code"] for each in issue["codes"]}
    if issue["code"].startswith("approval."):
        whiches = [says for code, says in APPROVALS if code in codes]
        comma = "," if whiches[:1] and whiches[0].startswith("which") else ""
        return f"{tables} dealt {issue['game_name']}{comma} {join(whiches)}."
    return f"{tables}, {issue['game_name']}: {issue['headline']}."


def _tables(tables: Sequence[str]) -> str:
    return join(tables) if len(tables) <= MOST_TABLES else f"{len(tables)} tables"


def _details(issue: Mapping[str, Any], respond_by: str) -> str:
    """Say how many, how much, under which words, and what is asked by when."""
    parts = [f"{counted(issue['rounds'], 'round')}, {hours(issue['first'], issue['last'])}."]
    if money := money_in_words(issue["money"]):
        parts.append(f"{money}.")
    if issue["criteria"]:
        parts.append(_cite(issue["criteria"][0], LONGEST_QUOTE))
    if ask := ask_of(issue):
        parts.append(f"Requested: {lower(ask)}, and respond by {day_in_words(respond_by)}.")
    return " ".join(parts)


LONGEST_QUOTE = 150
"""Characters of a clause on the first page; the issue quotes it whole."""


def _cite(authority: Mapping[str, Any], most: int = 10_000) -> str:
    says = authority["says"].rstrip(".")
    if len(says) > most:
        says = f"{says[:most].rpartition(' ')[0]} …"
    source = f" ({authority['source']})" if authority["source"] else ""
    says = says if says.endswith("…") else f"{says}." if says else ""
    return f"{authority['id']}{source}: {says}" if says else f"{authority['id']}{source}."


def money_in_words(money: Mapping[str, Sequence[int]]) -> str:
    """Say what players, the house and whole tables were overpaid and underpaid, separately."""
    parts = []
    for name, owner in OWNERS:
        ways = [
            f"{way} {dollars(cents)}"
            for way, cents in zip(("overpaid", "underpaid"), money[name], strict=True)
            if cents
        ]
        if ways:
            parts.append(f"{owner} {' and '.join(ways)}")
    text = "; ".join([*parts[:1], *(each[0].lower() + each[1:] for each in parts[1:])])
    return text[:1].upper() + text[1:]


def ask_of(issue: Mapping[str, Any]) -> str:
    """Return what is asked of the operator; empty for what only the commission can do."""
    ask = next(says for prefix, says in ASKS if issue["code"].startswith(prefix))
    if ask and issue["money"]["players"][1]:
        ask += ", and pay the players who were underpaid"
    return ask


def issues_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield every issue: criteria, condition, cause, effect, recommendation, response."""
    issues = data["issues"]
    if not issues:
        return
    yield Heading("Issues")
    yield Words(f"Respond to each by {day_in_words(data['respond_by'])}.", quiet=True)
    quoted: dict[str, int] = {}
    for number, issue in enumerate(issues[:MOST_DETAILED], start=1):
        yield from _issue(number, issue, quoted)
    if len(issues) > MOST_DETAILED:
        more = counted(len(issues) - MOST_DETAILED, "more issue")
        yield Words(f"{more}: in the table below, and whole in the attached data.")


def _issue(number: int, issue: Mapping[str, Any], quoted: dict[str, int]) -> Iterator[Block]:
    yield Heading(f"{number}. {_lead(issue).rstrip('.')}", 3)
    example, ask = issue["example"], ask_of(issue)
    recommendation = (
        f"{ask}." if ask else "None for the operator: the commission reads the value and decides."
    )
    paragraphs = (
        (("Criteria", " ".join(_criteria(number, issue, quoted))),),
        (("Condition", _condition(issue)),),
        (
            ("Cause", _cause(issue)),
            ("Effect", _effect(issue)),
            ("Recommendation", recommendation),
            ("Response", _response(issue)),
            ("Follow-up", _follow_up(issue)),
        ),
    )
    yield Passage(
        tuple(tuple(part for part in parts if part[1]) for parts in paragraphs),
        f"Issue {issue['short']}. Example: round",
        example["round"],
        {example["round"]: example["path"]},
    )


def _criteria(number: int, issue: Mapping[str, Any], quoted: dict[str, int]) -> Iterator[str]:
    """Yield what the issue cites; words that another issue quoted are not quoted again."""
    again: dict[int, list[str]] = {}
    for each in issue["criteria"]:
        if each["id"] in quoted:
            again.setdefault(quoted[each["id"]], []).append(each["id"])
        else:
            quoted[each["id"]] = number
            yield _cite(each)
    for earlier, ids in again.items():
        yield f"{join(ids)} as in issue {earlier}."
    if issue["also_cited"]:
        yield f"Also cited: {', '.join(issue['also_cited'])}."


def _condition(issue: Mapping[str, Any]) -> str:
    codes = issue["codes"]
    found, rounds = counted(issue["findings"], "finding"), counted(issue["rounds"], "round")
    parts = [f"{found} in {rounds}, {hours(issue['first'], issue['last'])}."]
    if len(codes) > 1:
        sums: dict[str, int] = {}
        for each in codes:
            sums[each["says"]] = sums.get(each["says"], 0) + each["findings"]
        parts.append("; ".join(f"{says}: {count:,}" for says, count in sums.items()) + ".")
    words = issue["example"]["words"]
    if issue["code"].startswith("approval."):
        parts.append(words["logged"])
    elif words["sentence"]:
        where = f"table {issue['example']['table']}, {lower(words['where'])}"
        parts.append(f"The largest, {where}: {lower(words['sentence'])}")
    return " ".join(parts)


def _cause(issue: Mapping[str, Any]) -> str:
    if not issue["diagnosis"]:
        return "No single cause explains these findings."
    return f"{issue['diagnosis']} {issue['coverage']}".strip()


def _effect(issue: Mapping[str, Any]) -> str:
    parts = [next((says for prefix, says in EFFECTS if issue["code"].startswith(prefix)), "")]
    money = money_in_words(issue["money"])
    players = f" ({counted(issue['players'], 'named player')})" if issue["players"] else ""
    parts.append(f"{money}{players}." if money else "No amount was paid wrong.")
    return " ".join(filter(None, parts))


def _response(issue: Mapping[str, Any]) -> str:
    lines = []
    for each in reversed(issue["questions"]):
        until = f", to be answered by {day_in_words(each['until'])}" if each["until"] else ""
        lines.append(f"Asked {instant(each['at'])}{until}: {each['asks']}")
        lines.append(
            f"Answered {instant(each['answered'])}: {each['answer']}" if each["answered"] else
            "No answer yet."
        )  # fmt: skip
    return "\n".join(lines) or "None on file."


def _follow_up(issue: Mapping[str, Any]) -> str:
    return "\n".join(
        f"{each['short']}: {lower(each['state'])}"
        + (f", last found on {day_in_words(each['last'])}." if each["last"] else ".")
        for each in issue["earlier"]
    )


def reconciliation(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield all issues with their sums, and the totals that page one prints."""
    issues = data["issues"]
    if not issues:
        return
    links = {each["short"]: each["path"] for each in issues}
    whole = {"short": "All", "findings": sum(each["findings"] for each in issues)}
    whole |= {"tables": [], "headline": "", "money": sum_money(issues)}
    yield Heading("All issues, and how the totals add up")
    yield Rows(
        "issues",
        "Issues and players' money; every finding is in exactly one issue",
        (
            Column("Issue"),
            Column("What"),
            Column("State"),
            Column("Findings", Align.NUMBERS),
            Column("Overpaid", Align.NUMBERS),
            Column("Underpaid", Align.NUMBERS),
        ),
        tuple(
            (
                each["short"],
                f"{_tables(each['tables'])}: {each['headline']}" if each["tables"] else "",
                each.get("state", ""),
                f"{each['findings']:,}",
                *map(dollars, each["money"]["players"]),
            )
            for each in (*issues, whole)
        ),
        links=links,
        printed=MOST_LISTED if len(issues) > MOST_LISTED else None,
    )
    others = tuple(
        (each["short"], owner, *map(dollars, each["money"][name]))
        for name, owner in OWNERS[1:]
        for each in (*issues, whole)
        if any(each["money"][name])
    )
    if others:
        yield Rows(
            "not-players",
            "Money that is not players': the house's own wager against a player's bank, and tables "
            "whose wins and losses do not add up to zero",
            (
                Column("Issue"),
                Column("Whose"),
                Column("Overpaid", Align.NUMBERS),
                Column("Underpaid", Align.NUMBERS),
            ),
            others,
            links=links,
        )
    yield Words(
        "Players' money, the house's and the tables' are different sums and are never added "
        "together. Overpaid and underpaid amounts are not set off.",
        quiet=True,
    )


def sum_money(issues: Sequence[Mapping[str, Any]]) -> dict[str, list[int]]:
    """Add up issues' money by its owner."""
    return {
        name: [sum(each["money"][name][way] for each in issues) for way in (0, 1)]
        for name, _ in OWNERS
    }
