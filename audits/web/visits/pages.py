"""Visits: the list, one with its checklist, and one thing of it at a time, as on a phone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from audits.findings_in_words import name_in_words
from audits.models import Look, Visit, VisitDifference, VisitEnd, VisitItem
from audits.selectors.visits import items_with_looks
from audits.services.visits import begin_visit, end_visit, look
from audits.web.cases.pages import operators
from audits.web.from_page import from_page
from audits.web.visits.forms import BeginForm, DifferenceForm, EndForm
from compliance.models import DocumentFile, Person
from compliance.permissions import Action
from compliance.services.received import received
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.keyset import cut

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

Outcome = Look.Outcome


class Visits(tables.Table):  # type: ignore[misc]
    """Visits, the newest first."""

    day = tables.DateColumn(
        verbose_name="Gambling day", format="M j, Y", linkify=("visit", {"uuid": tables.A("uuid")})
    )
    party = tables.Column(verbose_name="Operator")
    state = tables.Column(empty_values=(), verbose_name="State")
    caption = "Visits"

    class Meta:
        orderable = False

    def render_state(self, record: Visit) -> str:
        """Under way, or what came of it."""
        end = getattr(record, "end", None)
        if end is None:
            return "Under way"
        return (
            f"Ended: {end.as_approved} as approved, {end.differs} not, "
            f"{end.not_looked_at} not looked at"
        )


@dataclass(frozen=True)
class Thing:
    """One thing of the checklist as a page shows it."""

    item: VisitItem
    look: Look | None
    pattern: Any = None

    @property
    def says(self) -> str:
        """What came of it so far."""
        return self.look.get_outcome_display() if self.look else Outcome.NOT_LOOKED_AT.label

    @property
    def kind(self) -> str:
        """The mark of its state."""
        marks = {Outcome.AS_APPROVED: "working", Outcome.DIFFERS: "failing"}
        return marks.get(Outcome(self.look.outcome), "waiting") if self.look else "waiting"

    @property
    def title(self) -> str:
        """What is looked at."""
        about = f": {name_in_words(self.item.about)}" if self.item.about else ""
        return f"{self.item.get_kind_display()}{about}"

    @property
    def where(self) -> str:
        """At which table of which game."""
        if not self.item.table:
            return "The whole floor"
        return f"Table {self.item.table}, {name_in_words(self.item.game)}"


def things_of(visit: Visit) -> list[Thing]:
    """The checklist of a visit as it stands."""
    became = {
        each.look_id: each.pattern
        for each in VisitDifference.objects.filter(end__visit=visit).select_related("pattern")
    }
    return [
        Thing(item, looked, became.get(looked.pk) if looked else None)
        for item, looked in items_with_looks(visit)
    ]


@login_required
@require_safe
def visits(request: HttpRequest) -> HttpResponse:
    """The visits of the commission, and where one begins."""
    return _list(request)


@login_required
@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Begin a visit."""
    require_sight(request, Action.VISIT)
    form = BeginForm(operators(), request.POST)
    visit = accepted(form, lambda said: begin_visit(party=said["operator"], by=person_of(request)))
    if visit is None:
        return _list(request, form, status=422)
    return redirect("visit", uuid=visit.uuid)


def _list(request: HttpRequest, form: forms.Form | None = None, status: int = 200) -> HttpResponse:
    require_sight(request, Action.SEE_FINDINGS)
    page = cut(request, _with_party(Visit.objects.all()))
    pays = allows(request, Action.VISIT)
    context = {
        "cut": page,
        "table": Visits(page.rows),
        "form": (form or BeginForm(operators())) if pays else None,
    }
    return render(request, "audits/visits/visits.html", context, status=status)


def _with_party(found: QuerySet[Visit]) -> QuerySet[Visit]:
    return found.select_related("party", "end")


@login_required
@require_safe
def one(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One visit: what there is to look at, and what was seen."""
    return _page(request, _found(request, uuid))


@from_page("visit")
def end(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """End a visit."""
    visit = _found(request, uuid, Action.VISIT)
    form = EndForm(request.POST)
    accepted(form, lambda said: end_visit(visit=visit, by=person_of(request), **said))
    if form.errors:
        return _page(request, visit, form, status=422)
    messages.success(request, "The visit is ended. Whatever differed is on file as a finding.")
    return redirect("visit", uuid=visit.uuid)


def _page(
    request: HttpRequest, visit: Visit, form: forms.Form | None = None, status: int = 200
) -> HttpResponse:
    things = things_of(visit)
    ended = VisitEnd.objects.filter(visit=visit).first()
    names = {
        each.uuid: each.name
        for each in Person.objects.filter(uuid__in={visit.by, ended.by if ended else visit.by})
    }
    writes = ended is None and allows(request, Action.VISIT, visit.party)
    left = [each for each in things if each.look is None]
    context = {
        "visit": visit,
        "ended": ended,
        "by": names.get(visit.by, ""),
        "ended_by": names.get(ended.by, "") if ended else "",
        "tables": [
            (where, list(found)) for where, found in groupby(things, key=lambda each: each.where)
        ],
        "looked_at": len(things) - len(left),
        "all": len(things),
        "next": left[0] if left and writes else None,
        "differences": [each for each in things if each.kind == "failing"],
        "form": (form or EndForm()) if writes else None,
    }
    return render(request, "audits/visits/visit.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def item(request: HttpRequest, uuid: UUID, place: int) -> HttpResponse:
    """One thing to look at; what is said of it is kept at once, and the next thing comes."""
    visit = _found(request, uuid, Action.VISIT if request.method == "POST" else Action.SEE_FINDINGS)
    things = things_of(visit)
    thing = next((each for each in things if each.item.place == place), None)
    if thing is None:
        raise Http404
    seen = {"seen": thing.look.seen if thing.look else ""}
    form, refused = DifferenceForm(initial=seen), None
    if request.method == "POST":
        differs = request.POST.get("outcome") == Outcome.DIFFERS
        # Whoever taps “As approved” says nothing more.
        sent = DifferenceForm(request.POST, request.FILES) if differs else forms.Form(request.POST)
        if accepted(sent, lambda said: _look(request, thing.item, said)) is not None:
            return _go_on(visit, things, place)
        form = sent if isinstance(sent, DifferenceForm) else form
        refused = sent
    files = DocumentFile.objects.filter(version=thing.look.paper_id if thing.look else None)
    ended = VisitEnd.objects.filter(visit=visit).exists()
    context = {
        "visit": visit,
        "thing": thing,
        "all": len(things),
        "before": place - 1,
        "after": place + 1 if place < len(things) else 0,
        "files": list(files),
        "writes": not ended and allows(request, Action.VISIT, visit.party),
        "form": form,
        "refused": refused,
    }
    status = 422 if refused else 200
    return render(request, "audits/visits/item.html", context, status=status)


def _look(request: HttpRequest, seen_item: VisitItem, said: dict[str, Any]) -> Look:
    outcome, by = request.POST.get("outcome", ""), person_of(request)
    if outcome not in Outcome.values:
        raise Http404
    if outcome != Outcome.DIFFERS:
        return look(item=seen_item, outcome=Outcome(outcome), by=by)
    with received(said["photos"]) as photos:
        return look(
            item=seen_item, outcome=Outcome.DIFFERS, seen=said["seen"], photos=photos, by=by
        )


def _go_on(visit: Visit, things: list[Thing], place: int) -> HttpResponse:
    """To the next thing that nobody looked at; back to the checklist after the last."""
    later = [each for each in things if each.look is None and each.item.place > place]
    earlier = [each for each in things if each.look is None and each.item.place < place]
    if following := (later or earlier):
        return redirect("visit_item", uuid=visit.uuid, place=following[0].item.place)
    return redirect("visit", uuid=visit.uuid)


def _found(request: HttpRequest, uuid: UUID, action: Action = Action.SEE_FINDINGS) -> Visit:
    """A visit of the commission, to those of it who may do this."""
    found = get_object_or_404(Visit.objects.select_related("party"), uuid=uuid)
    require_sight(request, action, found.party)
    return found
