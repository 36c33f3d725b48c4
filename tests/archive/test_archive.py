"""What an archive guarantees, on a folder and on an S3 store."""

import hashlib
import io
from pathlib import Path

import pyarrow as pa
import pytest

from compliance.files.archive import (
    Archive,
    DamagedError,
    FolderArchive,
    MissingError,
    digest_of,
    open_archive,
    read_bytes,
    store_bytes,
)
from compliance.files.object_store import ObjectArchive


@pytest.fixture(params=["folder", "s3"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Archive:
    url = str(tmp_path / "archive") if request.param == "folder" else _fresh(request, tmp_path)
    return open_archive(url, spool=tmp_path / "spool")


def _fresh(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(request.getfixturevalue("s3_url").replace("/archive?", f"/{tmp_path.name}?"))


def damage(archive: Archive, digest: str, content: bytes) -> None:
    """Overwrite behind the archive's back."""
    if isinstance(archive, FolderArchive):
        place = archive.place(digest)
        place.chmod(0o600)
        place.write_bytes(content)
    else:
        assert isinstance(archive, ObjectArchive)
        with archive.store_of_objects.open_output_stream(archive.place(digest)) as upload:
            upload.write(content)


@pytest.mark.parametrize("content", [b"", b"a", b"round\n" * 500_000])
def test_what_is_stored_lies_under_its_sha256_and_comes_back(
    archive: Archive, content: bytes
) -> None:
    stored = store_bytes(archive, content)
    assert stored.digest == hashlib.sha256(content).hexdigest()
    assert stored.size == len(content)
    assert archive.has(stored.digest)
    assert read_bytes(archive, stored.digest) == content


def test_what_is_fetched_can_be_mapped(archive: Archive) -> None:
    stored = store_bytes(archive, b"0123456789")
    with archive.fetch(stored.digest) as place:
        assert digest_of(place) == stored.digest
        assert pa.memory_map(str(place)).read_at(3, 4) == b"456"


def test_one_flipped_bit_is_refused_by_name(archive: Archive) -> None:
    stored = store_bytes(archive, b"paid 30 to 1")
    damage(archive, stored.digest, b"paid 50 to 1")
    with pytest.raises(DamagedError, match=stored.digest[2:]), archive.fetch(stored.digest):
        pass


def test_storing_again_mends_what_was_damaged(archive: Archive) -> None:
    stored = store_bytes(archive, b"paid 30 to 1")
    damage(archive, stored.digest, b"")
    assert store_bytes(archive, b"paid 30 to 1") == stored
    assert read_bytes(archive, stored.digest) == b"paid 30 to 1"


def test_what_is_not_there_is_named(archive: Archive) -> None:
    nowhere = "0" * 64
    assert not archive.has(nowhere)
    with pytest.raises(MissingError, match=nowhere), archive.fetch(nowhere):
        pass


@pytest.mark.parametrize("address", ["../../etc/passwd", "", "A" * 64, "0" * 63, "0" * 64 + "\n"])
def test_no_address_leads_out_of_the_archive(archive: Archive, address: str) -> None:
    with pytest.raises(ValueError, match="not a SHA-256"):
        archive.has(address)


def test_a_source_that_breaks_off_leaves_nothing(archive: Archive, tmp_path: Path) -> None:
    class BreaksOff(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            message = "the line went dead"
            raise ConnectionResetError(message)

    with pytest.raises(ConnectionResetError):
        archive.store(io.BufferedReader(BreaksOff()))
    left = [place for place in tmp_path.rglob("*") if place.is_file()]
    assert left == []


def test_half_written_files_of_killed_processes_are_cleared(tmp_path: Path) -> None:
    archive = FolderArchive(tmp_path)
    archive.ready()
    (archive.aside / "left").write_bytes(b"half a")
    assert archive.clear_aside(older_than_seconds=60) == 0
    assert archive.clear_aside(older_than_seconds=-1) == 1
    assert not list(archive.aside.iterdir())


def test_a_bucket_that_is_not_there_is_not_ready(s3_url: str, tmp_path: Path) -> None:
    archive = open_archive(s3_url.replace("@evidence", "@nowhere"), spool=tmp_path)
    with pytest.raises(OSError, match="nowhere"):
        archive.ready()


def test_a_store_that_does_not_answer_is_not_ready(tmp_path: Path) -> None:
    url = "s3://key:secret@evidence/a?region=us-east-1&scheme=http&endpoint_override=127.0.0.1:9"
    with pytest.raises(OSError, match=r"(?i)connect"):
        open_archive(url, spool=tmp_path).ready()


def test_untouched_content_is_listed_and_can_be_removed(archive: Archive) -> None:
    stored = store_bytes(archive, b"a piece of a file")
    assert list(archive.untouched(seconds=-60)) == [stored.digest]
    assert archive.remove(stored.digest, untouched_seconds=-60)
    assert not archive.has(stored.digest)
    assert not archive.remove(stored.digest, untouched_seconds=-60)


def test_recently_stored_content_is_neither_listed_nor_removed(archive: Archive) -> None:
    stored = store_bytes(archive, b"a piece of a file")
    assert list(archive.untouched(seconds=60)) == []
    assert not archive.remove(stored.digest, untouched_seconds=60)
    assert read_bytes(archive, stored.digest) == b"a piece of a file"
