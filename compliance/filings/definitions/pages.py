"""Write a definition: its parts, the words it is based on, and what it comes to."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.utils.functional import cached_property

from compliance.access.permissions import Action
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.exports import record_export
from compliance.files.downloads import as_file
from compliance.filings.definitions import drafts, workspace
from compliance.filings.definitions.anchors import files_for, places_of, with_numbered_anchors
from compliance.filings.definitions.forms import PlaceForm, StartForm, TextForm
from compliance.filings.definitions.part_form import PartForm, known_names
from compliance.filings.definitions.parts import (
    find_item,
    part_of,
    parts_of,
    problems_of,
    with_item,
)
from compliance.filings.definitions.selected_table import read_table
from compliance.filings.games.pages import GamePage, files_games
from compliance.ui.pages import ActionPage, FormPage, Page

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.filings.definitions.models import DefinitionDraft
    from compliance.filings.definitions.parts import Item, Part
    from compliance.filings.games.models import Game

NAMES: dict[str, tuple[str, ...]] = {"pay_table": ("Wager", "Name of the pay table")}


class OfDraft(Page):
    """A page about the draft of a game's definition, for those who file the game."""

    permission = Action.SEE_FILINGS
    get_subject = GamePage.get_subject

    subject: Game

    def check_permission(self) -> None:
        """Respond with 404 to everyone else: a draft is not filed yet."""
        super().check_permission()
        if not files_games(self.request, self.subject.supplier):
            raise Http404

    @cached_property
    def draft(self) -> DefinitionDraft:
        """Return the draft; respond with 404 if it was discarded."""
        draft = drafts.draft_of(self.subject)
        if draft is None:
            raise Http404
        return draft

    @cached_property
    def data(self) -> dict[str, Any]:
        """Return what the draft says."""
        return drafts.data_of(self.draft)

    def save(self, data: dict[str, Any]) -> None:
        """Save the draft as the page saw it, changed."""
        seen = self.request.POST.get("seen", "")
        drafts.save_draft(game=self.subject, data=data, seen=seen, by=self.person)


class DefinitionPage(OfDraft):
    """A draft: its parts, problems, examples, sample rounds and odds; or what to start from."""

    template_name = "definitions/definition.html"

    def get_context(self) -> dict[str, Any]:
        """Add what the draft comes to."""
        game = self.subject
        draft = drafts.draft_of(game)
        if draft is None:
            return {"game": game, "start": self.refused or StartForm(drafts.beginnings(game))}
        data = drafts.data_of(draft)
        checked = workspace.check_text(draft.text)
        definition = checked.definition
        seed = self.request.GET.get("deal", "1")[:20]
        clauses = data.get("clause", ())
        anchored = places_of(data, game)
        parts = parts_of(data)
        return {
            "game": game,
            "draft": draft,
            "seen": drafts.digest_of(draft),
            "parts": parts,
            "checked": checked,
            "clauses": list(zip(clauses, anchored, strict=True)),
            "unanchored": sum(each is None for each in anchored),
            "files": files_for(game)[:50],
            "new_example": next(part.new for part in parts if part.key == "example"),
            "deal": seed,
            "samples": workspace.samples_of(definition, seed) if definition else [],
            "next_deal": str(int(seed) + 1) if seed.isdecimal() else "1",
            "odds": workspace.odds_of_draft(definition) if definition else None,
        }


class _DraftAction(OfDraft, ActionPage):
    """An action on the page of a draft."""

    shown_on: ClassVar[type[Page] | None] = DefinitionPage

    def get_page_url(self) -> str:
        return resolve_url("definition", slug=self.subject.slug)


class BeginDefinition(_DraftAction):
    """Begin a draft."""

    success_message = "The draft is begun. Fill in what is marked."

    def get_form(self, data: Any = None, files: Any = None) -> StartForm:
        return StartForm(drafts.beginnings(self.subject), data)

    def act(self, data: dict[str, Any]) -> None:
        drafts.begin_draft(game=self.subject, start=data["start"], by=self.person)


class DiscardDefinition(_DraftAction):
    """Discard the draft."""

    success_message = "The draft is discarded."

    def act(self, data: dict[str, Any]) -> None:
        drafts.discard_draft(game=self.subject, by=self.person)


class CountDraftOdds(_DraftAction):
    """Have the odds of the draft counted."""

    success_message = "The odds are being counted. Open this page again in a minute."

    def act(self, data: dict[str, Any]) -> None:
        workspace.ask_for_odds(self.draft)


class AnchorNumbered(_DraftAction):
    """Anchor the clauses that a document numbers as the draft does."""

    form_class = forms.Form

    def act(self, data: dict[str, Any]) -> int:
        file = get_object_or_404(files_for(self.subject), pk=self.kwargs["file"])
        changed, count = with_numbered_anchors(self.data, file)
        self.save(changed)
        return count

    def get_success_message(self, result: int) -> str:
        return f"Clauses found by their number in the document: {result}."


class DefinitionText(OfDraft, FormPage):
    """The whole definition as text."""

    title = "Edit the definition as text"
    button = "Save definition"
    template_name = "definitions/text.html"
    success_message = "The definition is saved."

    def get_form(self, data: Any = None, files: Any = None) -> TextForm:
        return TextForm(data, initial={"text": self.draft.text})

    def act(self, data: dict[str, Any]) -> None:
        try:
            self.save(tomllib.loads(data["text"]))
        except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            msg = f"This is not TOML: {error}."
            raise RefusedError(msg) from error

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {
            "game": self.subject, "seen": drafts.digest_of(self.draft)
        }  # fmt: skip

    def get_page_url(self) -> str:
        return resolve_url("definition", slug=self.subject.slug)


class DownloadDefinition(OfDraft):
    """The draft as a file, for `python -m games check`; the download is an event."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Send the text."""
        recorded = record_export(
            by=self.person,
            what="the draft of a definition",
            format="TOML",
            about=self.subject,
            party=self.subject.supplier,
        )
        answer = HttpResponse(self.draft.text, content_type="application/toml")
        return as_file(answer, f"{self.subject.slug}.toml", recorded=recorded)


class DefinitionItem(OfDraft):
    """One item of a definition: a clause, a wager, a pay table."""

    template_name = "definitions/item.html"

    form_of_value: PartForm
    form_of_place: PlaceForm

    @cached_property
    def part(self) -> Part:
        """Return the part that the address names."""
        try:
            return part_of(self.data, self.kwargs["part"])
        except RefusedError as refused:
            raise Http404 from refused

    @cached_property
    def item(self) -> Item | None:
        """Return the item that the address names; None if it is new."""
        try:
            return find_item(self.part, self.kwargs["place"])
        except RefusedError as refused:
            raise Http404 from refused

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the item.

        A new pay table may start from words selected in a document, a new example from a sample.
        """
        value = self.item.value if self.item else None
        names = self.item.names if self.item else ()
        self.read = None
        if self.part.key == "pay_table" and self.item is None and "file" in request.GET:
            self.read = read_table(self.subject, self.data, request.GET)
            value, names = self.read.value, self.read.names
        if self.part.key == "example" and self.item is None and "sample" in request.GET:
            value = self._example_dealt()
        self._make_forms(value, names)
        return self.show()

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Save or remove the item."""
        self.read = None
        self._make_forms(None, (), request.POST)
        removes = "remove" in request.POST
        if not removes and not (self.form_of_place.is_valid() & self.form_of_value.is_valid()):
            return self.show(status=422)
        names = () if removes else self.form_of_place.names()
        position = 0 if removes else self.form_of_place.cleaned_data.get("position", 1) - 1
        value = None if removes else self.form_of_value.value
        try:
            changed = with_item(self.data, self.part, self.kwargs["place"], names, value, position)
            self.save(changed)
        except NotAllowedError as closed:
            raise Http404 from closed
        except RefusedError as refused:
            if removes:
                messages.error(request, str(refused))
                return redirect(request.path)
            self.form_of_value.add_error(None, str(refused))
            return self.show(status=422)
        messages.success(request, f"{self.part.name}: {'removed' if removes else 'saved'}.")
        if removes or "done" in request.POST or value is None:
            return redirect("definition", slug=self.subject.slug)
        place = 0 if self.part.is_single else min(position, len(self.part.items))
        return redirect("definition_item", self.subject.slug, self.part.key, place)

    def _example_dealt(self) -> dict[str, Any]:
        """Return the sample round that the address names; respond with 404 to any other."""
        definition = workspace.check_text(self.draft.text).definition
        asked = self.request.GET
        seed, number = asked.get("deal", "1")[:20], asked["sample"]
        example = workspace.example_dealt(definition, seed, number) if definition else None
        if example is None:
            raise Http404
        return example

    def _make_forms(self, value: Any, names: tuple[str, ...], data: Any = None) -> None:
        known = known_names(self.data)
        self.form_of_value = PartForm(self.part.type, known, value, data)
        labels = NAMES.get(self.part.key, ("Name",))[: self.part.names]
        initial: dict[str, Any] = {f"name_{n}": each for n, each in enumerate(names)}
        if not self.part.is_single:
            initial["position"] = self.kwargs["place"] + 1
        self.form_of_place = PlaceForm(labels, initial, data)

    def get_context(self) -> dict[str, Any]:
        """Add the forms, and the problems of this item."""
        checked = workspace.check_text(self.draft.text)
        where = self.item.where if self.item else None
        return {
            "game": self.subject,
            "part": self.part,
            "item": self.item,
            "place": self.kwargs["place"],
            "form": self.form_of_value,
            "place_form": self.form_of_place,
            "problems": problems_of(list(checked.problems), where) if where else (),
            "seen": self.request.POST.get("seen") or drafts.digest_of(self.draft),
            "read": self.read,
            "sample": self.item is None and "sample" in self.request.GET,
        }
