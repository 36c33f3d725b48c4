from __future__ import annotations

import re

import django_tables2 as tables
import pytest
from django import forms
from django.template import engines
from django.test import RequestFactory


class Complaint(forms.Form):
    table = forms.CharField(help_text="As on the sign.")
    note = forms.CharField(required=False, widget=forms.Textarea)
    kind = forms.ChoiceField(choices=[("a", "A patron"), ("b", "B")], widget=forms.RadioSelect)
    certain = forms.BooleanField(required=False)

    def clean(self) -> None:
        raise forms.ValidationError("Nothing was kept.")


@pytest.fixture
def refused() -> str:
    return str(Complaint({"note": "</textarea><script>alert(1)</script>"}))


def tag(html: str, name: str) -> str:
    found = re.search(rf'<[a-z]+ [^>]*name="{name}"[^>]*>', html)
    assert found
    return found[0]


def test_invalid_form_starts_with_linked_errors(refused: str) -> None:
    summary = refused[: refused.index("usa-form-group")]
    assert 'role="alert"' in summary
    assert "Nothing was kept." in summary
    assert 'href="#id_table"' in summary
    assert 'href="#id_kind"' in summary
    assert 'id="id_kind"' in refused


def test_errors_that_belong_to_no_field_point_at_none() -> None:
    html = str(Complaint({"table": "4", "kind": "a"}))
    assert "This was not accepted" in html
    assert "marked below" not in html


def test_a_field_is_described_by_its_hint_and_its_error(refused: str) -> None:
    assert 'aria-describedby="id_table_helptext id_table_error"' in tag(refused, "table")
    assert 'aria-invalid="true"' in tag(refused, "table")
    assert 'id="id_table_helptext"' in refused
    assert 'id="id_table_error"' in refused


def test_a_group_of_choices_is_a_fieldset_with_a_legend(refused: str) -> None:
    group = refused[refused.index("<fieldset") : refused.index("</fieldset")]
    assert "<legend" in group
    assert group.count('type="radio"') == 2
    assert 'for="id_kind_0"' in group


def test_only_fields_that_may_stay_empty_are_marked(refused: str) -> None:
    assert refused.count("(optional)") == 1


def test_what_was_typed_comes_back_as_text(refused: str) -> None:
    assert "&lt;/textarea&gt;&lt;script&gt;" in refused
    assert "<script" not in refused


def test_a_form_not_yet_sent_has_no_errors() -> None:
    html = str(Complaint())
    assert "error" not in html


class Rounds(tables.Table):  # type: ignore[misc]
    number = tables.Column(verbose_name="Round")
    wager = tables.Column(orderable=False)
    caption = "Rounds"


def render(rows: list[dict[str, str]], address: str = "/?sort=-number&page_size=5") -> str:
    request = RequestFactory().get(address)
    table = Rounds(rows, order_by=request.GET.get("sort"))
    template = engines["django"].from_string("{% load django_tables2 %}{% render_table table %}")
    return template.render({"table": table}, request)


def test_a_table_says_what_it_is_and_how_it_is_sorted() -> None:
    html = render([{"number": "1", "wager": "Main"}, {"number": "2", "wager": "Main"}])
    assert "<caption>Rounds</caption>" in html
    assert html.count('scope="col"') == 2
    assert html.count('scope="row"') == 2
    assert html.count("aria-sort=") == 1
    assert 'aria-sort="descending"' in html


def test_sorting_keeps_the_rest_of_the_address() -> None:
    assert "page_size=5" in render([{"number": "1", "wager": "Main"}])


def test_every_cell_names_its_column_for_narrow_screens() -> None:
    html = render([{"number": "1", "wager": "Main"}])
    assert re.findall('data-label="([^"]+)"', html) == ["Round", "Wager"]


def test_what_is_in_a_cell_is_text() -> None:
    assert "<b>" not in render([{"number": "1", "wager": "<b>Main</b>"}])


def test_an_empty_table_says_so() -> None:
    assert "Nothing here yet." in render([])
