"""A release is sealed as one signed file, and what is installed is compared with it."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile, ZipInfo

import pytest
from django.core.management import call_command

from compliance.event_log.proof import SigningKey, sign_note
from compliance.event_log.tree import signing_keys
from compliance.event_log.verifier import Answer, BrokenError
from compliance.events.actor import SYSTEM
from compliance.events.models import Event
from compliance.files.archive import current_archive, read_bytes
from compliance.retention.verification import kept_files
from compliance.verification import release
from compliance.verification.release import check_release, find_release, read_release, seal_release

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]
PROJECT = '[project]\nversion = "3.2.1"\n'


@pytest.fixture
def root(tmp_path: Path, settings, monkeypatch) -> Path:
    """Return a small installation of its own."""
    settings.ARCHIVE_URL = str(tmp_path / "archive")
    root = tmp_path / "installed"
    for folder in release.FOLDERS:
        (root / folder).mkdir(parents=True)
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "games" / "settle.py").write_text("PAYS = 50\n")
    (root / "templates" / "page.html").write_text("<p>")
    monkeypatch.setattr(release, "ROOT", root)
    monkeypatch.setattr(release, "library_digests", lambda _: {})
    return root


def sealed(root: Path) -> release.Sealed:
    font = root.parent / "font.ttf"
    font.write_bytes(b"font")
    return seal_release(engine="e" * 64, reports="r" * 64, fonts={"font.ttf": font}, by=SYSTEM)


def artifact_of(root: Path) -> bytes:
    return read_bytes(current_archive(), sealed(root).artifact)


def problems() -> list[str]:
    answer = Answer()
    check_release(answer)
    return [f"{each['where']} {each['what']}" for each in answer.problems]


def test_release_has_every_file_and_is_kept(root):
    found = sealed(root)
    assert found.version == "3.2.1"
    with ZipFile(BytesIO(artifact_of(root))) as packed:
        assert packed.read("games/settle.py") == b"PAYS = 50\n"
        assert packed.read("fonts/font.ttf") == b"font"
        assert json.loads(packed.read("manifest.json"))["engine"] == "e" * 64
    assert found.artifact in {each.digest for each in kept_files()}
    assert find_release("e" * 64) == found
    assert find_release("f" * 64) is None


def test_sealing_again_changes_nothing(root):
    assert sealed(root) == sealed(root)
    assert Event.objects.filter(type="release.sealed").count() == 1


CHANGES = {
    "edited": ("games/settle.py", "PAYS = 51\n", "is not as in release 3.2.1"),
    "removed": ("games/settle.py", None, "is in release 3.2.1 and not installed"),
    "added": ("games/more.py", "", "is installed and not in release 3.2.1"),
    "template": ("templates/page.html", "<b>", "is not as in release 3.2.1"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_changed_installation_is_named(root, case):
    name, text, named = CHANGES[case]
    sealed(root)
    assert problems() == []
    if text is None:
        (root / name).unlink()
    else:
        (root / name).write_text(text)
    assert problems() == [f"{name} {named}"]


def test_changed_asset_is_named(root, settings):
    settings.STATIC_ROOT = root.parent / "static"
    settings.STATIC_ROOT.mkdir()
    script = settings.STATIC_ROOT / "kept.44.js"
    script.write_text("send(decision)")
    sealed(root)
    assert problems() == []
    script.write_text("send('dismissed')")
    assert problems() == [
        "collected asset kept.44.js of release 3.2.1 is not as when the release was sealed"
    ]


def packed_again(artifact: bytes, name: str, content: bytes) -> bytes:
    made = BytesIO()
    with ZipFile(BytesIO(artifact)) as old, ZipFile(made, "w") as new:
        for each in old.namelist():
            new.writestr(ZipInfo(each), content if each == name else old.read(each))
    return made.getvalue()


def test_doctored_release_is_rejected(root):
    artifact = artifact_of(root)
    assert read_release(artifact)["version"] == "3.2.1"
    with pytest.raises(BrokenError, match=r"games/settle\.py in this release is not as it was"):
        read_release(packed_again(artifact, "games/settle.py", b"PAYS = 51\n"))
    with ZipFile(BytesIO(artifact)) as packed:
        manifest = json.loads(packed.read("manifest.json"))
    manifest["files"]["games/settle.py"] = "0" * 64
    changed = packed_again(artifact, "manifest.json", json.dumps(manifest).encode())
    with pytest.raises(BrokenError, match="did not sign the manifest"):
        read_release(changed)
    other = sign_note("x\n", [SigningKey.generate(signing_keys()[0].name)]).encode()
    with pytest.raises(BrokenError, match="did not sign the manifest"):
        read_release(packed_again(artifact, "manifest.sig", other))
    with pytest.raises(BrokenError, match="no sealed release"):
        read_release(b"PK")


def test_lost_release_is_named(root):
    place = current_archive().place(sealed(root).artifact)
    place.chmod(0o644)
    place.write_bytes(b"x")
    assert "run `manage.py verify release FILE`" in problems()[0]
    place.unlink()
    assert "has nothing under" in problems()[0]


def test_commands_seal_and_compare_what_is_installed(tmp_path, settings, capsys):
    settings.ARCHIVE_URL = str(tmp_path / "archive")
    place = tmp_path / "release.zip"
    call_command("release", "--output", place, "--json")
    answer = json.loads(capsys.readouterr().out)
    assert answer["release"] == Event.objects.get(type="release.sealed").payload["artifact"]
    call_command("verify", "release", place)
    assert "intact" in capsys.readouterr().out
