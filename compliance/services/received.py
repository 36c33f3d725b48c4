"""Files as they come in with a form or a request, until a service has judged them."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from compliance.file_names import LONGEST_NAME
from compliance.services.documents import Paper

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.core.files.uploadedfile import UploadedFile


@contextmanager
def received(sent: Sequence[UploadedFile[Any]]) -> Iterator[list[Paper]]:
    """Lay files aside under names of our own; what their senders call them is only a text."""
    with TemporaryDirectory() as folder:
        papers = []
        for number, each in enumerate(sent):
            path = Path(folder) / str(number)
            with path.open("wb") as aside:
                for piece in each.chunks():
                    aside.write(piece)
            papers.append(Paper(path, (each.name or "file")[-LONGEST_NAME:]))
        yield papers
