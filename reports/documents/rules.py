"""Rules of play as interpreted: clauses, pay tables and interpretations of a rule version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compliance.access.permissions import Action
from compliance.filings.games.models import RuleVersion
from games.explanation.words import describe_name, name_in_words
from games.rule_set import rule_set
from reports.documents.registry import (
    About,
    DocumentKind,
    NothingToReportError,
    ReportContent,
    register,
)
from reports.documents.wording import (
    counted,
    day,
    documents_named,
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
    from collections.abc import Iterable, Mapping

    from compliance.access.models import Party
    from games.rule_set import RuleSet
    from reports.rendering.blocks import Block

NUMBER = Align.NUMBERS


def gather(about: About) -> dict[str, Any]:
    """Read a rule version, along with the engine's rules of its game."""
    version = _version(about)
    engine = rule_set(version.game.engine) if version.game.engine else None
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
                ("Papers dated", day(data["as_of"])),
                ("Cited for limits", ", ".join(data["citations"]) or "Nothing"),
            )
        ),
        documents_table(data["papers"]),
        *_standing(rules),
    ]
    blocks = list(front)
    if rules is not None:
        blocks += [*_clauses(rules), *_wagers(rules), *_pay_tables(rules), *_readings(rules)]
    blocks += _filed(data)
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
                ("Papers dated", day(data["as_of"])),
            )
        ),
        *_standing(rules),
    ]
    if rules is not None:
        blocks += [*_clauses(rules), *_wagers(rules), *_pay_tables(rules), *_readings(rules)]
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
        # Lines stay in the order of the rules, the best first, as lists, because the JSON sorts
        # mappings.
        "pay_tables": [
            {"name": t.name, "clause": t.clause, "wager": t.wager, "lines": _lines(t.lines)}
            for t in rules.pay_tables.values()
        ],
        "layouts": [
            {"table": layout.table, "clause": layout.clause, "lines": _lines(layout.lines)}
            for layout in rules.layouts.values()
        ],
        "points": [
            {"name": each.name, "clause": each.clause, "lines": _lines(each.lines)}
            for each in rules.points.values()
        ],
        "readings": [
            {
                "id": each.id,
                "asks": each.asks,
                "reading": (reading := version.interpretations.get(each.id, each.default)),
                "says": each.readings.get(reading, ""),
                "chosen": each.id in version.interpretations,
            }
            for each in rules.interpretations.values()
        ],
    }


def _lines(lines: Mapping[str, int]) -> list[list[Any]]:
    return [[name, value] for name, value in lines.items()]


def _standing(rules: Mapping[str, Any] | None) -> Iterable[Block]:
    if rules is None:
        says = "The engine does not hold this game: its rounds cannot be settled again."
        yield Callout("Not replayed", says, Mood.ATTENTION)
    elif not rules["as_filed"]:
        says = (
            "The rules that the engine holds today are not the ones this version was filed with. "
            "What stands below is what the engine holds."
        )
        yield Callout("The engine holds other rules", says, Mood.SERIOUS)
    if rules is not None:
        yield Facts(
            (("Rule set", rules["digest"]), ("Rule set as filed", rules["filed_digest"])),
            Align.CODES,
        )


def _clauses(rules: Mapping[str, Any]) -> Iterable[Block]:
    yield Heading("Clauses")
    if rules["or_more_decks"]:
        decks = f"{rules['decks']} or more decks"
    else:
        decks = counted(rules["decks"], "deck")
    jokers = counted(rules["jokers"], "joker") if rules["jokers"] else "no joker"
    yield Words(f"The shoe holds {decks} of 52 cards, with {jokers}.")
    yield Rows(
        "clauses",
        "What binds, in words of our own",
        (Column("Clause"), Column("Says"), Column("Source: document, place")),
        tuple(
            (clause["id"], clause["says"], "\n".join(clause["sources"]))
            for clause in rules["clauses"]
        ),
    )
    yield from documents_named(each for clause in rules["clauses"] for each in clause["sources"])


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


def _pay_tables(rules: Mapping[str, Any]) -> Iterable[Block]:
    if rules["pay_tables"]:
        yield Heading("Pay tables")
    printed = {each["table"]: dict(each["lines"]) for each in rules["layouts"]}
    for table in rules["pay_tables"]:
        on_layout = printed.get(table["name"], {})
        columns = [Column("Line"), Column("Pays, to 1", NUMBER)]
        if on_layout:
            columns.append(Column("Layout prints", NUMBER))
        yield Rows(
            table["name"].replace("_", "-"),
            f"{describe_name(table['name'])} ({table['clause']})",
            tuple(columns),
            tuple(
                (describe_name(line), f"{pays:,}")
                + ((f"{on_layout.get(line, pays):,}",) if on_layout else ())
                for line, pays in table["lines"]
            ),
        )
        if on_layout:
            yield Words("What the layout prints is evidence; the rules bind.", quiet=True)
    for table in rules["points"]:
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
            (
                each["id"],
                each["asks"],
                each["says"],
                "In the filing" if each["chosen"] else "By default",
            )
            for each in rules["readings"]
        ),
        "The rules leave no question open.",
    )


def _filed(data: Mapping[str, Any]) -> list[Block]:
    blocks: list[Block] = [Heading("What the papers print")]
    if data["printed_maximum"] is not None:
        blocks.append(Words(f"Maximum aggregate printed: {dollars(data['printed_maximum'])}."))
    blocks.append(
        Rows(
            "filed",
            "Pay tables as the papers print them",
            (Column("Paper"), Column("Table"), Column("Line"), Column("Pays, to 1", NUMBER)),
            tuple(
                (
                    each["of"],
                    describe_name(each["table"]),
                    describe_name(each["line"]),
                    f"{each['pays']:,}",
                )
                for each in data["filed_lines"]
            ),
            "The papers print none.",
        )
    )
    blocks.append(Heading("Differences found in the papers"))
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
    found = RuleVersion.objects.filter(uuid=about.thing).select_related("game__supplier")
    version: RuleVersion | None = found.first()
    if version is None:
        message = f"There is no version {about.subject} of any rules."
        raise NothingToReportError(message)
    return version


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
