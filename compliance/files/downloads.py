"""File downloads: browsers never display them, whatever they contain."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

from compliance.events.exports import record_cut_off
from compliance.files.archive import current_archive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from compliance.events.models import Event


AT_ONCE = 1 << 18
Answer = TypeVar("Answer", bound=HttpResponseBase)


def from_archive(digest: str, kind: str) -> StreamingHttpResponse:
    """Stream a file from the archive, verified as a whole before its first byte is sent."""
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


def as_file(answer: Answer, name: str, *, recorded: Event | None) -> Answer:
    """Send a response as a file download with this name.

    `recorded` is the event of the export; None only for files without anyone's data: proofs, the
    verifier, formats and templates. An interrupted download is an event too.
    """
    if recorded is not None and isinstance(answer, StreamingHttpResponse):
        answer.streaming_content = _watched(answer.streaming_content, recorded)  # type: ignore[arg-type]
    answer["Content-Disposition"] = str(
        content_disposition_header(as_attachment=True, filename=name)
    )
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


def _watched(pieces: Iterable[bytes], export: Event) -> Iterator[bytes]:
    sent, whole = 0, False
    try:
        for piece in pieces:
            yield piece
            sent += len(piece)
        whole = True
    finally:
        if not whole:
            record_cut_off(export=export, sent=sent)
