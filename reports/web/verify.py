"""The verify page: anybody hands in a PDF and is told, question by question, whether it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from compliance.web.turns import in_turn
from reports.selectors.pdf_check import check_pdf

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile
    from django.http import HttpRequest, HttpResponse

LARGEST = 25 * 1024 * 1024
A_MINUTE = 20
"""Visits of one address: a file may cost seconds of the processor, and its report is made again."""
MOST_PAGES = 60
"""Pages of a report that is made again for anybody who asks."""


class FileForm(forms.Form):
    """The file to be verified."""

    file = forms.FileField(
        label="PDF file",
        help_text=f"A report as you received it, up to {LARGEST >> 20} MB. It is not kept.",
        max_length=None,
    )

    def clean_file(self) -> UploadedFile[Any]:
        """Refuse what is too large to be looked at here."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST:
            msg = f"This file is larger than {LARGEST >> 20} MB. Ask the agency to verify it."
            raise forms.ValidationError(msg)
        return file


@never_cache
@in_turn("verify", A_MINUTE)
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Take a file and answer; nothing of it is kept. So many are taken from one address."""
    if request.method != "POST":
        return render(request, "reports/verify.html", {"form": FileForm()})
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "reports/verify.html", {"form": form}, status=422)
    file = form.cleaned_data["file"]
    found = check_pdf(file.read(), most_pages=MOST_PAGES)
    context = {"form": FileForm(), "name": file.name, "found": found}
    return render(request, "reports/verify.html", context)
