"""What anybody may fetch to check the log: its key, its checkpoints, the script that checks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.views.decorators.http import require_safe

from compliance.file_answers import as_file
from compliance.log_keys import trusted_keys
from compliance.proof import verifier
from compliance.selectors.log_tree import consistency_proof, newest_checkpoint

if TYPE_CHECKING:
    from django.http import HttpRequest

NUMBER = re.compile("[0-9]{1,15}")
TEXT = "text/plain; charset=utf-8"


@require_safe
def key(_: HttpRequest) -> HttpResponse:
    """Publish the public keys, one a line: those in use, then retired ones with their last size."""
    lines = [f"{one} {one.until}" if one.until is not None else str(one) for one in trusted_keys()]
    return HttpResponse("\n".join([*lines, ""]), content_type=TEXT)


@require_safe
def checkpoint(_: HttpRequest) -> HttpResponse:
    """Publish what the log committed to last."""
    newest = newest_checkpoint()
    if newest is None:
        raise Http404
    answer = HttpResponse(newest.note, content_type=TEXT)
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def consistency(request: HttpRequest) -> HttpResponse:
    """Prove that the log of `new` events continues the log of `old`."""
    newest = newest_checkpoint()
    size = newest.size if newest is not None else 0
    old, new = request.GET.get("old", ""), request.GET.get("new", "")
    if not all(
        text.isascii() and text.isdigit() and len(text) < len("1" * 16) for text in (old, new)
    ):
        return HttpResponseBadRequest(
            "Write two sizes, as in ?old=100&new=200.\n", content_type=TEXT
        )
    if not int(old) <= int(new) <= size:
        return HttpResponseBadRequest(
            f"The log has {size} events; old is at most new, and new at most {size}.\n",
            content_type=TEXT,
        )
    return HttpResponse(consistency_proof(int(old), int(new)), content_type=TEXT)


@require_safe
def verifier_script(_: HttpRequest) -> HttpResponse:
    """Hand out the script that checks everything offline."""
    script = Path(verifier.__file__).read_bytes()
    return as_file(HttpResponse(script, content_type=TEXT), "verifier.py")
