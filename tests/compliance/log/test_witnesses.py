"""Witnesses cosign the log as long as it only grows, and a contradiction stops signing."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import threading
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.db import transaction
from django.test import Client

from compliance import conditions
from compliance.event_log import cosigning
from compliance.event_log.cosigning import ask_witnesses, newest_cosigned, receive
from compliance.event_log.events import EXPORTED
from compliance.event_log.models import Checkpoint as StoredCheckpoint
from compliance.event_log.models import Cosignature, WitnessState
from compliance.event_log.proof import SigningKey, consistency_path, sign_checkpoint
from compliance.event_log.tree import (
    LogBrokenError,
    StoredTiles,
    newest_checkpoint,
    signing_keys,
)
from compliance.event_log.verification import verify_log
from compliance.event_log.verifier import (
    EMPTY_ROOT,
    BrokenError,
    Checkpoint,
    Frontier,
    Policy,
    VerifierKey,
    canonical_json,
    leaf_hash,
    main,
)
from compliance.event_log.witness import Witness, one_process, serve
from compliance.event_log.witness import main as run_witness
from compliance.event_log.writes import integrate, prove
from compliance.events.actor import SYSTEM
from compliance.events.models import Waiting
from compliance.events.record import record
from compliance.health import State
from tests.installation import wait_until
from tests.project.test_serve import address, status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.installation import Installation

ORIGIN = "example.com/log"
LOG = SigningKey.generate(ORIGIN)
HASH = hashlib.sha256(ORIGIN.encode()).hexdigest()


def tree(*leaves: str) -> Frontier:
    frontier = Frontier()
    for leaf in leaves:
        frontier.append(leaf_hash(leaf.encode()))
    return frontier


def note(frontier: Frontier, key: SigningKey = LOG) -> str:
    return sign_checkpoint(Checkpoint(key.name, frontier.size, frontier.root()), [key])


def path(*hashes: bytes) -> str:
    return "".join(f"{base64.b64encode(each).decode()}\n" for each in hashes)


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    return Witness("example.org/w1", tmp_path / "w1", [LOG.public])


# --- the witness, by the protocol -------------------------------------------------------------


def test_cosignature_is_as_the_format_says(witness: Witness) -> None:
    text = Checkpoint(ORIGIN, 2, tree("a", "b").root()).text()
    answer = witness.add_checkpoint(f"old 0\n\n{note(tree('a', 'b'))}")
    assert answer.status == 200
    dash, name, encoded = answer.body.rstrip("\n").split(" ")
    raw = base64.b64decode(encoded)
    public = witness.public.public
    assert (dash, name) == ("—", "example.org/w1")
    assert raw[:4] == hashlib.sha256(b"example.org/w1\n\x04" + public).digest()[:4]
    time = int.from_bytes(raw[4:12], "big")
    signed = f"cosignature/v1\ntime {time}\n{text}".encode()
    Ed25519PublicKey.from_public_bytes(public).verify(raw[12:], signed)
    assert witness.find(HASH).body == note(tree("a", "b")) + answer.body


def test_growth_is_cosigned_under_its_proof(witness: Witness) -> None:
    two, three = tree("a", "b"), tree("a", "b", "c")
    assert witness.add_checkpoint(f"old 0\n\n{note(two)}").status == 200
    proof = path(leaf_hash(b"c"))
    assert witness.add_checkpoint(f"old 2\n{proof}\n{note(three)}").status == 200


def test_wrong_old_size_is_answered_with_the_right_one(witness: Witness) -> None:
    witness.add_checkpoint(f"old 0\n\n{note(tree('a', 'b'))}")
    answer = witness.add_checkpoint(f"old 1\n\n{note(tree('a', 'b', 'c'))}")
    assert (answer.status, answer.body) == (409, "2\n")
    assert answer.content_type == "text/x.tlog.size"


FORGED = SigningKey.generate(ORIGIN)
REFUSED = {
    "another beginning": (422, f"old 2\n{path(leaf_hash(b'c'))}\n{note(tree('a', 'x', 'c'))}"),
    "another tree of this size": (422, f"old 2\n\n{note(tree('a', 'x'))}"),
    "no proof": (422, f"old 2\n\n{note(tree('a', 'b', 'c'))}"),
    "a smaller tree": (400, f"old 2\n\n{note(tree('a'))}"),
    "another key": (403, f"old 2\n\n{note(tree('a', 'b'), FORGED)}"),
    "a log it does not know": (404, f"old 0\n\n{note(tree('a'), SigningKey.generate('other'))}"),
    "no checkpoint": (400, "old 2"),
    "no size": (400, f"old two\n\n{note(tree('a', 'b'))}"),
    "64 hashes": (400, f"old 2\n{path(*[EMPTY_ROOT] * 64)}\n{note(tree('a', 'b', 'c'))}"),
    "a hash of 31 bytes": (400, f"old 2\n{path(EMPTY_ROOT[1:])}\n{note(tree('a', 'b', 'c'))}"),
}


@pytest.mark.parametrize("which", REFUSED)
def test_anything_else_is_refused(witness: Witness, which: str) -> None:
    status, request = REFUSED[which]
    witness.add_checkpoint(f"old 0\n\n{note(tree('a', 'b'))}")
    kept = witness.last(ORIGIN)
    assert witness.add_checkpoint(request).status == status
    assert witness.last(ORIGIN) == kept


def test_tree_of_no_events_has_the_empty_root(witness: Witness) -> None:
    forged = sign_checkpoint(Checkpoint(ORIGIN, 0, tree("a").root()), [LOG])
    assert witness.add_checkpoint(f"old 0\n\n{forged}").status == 422
    assert witness.add_checkpoint(f"old 0\n\n{note(Frontier())}").status == 200


def test_contradicting_checkpoint_is_kept_as_evidence(witness: Witness) -> None:
    witness.add_checkpoint(f"old 0\n\n{note(tree('a', 'b'))}")
    witness.add_checkpoint(f"old 2\n\n{note(tree('a', 'x'))}")
    kept = [each.read_text() for each in witness.folder.glob("contradicts-*")]
    assert kept == [note(tree("a", "x"))]


def test_restarted_witness_remembers(witness: Witness) -> None:
    witness.add_checkpoint(f"old 0\n\n{note(tree('a', 'b'))}")
    again = Witness(witness.name, witness.folder, [LOG.public])
    assert again.public == witness.public
    assert again.add_checkpoint(f"old 0\n\n{note(tree('a', 'x'))}").status == 409


# --- who has to cosign ------------------------------------------------------------------------


def witness_key(number: int) -> str:
    public = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32).public_key()
    return str(VerifierKey(f"w{number}", public.public_bytes_raw(), kind=b"\x04"))


KEYS = [witness_key(number) for number in range(4)]
WITNESSES = "".join(f"witness W{number} {key}\n" for number, key in enumerate(KEYS))


@pytest.mark.parametrize(
    ("rest", "cosigners", "met"),
    [
        ("quorum none", "", True),
        ("quorum W1", "W0 W2", False),
        ("quorum W1", "W1", True),
        ("group G 2 W0 W1 W2\nquorum G", "W1", False),
        ("group G 2 W0 W1 W2\nquorum G", "W1 W2", True),
        ("group G any W0 W1\ngroup H all G W2\nquorum H", "W0 W1", False),
        ("group G any W0 W1\ngroup H all G W2\nquorum H", "W1 W2", True),
    ],
)
def test_quorum_counts_witnesses_and_groups(rest: str, cosigners: str, *, met: bool) -> None:
    assert Policy.parse(WITNESSES + rest).is_met(cosigners.split()) is met


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "quorum W9",
        "quorum W1\nquorum W2",
        "group G 3 W0 W1\nquorum G",
        "group G 0 W0 W1\nquorum G",
        "group G any G\nquorum G",
        "group G any W0\ngroup H any W0\nquorum H",
        f"witness W0 {KEYS[0]}\nquorum W0",
        f"witness again {KEYS[0]}\nquorum W0",
        f"witness none {witness_key(9)}\nquorum none",
        f"witness log {KEYS[3].replace('+B', '+A')}\nquorum log",
    ],
)
def test_unusable_policy_is_rejected(wrong: str) -> None:
    with pytest.raises(BrokenError, match="policy"):
        Policy.parse(WITNESSES + wrong)


# --- the system and its witnesses -------------------------------------------------------------


@pytest.fixture
def places(settings, tmp_path: Path, monkeypatch) -> Path:
    settings.KEPT_CHECKPOINT = tmp_path / "log.checkpoint"
    settings.WITNESSES = str(tmp_path / "policy")
    state_policy(tmp_path, "quorum none")
    monkeypatch.setattr(cosigning, "EVERY", timedelta(microseconds=1))
    return tmp_path


def happen() -> None:
    with transaction.atomic():
        record(EXPORTED, by=SYSTEM, carries={"count": 1, "filter": "", "size": 0})
    integrate()


def own_witness(folder: Path, name: str = "example.org/w1") -> Witness:
    key = Client().get("/log/key").content.decode().split()[0]
    return Witness(name, folder, [VerifierKey.parse(key)])


def state_policy(folder: Path, *lines: str) -> None:
    (folder / "policy").write_text("\n".join([*lines, ""]))


@contextmanager
def answering(witness: Witness) -> Iterator[str]:
    with serve(witness, ("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join(10)


@pytest.mark.django_db
def test_witness_with_an_address_is_asked_again_and_again(places: Path) -> None:
    witness = own_witness(places / "w1")
    with answering(witness) as address:
        state_policy(places, f"witness W {witness.public} {address}", "quorum W")
        for _ in range(2):
            happen()
            ask_witnesses()
            newest = newest_checkpoint()
            assert newest is not None
            assert newest_cosigned() == newest
            assert Policy.parse((places / "policy").read_text()).cosigners(
                Client().get("/log/checkpoint/cosigned").content.decode()
            ) == {"W"}
    assert conditions.witnesses().state == State.OK


@pytest.mark.django_db
def test_system_that_lost_the_cosignatures_asks_for_the_size(places: Path) -> None:
    witness = own_witness(places / "w1")
    with answering(witness) as address:
        state_policy(places, f"witness W {witness.public} {address}", "quorum W")
        happen()
        ask_witnesses()
        Cosignature.objects.all().delete()
        happen()
        ask_witnesses()
    assert newest_cosigned() == newest_checkpoint()


@pytest.mark.django_db
def test_fewer_than_the_quorum_are_not_enough(places: Path) -> None:
    first, second = own_witness(places / "w1"), own_witness(places / "w2", "example.org/w2")
    state_policy(
        places, f"witness A {first.public}", f"witness B {second.public}",
        "group G all A B", "quorum G",
    )  # fmt: skip
    happen()
    newest = newest_checkpoint()
    assert newest is not None
    for witness, met in ((first, False), (second, True)):
        answer = witness.add_checkpoint(f"old 0\n\n{newest.note}")
        receive(newest.note + answer.body)
        assert (newest_cosigned() == newest) is met


@pytest.mark.django_db
def test_cosignature_that_no_witness_made_is_named(places: Path) -> None:
    witness = own_witness(places / "w1")
    state_policy(places, f"witness W {witness.public}", "quorum W")
    happen()
    newest = newest_checkpoint()
    assert newest is not None
    answer = witness.add_checkpoint(f"old 0\n\n{newest.note}")
    receive(newest.note + answer.body)
    assert verify_log().problems == []
    happen()
    second = newest_checkpoint()
    assert second is not None
    Cosignature.objects.update(checkpoint=second)  # as if it were of events it never saw
    assert newest_cosigned() is None
    assert [each["what"] for each in verify_log().problems] == [
        f"this witness did not sign checkpoint {second.number}"
    ]


@pytest.mark.django_db
def test_older_quorum_is_found_behind_many_half_cosigned(places: Path) -> None:
    first, second = own_witness(places / "w1"), own_witness(places / "w2", "example.org/w2")
    state_policy(
        places, f"witness A {first.public}", f"witness B {second.public}",
        "group G all A B", "quorum G",
    )  # fmt: skip
    known = 0
    for number in range(102):
        happen()
        newest = newest_checkpoint()
        assert newest is not None
        proof = path(*consistency_path(known, newest.size, StoredTiles())) if known else ""
        for witness in (first, second) if number == 0 else (first,):
            answer = witness.add_checkpoint(f"old {known}\n{proof}\n{newest.note}")
            assert answer.status == 200, answer.body
            receive(newest.note + answer.body)
        known = newest.size
    agreed = StoredCheckpoint.objects.get(cosignatures__witness="B")
    assert newest_cosigned() == agreed


@pytest.mark.parametrize(
    ("policy", "fewest"),
    [
        ("quorum none", 0),
        ("quorum W1", 1),
        ("group G 2 W0 W1 W2\nquorum G", 2),
        ("group G any W0 W1\ngroup H all G W2\nquorum H", 2),
    ],
)
def test_policy_counts_the_fewest_witnesses(policy: str, fewest: int) -> None:
    assert Policy.parse(WITNESSES + policy).fewest() == fewest


def test_second_process_in_a_folder_is_refused(tmp_path: Path, capsys) -> None:
    arguments = ["--name", "example.org/w1", "--log", str(LOG.public), "--folder"]
    with one_process(tmp_path / "w"):
        assert run_witness([*arguments, str(tmp_path / "w"), "--site", "http://127.0.0.1:9"]) == 2
    assert "another process witnesses in" in capsys.readouterr().err
    rest = ["--site", "http://127.0.0.1:9", "--once"]
    assert run_witness([*arguments, str(tmp_path / "w"), *rest]) == 2
    assert "Not now" in capsys.readouterr().out


@pytest.mark.django_db
def test_log_that_was_rewritten_is_not_signed_any_more(places: Path) -> None:
    witness = own_witness(places / "w1")
    state_policy(places, f"witness W {witness.public}", "quorum W")
    happen()
    newest = newest_checkpoint()
    assert newest is not None
    # what the same system signed before its database was replaced
    keys = signing_keys()
    before = sign_checkpoint(Checkpoint(keys[0].name, newest.size, leaf_hash(b"as it was")), keys)
    cosigned = before + witness.add_checkpoint(f"old 0\n\n{before}").body
    posted = Client().post("/log/cosignatures", cosigned, content_type="text/plain")
    assert posted.status_code == 200
    with pytest.raises(LogBrokenError, match="the witness W cosigned another beginning"):
        happen()
    assert Waiting.objects.count() == 1
    assert conditions.witnesses().state == State.FAILING


@pytest.mark.django_db
@pytest.mark.parametrize("which", ["no note", "not this log", "no witness", "changed", "not text"])
def test_what_no_witness_signed_is_refused(places: Path, which: str) -> None:
    witness = own_witness(places / "w1")
    state_policy(places, f"witness W {witness.public}", "quorum W")
    happen()
    newest = newest_checkpoint()
    assert newest is not None
    line = witness.add_checkpoint(f"old 0\n\n{newest.note}").body
    body = {
        "no note": b"hello",
        "not this log": note(tree("a")).encode(),
        "no witness": newest.note.encode(),
        "changed": (newest.note + line.replace(line[40], "A" if line[40] != "A" else "B")).encode(),
        "not text": b"\xff\xfe",
    }[which]
    posted = Client().post("/log/cosignatures", body, content_type="text/plain")
    assert posted.status_code == 422
    assert not Cosignature.objects.exists()
    assert not WitnessState.objects.exists()


@pytest.mark.django_db
def test_silent_witness_is_named_on_the_status_page(places: Path) -> None:
    witness = own_witness(places / "w1")
    state_policy(places, f"witness W {witness.public} http://127.0.0.1:9", "quorum W")
    happen()
    ask_witnesses()
    assert "refused" in WitnessState.objects.get().reason
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conditions, "SLOW", timedelta(0))
        found = conditions.witnesses()
    assert (found.state, "W: " in found.says) == (State.WARNING, True)


@pytest.mark.django_db
def test_proof_can_require_the_witnesses(places: Path, capsys) -> None:
    witness = own_witness(places / "w1")
    state_policy(places, f"witness W {witness.public}", "quorum W")
    with transaction.atomic():
        event = record(EXPORTED, by=SYSTEM, carries={"count": 1, "filter": "", "size": 0})
    plain = prove(event)
    newest = newest_checkpoint()
    assert newest is not None
    receive(newest.note + witness.add_checkpoint(f"old 0\n\n{newest.note}").body)
    (places / "key").write_bytes(Client().get("/log/key").content)
    (places / "event").write_bytes(canonical_json(event.leaf()))
    for name, text, ends in (("plain", plain, 1), ("cosigned", prove(event), 0)):
        (places / name).write_text(text)
        arguments = ("--key", "key", "--proof", name, "--event", "event", "--policy", "policy")
        given = [str(places / each) if not each.startswith("-") else each for each in arguments]
        assert main(["inclusion", *given]) == ends
    assert "too few witnesses cosigned this: none" in capsys.readouterr().out


@pytest.mark.django_db
def test_tiles_are_the_hashes_of_the_leaves(places: Path) -> None:
    for _ in range(3):
        happen()
    newest = newest_checkpoint()
    assert newest is not None
    tile = Client().get(f"/log/tile/0/000.p/{newest.size}").content
    frontier = Frontier()
    for at in range(0, len(tile), 32):
        frontier.append(tile[at : at + 32])
    assert frontier.root() == bytes(newest.root)
    for beyond in (f"0/000.p/{newest.size + 1}", "0/000", "0/001", "1/000.p/1", "0/0", "9/000"):
        assert Client().get(f"/log/tile/{beyond}").status_code == 404


@pytest.mark.django_db
def test_witness_runs_from_the_one_file_that_is_published(tmp_path: Path) -> None:
    program = tmp_path / "witness.pyz"
    program.write_bytes(Client().get("/log/witness.pyz").content)
    asked = subprocess.run(
        [sys.executable, "-I", program, "--name", "example.org/w1", "--log", str(LOG.public),
         "--folder", tmp_path / "w", "--site", "http://127.0.0.1:9", "--once"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert asked.returncode == 2
    assert "witness example.org/w1 example.org/w1+" in asked.stdout
    assert "Not now" in asked.stdout


@pytest.mark.services
def test_witness_without_an_address_asks_the_site(
    installation: Installation, tmp_path: Path
) -> None:
    assert installation.manage("load_demonstration").returncode == 0
    witness = Witness("example.org/w1", tmp_path / "w1", [])
    state_policy(tmp_path, f"witness W {witness.public}", "quorum W")
    installation.start("serve", WITNESSES=str(tmp_path / "policy"))
    site = address(installation).rstrip("/")
    wait_until(lambda: status(f"{site}/log/checkpoint") == 200)
    with urlopen(f"{site}/log/key") as answer:
        witness.logs = [VerifierKey.parse(answer.read().decode().split()[0])]
    assert witness.ask(site).startswith("Cosigned the first ")
    assert Cosignature.objects.get().witness == "W"
