"""Select words in a filed document: they become the source of a clause, or a pay table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, resolve_url
from django.utils.functional import cached_property

from compliance.errors import NotAllowedError, RefusedError
from compliance.filings.definitions import drafts
from compliance.filings.definitions.anchors import files_for, find_words, places_of, with_anchor
from compliance.filings.definitions.forms import NEW, FileForm, ReadTableForm, WordsForm
from compliance.filings.definitions.pages import OfDraft
from compliance.filings.definitions.parts import part_of
from compliance.filings.documents.models import Document

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from compliance.filings.definitions.anchors import Place
    from compliance.filings.documents.models import DocumentFile


class SelectWords(OfDraft):
    """The text of a filed document, to select the words of a clause in."""

    template_name = "definitions/words.html"

    words_form: WordsForm
    table_form: ReadTableForm

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show a page of a document, with the words of the clause selected."""
        self._make_forms()
        return self.show()

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Anchor a clause at the words, or read them as a pay table."""
        reads = "read" in request.POST
        self._make_forms(request.POST)
        form: Any = self.words_form
        if reads:
            del form.fields["clause"], form.fields["id"]
        if not form.is_valid() or (reads and not self.table_form.is_valid()):
            return self.show(status=422)
        try:
            data = form.cleaned_data
            place = find_words(self.file, self.page, data["words"], data["first"])
            if reads:
                return self._to_table(place)
            self._anchor(place, data)
        except NotAllowedError as closed:
            raise Http404 from closed
        except RefusedError as refused:
            form.add_error(None, str(refused))
            return self.show(status=422)
        return redirect(f"{request.path}?{self._address(self._next(data['clause']))}")

    def _anchor(self, place: Place, typed: dict[str, Any]) -> None:
        data = self.data
        clauses = list(data.get("clause", ()))
        if typed["clause"] == NEW:
            says = typed["says"] or " ".join(place.words.split())[:2_000]
            clauses.append({"id": typed["id"], "says": says})
            number = len(clauses) - 1
        else:
            number = int(typed["clause"])
        self.save(with_anchor({**data, "clause": clauses}, number, place))
        messages.success(self.request, f"{clauses[number].get('id')}: its source is saved.")

    def _to_table(self, place: Place) -> HttpResponse:
        """Go on to a new pay table that starts with what the words print."""
        chosen = self.table_form.cleaned_data
        part = part_of(self.data, "pay_table")
        address = resolve_url("definition_item", self.subject.slug, part.key, len(part.items))
        typed = {"file": self.file.pk, "page": place.page, "first": place.first, "end": place.end}
        return redirect(f"{address}?{urlencode({**typed, **chosen})}")

    @cached_property
    def files(self) -> list[DocumentFile]:
        """Return the documents to choose from."""
        return list(files_for(self.subject))

    @cached_property
    def anchored(self) -> Place | None:
        """Return where the clause is anchored that the address names."""
        number = self.clause
        if not number.isdecimal() or int(number) >= len(self.places):
            return None
        return self.places[int(number)]

    @cached_property
    def places(self) -> list[Place | None]:
        """Return where each clause is anchored."""
        return places_of(self.data, self.subject)

    @property
    def clause(self) -> str:
        """Return the place of the clause in the address; "new" if it names none."""
        return self.request.GET.get("clause") or NEW

    @cached_property
    def file(self) -> DocumentFile:
        """Return the document in the address, or that of the clause, or the newest rules."""
        asked = self.request.GET.get("file", "")
        for each in self.files:
            if str(each.pk) == asked:
                return each
        if asked or not self.files:
            raise Http404
        if self.anchored is not None:
            return self.anchored.file
        digests = {str(each.get("digest")) for each in self.data.get("source", {}).values()}
        known = [each for each in self.files if f"sha256:{each.sha256}" in digests]
        rules = Document.Kind.RULES_OF_PLAY
        return max(
            known or self.files, key=lambda each: (each.version.document.kind == rules, each.pk)
        )

    @cached_property
    def page(self) -> int:
        """Return the page in the address, or that of the clause, or the first."""
        asked = self.request.GET.get("page", "")
        if asked.isdecimal() and len(asked) < 6 and 1 <= int(asked) <= len(self.file.text.pages):
            return int(asked)
        return self.anchored.page if self.anchored and self.anchored.file == self.file else 1

    def _next(self, clause: str) -> str:
        """Return the next clause without a source; a new one after the last."""
        for number, each in enumerate(self.data.get("clause", ())):
            fresh = str(number) != clause and "span" not in each.get("source", {})
            if fresh:
                return str(number)
        return NEW

    def _address(self, clause: str) -> str:
        return urlencode({"file": self.file.pk, "page": self.page, "clause": clause})

    def _make_forms(self, data: Any = None) -> None:
        clauses = [
            (str(number), f"{each.get('id')}: {each.get('says', '')}"[:100])
            for number, each in enumerate(self.data.get("clause", ()))
        ]
        place = self.anchored if self.anchored and self.anchored.file == self.file else None
        self.selected = place if place and place.page == self.page else None
        initial: dict[str, Any] = {"clause": self.clause}
        if self.selected is not None:
            initial |= {"words": self.selected.words, "first": self.selected.first}
        self.words_form = WordsForm(clauses, data, initial)
        keys = ("wager", "result")
        wagers = [name for key in keys for name in self.data.get(key, {})]
        self.table_form = ReadTableForm(wagers, data if data and "read" in data else None)

    def get_context(self) -> dict[str, Any]:
        """Add the text, the forms, and the clauses of this page."""
        clauses = self.data.get("clause", ())
        here = [
            (number, clause.get("id"), place.words)
            for number, (clause, place) in enumerate(zip(clauses, self.places, strict=True))
            if place and place.file == self.file and place.page == self.page
        ]
        return {
            "game": self.subject,
            "file": self.file,
            "page": self.page,
            "pages": len(self.file.text.pages),
            "text": self.file.text.pages[self.page - 1] if self.file.text.pages else "",
            "choice": FileForm(self.files, self.file, self.page, self.clause),
            "form": self.words_form,
            "table_form": self.table_form,
            "selected": self.selected,
            "clause": self.clause,
            "here": here,
            "seen": drafts.digest_of(self.draft),
        }
