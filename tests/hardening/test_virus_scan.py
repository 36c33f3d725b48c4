"""Documents are scanned by a clamd: a small one that speaks its protocol on a real socket."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from compliance.access.permissions import Role
from compliance.errors import RefusedError
from compliance.files.readers import UnreadableFileError
from compliance.files.virus_scan import refuse_viruses
from tests.compliance.documents.filed_documents import pdf
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
                with visitor, visitor.makefile("rb") as data:
                    assert data.read(10) == b"zINSTREAM\0"
                    content = b""
                    while size := int.from_bytes(data.read(4), "big"):
                        content += data.read(size)
                    came.append(content)
                    found = b"stream: Eicar-Test FOUND\0" if VIRUS in content else b"stream: OK\0"
                    visitor.sendall(found if answer is None else answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}", came
        server.shutdown(socket.SHUT_RDWR)
    thread.join()


@pytest.fixture
def clean_file(tmp_path: Path) -> Path:
    return tmp_path / "paper.txt"


def test_clean_file_is_scanned_whole_and_accepted(settings, clean_file):
    content = b"clean " * 50_000
    clean_file.write_bytes(content)
    with clamd() as (settings.CLAMD_URL, came):
        refuse_viruses(clean_file, "paper.txt")
    assert came == [content]


def test_a_virus_is_refused_by_its_name_and_nothing_is_kept(settings, clean_file, db, tmp_path):
    clean_file.write_bytes(b"a" * 70_000 + VIRUS)
    with (
        clamd() as (settings.CLAMD_URL, _),
        pytest.raises(UnreadableFileError, match="calls Eicar-Test"),
    ):
        refuse_viruses(clean_file, "paper.txt")
    maker = person_as(Role.SUPPLIER, "maker")
    with (
        clamd(b"stream: Eicar-Test FOUND\0") as (settings.CLAMD_URL, came),
        pytest.raises(RefusedError, match="It was rejected"),
    ):
        filed(maker, pdf(tmp_path, "rules"))
    assert came[0].startswith(b"%PDF")


@pytest.mark.parametrize(
    "answer", [b"", b"INSTREAM size limit exceeded. ERROR\0", b"OK\0", b"\xff" * 9000]
)
def test_an_answer_that_is_none_takes_nothing(settings, clean_file, answer):
    clean_file.write_bytes(b"clean")
    with (
        clamd(answer) as (settings.CLAMD_URL, _),
        pytest.raises(UnreadableFileError, match="Try again"),
    ):
        refuse_viruses(clean_file, "paper.txt")


def test_unreachable_scanner_refuses_files(settings, clean_file, tmp_path):
    clean_file.write_bytes(b"clean")
    with clamd() as (address, _):
        pass
    for settings.CLAMD_URL in (address, f"unix://{tmp_path}/nobody.sock"):
        with pytest.raises(UnreadableFileError, match="could not be scanned"):
            refuse_viruses(clean_file, "paper.txt")


def test_missing_address_asks_no_registry(settings, clean_file):
    assert settings.CLAMD_URL == ""
    refuse_viruses(clean_file, "paper.txt")  # the file doesn't even exist
