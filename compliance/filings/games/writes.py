"""Games and the versions of their rules, filed with their documents and compared on filing."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

from django.db import transaction

from compliance import clock
from compliance.access.permissions import COMMISSION_ROLES, Action
from compliance.access.reads import require
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.filings.definitions.comparison import find_printed_differences
from compliance.filings.documents.models import DocumentFile
from compliance.filings.games import events
from compliance.filings.games.checks import (
    Citation,
    find_outdated_citations,
    find_pay_table_differences,
    printed_maximum,
)
from compliance.filings.games.definitions import (
    check_definition,
    definition_text,
    keep_definition,
)
from compliance.filings.games.models import (
    DocumentFinding,
    FiledPayLine,
    Game,
    RuleVersion,
    RuleVersionDocument,
)
from compliance.filings.games.named_tables import require_settleable
from compliance.law.reads import law_rules
from games.rule_set import SLUGS, RuleSet, as_rule_set, rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from compliance.access.models import Party, Person
    from compliance.filings.documents.models import DocumentVersion
    from compliance.filings.games.checks import Discrepancy
    from games.definition import Definition


LAW_OF_BANKING = {
    Game.Banking.HOUSE: "wager_house_banked",
    Game.Banking.NOBODY: "wager_nonhouse_banked",
}
MOST_TO_ONE = 100_000
LONGEST_NAME = 30
COLUMNS = ["origin", "table", "line", "pays"]

PayTables = dict[str, dict[str, dict[str, int]]]
"""What each line pays, N to 1, by the document that prints it, table and line."""


@dataclass(frozen=True, kw_only=True)
class FiledDocuments:
    """The basis of a rule version: binding documents, drawings, and what they print."""

    rules: Sequence[DocumentVersion]
    layouts: Sequence[DocumentVersion] = ()
    pay_tables: PayTables = field(default_factory=dict)
    citations: Sequence[str] = ()
    printed_maximum: int | None = None
    definition: str = ""
    """The text of a definition, for a game of a family."""


@transaction.atomic
def file_game(
    *, slug: str, name: str, banked_by: Game.Banking, supplier: Party | None, by: Person
) -> Game:
    """File a game: by its supplier, or by the commission for its own game.

    Rejects a short name that is taken, and banking that contradicts the engine's rules of that
    name.
    """
    require_owner(by, supplier)
    with without_access_scope():
        taken = Game.objects.filter(slug=slug).exists()
    if taken:
        msg = f"A game with the short name {slug!r} is on file. Choose another."
        raise RefusedError(msg)
    engine = slug if slug in SLUGS else ""
    if engine and rule_set(engine).house_banked != (banked_by == Game.Banking.HOUSE):
        msg = f"By the rules on file {name} is banked by {rule_set(engine).banked_by}."
        raise RefusedError(msg)
    game = Game(
        slug=slug,
        name=name,
        engine=engine,
        banked_by=banked_by,
        supplier=supplier,
        at=clock.now(),
    )
    game.clean_fields()
    game.save()
    record(events.GAME_FILED, by=by, party=supplier, about=game, carries={"slug": slug})
    return game


@transaction.atomic
def file_rule_version(
    *,
    game: Game,
    papers: FiledDocuments,
    as_of: date,
    by: Person,
    interpretations: Mapping[str, str] | None = None,
    note: str = "",
) -> RuleVersion:
    """File the rules of a game with their documents; record their differences as findings.

    Rejects missing rules of play; a document of another party; a pay line that the game does not
    have; an interpretation that is not acceptable; the newest version again.
    """
    require_owner(by, game.supplier)
    rules = _rules(game, papers.definition)
    _check(game, papers, rules, interpretations or {})
    with without_access_scope():
        newest = game.rule_versions.order_by("number").last()
    if newest is not None and _is_again(newest, papers, as_of, interpretations or {}):
        msg = f"This is version {newest.number} again: nothing has changed."
        raise RefusedError(msg)
    version = RuleVersion(
        game=game,
        number=newest.number + 1 if newest is not None else 1,
        rule_set=rules.digest if rules else "",
        interpretations=dict(interpretations or {}),
        as_of=as_of,
        citations=list(papers.citations),
        printed_maximum=papers.printed_maximum,
        note=note,
        at=clock.now(),
    )
    if papers.definition:
        kept = keep_definition(game, papers.definition)
        version.definition, version.definition_file = kept.definition.digest, kept.file
    version.save()
    for binding, documents in ((True, papers.rules), (False, papers.layouts)):
        for each in documents:
            RuleVersionDocument(rule_version=version, document_version=each, binding=binding).save()
    FiledPayLine.objects.bulk_create(
        FiledPayLine(rule_version=version, origin=origin, table=table, line=line, pays=pays)
        for origin, tables in papers.pay_tables.items()
        for table, lines in tables.items()
        for line, pays in lines.items()
    )
    record(
        events.RULE_VERSION_FILED,
        by=by,
        party=game.supplier,
        about=version,
        carries={
            "game": game.slug,
            "number": version.number,
            "rule_set": version.rule_set,
            "definition": version.definition or "",
            "documents": [str(each.uuid) for each in (*papers.rules, *papers.layouts)],
        },
    )
    _note_differences(version, papers)
    return version


def _is_again(
    version: RuleVersion, papers: FiledDocuments, as_of: date, interpretations: Mapping[str, str]
) -> bool:
    """Return whether a filing is identical to a version."""
    named = {(each.document_version_id, each.binding) for each in version.documents.all()}
    return (
        named
        == {
            *((each.pk, True) for each in papers.rules),
            *((each.pk, False) for each in papers.layouts),
        }
        and pay_tables_as_filed(version) == papers.pay_tables
        and (version.as_of, version.interpretations) == (as_of, dict(interpretations))
        and (version.citations, version.printed_maximum)
        == (list(papers.citations), papers.printed_maximum)
        and definition_text(version) == papers.definition
    )


def pay_tables_of_rules(slug: str) -> dict[str, dict[str, int]]:
    """Return the pay tables of a game's rules, for a filing that adopts them unchanged."""
    return {
        name: {line: int(to) for line, to in table.lines.items()}
        for name, table in rule_set(slug).pay_tables.items()
    }


def pay_tables_as_filed(version: RuleVersion) -> PayTables:
    """Return the pay tables of a version, as its documents print them."""
    tables: PayTables = {}
    for each in version.pay_lines.all():
        tables.setdefault(each.origin, {}).setdefault(each.table, {})[each.line] = each.pays
    return tables


def pay_tables_from_csv(text: str) -> PayTables:
    """Read pay tables from a spreadsheet: origin, table, line, pays.

    Rejects, with the line number: other columns, a duplicate line, odds that are not a whole
    number.
    """
    try:
        rows = list(csv.reader(io.StringIO(text)))
    except csv.Error as wrong:
        msg = f"This is no sheet of pay tables ({wrong}). Save it as CSV again."
        raise RefusedError(msg) from wrong
    if not rows or [each.strip() for each in rows[0]] != COLUMNS:
        msg = f"The first line names the columns {', '.join(COLUMNS)}, in this order."
        raise RefusedError(msg)
    tables: PayTables = {}
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != len(COLUMNS):
            msg = f"Line {number}: {len(row)} values; four are wanted, {', '.join(COLUMNS)}."
            raise RefusedError(msg)
        origin, table, line, pays = (each.strip() for each in row)
        if origin not in FiledPayLine.Origin.values:
            msg = f"Line {number}: origin is rules or layout; this line has {origin!r}."
            raise RefusedError(msg)
        if not all(1 <= len(name) <= LONGEST_NAME and name.isprintable() for name in (table, line)):
            msg = (
                f"Line {number}: tables and lines have names of 1 to {LONGEST_NAME} characters, "
                "as straight_flush."
            )
            raise RefusedError(msg)
        plain = pays.lstrip("0")[:7] or "0"
        if not (pays.isascii() and pays.isdigit()) or int(plain) > MOST_TO_ONE:
            msg = f"Line {number}: odds are a whole number to 1, as 30; this line has {pays!r}."
            raise RefusedError(msg)
        lines = tables.setdefault(origin, {}).setdefault(table, {})
        if line in lines:
            msg = f"Line {number}: {table}, {line} of the {origin} is in the file twice."
            raise RefusedError(msg)
        lines[line] = int(plain)
    return tables


def require_owner(by: Person, supplier: Party | None) -> None:
    """Reject a person who may not file games of a supplier, or the commission's own."""
    require(by, Action.FILE_GAMES, supplier)
    if supplier is None and not any(held.role in COMMISSION_ROLES for held in memberships_of(by)):
        msg = "The commission's own games are filed by the commission."
        raise NotAllowedError(msg)


def _check(
    game: Game, papers: FiledDocuments, rules: RuleSet | None, interpretations: Mapping[str, str]
) -> None:
    if not papers.rules:
        msg = "Name the document that holds the rules of play."
        raise RefusedError(msg)
    for each in (*papers.rules, *papers.layouts):
        if game.supplier is not None and each.document.owner_id != game.supplier_id:
            msg = f"{each.document} was not filed by {game.supplier}."
            raise RefusedError(msg)
    if rules is None:
        return
    printed = papers.pay_tables.get("rules", {})
    if printed or not papers.definition:
        require_settleable(rules, printed)
    if papers.printed_maximum is not None and not rules.pay_tables:
        msg = f"{game.name} pays by no table: there is no maximum aggregate to compare. Leave it."
        raise RefusedError(msg)
    for id_, reading in interpretations.items():
        known = rules.interpretations.get(id_)
        if known is None:
            msg = f"{game.name} has no interpretation {id_}."
            raise RefusedError(msg)
        if reading not in known.readings:
            msg = f"{id_}: {reading!r} is none of {', '.join(known.readings)}."
            raise RefusedError(msg)


def _rules(game: Game, definition: str) -> RuleSet | None:
    """Return the rules by which a game of the engine is settled: the definition's, if one is filed.

    Rejects a definition that can't be filed.
    """
    if not game.engine:
        return None
    if definition:
        return as_rule_set(check_definition(game, definition))
    return rule_set(game.engine)


def find_differences(game: Game, papers: FiledDocuments, as_of: date) -> list[Discrepancy]:
    """Report where documents differ from each other, the engine and the law, before and on filing.

    This goes for every game. Pay lines that were typed are compared with the rules; where none
    were typed, those that the text of a document prints are compared with the definition.
    """
    definition = check_definition(game, papers.definition) if papers.definition else None
    rules = as_rule_set(definition) if definition else _rules(game, "")
    law = law_rules()
    limits = (LAW_OF_BANKING[Game.Banking(game.banked_by)],)
    cited = [Citation(section, limits) for section in papers.citations]
    found: list[Discrepancy] = find_pay_table_differences(rules, papers.pay_tables)
    if definition is not None:
        found += _printed_differences(definition, papers)
    found += find_outdated_citations(cited, law, as_of)
    if papers.printed_maximum is not None and rules is not None and rules.pay_tables:
        top = ceil(max(to for table in rules.pay_tables.values() for to in table.lines.values()))
        clause = next(iter(rules.layouts.values())).clause if rules.layouts else ""
        found += printed_maximum(papers.printed_maximum, clause, law, top, as_of)
    return found


def _printed_differences(definition: Definition, filed: FiledDocuments) -> Iterator[Discrepancy]:
    """Compare the text of each document whose pay lines were not typed."""
    for origin, documents in (("rules", filed.rules), ("layout", filed.layouts)):
        if filed.pay_tables.get(origin):
            continue
        with without_access_scope():
            files = DocumentFile.objects.filter(version__in=documents, text__isnull=False)
            listed = list(files.select_related("text", "version__document").order_by("pk"))
        for file in listed:
            yield from find_printed_differences(definition, str(file.version), file.text.pages)


def _note_differences(version: RuleVersion, papers: FiledDocuments) -> None:
    for each in find_differences(version.game, papers, version.as_of):
        finding = DocumentFinding(
            rule_version=version,
            code=each.code,
            says=each.says,
            cites=list(each.cites),
            at=clock.now(),
        )
        finding.save()
        record(
            events.DIFFERENCE_FOUND,
            by=SYSTEM,
            party=version.game.supplier,
            about=finding,
            carries={"code": each.code, "says": each.says},
        )
