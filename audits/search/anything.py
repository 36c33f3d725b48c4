"""One search over everything: hits by kind, an exact ID first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q
from django.urls import reverse

from audits.intake.models import Segment
from audits.intake.rounds import find_rounds
from audits.intake.segments.rejections import DamagedSegmentError
from audits.replay.findings.queries import Criteria, Sight, opened
from audits.replay.findings.reads import by_impact, standing_issues, with_part
from audits.replay.findings.wording import title_of
from audits.review.cases.models import Case
from audits.review.cases.reads import chosen_cases
from audits.review.rounds.pages import operators_seen
from audits.search.subjects import (
    DEALER,
    PLAYER,
    TABLE,
    address_of,
    address_of_rule,
    clause_ids,
    clause_in_words,
)
from compliance.access.models import Membership, Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.errors import RefusedError
from compliance.files.archive import DamagedError, MissingError
from compliance.filings.documents.models import Document
from compliance.filings.documents.reads import find_documents_with_text
from compliance.filings.games.models import Game
from compliance.law.reads import law_rules
from compliance.ui.access import allows, asked
from games.checks import CODES, describe_code
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.db.models import QuerySet
    from django.http import HttpRequest

    from audits.replay.findings.models import Issue
    from audits.replay.findings.queries import Findings


MOST: Final = 8
MOST_WORDS: Final = 8
LOGGED_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
FINDING_ID: Final = re.compile(r"[0-9a-fA-F]{32}")
SHORTEST_TEXT: Final = 3
"""Fewer letters are in almost every text."""


@dataclass(frozen=True)
class Hit:
    """Something that was found: its name, its page, and what else tells it apart."""

    name: str
    url: str
    says: str = ""
    exact: bool = False


@dataclass(frozen=True)
class Found:
    """What was found of one kind: the first hits, and how many there are in all."""

    title: str
    hits: list[Hit]
    count: int
    note: str = ""
    """What this part of the search leaves out."""

    @property
    def more(self) -> int:
        """Return how many are not shown."""
        return self.count - len(self.hits)

    @property
    def is_exact(self) -> bool:
        """Return whether anything has exactly this ID or name."""
        return any(each.exact for each in self.hits)

    @classmethod
    def of(cls, title: str, hits: Iterable[Hit], *, note: str = "") -> Found:
        """Return all hits of one kind, those with an exact ID first."""
        every = sorted(hits, key=lambda each: not each.exact)
        return cls(title, every[:MOST], len(every), note)


def search_anything(request: HttpRequest, words: str) -> list[Found]:
    """Find words in everything that the user may see; kinds with an exact ID come first."""
    found = [
        *_findings(request, words),
        _rounds(request, words),
        _issues(request, words),
        _rules(request, words),
        _cases(request, words),
        _filings(request, words),
        _documents(request, words),
        _parties(request, words),
        _people(request, words),
    ]
    shown = [each for each in found if each.hits or each.note]
    return sorted(shown, key=lambda each: (not each.is_exact, not each.hits))


def _findings(request: HttpRequest, words: str) -> Iterator[Found]:
    """Yield players, dealers, tables, and a finding by its ID."""
    if not allows(request, Action.SEE_RELEASED) or not LOGGED_ID.fullmatch(words):
        return
    sight = Sight.of(asked(request).memberships)
    try:
        with opened(sight, Criteria()) as found:
            note = ""
            if found.left_out:
                note = f"{found.left_out:,} findings are not searched yet. Search again in a while."
            parties = {each.pk: each for each in Party.objects.filter(pk__in=sight.parties)}
            for kind, title in ((PLAYER, "Players"), (DEALER, "Dealers"), (TABLE, "Tables")):
                hits = list(_named(found, kind, words, parties))
                if kind == TABLE:
                    hits += _tables(request, words, but={each.url for each in hits})
                yield Found.of(title, hits, note=note if kind == PLAYER else "")
            if FINDING_ID.fullmatch(words):
                yield Found.of("Findings", _finding(found.narrowed(Criteria(id=words.lower()))))
    except RefusedError as refused:
        yield Found("Players, dealers and tables", [], 0, str(refused))


def _named(found: Findings, kind: str, words: str, parties: dict[int, Party]) -> Iterator[Hit]:
    for party, name, count in found.names(kind, words):
        if party in parties:
            says = f"{parties[party]}, {count:,} finding{'' if count == 1 else 's'}"
            url = address_of(kind, parties[party].code, name)
            yield Hit(name, url, says, exact=name.lower() == words.lower())


def _finding(found: Findings) -> Iterator[Hit]:
    for each in found.page(1, MOST):
        url = reverse("issue", args=[each.issue.uuid]) if each.issue else ""
        if each.round:
            url = reverse("round", args=[each.party.code, each.round])
        yield Hit(describe_code(each.code), url, f"{each.party}, round {each.round}", exact=True)


def _tables(request: HttpRequest, words: str, *, but: set[str]) -> Iterator[Hit]:
    """Yield tables of each operator's newest gambling day, with or without findings."""
    for party in operators_seen(request).values():
        if not allows(request, Action.SEE_RELEASED, party):
            continue
        of_party = Segment.objects.filter(party=party).order_by("-day", "-generation")
        if (newest := of_party.first()) is None:
            continue
        names = {name for each in of_party.filter(day=newest.day) for name in each.tables}
        for name in sorted(names):
            url = address_of(TABLE, party.code, name)
            if words.lower() in name.lower() and url not in but:
                yield Hit(name, url, str(party), exact=name.lower() == words.lower())


def _rounds(request: HttpRequest, words: str) -> Found:
    if not allows(request, Action.SEE_ROUNDS) or not LOGGED_ID.fullmatch(words):
        return Found("Rounds", [], 0)
    try:
        found = find_rounds(operators_seen(request).values(), words)
    except (DamagedError, DamagedSegmentError, MissingError) as error:
        return Found("Rounds", [], 0, str(error))
    return Found.of(
        "Rounds",
        [
            Hit(
                words,
                reverse("round", args=[each.segment.party.code, words]),
                f"{each.segment.party}, {each.found.round.table}, "
                f"{describe_name(each.segment.game)}",
                exact=True,
            )
            for each in found
        ],
    )


def _issues(request: HttpRequest, words: str) -> Found:
    """Find issues by each word of their titles, or by their ID."""
    if not allows(request, Action.SEE_RELEASED):
        return Found("Issues", [], 0)
    inside = allows(request, Action.SEE_FINDINGS)
    found = by_impact(_with_words(standing_issues(inside=inside), words)).select_related("party")
    return Found(
        "Issues",
        [
            Hit(
                title_of(each),
                reverse("issue", args=[each.uuid]),
                str(each.get_state_display()) if inside else "",
                exact=str(each.uuid) == words.lower(),
            )
            for each in found[:MOST]
        ],
        found.count(),
        f"Only the first {MOST_WORDS} words were searched."
        if len(words.split()) > MOST_WORDS
        else "",
    )


def _with_words(found: QuerySet[Issue], words: str) -> QuerySet[Issue]:
    if re.fullmatch(r"[0-9a-fA-F-]{36}", words):
        return found.filter(uuid__in=[words]) if _is_uuid(words) else found.none()
    for word in words.split()[:MOST_WORDS]:
        codes = [code for code in CODES if word.lower() in describe_code(code).lower()]
        titled = Q(headline__icontains=word) | Q(party__name__icontains=word)
        found = found.filter(titled | Q(code__in=[*codes, word.lower()]) | with_part(table=word))
    return found


def _is_uuid(words: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", words.lower()) is not None


def _rules(request: HttpRequest, words: str) -> Found:
    """Find clauses and interpretations by ID or text, and sections of the law."""
    sees = allows(request, Action.SEE_RELEASED)
    hits = []
    if sees:
        for clause in clause_ids():
            game, says, _ = clause_in_words(clause)
            if words.lower() == clause.lower() or _is_in(words, says):
                url = address_of_rule(clause)
                exact = words.lower() == clause.lower()
                hits.append(Hit(clause, url, f"{game}: {says}", exact=exact))
    sections: dict[str, str] = {}
    for rule in law_rules().values():
        for value in rule.values:
            if _is_in(words, f"{value.citation} {rule.says}"):
                sections.setdefault(value.citation, rule.says)
    for section, says in sorted(sections.items()):
        url = address_of_rule(section) if sees else reverse("law")
        hits.append(Hit(section, url, says, exact=section.lower() == words.lower()))
    return Found.of("Rules and WAC sections", hits)


def _is_in(words: str, text: str) -> bool:
    return len(words) >= SHORTEST_TEXT and words.lower() in text.lower()


def _cases(request: HttpRequest, words: str) -> Found:
    if not allows(request, Action.SEE_FINDINGS):
        return Found("Cases", [], 0)
    found = chosen_cases(Case.objects.select_related("party"), {"sought": words})
    return _counted(
        "Cases",
        found,
        lambda each: Hit(
            f"{each.number}: {each.title}",
            reverse("case", args=[each.uuid]),
            str(each.party),
            exact=each.number.lower() == words.lower(),
        ),
    )


def _filings(request: HttpRequest, words: str) -> Found:
    if not allows(request, Action.SEE_FILINGS):
        return Found("Games", [], 0)
    found = Game.objects.filter(Q(name__icontains=words) | Q(slug=words.lower()))
    return _counted(
        "Games",
        found,
        lambda each: Hit(
            each.name, reverse("game", args=[each.slug]), exact=_same(each.name, words)
        ),
    )


def _documents(request: HttpRequest, words: str) -> Found:
    if not allows(request, Action.SEE_FILINGS):
        return Found("Documents", [], 0)
    named = Q(title__icontains=words)
    if len(words) >= SHORTEST_TEXT:
        named |= Q(pk__in=find_documents_with_text(words))
    sees = allows(request, Action.SEE_RELEASED)
    layout = Document.Kind.LAYOUT
    return _counted(
        "Documents",
        Document.objects.filter(named).select_related("owner"),
        lambda each: Hit(
            each.title,
            reverse(
                "subject_layout" if sees and each.kind == layout else "document", args=[each.uuid]
            ),
            f"{each.get_kind_display()}, {each.owner}",
            exact=_same(each.title, words),
        ),
    )


def _parties(request: HttpRequest, words: str) -> Found:
    hits = []
    for each in Party.objects.filter(Q(name__icontains=words) | Q(code=words.lower())):
        if each.kind in OPERATOR_KINDS and allows(request, Action.SEE_RELEASED, each):
            url = reverse("subject_operator", args=[each.code])
        elif allows(request, Action.SEE_PEOPLE, each):
            url = reverse("people", args=[each.code])
        else:
            continue
        exact = _same(each.name, words) or each.code == words.lower()
        hits.append(Hit(each.name, url, str(each.get_kind_display()), exact=exact))
    return Found.of("Operators and other parties", hits)


def _people(request: HttpRequest, words: str) -> Found:
    if not allows(request, Action.SEE_PEOPLE):
        return Found("People", [], 0)
    found = Membership.objects.filter(ended__isnull=True, person__name__icontains=words)
    return Found.of(
        "People",
        [
            Hit(
                each.person.name,
                reverse("people", args=[each.party.code]),
                f"{each.get_role_display()}, {each.party}",
                exact=_same(each.person.name, words),
            )
            for each in found.select_related("person", "party")
            if allows(request, Action.SEE_PEOPLE, each.party)
        ],
    )


def _same(name: str, words: str) -> bool:
    return name.lower() == words.lower()


def _counted(title: str, found: QuerySet[Any], hit: Callable[[Any], Hit]) -> Found:
    return Found(title, [hit(each) for each in found[:MOST]], found.count())
