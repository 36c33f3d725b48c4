"""Files as answers: never shown by a browser, whatever is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

from compliance.archive import current_archive

if TYPE_CHECKING:
    from collections.abc import Iterator

AT_ONCE = 1 << 18
Answer = TypeVar("Answer", bound=HttpResponseBase)


def from_archive(digest: str, kind: str) -> StreamingHttpResponse:
    """A file of the archive, verified as a whole before its first byte goes out."""
    opened = current_archive().fetch(digest)
    place = opened.__enter__()

    def pieces() -> Iterator[bytes]:
        try:
            with place.open("rb") as content:
                while piece := content.read(AT_ONCE):
                    yield piece
        finally:
            opened.__exit__(None, None, None)

    answer = StreamingHttpResponse(pieces(), content_type=kind)
    answer["Content-Length"] = str(place.stat().st_size)
    return answer


def as_file(answer: Answer, name: str) -> Answer:
    """Let an answer be kept as a file of this name."""
    answer["Content-Disposition"] = str(
        content_disposition_header(as_attachment=True, filename=name)
    )
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer
