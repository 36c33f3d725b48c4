"""Documents are scanned by a clamd: a small one that speaks its protocol on a real socket."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from compliance.access.permissions import Role
from compliance.errors import RefusedError
from compliance.files.readers import PaperError
from compliance.files.virus_scan import refuse_viruses
from tests.compliance.documents.papers import pdf
from tests.compliance.documents.test_documents import filed
from tests.compliance.people import person_as

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.anywhere

VIRUS = b"X5O!P%@AP"


@contextmanager
def clamd(answer: bytes | None = None) -> Iterator[tuple[str, list[bytes]]]:
    """Run a clamd that finds `VIRUS`, or has one answer; yield its address and what it was sent."""
    came: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    visitor, _ = server.accept()
                except OSError:
                    return
                with visitor, visitor.makefile("rb") as said:
                    assert said.read(10) == b"zINSTREAM\0"
                    content = b""
                    while size := int.from_bytes(said.read(4), "big"):
                        content += said.read(size)
                    came.append(content)
                    found = b"stream: Eicar-Test FOUND\0" if VIRUS in content else b"stream: OK\0"
                    visitor.sendall(found if answer is None else answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}", came
        server.shutdown(socket.SHUT_RDWR)
    thread.join()


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    return tmp_path / "paper.txt"


def test_a_clean_file_is_taken_and_was_sent_whole(settings, paper):
    content = b"clean " * 50_000
    paper.write_bytes(content)
    with clamd() as (settings.CLAMD_URL, came):
        refuse_viruses(paper, "paper.txt")
    assert came == [content]


def test_a_virus_is_refused_by_its_name_and_nothing_is_kept(settings, paper, db, tmp_path):
    paper.write_bytes(b"a" * 70_000 + VIRUS)
    with clamd() as (settings.CLAMD_URL, _), pytest.raises(PaperError, match="as Eicar-Test"):
        refuse_viruses(paper, "paper.txt")
    maker = person_as(Role.SUPPLIER, "maker")
    with (
        clamd(b"stream: Eicar-Test FOUND\0") as (settings.CLAMD_URL, came),
        pytest.raises(RefusedError, match="It is not taken"),
    ):
        filed(maker, pdf(tmp_path, "rules"))
    assert came[0].startswith(b"%PDF")


@pytest.mark.parametrize(
    "answer", [b"", b"INSTREAM size limit exceeded. ERROR\0", b"OK\0", b"\xff" * 9000]
)
def test_an_answer_that_is_none_takes_nothing(settings, paper, answer):
    paper.write_bytes(b"clean")
    with clamd(answer) as (settings.CLAMD_URL, _), pytest.raises(PaperError, match="Try again"):
        refuse_viruses(paper, "paper.txt")


def test_while_nobody_answers_nothing_is_taken(settings, paper, tmp_path):
    paper.write_bytes(b"clean")
    with clamd() as (address, _):
        pass
    for settings.CLAMD_URL in (address, f"unix://{tmp_path}/nobody.sock"):
        with pytest.raises(PaperError, match="could not be looked at"):
            refuse_viruses(paper, "paper.txt")


def test_without_an_address_nobody_is_asked(settings, paper):
    assert settings.CLAMD_URL == ""
    refuse_viruses(paper, "paper.txt")  # the file doesn't even exist
