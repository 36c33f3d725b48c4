"""Cases: the list, opening one, and one with its facts, its evidence and the history before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import django_tables2 as tables
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from audits.event_types.review import CASE_CLOSED
from audits.findings_in_words import code_in_words, name_in_words
from audits.models import Case, CaseItem, CaseNote, Pattern
from audits.selectors.prior_history import prior_history
from audits.services.cases import Gathered, open_case
from audits.web.cases.forms import (
    CaseFilters,
    CaseNoteForm,
    FactsForm,
    GatherForm,
    LevelForm,
    OpenForm,
    PatternCaseForm,
    TakeOutForm,
)
from compliance.choices import OPERATOR_KINDS
from compliance.models import DocumentFile, Event, Party, Person
from compliance.permissions import Action
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.fields import ReasonForm
from compliance.web.keyset import cut
from compliance.web.lists import signed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django import forms
    from django.http import HttpRequest, HttpResponse


class Cases(tables.Table):  # type: ignore[misc]
    """Cases, the newest first."""

    number = tables.Column(linkify=("case", {"uuid": tables.A("uuid")}))
    title = tables.Column()
    party = tables.Column(verbose_name="Operator")
    opened = tables.DateTimeColumn(format="M j, Y")
    state = tables.Column(accessor="get_state_display")
    recommended = tables.Column(accessor="recommended")
    caption = "Cases"

    class Meta:
        orderable = False


@login_required
@require_safe
def cases(request: HttpRequest) -> HttpResponse:
    """The cases of the commission."""
    require_sight(request, Action.SEE_FINDINGS)
    form = CaseFilters(operators(), request.GET)
    page = cut(request, form.chosen(Case.objects.all()).select_related("party"))
    context = {
        "form": form,
        "cut": page,
        "table": Cases(page.rows),
        "asked": any(request.GET.get(name) for name in form.fields),
        "keeps": allows(request, Action.KEEP_CASES),
    }
    status = 422 if form.errors else 200
    return render(request, "audits/cases/cases.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Open a case: from a pattern or a round that the address names, or from what was said."""
    require_sight(request, Action.KEEP_CASES)
    pattern = _named_pattern(request)
    known = operators()
    form: forms.Form
    if pattern is not None:
        title = f"{code_in_words(pattern.code).rstrip('.')} at {pattern.table or pattern.party}"
        form = PatternCaseForm(request.POST or None, initial={"title": title[:120]})
    else:
        asked = {name: request.GET.get(name, "") for name in ("operator", "round")}
        form = OpenForm(known, request.POST or None, initial=asked)
    if request.method == "POST":

        def act(said: dict[str, Any]) -> Case:
            begins = said.get("begins_with")
            if pattern is not None:
                begins = Gathered(kind=CaseItem.Kind.PATTERN, pattern=pattern)
            return open_case(
                party=pattern.party if pattern else said["party"],
                title=said["title"],
                reason=said["reason"],
                begins_with=begins,
                by=person_of(request),
                uuid=said["uuid"],
            )

        case = accepted(form, act)
        if case is not None:
            messages.success(request, f"{case} is open.", extra_tags="opened")
            return redirect("case", uuid=case.uuid)
    party = pattern.party if pattern else known.get(request.GET.get("operator", ""))
    around = (
        Case.objects.filter(party=party, state=Case.State.OPEN) if party else Case.objects.none()
    )
    context = {
        "form": form,
        "pattern": pattern,
        "what": what_of(pattern) if pattern else "",
        "round": "" if pattern else request.GET.get("round", "")[:64],
        "party": party,
        "around": list(around[:20]),
    }
    return render(request, "audits/cases/new.html", context, status=422 if form.errors else 200)


def operators() -> dict[str, Party]:
    """The operators that one may see, by code, in the order of their names."""
    return {each.code: each for each in Party.objects.filter(kind__in=OPERATOR_KINDS)}


def what_of(pattern: Pattern) -> str:
    """A pattern in one line."""
    what = ", ".join(map(name_in_words, filter(None, (pattern.wager, pattern.line))))
    where = ", ".join(filter(None, (name_in_words(pattern.game), pattern.table)))
    return ": ".join(filter(None, (code_in_words(pattern.code).rstrip("."), what))) + (
        f" ({where})" if where else ""
    )


@login_required
@require_safe
def one(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One case: its facts, its evidence, the history before it, what is recommended."""
    return page_of(request, found_case(request, uuid))


def found_case(request: HttpRequest, uuid: UUID, action: Action = Action.SEE_FINDINGS) -> Case:
    """A case of the commission, to those of it who may do this."""
    found = get_object_or_404(Case.objects.select_related("party"), uuid=uuid)
    require_sight(request, action, found.party)
    return found


def page_of(
    request: HttpRequest,
    case: Case,
    sent: dict[str, forms.Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of a case, with the forms that were sent and refused."""
    items = list(
        CaseItem.objects.filter(case=case).select_related("pattern", "paper__document", "removal")
    )
    notes = list(CaseNote.objects.filter(case=case))
    removals = [each.removal for each in items if hasattr(each, "removal")]
    people = {each.by for each in items} | {each.by for each in notes}
    people |= {each.by for each in removals}
    closing = _closing(case) if case.closed else None
    people |= {closing.actor} if closing and closing.actor else set()
    names = _names(people | ({case.level_by} if case.level_by else set()))
    files: dict[int, list[DocumentFile]] = {}
    of_papers = {each.paper_id for each in items if each.paper_id}
    for file in DocumentFile.objects.filter(version__in=of_papers):
        files.setdefault(file.version_id, []).append(file)
    history = prior_history(case.party, but=case)
    keeps = allows(request, Action.KEEP_CASES, case.party)
    sent = sent or {}
    context = {
        "case": case,
        "closing": closing,
        "closed_by": names.get(closing.actor, "") if closing and closing.actor else "",
        "level_by": names.get(case.level_by, "") if case.level_by else "",
        "items": [
            _row(each, names, files)
            | {"form": sent.get(f"take out {each.uuid}") or TakeOutForm(each)}
            for each in items
            if not hasattr(each, "removal")
        ],
        "removed": [_row(each, names, files) for each in items if hasattr(each, "removal")],
        "notes": [(each, names.get(each.by, "")) for each in notes],
        "history": history,
        "decided": [_decided(each) for each in history.decided],
        "refused": sent.get("act"),
        "keeps": keeps,
        "writes": keeps and case.state == Case.State.OPEN,
        **(_forms(case, sent) if keeps else {}),
    }
    return render(request, "audits/cases/case.html", context, status=status)


def _closing(case: Case) -> Event | None:
    """Who closed it last, and why."""
    closed = Event.objects.filter(object=case.uuid, type=CASE_CLOSED.name)
    return closed.order_by("at", "id").last()


def _forms(case: Case, sent: dict[str, forms.Form]) -> dict[str, forms.Form]:
    """What can be written into a case, empty or as it was sent and refused."""
    facts = {"edition": case.edition, "title": case.title, "facts": case.facts}
    level = {"was": case.level, "level": case.level, "reason": case.level_reason}
    return {
        "gather": sent.get("gather") or GatherForm(prefix="gather"),
        "facts_form": sent.get("facts") or FactsForm(prefix="facts", initial=facts),
        "level_form": sent.get("level") or LevelForm(prefix="level", initial=level),
        "note_form": sent.get("note") or CaseNoteForm(prefix="note"),
        "close_form": sent.get("close") or ReasonForm(prefix="close"),
        "reopen_form": sent.get("reopen") or ReasonForm(prefix="reopen"),
    }


def _row(
    item: CaseItem, names: dict[UUID, str], files: dict[int, list[DocumentFile]]
) -> dict[str, Any]:
    pattern = item.pattern
    removal = getattr(item, "removal", None)
    return {
        "item": item,
        "by": names.get(item.by, ""),
        "what": what_of(pattern) if pattern else "",
        "money": [
            f"{signed(cents)} too {much}"
            for cents, much in ((abs(pattern.over), "much"), (-abs(pattern.under), "little"))
            if cents
        ]
        if pattern
        else [],
        "files": files.get(item.paper_id, []) if item.paper_id else [],
        "removal": removal,
        "removed_by": names.get(removal.by, "") if removal else "",
    }


def _decided(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "what": code_in_words(row["code"]).rstrip("."),
        "says": Pattern.State(row["state"]).label,
        "over": signed(abs(row["sum_over"] or 0)),
        "under": signed(-abs(row["sum_under"] or 0)),
    }


def _named_pattern(request: HttpRequest) -> Pattern | None:
    """The pattern that the address names; nothing is there where it names none there is."""
    named = request.GET.get("pattern", "")
    if not named:
        return None
    try:
        uuid = UUID(named)
    except ValueError as no:
        raise Http404 from no
    return get_object_or_404(Pattern.objects.select_related("party"), uuid=uuid)


def _names(people: Iterable[UUID]) -> dict[UUID, str]:
    return {each.uuid: each.name for each in Person.objects.filter(uuid__in=set(people))}
