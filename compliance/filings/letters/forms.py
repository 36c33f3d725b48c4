"""Forms of letters: an agency's template, and the words of one letter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.filings.letters.models import LetterWords
from compliance.ui.forms import LongField

if TYPE_CHECKING:
    from compliance.access.models import Party

OPENING = "Thank you for your request. We have reviewed the documentation that we received."


class WordsForm(forms.Form):
    """The words of a letter around what was decided."""

    opening = LongField(
        label="Letter: opening", required=False, rows=3, help_text="After “Dear …:”."
    )
    contacts = LongField(
        label="Letter: contacts",
        required=False,
        rows=3,
        help_text="Whom to ask, about what, and the phone number. Each line is a paragraph.",
    )
    signature = LongField(
        label="Letter: signature",
        required=False,
        rows=3,
        help_text="Name, title and division of the person who signs, one per line. If it is empty, "
        "the person who decides signs.",
    )
    copies = LongField(
        label="Letter: copies",
        required=False,
        rows=3,
        help_text="Who gets a copy, one per line. If it is empty, those concerned and the units of "
        "the commission do.",
    )

    def words(self) -> dict[str, str]:
        """Return the words as entered."""
        return {name: self.cleaned_data[name] for name in LetterWords.PARTS}


class TemplateForm(WordsForm):
    """An agency's template."""

    letterhead = LongField(
        label="Letterhead",
        required=False,
        rows=3,
        help_text="One line each, such as the agency's name, its motto and its address. The first "
        "line is printed large.",
    )
    field_order = ("letterhead", *LetterWords.PARTS)


def initial_words(party: Party, template: LetterWords) -> dict[str, Any]:
    """Return what a letter's form begins with: the template, or the system's own words."""
    words = {name: getattr(template, name) for name in ("letterhead", *LetterWords.PARTS)}
    return words | {
        "opening": words["opening"] or OPENING,
        "letterhead": words["letterhead"] or party.name,
    }
