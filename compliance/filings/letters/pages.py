"""Letter templates of the agencies for which a user decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.shortcuts import resolve_url

from compliance.access.models import Party
from compliance.access.permissions import Action, PartyKind
from compliance.acts.touched import letters_about
from compliance.filings.letters.forms import TemplateForm, initial_words
from compliance.filings.letters.reads import WRITES, template_of
from compliance.filings.letters.writes import save_template
from compliance.ui.access import allows, require_sight
from compliance.ui.pages import FormPage, OfParty, Page

if TYPE_CHECKING:
    from django import forms
    from django.http import HttpRequest


def writes_letters_of(request: HttpRequest) -> list[Party]:
    """Return the agencies whose templates a user may change."""
    parties = Party.objects.filter(kind__in=WRITES)
    return [each for each in parties if allows(request, WRITES[PartyKind(each.kind)], each)]


class LetterTemplates(Page):
    """The agencies whose letter templates the user may change."""

    permission = Action.SEE_FILINGS
    template_name = "letters/templates.html"

    def check_permission(self) -> None:
        super().check_permission()
        if not writes_letters_of(self.request):
            raise Http404

    def get_context(self) -> dict[str, Any]:
        return {"parties": writes_letters_of(self.request)}


class LetterTemplate(OfParty, FormPage):
    """An agency's letter template, with its newest letter as it reads now."""

    template_name = "letters/template.html"
    title = "Letter template"
    button = "Save template"
    success_message = "The template is saved. Letters of later decisions use it."

    def check_permission(self) -> None:
        action = WRITES.get(PartyKind(self.subject.kind))
        if action is None:
            raise Http404
        require_sight(self.request, action, self.subject)

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        initial = initial_words(self.subject, template_of(self.subject))
        return TemplateForm(data, initial=initial)

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {
            "title": f"Letter template of {self.subject}",
            "letters": letters_about(template_of(self.subject)),
        }

    def act(self, data: dict[str, Any]) -> object:
        return save_template(party=self.subject, words=data, by=self.person)

    def get_page_url(self) -> str:
        return resolve_url("letter_template", code=self.subject.code)
