"""Queues of the commission's units, and the desk of one filing: whose, since when, what changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from compliance import clock
from compliance.models import Approval, FilingNote, Person, Queue
from compliance.permissions import Action
from compliance.selectors.conditions import requests_of
from compliance.selectors.filing_queues import (
    WaitingFiling,
    queues_of,
    waiting_filing,
    waiting_filings,
    who_may_take,
)
from compliance.services.filing_desk import note_on_filing, put_filing_back, take_filing
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.fields import DayField, LongField
from compliance.web.filings.beside import beside_earlier
from compliance.web.lists import paged
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

ALL, MINE, FREE = "", "mine", "free"
WHOSE = {ALL: "Everybody’s", MINE: "In my hands", FREE: "In nobody’s hands"}


class Filings(tables.Table):  # type: ignore[misc]
    """Filings that wait, what has waited longest first."""

    what = tables.Column(linkify=("filing", {"uuid": tables.A("subject")}))
    party = tables.Column(verbose_name="Filed by")
    waits_for = tables.Column(verbose_name="Waits for")
    since = tables.DateColumn(format="N j, Y", default="Not known")
    due = tables.DateColumn(format="N j, Y", default="No day is set")
    person = tables.Column(verbose_name="In hand", default="Nobody")
    caption = "Filings, what has waited longest first"

    class Meta:
        orderable = False
        empty_text = "Nothing waits here."


class GiveForm(forms.Form):
    """Who takes it on, and by when."""

    person = forms.ChoiceField(label="Give it to")
    due = DayField(
        label="To be done by",
        required=False,
        help_text="A day of your own: the rules set the commission none.",
    )

    def __init__(self, people: list[Person], data: object = None, **more: Any) -> None:
        super().__init__(data, **more)  # type: ignore[arg-type]
        self.people = {str(each.uuid): each for each in people}
        field = self.fields["person"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(uuid, person.name) for uuid, person in self.people.items()]


class NoteForm(forms.Form):
    """Something for the commission alone."""

    text = LongField(
        label="Note", rows=3, help_text="Read within the commission; whoever filed never sees it."
    )


@login_required
@require_safe
def queues(request: HttpRequest) -> HttpResponse:
    """What waits: one's own queues first, by unit and by whose hands it is in."""
    require_sight(request, Action.SEE_QUEUES)
    waiting = waiting_filings(clock.today())
    own = queues_of(asked(request).memberships)
    queue = request.GET.get("queue", "")
    if queue not in Queue.values:
        queue = own[0] if own else Queue.LICENSING
    whose = request.GET.get("whose", ALL)
    whose = whose if whose in WHOSE else ALL
    me = person_of(request)
    of_queue = [each for each in waiting if each.queue == queue]
    kept: dict[str, Callable[[WaitingFiling], bool]] = {
        ALL: lambda _: True,
        MINE: lambda each: each.person == me,
        FREE: lambda each: each.person is None,
    }
    context = {
        "queue": Queue(queue),
        "queues": [
            {
                "queue": each,
                "count": sum(row.queue == each for row in waiting),
                "current": each == queue,
            }
            for each in Queue
        ],
        "whose": [
            {
                "name": name,
                "label": label,
                "count": sum(map(kept[name], of_queue)),
                "current": name == whose,
            }
            for name, label in WHOSE.items()
        ],
        "table": paged(request, Filings([each for each in of_queue if kept[whose](each)])),
    }
    return render(request, "filings/filings.html", context)


@login_required
@require_safe
def one(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The desk of a filing."""
    return _page(request, _waiting(request, uuid))


@login_required
@require_POST
def take(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Take it in hand oneself."""
    waiting, me = _waiting(request, uuid), person_of(request)
    form = forms.Form(request.POST, prefix="take")
    accepted(form, lambda _: take_filing(waiting=waiting, to=me, by=me))
    return _answer(request, waiting, form, "It is in your hands.")


@login_required
@require_POST
def give(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Give it to somebody, by a day."""
    require_sight(request, Action.ASSIGN_FILINGS)
    waiting, me = _waiting(request, uuid), person_of(request)
    form = GiveForm(who_may_take(waiting), request.POST, prefix="give")
    accepted(
        form,
        lambda said: take_filing(
            waiting=waiting, to=form.people[said["person"]], by=me, due=said["due"]
        ),
    )
    return _answer(request, waiting, form, "It is given.")


@login_required
@require_POST
def put_back(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Put it back before its unit."""
    waiting, me = _waiting(request, uuid), person_of(request)
    form = forms.Form(request.POST, prefix="back")
    accepted(form, lambda _: put_filing_back(waiting=waiting, by=me))
    return _answer(request, waiting, form, "It is before the unit again.")


@login_required
@require_POST
def note(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Note something for the commission alone."""
    waiting, me = _waiting(request, uuid), person_of(request)
    form = NoteForm(request.POST, prefix="note")
    accepted(form, lambda said: note_on_filing(waiting=waiting, by=me, **said))
    return _answer(request, waiting, form, "The note is kept for the commission.")


def _waiting(request: HttpRequest, uuid: UUID) -> WaitingFiling:
    require_sight(request, Action.SEE_QUEUES)
    found = waiting_filing(uuid, clock.today())
    if found is None:
        raise Http404
    return found


def _answer(
    request: HttpRequest, waiting: WaitingFiling, form: forms.Form, done: str
) -> HttpResponse:
    if form.errors:
        return _page(request, waiting, {str(form.prefix): form}, status=422)
    messages.success(request, done)
    return redirect("filing", uuid=waiting.subject)


def _page(
    request: HttpRequest,
    waiting: WaitingFiling,
    sent: dict[str, forms.Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    sent, me = sent or {}, person_of(request)
    people = who_may_take(waiting)
    assigns = allows(request, Action.ASSIGN_FILINGS)
    notes = list(FilingNote.objects.filter(subject=waiting.subject))
    names = dict(
        Person.objects.filter(uuid__in=[each.by for each in notes]).values_list("uuid", "name")
    )
    context = {
        "waiting": waiting,
        "leads_to": _leads_to(waiting),
        "beside": beside_earlier(waiting.subject),
        "takes": waiting.person is None and me in people,
        "puts_back": waiting.person is not None and (waiting.person == me or assigns),
        "refused": [sent[name] for name in ("take", "back") if name in sent],
        "give": sent.get("give") or (GiveForm(people, prefix="give") if assigns else None),
        "note": sent.get("note") or NoteForm(prefix="note"),
        "notes": [(each, names.get(each.by, "")) for each in notes],
    }
    return render(request, "filings/filing.html", context, status=status)


def _leads_to(waiting: WaitingFiling) -> str:
    """Where it is reviewed, commented on and decided."""
    if waiting.kind == "Controls":
        return reverse("controls_version", args=[waiting.subject])
    if waiting.kind == "Request":
        return reverse("request", args=[waiting.subject])
    approval = Approval.objects.get(uuid=waiting.subject)
    request = requests_of([approval])[approval.uuid]
    return f"{reverse('request', args=[request.uuid])}#conditions"
