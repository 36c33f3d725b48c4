"""Games, and the versions of their rules with their papers and what differs among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import django_tables2 as tables
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from compliance.choices import PartyKind
from compliance.models import Game, GameRequest, Party, RuleVersion
from compliance.permissions import COMMISSION_ROLES, Action, may
from compliance.request_sections import pay_table_section
from compliance.selectors.games import papers_of
from compliance.selectors.remarks import remarks_on_request, request_to_mend
from compliance.services.games import (
    Papers,
    differences_of,
    file_game,
    file_rule_version,
    pay_tables_as_filed,
)
from compliance.services.refused import RefusedError
from compliance.state import state_digest
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.filings.beside import rules_beside_earlier
from compliance.web.games.forms import COMMISSIONS_OWN, GameForm, RuleVersionForm
from compliance.web.games.pay_tables import SPARE, PayLines, in_words
from compliance.web.lists import dollars, paged
from compliance.web.requests.told import told
from compliance.web.who_asks import asked
from games.rule_set import rule_set

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from compliance.paper_checks.found import Found


class Games(tables.Table):  # type: ignore[misc]
    """Games on file, by name."""

    name = tables.Column(linkify=("game", {"slug": tables.A("slug")}))
    banked_by = tables.Column(accessor="get_banked_by_display", order_by="banked_by")
    supplier = tables.Column(default="The commission", order_by="supplier__name")
    filed = tables.Column(accessor="number_of_versions", verbose_name="Versions of its rules")
    caption = "Games"

    class Meta:
        empty_text = "No game is on file here."


@login_required
@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """The games one may see."""
    require_sight(request, Action.SEE_FILINGS)
    found = Game.objects.select_related("supplier").annotate(
        number_of_versions=Count("rule_versions")
    )
    context = {
        "table": paged(request, Games(found)),
        "files": allows(request, Action.FILE_GAMES),
    }
    return render(request, "games/games.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """File a game."""
    require_sight(request, Action.FILE_GAMES)
    owners: dict[str, Party | None] = {
        each.code: each
        for each in Party.objects.filter(kind=PartyKind.SUPPLIER)
        if allows(request, Action.FILE_GAMES, each)
    }
    if _files(request, None):
        owners = {COMMISSIONS_OWN: None, **owners}
    form = GameForm(owners, request.POST if request.method == "POST" else None)
    made = None
    if form.is_bound:
        made = accepted(
            form,
            lambda said: file_game(
                slug=said["slug"],
                name=said["name"],
                banked_by=Game.Banking(said["banked_by"]),
                supplier=owners[said["supplier"]],
                by=person_of(request),
            ),
        )
    if made is None:
        status = 422 if form.is_bound else 200
        return render(request, "games/new.html", {"form": form}, status=status)
    messages.success(request, f"{made} is on file.")
    return redirect("game", slug=made.slug)


@login_required
@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """One game with the versions of its rules, and the clauses of its rule set."""
    found = _game(request, slug)
    versions = RuleVersion.objects.filter(game=found).annotate(
        number_of_findings=Count("findings", distinct=True)
    )
    context = {
        "game": found,
        "versions": versions,
        "files": _files(request, found.supplier),
        "rules": rule_set(found.engine) if found.engine else None,
    }
    return render(request, "games/game.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_version(request: HttpRequest, slug: str) -> HttpResponse:
    """File a version of a game's rules with its papers."""
    found = _game(request, slug)
    if not _files(request, found.supplier):
        raise Http404
    if request.method != "POST":
        before = _newest(found)
        lines = PayLines(found, tables=pay_tables_as_filed(before) if before else None)
        return _filing(request, found, RuleVersionForm(found, before=before), lines)
    form = RuleVersionForm(found, request.POST, request.FILES)
    lines = PayLines(found, request.POST)
    papers = _papers(form, lines) if form.is_valid() & lines.is_valid() else None
    if papers is None:
        return _filing(request, found, form, lines, status=422)
    if {"compare", "more"} & request.POST.keys():
        return _compared(request, found, papers, form)
    version = accepted(
        form,
        lambda said: file_rule_version(
            game=found,
            papers=papers,
            as_of=said["as_of"],
            interpretations=form.readings(),
            note=said["note"],
            by=person_of(request),
        ),
    )
    if version is None:
        return _filing(request, found, form, lines, status=422)
    messages.success(request, f"{version} is on file. You can ask for its approval now.")
    return redirect("rule_version", uuid=version.uuid)


def _newest(found: Game) -> RuleVersion | None:
    return RuleVersion.objects.filter(game=found).order_by("number").last()


def _papers(form: RuleVersionForm, lines: PayLines) -> Papers | None:
    """What the page says of the papers; None where page and spreadsheet contradict each other."""
    said = form.cleaned_data
    maximum = said["printed_maximum"]
    citations = (line.strip() for line in said["citations"].splitlines())
    try:
        tables = form.pay_tables(lines.pay_tables())
    except RefusedError as refused:
        form.add_error("printed", str(refused))
        return None
    return Papers(
        rules=list(said["rules"]),
        layouts=list(said["layouts"]),
        pay_tables=tables,
        citations=[line for line in citations if line],
        printed_maximum=None if maximum is None else int(maximum * 100),
    )


def _compared(
    request: HttpRequest, found: Game, papers: Papers, form: RuleVersionForm
) -> HttpResponse:
    """The page again, with all lines filled in and what differs; nothing is filed yet."""
    again = request.POST.copy()
    again.pop("take_over", None)
    more = SPARE if "more" in request.POST else 0
    return _filing(
        request,
        found,
        RuleVersionForm(found, again, {"printed": None}),
        PayLines(found, tables=papers.pay_tables, more=more),
        differences=differences_of(found, papers, form.cleaned_data["as_of"]),
    )


def _filing(
    request: HttpRequest,
    found: Game,
    form: RuleVersionForm,
    lines: PayLines,
    *,
    differences: list[Found] | None = None,
    status: int = 200,
) -> HttpResponse:
    asked_for = request_to_mend(found)
    remarks = remarks_on_request(asked_for) if asked_for else {}
    tables = [
        (name, rows, remarks.pop(pay_table_section(table), ()))
        for table, name, rows in lines.tables()
    ]
    context = {
        "game": found,
        "before": _newest(found),
        "form": form,
        "lines": lines,
        "tables": tables,
        "differences": differences,
        "asked_for": asked_for,
        "said_of_tables": any(said for _, _, said in tables),
        "remarks": [
            (section.heading, remarks[section.key])
            for section in (told(asked_for, ()) if asked_for else ())
            if section.key in remarks
        ],
    }
    return render(request, "games/new_version.html", context, status=status)


@login_required
@require_safe
def version(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One version of a game's rules: papers, pay tables, readings, and what differs."""
    require_sight(request, Action.SEE_FILINGS)
    found = get_object_or_404(RuleVersion.objects.select_related("game__supplier"), uuid=uuid)
    rules = rule_set(found.game.engine) if found.game.engine else None
    maximum = found.printed_maximum
    asks = allows(request, Action.REQUEST_APPROVAL, found.game.supplier)
    context = {
        "version": found,
        "beside": rules_beside_earlier(found),
        "asks": asks and not found.requests.exclude(state__in=GameRequest.OVER).exists(),
        "digest": state_digest(found),
        "papers": papers_of(found),
        "findings": list(found.findings.all()),
        "lines": [
            (each, in_words(each.line), in_words(each.table)) for each in found.pay_lines.all()
        ],
        "printed_maximum": None if maximum is None else dollars(maximum),
        "readings": [
            {
                "id": each.id,
                "asks": each.asks,
                "reading": found.interpretations.get(each.id, each.default).replace("_", " "),
                "chosen": each.id in found.interpretations,
            }
            for each in (rules.interpretations.values() if rules else ())
        ],
    }
    return render(request, "games/version.html", context)


def _game(request: HttpRequest, slug: str) -> Game:
    require_sight(request, Action.SEE_FILINGS)
    return get_object_or_404(Game.objects.select_related("supplier"), slug=slug)


def _files(request: HttpRequest, supplier: Party | None) -> bool:
    """Whether somebody files games of a supplier; the commission's own it files itself."""
    if supplier is None:
        held = [each for each in asked(request).memberships if each.role in COMMISSION_ROLES]
        return may(held, Action.FILE_GAMES)
    return allows(request, Action.FILE_GAMES, supplier)
