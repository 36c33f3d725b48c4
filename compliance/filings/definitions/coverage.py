"""What the checks of a definition cover of each filed document, sentence by sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import TextChoices

from compliance.filings.definitions.sentences import Sentence, sentences_of
from compliance.filings.documents.models import DocumentFile
from compliance.filings.games.definitions import definition_of
from compliance.filings.games.models import DefinitionOdds
from games.checks import describe_code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from compliance.filings.games.models import RuleVersion
    from games.definition import Definition
    from games.definition.model import Clause


class Mark(TextChoices):
    """What is known about a sentence."""

    CHECKED = "checked", "Checked"
    UNLOGGED = "unlogged", "Cannot be logged"
    OPEN = "open", "Not checked"


KINDS: Final = {Mark.CHECKED: "working", Mark.UNLOGGED: "waiting", Mark.OPEN: "attention"}


@dataclass(frozen=True)
class CoveredSentence:
    """A sentence with its mark, and what the mark is based on."""

    sentence: Sentence
    mark: Mark
    clauses: tuple[str, ...]
    proofs: tuple[str, ...]
    """Each code that checks it, in words, with the round that proves it."""
    why: str
    """Why it can't be logged."""

    @property
    def kind(self) -> str:
        """Return how its mark is shown."""
        return KINDS[self.mark]

    @property
    def id(self) -> str:
        """Return its place, as a form names it."""
        return f"{self.sentence.page}.{self.sentence.first}"


@dataclass(frozen=True)
class CoveredDocument:
    """A filed document and its sentences; headings are left out."""

    file: DocumentFile
    sentences: tuple[CoveredSentence, ...]

    def count(self, mark: Mark) -> int:
        """Return how many sentences have a mark."""
        return sum(each.mark == mark for each in self.sentences)

    @property
    def summary(self) -> str:
        """Return how many sentences have each mark."""
        counts = [f"{mark.label.lower()}: {self.count(mark)}" for mark in Mark]
        return f"Sentences: {len(self.sentences)} ({', '.join(counts)})"


def coverage_of(version: RuleVersion) -> list[CoveredDocument] | None:
    """Return what is covered of each binding document that the reader may see.

    None if the version has no definition, or its checks were not proven yet.
    """
    definition = definition_of(version)
    proofs = _proofs(definition) if definition is not None else None
    if definition is None or proofs is None:
        return None
    binding = version.documents.filter(binding=True).values("document_version")
    files = DocumentFile.objects.filter(version__in=binding, text__isnull=False)
    listed = files.select_related("text", "version__document").order_by("version", "place")
    return [cover_document(file, definition, proofs) for file in listed]


def is_unproven(version: RuleVersion) -> bool:
    """Return whether it is not known yet which sentences the checks of a definition cover."""
    definition = definition_of(version)
    return definition is not None and _proofs(definition) is None


def is_being_proven(version: RuleVersion) -> bool:
    """Return whether the checks of a version's definition are being proven now."""
    rows = DefinitionOdds.objects.filter(definition=version.definition)
    return bool(version.definition) and rows.filter(state=DefinitionOdds.State.WAITING).exists()


def open_sentences(version: RuleVersion) -> list[tuple[str, str]]:
    """Return the sentences that nothing checks: the place of each, and its words."""
    return [
        (f"{document.file.pk}.{each.id}", f"Page {each.sentence.page}: {each.sentence.text}")
        for document in coverage_of(version) or ()
        for each in document.sentences
        if each.mark == Mark.OPEN
    ]


def _proofs(definition: Definition) -> Mapping[str, Mapping[str, str]] | None:
    """Return what is proven; None if that is not known yet. A failed count proves nothing."""
    row = DefinitionOdds.objects.filter(definition=definition.digest).first()
    return row.proofs if row is not None and row.state != DefinitionOdds.State.WAITING else None


def cover_document(
    file: DocumentFile, definition: Definition, proofs: Mapping[str, Any]
) -> CoveredDocument:
    """Return the sentences of a document with their marks; `proofs` are by clause and code."""
    here = [
        clause
        for clause in definition.clauses.values()
        if definition.sources[clause.source.source].digest == f"sha256:{file.sha256}"
    ]
    sentences = (each for each in sentences_of(file.text.pages) if not each.is_heading)
    return CoveredDocument(file, tuple(_covered(each, here, proofs) for each in sentences))


def _covered(
    sentence: Sentence, clauses: list[Clause], proofs: Mapping[str, Any]
) -> CoveredSentence:
    at = [clause for clause in clauses if _overlaps(clause, sentence)]
    proven = tuple(dict.fromkeys(line for clause in at for line in _in_words(clause, proofs)))
    why = next((clause.unlogged for clause in at if clause.unlogged), "")
    mark = Mark.CHECKED if proven else Mark.UNLOGGED if why else Mark.OPEN
    return CoveredSentence(sentence, mark, tuple(each.id for each in at), proven, why)


def _overlaps(clause: Clause, sentence: Sentence) -> bool:
    span = clause.source
    if span.first is None or span.end is None or (span.page or 1) != sentence.page:
        return False
    return span.first < sentence.end and sentence.first < span.end


def _in_words(clause: Clause, proofs: Mapping[str, Any]) -> Iterator[str]:
    for code, broken in proofs.get(clause.id, {}).items():
        yield f"{describe_code(code)}, in a round in which {broken}"
