"""One act on many patterns: asked for, shown with what it will do to how many, then done."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse

from audits.models import Case
from audits.review_steps import CLOSED
from audits.selectors.desk import reviewers
from audits.services import bulk
from audits.services.review import Said
from audits.web.desk.forms import NOBODY, GiveForm, StepOfManyForm
from audits.web.desk.lists import chosen_by, rows_of
from compliance.permissions import Action
from compliance.web.acting import allows, person_of, require_sight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from audits.models import Pattern
    from audits.services.bulk import Act, Outcome

TITLES = {"claim": "Claim", "give": "Give to somebody", "decide": "Decide"}


@login_required
def many(request: HttpRequest) -> HttpResponse:
    """Ask what goes with an act, say what it will do, and do it when that was seen."""
    require_sight(request, Action.REVIEW_FINDINGS)
    query = request.POST.get("query", "")[:2000]
    back = f"{reverse('work')}?{query}"
    name = request.POST.get("act", "")
    if request.method != "POST" or name not in TITLES:
        return redirect(back)
    patterns, editions = _chosen(request, query)
    if not patterns:
        messages.warning(request, "Choose at least one pattern first.")
        return redirect(back)
    stage = request.POST.get("stage", "")
    form, act = _act(request, name, patterns, bound=bool(stage))
    context: dict[str, Any] = {
        "title": TITLES[name],
        "act": name,
        "form": form,
        "patterns": patterns,
        "chosen": [f"{uuid}.{edition}" for uuid, edition in editions.items()],
        "query": query,
        "back": back,
    }
    if act is None:
        status = 422 if form.errors else 200
        return render(request, "audits/desk/ask.html", context, status=status)
    if stage == "do":
        done = bulk.carry_out(patterns=patterns, editions=editions, act=act, by=person_of(request))
        return render(request, "audits/desk/done.html", context | _told(done) | _undo(name, done))
    foreseen = bulk.foresee(patterns=patterns, act=act, by=person_of(request))
    kept = [
        (field, value) for field, value in request.POST.items() if field in form.fields and value
    ]
    return render(request, "audits/desk/preview.html", context | _told(foreseen) | {"kept": kept})


def _chosen(request: HttpRequest, query: str) -> tuple[list[Pattern], dict[UUID, int]]:
    """The patterns that were ticked, or all that the filters show, as they were shown."""
    if request.POST.get("every"):
        shown = {each.uuid: each.work.edition for each in chosen_by(request, query)[: bulk.MOST]}
    else:
        shown = dict(filter(None, map(_ticked, request.POST.getlist("pattern")[: bulk.MOST])))
    patterns = bulk.chosen(list(shown))
    return patterns, {each.uuid: shown[each.uuid] for each in patterns}


def _ticked(told: str) -> tuple[UUID, int] | None:
    number, _, edition = told.partition(".")
    try:
        return UUID(number), int(edition[:10])
    except ValueError:
        return None


def _act(
    request: HttpRequest, name: str, patterns: Sequence[Pattern], *, bound: bool
) -> tuple[forms.Form, Act | None]:
    """The form of what goes with an act, and the act where the form says all of it."""
    if name == "claim":
        return forms.Form(), bulk.Claim()
    data = request.POST if bound else None
    if name == "give":
        given = GiveForm(reviewers(), data)
        if not given.is_valid():
            return given, None
        any_desk = allows(request, Action.ASSIGN_FINDINGS)
        return given, bulk.Give(given.cleaned_data["to"], any_desk=any_desk)
    operators = {each.party_id for each in patterns}
    cases: list[Case] = []
    if len(operators) == 1:
        cases = list(Case.objects.filter(party__in=operators, state=Case.State.OPEN))
    first = {"step": request.POST.get("step", "")}
    form = StepOfManyForm(cases, data, initial=first)
    if not form.is_valid():
        return form, None
    return form, bulk.Decide(Said(**form.cleaned_data))


def _told(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """How many come to what, and each that cannot, with the reason."""
    counted = Counter(each.becomes for each in outcomes if not each.why_not)
    done = [each for each in outcomes if not each.why_not]
    left = [each for each in outcomes if each.why_not]
    return {
        "counted": counted.most_common(),
        "will": sum(counted.values()),
        "done": list(zip(rows_of(each.pattern for each in done), done, strict=True)),
        "left": list(zip(rows_of(each.pattern for each in left), left, strict=True)),
        "total": len(outcomes),
    }


def _undo(name: str, done: Sequence[Outcome]) -> dict[str, Any]:
    """What takes back what was done, where a step does: it is asked for like any other."""
    fresh = bulk.chosen([each.pattern.uuid for each in done if not each.why_not])
    if name == "decide":
        fresh = [each for each in fresh if each.state in CLOSED]
        undo = {"act": "decide", "step": "reopen", "label": "Take these decisions back"}
    elif name == "claim":
        undo = {"act": "give", "stage": "preview", "to": NOBODY, "label": "Put them back"}
    else:
        fresh = []
        undo = {}
    return {"undo": undo if fresh else None, "again": [f"{p.uuid}.{p.work.edition}" for p in fresh]}
