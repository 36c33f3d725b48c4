"""The configuration rejects invalid values with a sentence."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from compliance.project.configuration import checkpoint_file
from compliance.project.environment import read_environment, variables


def test_every_unusable_value_is_named_in_one_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODE", "live")
    monkeypatch.setenv("TIME_ZONE", "Olympia")
    monkeypatch.setenv("BROKER_URL", "amqp://somewhere")
    with pytest.raises(ImproperlyConfigured) as refused:
        read_environment()
    data = str(refused.value)
    assert "MODE: is 'live'. Write demonstration or production." in data
    assert "TIME_ZONE: 'Olympia' is no time zone." in data
    assert "BROKER_URL: begins with amqp://" in data


def test_the_reference_lists_each_variable_once() -> None:
    names = [each.name for each in variables()]
    assert len(names) == len(set(names)) > 0


def test_each_database_has_its_own_kept_checkpoint(tmp_path: Path) -> None:
    inside = checkpoint_file(tmp_path, {"NAME": str(tmp_path / "database.sqlite3")})
    assert inside.parent == tmp_path
    moved = tmp_path / "moved"
    again = checkpoint_file(moved, {"NAME": moved / "database.sqlite3"})
    assert again.name == inside.name, "the folder may move"
    server = {"NAME": "cards", "HOST": "db", "PORT": "5432"}
    assert checkpoint_file(tmp_path, server) == checkpoint_file(tmp_path, dict(server))
    others = [{**server, key: "other"} for key in server]
    names = {checkpoint_file(tmp_path, each).name for each in (*others, server)}
    assert len(names | {inside.name}) == 5
