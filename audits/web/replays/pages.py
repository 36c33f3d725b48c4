"""Replays: the list, a new one, and one with how far it is and all that it rests on."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from audits.models import Replay, ReplaySegment
from audits.selectors.replays import progress_of
from audits.services.replays import (
    UNDER_WAY,
    Scope,
    begin_replay,
    cancel_replay,
    move_replay,
    retry_replay,
)
from audits.web.replays.forms import BeginForm, PriorityForm
from compliance.choices import OPERATOR_KINDS
from compliance.models import Party
from compliance.permissions import Action
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.keyset import cut
from compliance.web.lists import signed

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

AMOUNT = {"td": {"class": "amount"}, "th": {"class": "amount"}}


class Counted(tables.Column):  # type: ignore[misc]
    """A number with its thousands apart."""

    def __init__(self, **more: Any) -> None:
        super().__init__(attrs=AMOUNT, **more)

    def render(self, value: int) -> str:
        """As people read it."""
        return f"{value:,}"


class Replays(tables.Table):  # type: ignore[misc]
    """Replays, the newest first."""

    at = tables.DateTimeColumn(
        verbose_name="Asked for",
        format="M j, Y, g:i A T",
        linkify=("replay", {"uuid": tables.A("uuid")}),
    )
    state = tables.Column(accessor="get_state_display")
    party = tables.Column(verbose_name="Operator")
    days = tables.Column(empty_values=(), verbose_name="Gambling days")
    rounds = Counted()
    findings = Counted()
    digest = tables.TemplateColumn("<code>{{ value|slice:':12' }}</code>", verbose_name="Digest")
    caption = "Replays"

    class Meta:
        orderable = False
        empty_text = "Nothing has been judged yet. Begin a replay of what was handed in."

    def render_days(self, record: Replay) -> str:
        """What was asked for, or what it came to."""
        return days_of(record)


class Shares(tables.Table):  # type: ignore[misc]
    """The segments of a replay, in order."""

    segment = tables.Column()
    state = tables.Column(accessor="get_state_display")
    judged = Counted(accessor="segment__rounds", verbose_name="Rounds")
    findings = Counted()
    identity = tables.TemplateColumn(
        "<code>{{ record.segment.identity|slice:':12' }}</code>", accessor="segment__identity"
    )
    terms = tables.TemplateColumn("<code>{{ value|slice:':12' }}</code>")
    findings_digest = tables.TemplateColumn(
        "<code>{{ value|slice:':12' }}</code>", verbose_name="Findings (digest)"
    )
    caption = "Segments"

    class Meta:
        orderable = False
        empty_text = "None: a correction left no rounds of it."


def days_of(replay: Replay) -> str:
    """The gambling days of a replay in words."""
    scope = replay.scope
    named = [scope["day"], scope.get("last", scope["day"])] if "day" in scope else replay.days
    if not named:
        return "Every day on file"
    first, last = (date.fromisoformat(each) for each in (named[0], named[-1]))
    return f"{first:%b %-d, %Y}" if first == last else f"{first:%b %-d, %Y} to {last:%b %-d, %Y}"


@login_required
@require_safe
def replays(request: HttpRequest) -> HttpResponse:
    """Every replay, whoever asked for it."""
    require_sight(request, Action.SEE_FINDINGS)
    page = cut(request, Replay.objects.select_related("party"))
    context = {
        "cut": page,
        "table": Replays(page.rows),
        "begins": allows(request, Action.REPLAY),
    }
    return render(request, "audits/replays/replays.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Have rounds judged again, or for the first time."""
    require_sight(request, Action.REPLAY)
    operators = {
        each.code: each
        for each in Party.objects.filter(kind__in=OPERATOR_KINDS).order_by("name")
        if allows(request, Action.REPLAY, each)
    }
    if request.method != "POST":
        wanted = {name: request.GET.get(name, "") for name in ("operator", "day", "log")}
        form = BeginForm(operators, initial=wanted)
        return render(request, "audits/replays/new.html", {"form": form})
    form = BeginForm(operators, request.POST)

    def act(said: dict[str, Any]) -> Replay:
        return begin_replay(
            operator=said["party"],
            scope=Scope(
                day=said["day"],
                last=said["last"],
                game=said["game"] or None,
                table=said["table"] or None,
                log=said["sha256"],
            ),
            by=person_of(request),
        )

    begun = accepted(form, act)
    if begun is None:
        return render(request, "audits/replays/new.html", {"form": form}, status=422)
    return redirect("replay", uuid=begun.uuid)


@login_required
@require_safe
def one(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One replay: how far it is, what it came to, and what it was judged by."""
    found = found_replay(request, uuid)
    if request.headers.get("HX-Request") == "true" and found.state not in UNDER_WAY:
        return HttpResponseClientRefresh()
    return _page(request, found)


@login_required
@require_POST
def cancel(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """End a replay that is under way."""
    found = found_replay(request, uuid, Action.REPLAY)
    form = forms.Form(request.POST)
    accepted(form, lambda _: cancel_replay(replay=found, by=person_of(request)))
    return _answer(request, found, {"cancel": form}, "The replay is cancelled.")


@login_required
@require_POST
def move(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Let a replay go before or after others."""
    found = found_replay(request, uuid, Action.REPLAY)
    form = PriorityForm(request.POST)
    accepted(form, lambda said: move_replay(replay=found, by=person_of(request), **said))
    return _answer(request, found, {"priority": form}, "The priority is set.")


@login_required
@require_POST
def retry(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Try a replay that failed again."""
    found = found_replay(request, uuid, Action.REPLAY)
    form = forms.Form(request.POST)
    accepted(form, lambda _: retry_replay(replay=found, by=person_of(request)))
    return _answer(request, found, {"retry": form}, "It is tried again.")


def found_replay(request: HttpRequest, uuid: UUID, action: Action = Action.SEE_FINDINGS) -> Replay:
    """A replay, for whom an action on it is open."""
    found = get_object_or_404(Replay.objects.select_related("party", "by"), uuid=uuid)
    require_sight(request, action, found.party)
    return found


def _answer(
    request: HttpRequest, found: Replay, sent: dict[str, forms.Form], done: str
) -> HttpResponse:
    if any(form.errors for form in sent.values()):
        found.refresh_from_db()
        return _page(request, found, sent, status=422)
    messages.success(request, done)
    return redirect("replay", uuid=found.uuid)


def _page(
    request: HttpRequest,
    found: Replay,
    sent: dict[str, forms.Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    shares = ReplaySegment.objects.filter(replay=found).select_related("segment")
    page = cut(request, shares, by="position")
    moving = found.state in UNDER_WAY
    context = {
        "replay": found,
        "days": days_of(found),
        "progress": progress_of(found),
        "moving": moving,
        "still": "still" in request.GET,
        "over": signed(abs(found.over)),
        "under": signed(-abs(found.under)),
        "standings": [
            {"day": date.fromisoformat(day), **said}
            for day, said in found.standings.items()
            if said
        ],
        "cut": page,
        "table": Shares(page.rows),
        "may": allows(request, Action.REPLAY, found.party),
        "priority": PriorityForm(initial={"priority": found.priority}),
        **(sent or {}),
    }
    return render(request, "audits/replays/replay.html", context, status=status)
