"""Files stored by name for other systems to fetch: the same in a folder and in a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compliance.files.object_store import open_store, put, put_in_folder, root_of

if TYPE_CHECKING:
    from pathlib import Path


def test_newer_file_replaces_one_of_the_same_name(s3_url: str, tmp_path: Path) -> None:
    url = s3_url.replace("/archive?", f"/{tmp_path.name}?")
    for content in (b"first", b"second, longer"):
        put(url, "cedar", "NA-1.pdf", content)
    with open_store(url).open_input_stream(f"{root_of(url)}/cedar/NA-1.pdf") as kept:
        assert kept.read() == b"second, longer"


def test_a_file_that_cannot_be_put_leaves_nothing_half(tmp_path: Path) -> None:
    (tmp_path / "cedar" / "NA-1.pdf").mkdir(parents=True)  # something is in the way
    with pytest.raises(OSError, match=r"NA-1\.pdf"):
        put_in_folder(tmp_path / "cedar", "NA-1.pdf", b"content")
    assert [each.name for each in (tmp_path / "cedar").iterdir()] == ["NA-1.pdf"]
    put(str(tmp_path), "cedar", "NA-2.pdf", b"content")
    assert (tmp_path / "cedar" / "NA-2.pdf").read_bytes() == b"content"
