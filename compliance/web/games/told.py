"""Rules of a game as people read them: in sections, in lines that can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.models import FiledPayLine
from compliance.request_sections import (
    LIMITS,
    PAPER,
    PAY_TABLE,
    READINGS,
    paper_section,
    sections_of_rules,
)
from compliance.web.games.pay_tables import in_words
from compliance.web.lists import dollars
from compliance.web.sections import Compared, Section, compare_sections

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compliance.models import RuleVersion


def rules_beside(before: RuleVersion, after: RuleVersion) -> list[Compared]:
    """Two versions of a game's rules, section by section."""
    return compare_sections(rules_told(before), rules_told(after))


def rules_told(version: RuleVersion) -> list[Section]:
    """What a version of a game's rules says, by the sections that comments name."""
    papers = {
        paper_section(each.document_version.document): each
        for each in version.documents.select_related("document_version__document")
    }
    lines = list(version.pay_lines.all())
    maximum = version.printed_maximum
    told = []
    for key in sections_of_rules(version):
        if key.startswith(PAPER):
            named = papers[key]
            heading = str(named.document_version.document)
            says = [
                "The rules of play, which bind" if named.binding else "A layout drawing",
                f"Version {named.document_version.number}",
                f"Day of the papers: {named.document_version.evidence_date:%Y-%m-%d}",
            ]
        elif key.startswith(PAY_TABLE):
            table = key.removeprefix(PAY_TABLE)
            heading = f"Pay table: {in_words(table)}"
            says = _pay_lines([each for each in lines if each.table == table])
        elif key == READINGS:
            heading = "How open questions are read"
            says = [
                f"{id_}: {reading.replace('_', ' ')}"
                for id_, reading in sorted(version.interpretations.items())
            ] or ["As by default"]
        else:
            assert key == LIMITS  # noqa: S101
            heading = "Wager limits"
            says = [f"Judged by the law of {version.as_of:%Y-%m-%d}"]
            says += [f"Cites {section}" for section in version.citations]
            if maximum is not None:
                says.append(f"Prints a maximum aggregate of {dollars(maximum)}")
        told.append(Section(key, heading, tuple(says)))
    return told


def _pay_lines(lines: Iterable[FiledPayLine]) -> list[str]:
    """What each line pays, by every paper that prints it; the rules of play first."""
    printed: dict[str, list[str]] = {}
    for each in sorted(lines, key=lambda line: line.origin != FiledPayLine.Origin.RULES):
        says = f"{each.pays} to 1 ({each.get_origin_display().lower()})"
        printed.setdefault(each.line, []).append(says)
    return [f"{in_words(line)}: {', '.join(says)}" for line, says in printed.items()]
