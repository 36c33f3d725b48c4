"""Releases: what was installed, sealed as one file in the archive, and signed with the log's key.

A sealed release has the sources, templates, fonts and lock files of an installation, and a manifest
with the digest of each. Its event names it by digest; `verify all` compares what is installed, and
the code that runs, with the manifest that was signed.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from django.conf import settings
from django.db import transaction

from compliance.event_log.events import RELEASE_SEALED
from compliance.event_log.proof import sign_note
from compliance.event_log.tree import signing_keys, trusted_keys
from compliance.event_log.verifier import BrokenError, read_note
from compliance.events.canonical import canonical
from compliance.events.models import Event
from compliance.events.record import record
from compliance.files.archive import (
    DamagedError,
    MissingError,
    current_archive,
    read_bytes,
    store_bytes,
)
from compliance.retention.verification import Kept
from compliance.verification.software import foreign_code
from compliance.verification.surroundings import (
    COMPILED,
    library_digests,
    platform_name,
    served_digests,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.db.models import QuerySet

    from compliance.access.scope import Asker
    from compliance.event_log.verifier import Answer
    from compliance.events.actor import Actor


ROOT = Path(settings.BASE_DIR)
FOLDERS = ("audits", "compliance", "games", "reports", "templates")
FILES = (
    "CHANGELOG.md", "LICENSE", "manage.py", "package-lock.json", "package.json", "pyproject.toml",
    "requirements-node.lock", "requirements.lock",
)  # fmt: skip
LOCK = "requirements.lock"
FONTS = "fonts"
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
LOST = (
    "So what is installed was not compared with it: run `manage.py verify release FILE` with the "
    "file of this release that was kept elsewhere."
)
TITLE = "release of card-game-compliance"


@dataclass(frozen=True)
class Sealed:
    """A release in the archive: its version, the file's digest, and what it is of."""

    version: str
    artifact: str
    engine: str
    reports: str
    event: int

    def __str__(self) -> str:
        return f"{self.version} ({self.artifact[:12]})"


def installed_files() -> dict[str, Path]:
    """Return every file of this installation that belongs to a release, by its name in it."""
    found = {name: ROOT / name for name in FILES if (ROOT / name).is_file()}
    for folder in FOLDERS:
        for place in sorted((ROOT / folder).rglob("*")):
            name = place.relative_to(ROOT)
            if place.is_file() and COMPILED not in name.parts and not place.name.startswith("."):
                found[name.as_posix()] = place
    return found


def seal_release(
    *, engine: str, reports: str, fonts: Mapping[str, Path], by: Asker | Actor
) -> Sealed:
    """Put what is installed into the archive as one signed file, and record it.

    Sealing the same release again changes nothing. `engine` and `reports` are the digests that
    replays and reports name.
    """
    files = installed_files() | {f"{FONTS}/{name}": place for name, place in fonts.items()}
    content = {name: place.read_bytes() for name, place in sorted(files.items())}
    version = tomllib.loads(content["pyproject.toml"].decode())["project"]["version"]
    manifest = canonical(
        {
            "version": version,
            "engine": engine,
            "reports": reports,
            "files": {name: hashlib.sha256(each).hexdigest() for name, each in content.items()},
            "platform": platform_name(),
            "libraries": library_digests(content.get(LOCK, b"").decode()),
            "served": served_digests(),
        }
    )
    known = newest_release()
    digest = hashlib.sha256(manifest).hexdigest()
    if known is not None and known.payload["manifest"] == digest:
        return _sealed(known)
    note = sign_note(_signed_text(version, digest), signing_keys())
    stored = store_bytes(current_archive(), _packed(content, manifest, note))
    with transaction.atomic():
        event = record(
            RELEASE_SEALED,
            by=by,
            carries={
                "version": version,
                "artifact": stored.digest,
                "manifest": digest,
                "engine": engine,
                "reports": reports,
            },
        )
    return _sealed(event)


def _packed(content: Mapping[str, bytes], manifest: bytes, note: str) -> bytes:
    made = BytesIO()
    with ZipFile(made, "w") as packed:  # not compressed, always dated 1980: the same bytes
        packed.writestr(ZipInfo(MANIFEST), manifest)
        packed.writestr(ZipInfo(SIGNATURE), note.encode())
        for name, each in content.items():
            packed.writestr(ZipInfo(name), each)
    return made.getvalue()


def _signed_text(version: str, manifest: str) -> str:
    return f"{settings.LOG_ORIGIN}\n{TITLE} {version}\n{manifest}\n"


def newest_release() -> Event | None:
    """Return the event of the release that was sealed last."""
    return _sealed_events().first()


def find_release(engine: str) -> Sealed | None:
    """Return the newest sealed release with an engine."""
    return _newest_with(payload__engine=engine) if engine else None


def find_release_of_reports(reports: str) -> Sealed | None:
    """Return the newest sealed release with a report writer."""
    return _newest_with(payload__reports=reports) if reports else None


def sealed_releases() -> list[Sealed]:
    """List every sealed release, the newest first."""
    return [_sealed(each) for each in _sealed_events()]


def _newest_with(**carried: str) -> Sealed | None:
    event = _sealed_events().filter(**carried).first()
    return _sealed(event) if event is not None else None


def _sealed_events() -> QuerySet[Event]:
    return Event.objects.filter(type=RELEASE_SEALED.name).order_by("-pk")


def _sealed(event: Event) -> Sealed:
    carried = event.payload
    return Sealed(
        carried["version"], carried["artifact"], carried["engine"], carried["reports"], event.pk
    )


def named_releases() -> Iterator[Kept]:
    """Yield each sealed release; the archive keeps them all."""
    for each in sealed_releases():
        yield Kept(each.artifact, f"release {each.version}")


def read_release(artifact: bytes) -> dict[str, Any]:
    """Return the manifest of a sealed release.

    Raises:
        BrokenError: it is none, the log's key did not sign it, or a file in it is not as signed.
    """
    try:
        with ZipFile(BytesIO(artifact)) as packed:
            content = {name: packed.read(name) for name in packed.namelist()}
            manifest, note = content.pop(MANIFEST), content.pop(SIGNATURE).decode()
            read: dict[str, Any] = json.loads(manifest)
            version, files = str(read["version"]), dict(read["files"])
    except (BadZipFile, KeyError, ValueError, TypeError) as error:
        what = "this is no sealed release"
        raise BrokenError(what) from error
    text, signers = read_note(note, trusted_keys())
    if not signers or text != _signed_text(version, hashlib.sha256(manifest).hexdigest()):
        what = "the log's key did not sign the manifest of this release"
        raise BrokenError(what)
    packed_digests = {name: hashlib.sha256(each).hexdigest() for name, each in content.items()}
    for name in sorted(packed_digests.keys() | files):
        if packed_digests.get(name) != files.get(name):
            what = f"{name} in this release is not as it was signed"
            raise BrokenError(what)
    return read


def check_release(answer: Answer) -> None:
    """Compare what is installed and what runs with the release that was sealed last."""
    event = newest_release()
    if event is None:
        answer.notes.append(
            "No release is sealed, so what is installed was compared with none: run "
            "`manage.py release`."
        )
        return
    sealed = _sealed(event)
    try:
        manifest = read_release(read_bytes(current_archive(), sealed.artifact))
    except (BrokenError, DamagedError, MissingError) as broken:
        answer.broken(f"{broken} {LOST}", f"release {sealed}")
        return
    digest = hashlib.sha256(canonical(manifest)).hexdigest()
    if digest != event.payload["manifest"]:
        answer.broken(f"is not the release that event {event.pk:,} sealed", f"release {sealed}")
        return
    compare_installed(answer, manifest)


def compare_installed(answer: Answer, manifest: Mapping[str, Any]) -> None:
    """Report each file that is not as in a release, and each whose code does not run as written."""
    name_of = f"release {manifest['version']}"
    installed = installed_files()
    known = {name: each for name, each in manifest["files"].items() if not _is_font(name)}
    for name in sorted(installed.keys() | known):
        answer.checked += 1
        if name not in installed:
            answer.broken(f"is in {name_of} and not installed", name)
        elif name not in known:
            answer.broken(f"is installed and not in {name_of}", name)
        elif hashlib.sha256(installed[name].read_bytes()).hexdigest() != known[name]:
            answer.broken(f"is not as in {name_of}", name)
    for file in foreign_code(ROOT / folder for folder in FOLDERS[:4]):
        where = file.relative_to(ROOT).as_posix()
        answer.broken(f"the code that runs is not that of {name_of}", where)
    _compare_surroundings(answer, manifest, name_of)


def _compare_surroundings(answer: Answer, manifest: Mapping[str, Any], name_of: str) -> None:
    """Report each library and each collected asset that is not as when the release was sealed."""
    if "platform" not in manifest:
        answer.notes.append(f"{name_of} was sealed without its libraries: seal it again.")
        return
    if manifest["platform"] == platform_name():
        lock = (ROOT / LOCK).read_text() if (ROOT / LOCK).is_file() else ""
        _compare(answer, manifest["libraries"], library_digests(lock), f"library {{}} of {name_of}")
    else:
        answer.notes.append(
            f"The libraries were not compared: {name_of} was sealed on {manifest['platform']}, "
            f"here is {platform_name()}."
        )
    if served := served_digests():
        _compare(answer, manifest["served"], served, f"collected asset {{}} of {name_of}")


def _compare(
    answer: Answer, sealed: Mapping[str, str], here: Mapping[str, str], where: str
) -> None:
    for name in sorted(sealed.keys() | here):
        answer.checked += 1
        if sealed.get(name) != here.get(name):
            answer.broken("is not as when the release was sealed", where.format(name))


def _is_font(name: str) -> bool:
    return name.startswith(f"{FONTS}/")
