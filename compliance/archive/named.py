"""Files under names that people know, for other systems to fetch: in a folder or an S3 store.

Nothing is read from here again: what counts lies in the archive, under its digest.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4


def put(url: str, folder: str, name: str, content: bytes) -> None:
    """Put a file into a folder of the place that a URL names, whole or not at all.

    What was there under its name is replaced. Raises `OSError` if it did not arrive.
    """
    parts = urlsplit(url)
    if parts.scheme != "s3":
        put_in_folder(Path(parts.path) / folder, name, content)
        return
    from compliance.archive.object_store import open_store, root_of

    store, place = open_store(url), f"{root_of(url)}/{folder}/{name}"
    with store.open_output_stream(place) as upload:  # one call: there is no half of an object
        upload.write(content)
    arrived = store.get_file_info(place).size
    if arrived != len(content):
        message = f"{place} has {arrived} of {len(content)} bytes."
        raise OSError(message)


def put_in_folder(folder: Path, name: str, content: bytes) -> Path:
    """Put a file into a folder of this machine, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    place, aside = folder / name, folder / f".{uuid4().hex}"
    try:
        aside.write_bytes(content)
        aside.replace(place)
    finally:
        aside.unlink(missing_ok=True)
    return place
