"""Rules of play as interpreted: clauses, pay tables and interpretations of a rule version."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from compliance.access.permissions import Action
from compliance.filings.games.models import FiledPayLine, RuleVersion
from compliance.filings.games.named_tables import STANDARD, named_pay_tables, odds_to_one
from compliance.filings.games.rules import rules_of_version
from compliance.filings.requests.models import Approval
from games.explanation.words import describe_name, name_in_words
from reports.documents.registry import (
    About,
    DocumentKind,
    ReportContent,
    register,
)
from reports.documents.wording import (
    counted,
    day,
    documents_table,
    dollars,
    filing_of,
)
from reports.rendering.blocks import (
    Align,
    Callout,
    Column,
    Facts,
    Heading,
    Mood,
    Points,
    Rows,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from compliance.access.models import Party
    from games.rule_set import RuleSet
    from reports.rendering.blocks import Block

NUMBER = Align.NUMBERS


def gather(about: About) -> dict[str, Any]:
    """Read a rule version, along with the engine's rules of its game."""
    version = _version(about)
    engine = rules_of_version(version) if version.game.engine else None
    return {
        **filing_of(version),
        "supplier": version.game.supplier.name if version.game.supplier else "",
        "banked_by": version.game.get_banked_by_display(),
        "citations": version.citations,
        "printed_maximum": version.printed_maximum,
        "note": version.note,
        "findings": [
            {"says": each.says, "cites": list(each.cites)} for each in version.findings.all()
        ],
        "filed_lines": [
            {
                "table": each.table,
                "line": each.line,
                "pays": each.pays,
                "of": each.get_origin_display(),
            }
            for each in version.pay_lines.all()
        ],
        "engine_rules": _engine(engine, version) if engine else None,
        "approved_tables": _approved_tables(engine, version),
    }


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report of the rules."""
    rules = data["engine_rules"]
    front: list[Block] = [
        Facts(
            (
                ("Game", data["game"]),
                ("Supplier", data["supplier"] or "The commission"),
                ("Banked by", data["banked_by"]),
                ("Documents dated", day(data["as_of"])),
                ("Cited for limits", ", ".join(data["citations"]) or "Nothing"),
            )
        ),
        documents_table(data["papers"]),
        *_standing(rules),
    ]
    blocks = [*front, *_of_rules(data), *_filed(data)]
    return ReportContent(
        title=f"Rules of play as read: {data['game']}, version {data['number']}",
        blocks=tuple(blocks),
        contents=True,
        front=len(front),
    )


def compose_public(data: Mapping[str, Any]) -> ReportContent:
    """Compose the public part of approved rules.

    It has nothing of the filing's documents, their review, or the filing's note.
    """
    rules = data["engine_rules"]
    blocks: list[Block] = [
        Facts(
            (
                ("Game", data["game"]),
                ("Supplier", data["supplier"] or "The commission"),
                ("Banked by", data["banked_by"]),
                ("Documents dated", day(data["as_of"])),
            )
        ),
        *_standing(rules),
    ]
    blocks += _of_rules(data)
    title = f"Rules of play as read: {data['game']}, version {data['number']}"
    return ReportContent(title=title, blocks=tuple(blocks))


def _engine(rules: RuleSet, version: RuleVersion) -> dict[str, Any]:
    return {
        "digest": rules.digest,
        "as_filed": rules.digest == version.rule_set,
        "filed_digest": version.rule_set,
        "decks": rules.decks.number,
        "or_more_decks": rules.decks.or_more,
        "jokers": rules.decks.jokers,
        "clauses": [
            {
                "id": clause.id,
                "says": clause.says,
                "sources": [f"{each.document}, {each.place}" for each in clause.sources],
            }
            for clause in rules.clauses.values()
        ],
        "wagers": [
            {
                "key": wager.key,
                "says": wager.says,
                "mandatory": wager.mandatory,
                "odds_based": wager.odds_based,
            }
            for wager in rules.wagers.values()
        ],
        "points": [
            {"name": each.name, "clause": each.clause, "lines": _lines(each.lines)}
            for each in rules.points.values()
        ],
        "readings": list(_chosen(rules, version)),
    }


def _chosen(rules: RuleSet, version: RuleVersion) -> Iterator[dict[str, Any]]:
    """Yield how each open question is read, who chose it, and why."""
    given = Approval.objects.filter(subject=version.uuid, kind=Approval.Kind.COMMISSION).first()
    approved = (given.interpretations or {}) if given is not None else {}
    for each in rules.interpretations.values():
        if each.id in approved:
            reading, by = approved[each.id]["reading"], "In the approval"
        elif each.id in version.interpretations:
            reading, by = version.interpretations[each.id], "In the filing"
        elif len(each.readings) == 1:
            reading, by = each.default, "The only reading"
        else:
            reading, by = "", "Nobody yet"
        others = approved.get(each.id, {}).get("allowed", [])
        yield {
            "id": each.id,
            "asks": each.asks,
            "reading": reading,
            "says": each.readings.get(reading, "Not chosen"),
            "chosen": by,
            "reason": approved.get(each.id, {}).get("reason", ""),
            "allowed": [each.readings[name] for name in others if name in each.readings],
        }


def _approved_tables(rules: RuleSet | None, version: RuleVersion) -> list[dict[str, Any]]:
    """Read the filed pay tables, complete, with what a layout drawing prints for their lines.

    Lines are lists, because the JSON sorts mappings.
    """
    layout: dict[str, dict[str, int]] = {}
    for each in version.pay_lines.filter(origin=FiledPayLine.Origin.LAYOUT):
        layout.setdefault(each.table, {})[each.line] = each.pays
    known = rules.pay_tables if rules is not None else {}
    return [
        {
            "wager": wager,
            "name": name if len(names) > 1 or name != STANDARD else "",
            "table": table,
            "clause": known[table].clause if table in known else "",
            "digest": each.digest,
            "lines": [[line, odds_to_one(pays)] for line, pays in lines.items()],
            "layout": [[line, f"{to:,}"] for line, to in layout.get(table, {}).items()],
        }
        for wager, names in named_pay_tables(version).items()
        for name, each in names.items()
        for table, lines in each.lines.items()
    ]


def _lines(lines: Mapping[str, int]) -> list[list[Any]]:
    return [[name, value] for name, value in lines.items()]


def _of_rules(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield what was approved; the engine's clauses only if they are those of the filing."""
    rules = data["engine_rules"]
    is_as_filed = rules is not None and rules["as_filed"]
    if is_as_filed:
        yield from _clauses(rules)
        yield from _wagers(rules)
    yield from _pay_tables(data.get("approved_tables", ()))
    if is_as_filed:
        yield from _points(rules["points"])
    if rules is not None:
        yield from _readings(rules)


def _standing(rules: Mapping[str, Any] | None) -> Iterable[Block]:
    if rules is None:
        says = "No family of play settles this game: its rounds cannot be settled again."
        yield Callout("Not settled", says, Mood.ATTENTION)
    elif not rules["as_filed"]:
        says = (
            "This version was filed with an earlier form of the clauses, which the engine no "
            "longer has. They are in the binding documents; here are the pay tables and the "
            "interpretations as approved."
        )
        yield Callout("Clauses are in the documents", says, Mood.ATTENTION)
    if rules is not None:
        yield Facts((("Rule set as filed", rules["filed_digest"]),), Align.CODES)


def _clauses(rules: Mapping[str, Any]) -> Iterable[Block]:
    yield Heading("Clauses")
    if rules["or_more_decks"]:
        decks = f"{rules['decks']} or more decks"
    else:
        decks = counted(rules["decks"], "deck")
    jokers = counted(rules["jokers"], "joker") if rules["jokers"] else "no joker"
    yield Words(f"The shoe contains {decks} of 52 cards, with {jokers}.")
    yield Rows(
        "clauses",
        "The rules in plain words",
        (Column("Clause"), Column("Says"), Column("Source: document, place")),
        tuple(
            (clause["id"], clause["says"], "\n".join(clause["sources"]))
            for clause in rules["clauses"]
        ),
    )


def _wagers(rules: Mapping[str, Any]) -> Iterable[Block]:
    yield Heading("Wagers")
    yield Rows(
        "wagers",
        "Wagers of a hand",
        (Column("Wager"), Column("Says"), Column("Mandatory"), Column("Pays odds")),
        tuple(
            (
                describe_name(wager["key"]),
                wager["says"],
                "Yes" if wager["mandatory"] else "No",
                "Yes" if wager["odds_based"] else "No",
            )
            for wager in rules["wagers"]
        ),
        "Wagers have no names of their own.",
    )


def _pay_tables(tables: Sequence[Mapping[str, Any]]) -> Iterable[Block]:
    if tables:
        yield Heading("Pay tables")
    for table in tables:
        on_layout = dict(table["layout"])
        columns = [Column("Line"), Column("Pays, to 1", NUMBER)]
        if on_layout:
            columns.append(Column("Layout prints", NUMBER))
        title = describe_name(table["table"])
        if table["name"]:
            title += f", {table['name']}"
        lines = dict(table["lines"])
        yield Rows(
            "-".join(filter(None, (table["table"].replace("_", "-"), _slug(table["name"])))),
            f"{title} ({table['clause']})" if table["clause"] else title,
            tuple(columns),
            tuple(
                (describe_name(line), _pays(lines.get(line)))
                + ((_pays(on_layout.get(line)),) if on_layout else ())
                for line in {**lines, **on_layout}
            ),
        )
        if on_layout:
            yield Words("What the layout prints is evidence; the rules bind.", quiet=True)


def _pays(pays: str | None) -> str:
    return "No such line" if pays is None else pays


def _slug(name: str) -> str:
    return "-".join(re.findall("[a-z0-9]+", name.lower()))


def _points(tables: Sequence[Mapping[str, Any]]) -> Iterable[Block]:
    for table in tables:
        yield Rows(
            f"points-{table['name'].replace('_', '-')}",
            f"Points: {name_in_words(table['name'])} ({table['clause']})",
            (Column("Hand"), Column("Points", NUMBER)),
            tuple((describe_name(line), str(points)) for line, points in table["lines"]),
        )


def _readings(rules: Mapping[str, Any]) -> Iterable[Block]:
    yield Heading("How open questions are read")
    yield Rows(
        "readings",
        "Interpretations under this version",
        (Column("ID"), Column("Question"), Column("Interpretation"), Column("Chosen")),
        tuple(
            (each["id"], each["asks"], _interpretation(each), each["chosen"])
            for each in rules["readings"]
        ),
        "The rules leave no question open.",
    )


def _interpretation(each: Mapping[str, Any]) -> str:
    parts = [each["says"]]
    if each.get("reason"):
        parts.append(f"Reason: {each['reason']}")
    if each.get("allowed"):
        parts.append(f"Internal controls may choose: {'; '.join(each['allowed'])}")
    return "\n".join(parts)


def _filed(data: Mapping[str, Any]) -> list[Block]:
    blocks: list[Block] = [Heading("What the documents print")]
    if data["printed_maximum"] is not None:
        blocks.append(Words(f"Maximum aggregate printed: {dollars(data['printed_maximum'])}."))
    blocks.append(
        Rows(
            "filed",
            "Pay tables as printed in the documents",
            (Column("Document"), Column("Table"), Column("Line"), Column("Pays, to 1", NUMBER)),
            tuple(
                (
                    each["of"],
                    describe_name(each["table"]),
                    describe_name(each["line"]),
                    f"{each['pays']:,}",
                )
                for each in data["filed_lines"]
            ),
            "The documents print none.",
        )
    )
    blocks.append(Heading("Differences between the documents"))
    if not data["findings"]:
        blocks.append(Words("None."))
    else:
        blocks.append(
            Points(
                tuple(
                    each["says"] + (f" ({', '.join(each['cites'])})" if each["cites"] else "")
                    for each in data["findings"]
                )
            )
        )
    if data["note"]:
        blocks += [Heading("Note"), Words(data["note"])]
    return blocks


def _version(about: About) -> RuleVersion:
    versions = RuleVersion.objects.select_related("game__supplier")
    return about.find("version of rules", versions)


def _shown_to(about: About) -> list[Party]:
    supplier = _version(about).game.supplier
    return [supplier] if supplier else []


RULES_AS_READ = register(
    DocumentKind(
        name="rules_as_read",
        title="Rules of play as read",
        letters="RP",
        action=Action.SEE_FILINGS,
        gather=gather,
        compose=compose,
        shown_to=_shown_to,
    )
)
