"""What runs and is served besides the sources of a release: libraries, and collected assets.

A changed library, a file that Python runs when it starts, or a changed script on a page does what
no source says. Their digests are in the manifest of the release.
"""

from __future__ import annotations

import hashlib
import platform
import re
import sysconfig
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from compliance.events.canonical import digest

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import PackagePath


PINNED = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)
"""A line of a lock file."""
LOOSE = "files of no library"
WRITTEN_BY_INSTALLER = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"})
COMPILED = "__pycache__"


def platform_name() -> str:
    """Return for which Python and machine libraries are installed; others have other files."""
    return (
        f"{platform.python_implementation()} {platform.python_version()} {sysconfig.get_platform()}"
    )


def library_digests(lock: str) -> dict[str, str]:
    """Return the digest of the files of each library in a lock file, and of files of none.

    Files of none beside them, such as `.pth`, can run when Python starts.
    """
    found = {}
    for name, _ in PINNED.findall(lock):
        try:
            library = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # for another system than this one
        found[name.lower()] = _digest_of(library.files or ())
    return found | {LOOSE: digest(_loose_files())}


def served_digests() -> dict[str, str]:
    """Return the digest of each collected asset that a browser is given."""
    root = Path(settings.STATIC_ROOT)
    return {
        place.relative_to(root).as_posix(): hashlib.sha256(place.read_bytes()).hexdigest()
        for place in sorted(root.rglob("*"))
        if place.is_file() and place.suffix not in {".gz", ".br"}
    }


def _digest_of(files: Iterable[PackagePath]) -> str:
    """Return the digest of a library's files, without its commands, which name their Python."""
    return digest(
        {
            str(file): hashlib.sha256(place.read_bytes()).hexdigest()
            for file in files
            if file.name not in WRITTEN_BY_INSTALLER
            and not {COMPILED, ".."}.intersection(file.parts)
            and (place := Path(str(file.locate()))).is_file()
        }
    )


def _loose_files() -> dict[str, str]:
    """Return the digests of files beside the libraries that belong to none of them."""
    owned = {
        Path(str(each.locate())).resolve()
        for library in metadata.distributions()
        for each in library.files or ()
    }
    return {
        place.name: hashlib.sha256(place.read_bytes()).hexdigest()
        for folder in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        for place in sorted(Path(folder).glob("*"))
        if place.is_file() and place.resolve() not in owned
    }
