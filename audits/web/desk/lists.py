"""The work of the commission: mine, my unit's or all, what is late first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from audits.findings_in_words import code_in_words, name_in_words
from audits.selectors.desk import desks_of, on_desks, progress_of, reviewers
from audits.services.review import moved
from audits.services.saved_filters import filters_of, remove_filter, save_filter
from audits.services.work import unit_of
from audits.web.desk.forms import ALL, MINE, UNIT, RemoveFilterForm, SaveFilterForm, WorkFilters
from audits.web.exports import exported
from compliance import clock
from compliance.permissions import Action
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.keyset import cut
from compliance.web.lists import dollars

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from audits.models import Pattern

LIST = "work"
BY_DUE = ("work__due", "pk")


@login_required
@require_safe
def work(request: HttpRequest) -> HttpResponse:
    """The list, with how far one has come and the filters one keeps."""
    require_sight(request, Action.SEE_FINDINGS)
    return work_page(request)


def work_page(
    request: HttpRequest, save: SaveFilterForm | None = None, status: int = 200
) -> HttpResponse:
    """The list, with the form that was sent and refused."""
    person = person_of(request)
    unit = unit_of(person)
    form = filters(request, request.GET)
    page = cut(request, form.chosen(on_desks()), by=BY_DUE)
    whose = _whose(request, request.GET)
    reviews = allows(request, Action.REVIEW_FINDINGS)
    context = {
        "form": form,
        "cut": page,
        "rows": rows_of(page.rows),
        "whose": whose,
        "tabs": _tabs(request, whose, reviews=reviews),
        "asked": bool(form.narrowed or request.GET.get("q")),
        "progress": progress_of(person, unit, desks_of(person)),
        "saved": [(each, each.person_id == person.pk) for each in filters_of(person, unit, LIST)],
        "save": save or SaveFilterForm(initial={"query": query_of(request.GET)}),
        "reviews": reviews,
        "assigns": allows(request, Action.ASSIGN_FINDINGS),
        "query": query_of(request.GET),
        "as_round": urlencode({"id": request.GET.get("q", "")}),
    }
    answer = 422 if form.errors else status
    return render(request, "audits/desk/work.html", context, status=answer)


@login_required
@require_safe
def export(request: HttpRequest) -> HttpResponseBase:
    """All that the filters show, as a file."""
    require_sight(request, Action.SEE_FINDINGS)
    form = filters(request, request.GET)
    if not form.is_valid():  # an empty file would say that there is nothing
        return work_page(request)
    found = form.chosen(on_desks()).order_by(*BY_DUE)
    return exported(found, name="work", form=request.GET.get("as", ""), inside=True)


@login_required
@require_POST
def save(request: HttpRequest) -> HttpResponse:
    """Keep the filters of the address under a name."""
    require_sight(request, Action.SEE_FINDINGS)
    form = SaveFilterForm(request.POST)
    query = query_of(QueryDict(request.POST.get("query", "")[:2000]))
    kept = accepted(
        form,
        lambda said: save_filter(
            name=said["name"],
            of_list=LIST,
            query=query,
            shared=said["shared"],
            by=person_of(request),
        ),
    )
    if kept is None:
        request.GET = QueryDict(query)
        return work_page(request, form, status=422)
    messages.success(request, f"“{kept.name}” is kept above the list.")
    return redirect(f"{reverse('work')}?{query}")


@login_required
@require_POST
def remove(request: HttpRequest) -> HttpResponse:
    """Remove a filter of one's own."""
    require_sight(request, Action.SEE_FINDINGS)
    form = RemoveFilterForm(request.POST)
    accepted(form, lambda said: remove_filter(uuid=said["filter"], by=person_of(request)))
    if form.errors:
        messages.error(request, " ".join(str(each) for [each] in form.errors.values()))
    else:
        messages.success(request, "The filter is removed.")
    return redirect("work")


def filters(request: HttpRequest, data: QueryDict) -> WorkFilters:
    """The filters of an address; whose work it shows, where it does not say, by the role."""
    person = person_of(request)
    said = data.copy()
    said["whose"] = _whose(request, data)
    return WorkFilters(said, unit=unit_of(person), desks=desks_of(person), people=reviewers())


def query_of(data: QueryDict) -> str:
    """What an address asks for, without what asks for nothing, or for a page."""
    kept = QueryDict(mutable=True)
    for name in ("whose", *WorkFilters.base_fields):
        if value := data.get(name):
            kept[name] = value
    return kept.urlencode()


def chosen_by(request: HttpRequest, query: str) -> QuerySet[Pattern]:
    """What a list shows whose address asks for this, in its order."""
    return filters(request, QueryDict(query)).chosen(on_desks()).order_by(*BY_DUE)


def rows_of(found: Iterable[Pattern]) -> list[dict[str, Any]]:
    """Patterns as rows of the desk."""
    today = clock.today()
    return [
        {
            "pattern": each,
            "edition": each.work.edition,
            "what": code_in_words(each.code).rstrip("."),
            "where": ", ".join(filter(None, (name_in_words(each.game), each.table))) or "–",
            "line": ", ".join(map(name_in_words, filter(None, (each.wager, each.line)))),
            "moved": dollars(moved(each)),
            "late": each.open and each.work.due < today,
            "today": each.open and each.work.due == today,
        }
        for each in found
    ]


def _whose(request: HttpRequest, data: QueryDict) -> str:
    own = MINE if allows(request, Action.REVIEW_FINDINGS) else ALL
    return data.get("whose") or own


def _tabs(request: HttpRequest, whose: str, *, reviews: bool) -> list[dict[str, Any]]:
    """Mine, my unit's, all: each with the filters as they stand."""
    named = [(MINE, "Mine"), (UNIT, "My unit’s"), (ALL, "All")]
    tabs = []
    for name, label in named if reviews else named[1:]:
        query = QueryDict(query_of(request.GET), mutable=True)
        query["whose"] = name
        query.pop("desk", None)
        tabs.append({"label": label, "query": query.urlencode(), "current": name == whose})
    return tabs
