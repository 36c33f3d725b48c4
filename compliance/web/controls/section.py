"""One section of a draft: saved while it is typed, or by its button where there are no scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from compliance import clock
from compliance.controls.parts import (
    GAME,
    digest_of_part,
    is_part,
    part_in,
    problems_of_part,
    section_of,
    with_part,
)
from compliance.permissions import Action
from compliance.selectors.controls import draft_of, newest_version
from compliance.selectors.in_force import controls_version_at
from compliance.selectors.remarks import remarks_on_controls
from compliance.services.controls import problems_with
from compliance.services.controls_draft import OvertakenError, save_part
from compliance.web.acting import accepted, person_of
from compliance.web.controls.draft import operator_of, parts_of
from compliance.web.controls.game_form import GameForm
from compliance.web.controls.part_forms import FORMS, HoursForm
from compliance.web.controls.told import heading_of, lacks, part_beside

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from compliance.models import Party
    from compliance.selectors.controls import Draft
    from compliance.web.controls.part_forms import PartForm

SAVED = "Saved at %-I:%M %p"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, code: str, part: str) -> HttpResponse:
    """Write one section; what was typed is checked and saved as it comes."""
    operator = operator_of(request, code, Action.WRITE_CONTROLS)
    if not is_part(part):
        raise Http404
    draft = draft_of(operator)
    if request.method != "POST":
        form = _form(part, value=part_in(draft.content, part), seen=_seen(draft, part))
        return _page(request, operator, part, draft, form)
    if "take_out" in request.POST and part.startswith(GAME):
        return _taken_out(request, operator, part)
    form = _form(part, request.POST)
    if "add" in request.POST and isinstance(form, GameForm):
        form.one_more_line()
        return _page(request, operator, part, draft, form)
    if "alike" in request.POST and isinstance(form, HoursForm):
        form.as_on_the_first_day()
    return _sent(request, operator, part, form)


def _sent(request: HttpRequest, operator: Party, part: str, form: PartForm) -> HttpResponse:
    """Save what was typed, and go on; say what keeps it from being saved."""
    typing = request.headers.get("HX-Request") == "true"
    overtaken = _save(request, operator, part, form)
    if typing:
        return _said_while_typing(request, operator, part, form, overtaken=overtaken)
    if form.errors:
        draft = draft_of(operator)
        if overtaken:
            form.data = _seeing(form, _seen(draft, part))
        return _page(request, operator, part, draft, form, overtaken=overtaken, status=422)
    messages.success(request, f"{heading_of(part)}: saved.", extra_tags=part)
    if "next" in request.POST:
        parts = parts_of(draft_of(operator).content)
        at = parts.index(part) + 1
        if at < len(parts):
            return redirect("controls_section", code=operator.code, part=parts[at])
        return redirect("controls_draft", code=operator.code)
    return redirect("controls_section", code=operator.code, part=part)


def _form(part: str, data: Any = None, **more: Any) -> PartForm:
    return (GameForm if part.startswith(GAME) else FORMS[part])(part, data, **more)


def _seen(draft: Draft, part: str) -> str:
    return digest_of_part(draft.content, part)


def _seeing(form: PartForm, seen: str) -> Any:
    """What was sent, to be sent again by somebody who has seen what was saved meanwhile."""
    kept = form.data.copy()  # type: ignore[attr-defined]
    kept["seen"] = seen
    return kept


def _as_typed(draft: Draft, part: str, form: PartForm) -> dict[str, Any]:
    """The draft with what was typed in it, where all of that can be read."""
    if not form.is_bound or form.errors.keys() - {"__all__"}:
        return draft.content
    return with_part(draft.content, part, form.value)


def _save(request: HttpRequest, operator: Party, part: str, form: PartForm) -> bool:
    """Save what was typed, where it can be read; whether somebody else was quicker."""
    overtaken = False

    def act(said: dict[str, Any]) -> object:
        nonlocal overtaken
        try:
            return save_part(
                operator=operator,
                part=part,
                value=form.value,
                seen=said["seen"],
                by=person_of(request),
            )
        except OvertakenError:
            overtaken = True
            raise

    accepted(form, act)
    return overtaken


def _taken_out(request: HttpRequest, operator: Party, part: str) -> HttpResponse:
    form = _form(part, request.POST)
    seen = request.POST.get("seen", "")[:64]
    try:
        save_part(operator=operator, part=part, value=None, seen=seen, by=person_of(request))
    except OvertakenError as overtaken:
        form.full_clean()
        form.add_error(None, str(overtaken))
        draft = draft_of(operator)
        form.data = _seeing(form, _seen(draft, part))
        return _page(request, operator, part, draft, form, overtaken=True, status=422)
    messages.success(request, f"{heading_of(part)} is taken out of the draft.", extra_tags=part)
    return redirect("controls_draft", code=operator.code)


def _beside(operator: Party, part: str, content: Any) -> dict[str, Any]:
    """What a section lacks, and how it differs from the version in force."""
    before = controls_version_at(operator=operator, at=clock.now())
    rows = part_beside(before.content, content, part) if before is not None else []
    return {
        "part": part,
        "operator": operator,
        "problems": lacks(problems_of_part(part, problems_with(operator, content, clock.today()))),
        "before": before,
        "rows": rows,
        "changed": any(row.changed for row in rows),
    }


def _said_while_typing(
    request: HttpRequest, operator: Party, part: str, form: PartForm, *, overtaken: bool
) -> HttpResponse:
    """The answer to a script: what became of it, what is lacking, the section's new state."""
    draft = draft_of(operator)
    typed = _as_typed(draft, part, form)
    wrong = [
        (form[name].label if name != "__all__" else "", error)
        for name, errors in form.errors.items()
        for error in errors
    ]
    context = {
        **_beside(operator, part, typed),
        "wrong": [] if overtaken else wrong,
        "overtaken": draft if overtaken else None,
        "seen": "" if form.errors else _seen(draft, part),
        "saved": f"{timezone.localtime(draft.saved):{SAVED}}" if draft.saved else "",
    }
    return render(request, "controls/section_typed.html", context)


def _page(
    request: HttpRequest,
    operator: Party,
    part: str,
    draft: Draft,
    form: PartForm,
    *,
    overtaken: bool = False,
    status: int = 200,
) -> HttpResponse:
    newest = newest_version(operator)
    typed = _as_typed(draft, part, form)
    parts = parts_of(draft.content)
    context = {
        **_beside(operator, part, typed),
        "heading": heading_of(part),
        "form": form,
        "draft": draft,
        "in_draft": part in parts,
        "overtaken": part_beside(draft.content, typed, part) if overtaken else None,
        "newest": newest,
        "remarks": remarks_on_controls(newest).get(section_of(part), []) if newest else [],
        "game": part.startswith(GAME),
        "place": parts.index(part) + 1 if part in parts else 0,
        "places": len(parts),
    }
    return render(request, "controls/section.html", context, status=status)
