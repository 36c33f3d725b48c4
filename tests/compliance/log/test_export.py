"""Anyone can check what leaves the system, with one script and the public key."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import transaction

from compliance.event_log import verifier
from compliance.event_log.events import EXPORTED
from compliance.event_log.export import event_line, export_log
from compliance.event_log.models import Checkpoint, Leaf
from compliance.event_log.pages import build_script
from compliance.event_log.tree import (
    consistency_proof,
    inclusion_proof,
    newest_checkpoint,
    trusted_keys,
)
from compliance.event_log.verifier_export import ExportCheck
from compliance.event_log.writes import integrate, prove
from compliance.events.actor import Actor
from compliance.events.models import ActorKind, Event, PersonalData
from compliance.events.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PERSON = Actor(ActorKind.PERSON, name="Ada Example")


@pytest.fixture(scope="module")
def filled(databases, django_db_blocker, tmp_path_factory) -> str:
    kept_checkpoint = tmp_path_factory.mktemp("held") / "log.checkpoint"
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock():
        patch.setattr(settings, "KEPT_CHECKPOINT", kept_checkpoint)
        name = databases.copy()
        with databases.using(name):
            for times in (20, 300):
                with transaction.atomic():
                    for number in range(times):
                        carried = {"count": number, "filter": "ünï", "size": number}
                        record(EXPORTED, by=PERSON, carries=carried)
                integrate()
    return name


@pytest.fixture
def log(filled, databases, django_db_blocker, monkeypatch, tmp_path) -> Iterator[None]:
    monkeypatch.setattr(settings, "KEPT_CHECKPOINT", tmp_path / "held.checkpoint")
    with django_db_blocker.unblock(), databases.using(databases.copy(of=filled)):
        yield


@pytest.fixture
def key(tmp_path) -> Path:
    place = tmp_path / "key"
    place.write_text("".join(f"{each}\n" for each in trusted_keys()))
    return place


def run_script(*arguments: object) -> tuple[int, dict]:
    """Run the published script alone, like someone who has nothing else of ours."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", build_script(), *map(str, arguments), "--json"],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    return done.returncode, json.loads(done.stdout) if done.stdout else {"error": done.stderr}


def exported(**asked: Any) -> Iterator[str]:
    _, lines = export_log(**asked)
    return lines


def written(tmp_path: Path, lines: Iterator[str] | list[str]) -> Path:
    place = tmp_path / "export.jsonl"
    place.write_text("".join(lines), encoding="utf-8")
    return place


def test_the_script_needs_nothing_of_ours():
    source = build_script().replace("a compliance system", "")
    assert "compliance." not in source
    assert "django" not in source


def test_whole_export_is_intact_and_ends_with_its_event(log, tmp_path, key):
    lines = list(exported(by=PERSON))
    status, answer = run_script("export", "--key", key, written(tmp_path, lines))
    assert (status, answer["ok"], answer["problems"]) == (0, True, [])
    assert answer["checked"] == Event.objects.count() == Leaf.objects.count()
    last_event = json.loads(lines[-2])["event"]
    assert last_event["type"] == "log.exported"
    assert sum("event" not in json.loads(line) for line in lines[1:-1]) == (
        Checkpoint.objects.count() - 1
    )


def test_chosen_events_are_exported_each_with_its_proof(log, tmp_path, key):
    chosen = Event.objects.filter(pk__in=[3, 200, 250])
    lines = list(exported(by=PERSON, events=chosen, asked="three of them"))
    assert [json.loads(line)["event"]["number"] for line in lines[1:-1]] == [3, 200, 250]
    status, answer = run_script("export", "--key", key, written(tmp_path, lines))
    assert (status, answer) == (0, {"ok": True, "checked": 3, "problems": []})
    assert Event.objects.last().payload == {"count": 3, "filter": "three of them", "size": 321}


ATTACKS: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "a line is missing": (lambda lines: lines[:100] + lines[101:], ""),
    "the end is missing": (lambda lines: lines[:-1], "cut off"),
    "an entry is changed": (
        lambda lines: [*lines[:100], lines[100].replace('"size":', '"siz":'), *lines[101:]],
        "",
    ),
    "a name is changed": (
        lambda lines: [*lines[:100], lines[100].replace("Ada", "Eve"), *lines[101:]],
        "personal data is not what was recorded",
    ),
    "the checkpoint is changed": (
        lambda lines: [lines[0].replace("log\\n3", "log\\n4"), *lines[1:]],
        "signature",
    ),
    "something else is between": (
        lambda lines: [*lines[:100], "not json\n", *lines[100:]],
        "not a line",
    ),
    "an empty line is between": (lambda lines: [*lines[:100], "{}\n", *lines[100:]], "not a line"),
    "something follows the end": (lambda lines: [*lines, lines[100]], ""),
    "something nobody signed stands beside": (
        lambda lines: [
            *lines[:100],
            lines[100].replace('{"index"', '{"note":1,"index"'),
            *lines[101:],
        ],
        "holds what nothing vouches for: note",
    ),
    "an entry is said twice": (
        lambda lines: [
            *lines[:100],
            lines[100].replace('"reason":""', '"reason":"x","reason":""'),
            *lines[101:],
        ],
        "says the same thing twice",
    ),
    "an event is given twice": (
        lambda lines: [*lines[:100], lines[100], *lines[100:-1], '{"end":321}\n'],
        "follows leaf",
    ),
    "nothing is left": (lambda lines: [], "cut off"),
}


@pytest.fixture(scope="module")
def exports(filled, databases, django_db_blocker, tmp_path_factory) -> dict[bool, list[str]]:
    kept_checkpoint = tmp_path_factory.mktemp("held") / "log.checkpoint"
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock():
        patch.setattr(settings, "KEPT_CHECKPOINT", kept_checkpoint)
        with databases.using(databases.copy(of=filled)):
            part = list(exported(by=PERSON, events=Event.objects.filter(pk__lt=321)))
        with databases.using(databases.copy(of=filled)):
            return {True: list(exported(by=PERSON)), False: part}


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_export_with_anything_changed_is_refused(exports, attack, whole):
    change, what = ATTACKS[attack]
    lines = exports[whole]
    assert ExportCheck(trusted_keys()).check(lines).problems == []
    changed = change(lines)
    assert changed != lines
    found = ExportCheck(trusted_keys()).check(changed).problems
    assert found
    assert any(what in problem["what"] for problem in found)


def rehashed(line: str) -> str:
    """Edit an event like someone who knows the format, recomputing its leaf."""
    answer = json.loads(line.replace('"reason":""', '"reason":"edited"'))
    leaf = verifier.leaf_hash(verifier.canonical_json(answer["event"]))
    return json.dumps({**answer, "leaf": leaf.hex()}) + "\n"


NAMED: dict[str, tuple[Callable[[list[str]], list[str]], str, str]] = {
    "one edited": (
        lambda lines: [
            *lines[:100],
            lines[100].replace('"reason":""', '"reason":"x"'),
            *lines[101:],
        ],
        "event 98 (",
        "this event is not the one that got this place in the log",
    ),
    "one edited, and its hash": (
        lambda lines: [*lines[:100], rehashed(lines[100]), *lines[101:]],
        "checkpoint of 321 events",
        "leaves 21 to 320 do not give the root that was signed: at least one of them was edited",
    ),
    "one missing": (
        lambda lines: [*lines[:100], *lines[101:]],
        "event 99 (",
        "leaf 97 is missing: leaf 98 follows leaf 96",
    ),
    "ten missing": (
        lambda lines: [*lines[:100], *lines[110:]],
        "event 108 (",
        "leaves 97 to 106 are missing: leaf 107 follows leaf 96",
    ),
    "the last missing": (
        lambda lines: [*lines[:-2], '{"end":321}\n'],
        "the export's checkpoint",
        "321 events are here, and 322 were signed",
    ),
    "an unreadable line": (
        lambda lines: [*lines[:100], "{", *lines[101:]],
        "line 101",
        "not a line of an event log export",
    ),
}


@pytest.mark.parametrize("attack", NAMED)
def test_what_is_wrong_is_named_exactly_once(exports, attack):
    """Before line 101 are the head, leaves 0 to 96 and the checkpoints of 1 and 21 events."""
    change, where, what = NAMED[attack]
    [problem] = ExportCheck(trusted_keys()).check(change(exports[True])).problems
    assert problem["where"].startswith(where)
    assert problem["what"] == what


def test_a_reader_that_leaves_early_gets_no_traceback(exports, log, tmp_path, key):
    """Sixty thousand faults fill the pipe: `head -1` exits before the rest is written."""
    lines = exports[True]
    edited = lines[100].replace('"reason":""', '"reason":"x"')
    place = written(tmp_path, [*lines[:100], *[edited] * 60_000, *lines[101:]])
    command = [sys.executable, "-I", "-c", build_script(), "export", "--key", key, place]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout.readline().startswith(b"BROKEN  event 98 (")
        started.stdout.close()
        assert started.stderr.read() == b""
    assert started.returncode == 1


def test_partial_export_is_not_compared_with_checkpoint(exports, log):
    kept_checkpoint = verifier.read_checkpoint(Checkpoint.objects.first().note, trusted_keys())
    (problem,) = ExportCheck(trusted_keys(), kept_checkpoint).check(exports[False]).problems
    assert problem["what"] == "only a whole export can be compared with it"
    part = ExportCheck(trusted_keys())
    part.check(exports[False])
    assert part.in_words().startswith("320 checked, chosen from a log of 32")


def test_reordered_events_of_an_export_are_named(log, tmp_path, key):
    lines = list(exported(by=PERSON))
    lines[50], lines[51] = lines[51], lines[50]
    status, answer = run_script("export", "--key", key, written(tmp_path, lines))
    assert status == 1
    assert "follows leaf" in answer["problems"][0]["what"]


def test_older_kept_checkpoint_must_agree(log, tmp_path, key):
    lines = list(exported(by=PERSON))
    place = written(tmp_path, lines)
    kept_checkpoint = tmp_path / "held"
    kept_checkpoint.write_text(Checkpoint.objects.first().note)
    assert run_script("export", "--key", key, "--held", kept_checkpoint, place)[0] == 0
    with transaction.atomic():
        record(EXPORTED, by=PERSON, carries={"count": 0, "filter": "", "size": 0})
    integrate()
    kept_checkpoint.write_text(newest_checkpoint().note)
    status, answer = run_script("export", "--key", key, "--held", kept_checkpoint, place)
    assert status == 1
    assert "the checkpoint you hold covers" in answer["problems"][0]["what"]


def test_one_event_is_proven_by_three_small_files(log, tmp_path, key):
    event = Event.objects.get(pk=150)
    proof, content = tmp_path / "p.tlog-proof", tmp_path / "e.json"
    proof.write_text(prove(event))
    content.write_text(event_line(Leaf.objects.get(event=event)))
    asked = ("inclusion", "--key", key, "--proof", proof, "--event", content)
    assert run_script(*asked) == (0, {"ok": True, "checked": 1, "problems": []})
    content.write_text(content.read_text().replace('"reason":""', '"reason":"x"'))
    assert run_script(*asked)[0] == 1


def test_two_checkpoints_are_shown_to_be_of_one_log(log, tmp_path, key):
    old, new = tmp_path / "old", tmp_path / "new"
    first, newest = Checkpoint.objects.first(), newest_checkpoint()
    old.write_text(first.note)
    new.write_text(newest.note)
    proof = tmp_path / "proof"
    proof.write_text(consistency_proof(first.size, newest.size))
    asked = ("consistency", "--key", key, "--old", old, "--new", new, "--proof", proof)
    assert run_script(*asked) == (0, {"ok": True, "checked": 2, "problems": []})
    proof.write_text(consistency_proof(first.size + 1, newest.size))
    status, answer = run_script(*asked)
    assert status == 1
    assert "the proof is for" in answer["problems"][0]["what"]
    proof.write_text(consistency_proof(first.size, newest.size).replace("A", "B"))
    assert run_script(*asked)[0] == 1


def test_script_reports_undetermined(log, tmp_path, key):
    status, answer = run_script("export", "--key", key, tmp_path / "nowhere")
    assert status == 2
    assert "Cannot tell" in answer["error"]
    key.write_text("no key\n")
    assert run_script("export", "--key", key, written(tmp_path, []))[0] == 2


def test_ten_thousand_proofs_are_verified_offline(log):
    """Check each of 10,000 proof files as the script does, which takes about two seconds."""
    keys = trusted_keys()
    newest = newest_checkpoint()
    leaves = {leaf.index: leaf for leaf in Leaf.objects.all()}
    texts = [inclusion_proof(leaf, newest) for leaf in list(leaves.values())[:50]]
    checked = 0
    for _ in range(200):
        for index, text in enumerate(texts):
            proof = verifier.InclusionProof.parse(text)
            assert proof.check(bytes(leaves[index].hash), keys).size == newest.size
            checked += 1
    assert checked == 10_000


def test_personal_data_removed_by_rule_keeps_proof_intact(log, tmp_path, key):
    PersonalData._base_manager.filter(event=150).update(salt=None, data=None)
    lines = list(exported(by=PERSON))
    assert json.loads(next(line for line in lines if '"number":150' in line))["personal"] is None
    assert run_script("export", "--key", key, written(tmp_path, lines))[0] == 0


def test_the_command_checks_an_export_too(log, tmp_path, capsys):
    place = written(tmp_path, exported(by=PERSON))
    call_command("verify", "export", str(place), "--json")
    assert json.loads(capsys.readouterr().out)["ok"] is True
    place.write_text(place.read_text().replace('"count":7,', '"count":8,'))
    with pytest.raises(SystemExit, match="1"):
        call_command("verify", "export", str(place), "--json")
    with pytest.raises(SystemExit, match="2"):
        call_command("verify", "export", str(tmp_path / "nowhere"), "--json")
