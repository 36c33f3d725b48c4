"""Papers that a program sends with what it says: as a form of several parts, as browsers do."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser

from compliance.api.problems import fault, invalid
from compliance.api.reading import StrictJSON, body_of
from compliance.services.documents import MOST_FILES
from compliance.services.received import received

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import IO

    from rest_framework.request import Request

    from compliance.selectors.documents import NamedPaper
    from compliance.selectors.games import FiledPaper
    from compliance.services.documents import Paper

Shape = type[serializers.Serializer[Any]]
FORM = "multipart/form-data"


class Parts(MultiPartParser):
    """A form of several parts: each name once, but for files."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Read it as if it were an object."""
        sent = super().parse(stream, media_type, parser_context)
        twice = [name for name, values in sent.data.lists() if len(values) > 1]
        twice += sorted(sent.data.keys() & sent.files.keys())
        if twice:
            raise invalid([fault("body", f"/{name}", "Say it once.", "repeated") for name in twice])
        return sent.data.dict() | dict(sent.files.lists())


WITH_PAPERS = (StrictJSON, Parts)
"""What an operation reads to which papers may come, and need not."""


@extend_schema_field({"type": "string", "format": "binary", "minLength": 1})
class FileOfPaper(serializers.FileField):
    """A file that holds something."""


class PaperShape(serializers.Serializer[Any]):
    """A paper on file."""

    title = serializers.CharField()
    document_version = serializers.UUIDField(
        allow_null=True, help_text="To read its files by; null where it is not yours to read."
    )


def bodies(shape: Shape) -> dict[str, Shape]:
    """How the body is described: without papers, and as a form with them."""
    return {"application/json": shape, FORM: with_papers(shape)}


@cache
def with_papers(shape: Shape, *, needed: bool = False) -> Shape:
    """A shape to which papers may, or must, come."""
    papers = serializers.ListField(
        child=FileOfPaper(),
        required=needed,
        min_length=1,
        max_length=MOST_FILES,
        help_text="Files, 25 MB together at most; larger ones are filed on the page.",
    )
    return type(
        f"{shape.__name__}WithPapers", (shape,), {"papers": papers, "__doc__": shape.__doc__}
    )


@contextmanager
def body_and_papers(
    request: Request, shape: Shape, *, needed: bool = False
) -> Iterator[tuple[dict[str, Any], list[Paper]]]:
    """What the body says in this shape, and the papers that came with it, laid aside for now."""
    form = needed or (request.content_type or "").startswith(FORM)
    said = body_of(request, with_papers(shape, needed=needed) if form else shape)
    with received(said.pop("papers", [])) as papers:
        yield said, papers


def papers_told(papers: Iterable[NamedPaper | FiledPaper]) -> list[dict[str, Any]]:
    """Papers that something names: each by its title, and by its number where it may be read."""
    return [
        {
            "title": each.paper.document.title,
            "document_version": str(each.paper.uuid) if each.seen else None,
        }
        for each in papers
    ]
