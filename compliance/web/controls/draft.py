"""The draft of internal controls: an overview, and the summary that one submits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from compliance import clock
from compliance.choices import OPERATOR_KINDS
from compliance.controls.parts import GAME, SECTIONS, part_in, problems_of_part, section_of
from compliance.models import ControlsVersion, Party
from compliance.permissions import Action
from compliance.proof.canonical import digest
from compliance.selectors.controls import draft_of, newest_version, why_decided
from compliance.selectors.in_force import controls_version_at
from compliance.selectors.remarks import remarks_on_controls
from compliance.services.controls import OPEN, problems_with, submit_controls
from compliance.services.refused import RefusedError
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.controls.told import Lack, compared, heading_of, lacks, sections_of, usual_of
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from compliance.controls.content import Problem

CHANGED = (
    "Somebody saved this draft after the summary was made. Look at what is to be submitted once "
    "more: it stands below as it is now."
)


class SubmitForm(forms.Form):
    """What is submitted: the draft whose digest the summary showed."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)
    games_swap_only = forms.BooleanField(
        label="Only games are swapped (may be approved verbally first)", required=False
    )


@dataclass(frozen=True)
class Row:
    """One part of the draft on its overview."""

    part: str
    heading: str
    url: str
    written: bool
    problems: list[Lack]
    remarks: int
    usual: str
    """What applies where nothing is written, of a section that may be left so."""


def operator_of(request: HttpRequest, code: str, action: Action) -> Party:
    """The operator whose controls are written; nothing is there for anybody else."""
    operator = get_object_or_404(Party.objects.select_related("agency"), code=code)
    require_sight(request, action, operator)
    if operator.kind not in OPERATOR_KINDS:
        raise Http404
    return operator


def parts_of(content: Mapping[str, Any]) -> list[str]:
    """The parts of a draft in the order in which they are written."""
    return [*SECTIONS, *(f"{GAME}{slug}" for slug in content.get("games", {}) if slug in SLUGS)]


@login_required
@require_safe
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Every section, what it lacks and what was said of it; games that may be added."""
    operator = operator_of(request, code, Action.WRITE_CONTROLS)
    draft = draft_of(operator)
    problems = problems_with(operator, draft.content, clock.today())
    newest = newest_version(operator)
    said = remarks_on_controls(newest) if newest is not None else {}
    rows = [_row(operator, draft.content, part, problems, said) for part in parts_of(draft.content)]
    parts = {row.part for row in rows}
    context = {
        "operator": operator,
        "draft": draft,
        "newest": newest,
        "why": why_decided(newest) if newest is not None else "",
        "waits": newest is not None and _waits(newest),
        "rows": rows,
        "done": sum(not row.problems for row in rows),
        "elsewhere": [each for each in lacks(problems) if each.part not in parts],
        "games": [
            (
                reverse("controls_section", args=[operator.code, f"{GAME}{slug}"]),
                rule_set(slug).name,
            )
            for slug in SLUGS
            if slug not in draft.content.get("games", {})
        ],
        "submits": allows(request, Action.SUBMIT_CONTROLS, operator),
    }
    return render(request, "controls/draft.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest, code: str) -> HttpResponse:
    """What changes with this version, to be confirmed; then it is submitted."""
    operator = operator_of(request, code, Action.SUBMIT_CONTROLS)
    draft = draft_of(operator)
    shown = digest(draft.content)
    if request.method != "POST":
        return _summary(request, operator, draft.content, SubmitForm(initial={"seen": shown}))
    form = SubmitForm(request.POST)

    def act(said: dict[str, Any]) -> ControlsVersion:
        if said["seen"] != shown:
            raise RefusedError(CHANGED)
        return submit_controls(
            operator=operator,
            content=draft.content,
            by=person_of(request),
            games_swap_only=said.get("games_swap_only", False),
        )

    version = accepted(form, act)
    if version is not None:
        messages.success(
            request, f"Version {version.number} is submitted. The commission reviews it now."
        )
        return redirect("controls_version", uuid=version.uuid)
    newest = newest_version(operator)
    if newest is not None and _waits(newest) and newest.content == draft.content:
        return redirect("controls_version", uuid=newest.uuid)  # pressed twice
    kept = request.POST.copy()
    kept["seen"] = shown
    form.data = kept
    return _summary(request, operator, draft.content, form, status=422)


def _waits(version: ControlsVersion) -> bool:
    """Whether a version is before the commission: no other is submitted meanwhile."""
    return version.filing.state in OPEN


def _summary(
    request: HttpRequest,
    operator: Party,
    content: dict[str, Any],
    form: SubmitForm,
    status: int = 200,
) -> HttpResponse:
    newest = newest_version(operator)
    in_force = controls_version_at(operator=operator, at=clock.now())
    before = in_force or newest
    sections = compared(before.content if before else {}, content)
    if in_force is None:  # only what is in force is swapped
        del form.fields["games_swap_only"]
    context = {
        "operator": operator,
        "form": form,
        "before": before,
        "waits": newest if newest is not None and _waits(newest) else None,
        "first": [] if before else sections_of(content),
        "problems": lacks(problems_with(operator, content, clock.today())),
        "changed": [each for each in sections if each.changed],
        "same": [each for each in sections if not each.changed],
    }
    return render(request, "controls/submit.html", context, status=status)


def _row(
    operator: Party,
    content: Mapping[str, Any],
    part: str,
    problems: list[Problem],
    said: Mapping[str, list[Any]],
) -> Row:
    return Row(
        part=part,
        heading=heading_of(part),
        url=reverse("controls_section", args=[operator.code, part]),
        written=bool(part_in(content, part)),
        problems=lacks(problems_of_part(part, problems)),
        remarks=len(said.get(section_of(part), [])),
        usual="; ".join(usual_of(part)),
    )
