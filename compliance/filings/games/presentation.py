"""Rules of a game for people to read: in sections, in lines that can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.filings.games.definition_sections import present_definition
from compliance.filings.games.definitions import definition_of
from compliance.filings.games.models import FiledPayLine
from compliance.filings.games.pay_tables import describe_line
from compliance.filings.games.reads import (
    LIMITS,
    PAPER,
    PAY_TABLE,
    READINGS,
    paper_section,
    sections_of_rules,
)
from compliance.ui.comparison import Compared, Section, compare_sections
from compliance.ui.lists import dollars

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compliance.filings.games.models import RuleVersion


def compare_rules(before: RuleVersion, after: RuleVersion) -> list[Compared]:
    """Compare two versions of a game's rules, section by section."""
    return compare_sections(present_rules(before), present_rules(after))


def present_rules(version: RuleVersion) -> list[Section]:
    """Return a version of a game's rules by the sections that comments name."""
    documents = {
        paper_section(each.document_version.document): each
        for each in version.documents.select_related("document_version__document")
    }
    lines = list(version.pay_lines.all())
    maximum = version.printed_maximum
    definition = definition_of(version)
    defined = {each.key: each for each in present_definition(definition)} if definition else {}
    sections: list[Section] = []
    for key in sections_of_rules(version):
        if key.startswith(PAPER):
            named = documents[key]
            heading = str(named.document_version.document)
            says = [
                "The rules of play, which bind" if named.binding else "A layout drawing",
                f"Version {named.document_version.number}",
                f"Date of the documents: {named.document_version.evidence_date:%Y-%m-%d}",
            ]
        elif key.startswith(PAY_TABLE):
            table = key.removeprefix(PAY_TABLE)
            heading = f"Pay table: {describe_line(table)}"
            says = _pay_lines([each for each in lines if each.table == table])
        elif key in defined:
            sections.append(defined[key])
            continue
        elif key == READINGS:
            heading = "Interpretations"
            says = [
                f"{id_}: {reading.replace('_', ' ')}"
                for id_, reading in sorted(version.interpretations.items())
            ] or ["The filing proposes none; the approver chooses"]
        else:
            assert key == LIMITS  # noqa: S101
            heading = "Wager limits"
            says = [f"Checked against the law of {version.as_of:%Y-%m-%d}"]
            says += [f"Cites {section}" for section in version.citations]
            if maximum is not None:
                says.append(f"Prints a maximum aggregate of {dollars(maximum)}")
        sections.append(Section(key, heading, tuple(says)))
    return sections


def _pay_lines(lines: Iterable[FiledPayLine]) -> list[str]:
    """Return what each line pays, for every document that prints it; the rules of play first."""
    printed: dict[str, list[str]] = {}
    for each in sorted(lines, key=lambda line: line.origin != FiledPayLine.Origin.RULES):
        says = f"{each.pays} to 1 ({each.get_origin_display().lower()})"
        printed.setdefault(each.line, []).append(says)
    return [f"{describe_line(line)}: {', '.join(says)}" for line, says in printed.items()]
