"""Approved games in the reading room: rules as read, who approved them, letters, comparisons."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render

from compliance.request_sections import PAPER
from compliance.selectors.reading_room import published
from compliance.walls import without_walls
from compliance.web.games.told import rules_beside
from reports.documents.kinds import About
from reports.documents.letters import compose_approval, gather_approval
from reports.documents.rules import compose_public, gather
from reports.web.reading_room.public import in_the_reading_room

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from compliance.selectors.reading_room import Published


@in_the_reading_room
def room(request: HttpRequest) -> HttpResponse:
    """Every approved game."""
    games = [
        (game, list(versions))
        for game, versions in groupby(published(), key=lambda each: each.version.game)
    ]
    return render(request, "reading_room/room.html", {"games": games})


@in_the_reading_room
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """One game: its approved versions, and two of them to be compared."""
    versions = _of_game(slug)
    context = {
        "game": versions[0].version.game,
        "versions": versions,
        "newest": versions[0],
        "before": versions[1] if len(versions) > 1 else None,
    }
    return render(request, "reading_room/game.html", context)


@in_the_reading_room
def rules(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The rules of play as read, with who approved them and how open questions are read."""
    found = published(version=uuid)
    if not found:
        raise Http404
    with without_walls():
        told = compose_public(gather(About(subject=uuid)))
    context = {"one": found[0], "told": told}
    return render(request, "reading_room/rules.html", context)


@in_the_reading_room
def letter(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The letter of the approval of a rule version.

    Without the note, which is between the commission and the supplier, and without the papers of
    the filing.
    """
    found = [each for each in published() if each.approval.uuid == uuid]
    if not found:
        raise Http404
    with without_walls():
        data = gather_approval(About(subject=uuid))
    told = compose_approval(data | {"note": "", "rules": None})
    return render(request, "reading_room/letter.html", {"one": found[0], "told": told})


@in_the_reading_room
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Two approved versions of a game's rules, part by part."""
    versions = _of_game(slug)
    before, after = (_chosen(versions, request.GET.get(name, "")) for name in ("from", "to"))
    with without_walls():
        sections = [
            each
            for each in rules_beside(before.version, after.version)
            if not each.section.key.startswith(PAPER)  # the papers of a filing are its supplier's
        ]
    context = {
        "game": after.version.game,
        "before": before,
        "after": after,
        "versions": versions,
        "changed": [each for each in sections if each.changed],
        "same": [each.section.heading for each in sections if not each.changed],
        "engine_same": before.version.rule_set == after.version.rule_set,
    }
    return render(request, "reading_room/compare.html", context)


def _of_game(slug: str) -> list[Published]:
    versions = published(slug=slug)
    if not versions:
        raise Http404
    return versions


def _chosen(versions: list[Published], number: str) -> Published:
    for each in versions:
        if str(each.version.number) == number:
            return each
    raise Http404
