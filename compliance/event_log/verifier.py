"""Check the event log of a compliance system without trusting that system.

This one file is all a third party needs: it runs on Python 3.11 or later with the standard library
and `cryptography`, opens no connection and reads no database. Take it away, read it, keep it.

    python verifier.py inclusion   --key KEY --proof EVENT.tlog-proof --event EVENT.json
    python verifier.py consistency --key KEY --old OLD.checkpoint --new NEW.checkpoint --proof FILE
    python verifier.py export      --key KEY [--held CHECKPOINT] LOG.jsonl
    python verifier.py pdf         --key KEY [--certificate AGENCY.pem] REPORT.pdf

KEY is the log's public key as published (`name+id+base64`), or a file with one such key a line.
Get it from somewhere else than the file under test. With `--policy FILE`, a proof or a checkpoint
must also have the cosignatures of the witnesses that the file requires. Exit status: 0 intact, 1
broken (what and where is said), 2 cannot tell. `--json` answers `{ok, checked, problems: [{what,
where}]}`.

Formats: Merkle tree of RFC 6962; checkpoints and proofs of C2SP (`tlog-checkpoint`, `signed-note`,
`tlog-proof`, `tlog-cosignature`, `tlog-policy`); events in canonical JSON of RFC 8785 without
fractions.

The system itself checks with the functions of this file, so there is no second way to be right.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import hashlib
import importlib
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


HASH_BYTES = 32
ED25519 = b"\x01"
COSIGNATURE = b"\x04"
"""Marks a witness's key: it signs the checkpoint and the time."""
LARGEST_INTEGER = 2**53 - 1
PROOF_HEADER = "c2sp.org/tlog-proof@v1"
CONSISTENCY_HEADER = "consistency"
EMPTY_ROOT = hashlib.sha256(b"").digest()
PACKAGE = __name__.partition(".")[0]


class BrokenError(Exception):
    """A check failed: `what` is wrong, and `where`."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.where = where


# --- the tree (RFC 6962, section 2.1) ---------------------------------------------------------


def leaf_hash(data: bytes) -> bytes:
    """Hash the content of a leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash two subtrees into their parent."""
    return hashlib.sha256(b"\x01" + left + right).digest()


@dataclass
class Frontier:
    """An append-only tree: its size and the roots of its complete subtrees, largest first."""

    size: int = 0
    peaks: list[bytes] = field(default_factory=list)

    def append(self, leaf: bytes) -> list[bytes]:
        """Add a leaf hash; return the subtrees it completes, from the leaf upward."""
        completed = [leaf]
        rest = self.size
        while rest & 1:
            completed.append(node_hash(self.peaks.pop(), completed[-1]))
            rest >>= 1
        self.peaks.append(completed[-1])
        self.size += 1
        return completed

    def root(self) -> bytes:
        """Return the current root of the tree."""
        if not self.peaks:
            return EMPTY_ROOT
        root = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            root = node_hash(peak, root)
        return root


def root_from_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """Return the root that a tree of `size` must have if `leaf` is at `index`."""
    if not 0 <= index < size:
        what = f"a tree of {size} leaves has no leaf {index}"
        raise BrokenError(what)
    root = leaf
    for sibling, is_left in _climb(index, size - 1, path):
        root = node_hash(sibling, root) if is_left else node_hash(root, sibling)
    return root


def check_consistency(
    old_size: int, old_root: bytes, new_size: int, new_root: bytes, path: Sequence[bytes]
) -> None:
    """Raise unless the new tree begins with all of the old one."""
    what = f"the tree of {new_size} leaves does not continue the tree of {old_size}"
    if old_size > new_size:
        raise BrokenError(what)
    if old_size in {0, new_size}:
        if path or old_root != (new_root if old_size else EMPTY_ROOT):
            raise BrokenError(what)
        return
    hashes = list(path)
    at, last = old_size - 1, new_size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    if at == 0:  # the old tree is complete: its root is where the path begins
        hashes.insert(0, old_root)
    if not hashes:
        raise BrokenError(what)
    old = new = hashes[0]
    for sibling, is_left in _climb(at, last, hashes[1:]):
        if is_left:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
        else:
            new = node_hash(new, sibling)
    if (old, new) != (old_root, new_root):
        raise BrokenError(what)


def _climb(at: int, last: int, path: Sequence[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Climb from position `at` in a row that ends at `last` to the root: siblings, and sides."""
    for sibling in path:
        if last == 0:
            what = "the proof is too long"
            raise BrokenError(what)
        is_left = bool(at & 1) or at == last
        yield sibling, is_left
        while is_left and not at & 1 and at:  # no sibling here: the subtree moves up as it is
            at, last = at >> 1, last >> 1
        at, last = at >> 1, last >> 1
    if last:
        what = "the proof is too short"
        raise BrokenError(what)


# --- signed checkpoints (C2SP signed-note and tlog-checkpoint) --------------------------------


def key_id(name: str, public: bytes, kind: bytes = ED25519) -> bytes:
    """Return the four bytes that identify a key in a signature."""
    return hashlib.sha256(name.encode() + b"\n" + kind + public).digest()[:4]


@dataclass(frozen=True)
class VerifierKey:
    """A public key and its name, trusted for trees up to `until` leaves (None: still in use)."""

    name: str
    public: bytes
    until: int | None = None
    kind: bytes = ED25519

    @property
    def id(self) -> bytes:
        """Return the key's ID."""
        return key_id(self.name, self.public, self.kind)

    def __str__(self) -> str:
        encoded = base64.b64encode(self.kind + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{encoded}"

    @classmethod
    def parse(cls, line: str, kind: bytes = ED25519) -> VerifierKey:
        """Parse `name+id+base64`, then a space and the last size it signed if it is retired."""
        words = line.split()
        parts = words[0].split("+", 2) if words else []
        if len(parts) != 3 or len(words) > 2:
            what = "a public key reads name+id+base64, with the last size behind it if retired"
            raise BrokenError(what, line)
        name, claimed, encoded = parts
        raw = from_base64(encoded)
        if raw[:1] != kind or len(raw) != 1 + HASH_BYTES:
            what = "not an Ed25519 public key" + ("" if kind == ED25519 else " of a witness")
            raise BrokenError(what, line)
        key = cls(name, raw[1:], decimal(words[1]) if len(words) > 1 else None, kind)
        if key.id.hex() != claimed:
            what = f"the id should be {key.id.hex()}"
            raise BrokenError(what, line)
        return key

    def verify(self, signature: bytes, text: str) -> None:
        """Raise `InvalidSignature` unless this key signed a note's text."""
        signed = text.encode()
        if self.kind == COSIGNATURE:
            time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
            signed = cosigned_message(time, text)
        Ed25519PublicKey.from_public_bytes(self.public).verify(signature, signed)


def cosigned_message(time: int, text: str) -> bytes:
    """Return what a witness signs: a checkpoint's text, and the time in seconds since 1970."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


@dataclass(frozen=True)
class Checkpoint:
    """A log's commitment: its origin, its number of leaves, and their root."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """Return the note's text, the bytes that are signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def read_note(note: str, keys: Iterable[VerifierKey]) -> tuple[str, list[VerifierKey]]:
    """Return a signed note's text and the `keys` that signed it; raise if a signature is wrong."""
    text, separator, signatures = note.rpartition("\n\n")
    if not separator or not signatures.endswith("\n"):
        what = "not a signed note: text, an empty line, signatures"
        raise BrokenError(what)
    if any(ord(character) < ord(" ") and character != "\n" for character in note):
        what = "a control character in a signed note"
        raise BrokenError(what)
    text += "\n"
    known = {(key.name, key.id): key for key in keys}
    signers = []
    for line in signatures[:-1].split("\n"):
        name, signature = _signature_line(line)
        key = known.get((name, signature[:4]))
        if key is None:
            continue
        try:
            key.verify(signature[4:], text)
        except InvalidSignature:
            what = f"the signature of {name} does not fit"
            raise BrokenError(what) from None
        signers.append(key)
    return text, signers


def read_checkpoint(note: str, keys: Iterable[VerifierKey]) -> Checkpoint:
    """Read a signed checkpoint; raise unless a key trusted for its size signed it."""
    text, signers = read_note(note, keys)
    checkpoint = _checkpoint_text(text)
    if not any(key.until is None or checkpoint.size <= key.until for key in signers):
        what = "no trusted key signed this checkpoint"
        raise BrokenError(what)
    return checkpoint


def _checkpoint_text(text: str) -> Checkpoint:
    lines = text[:-1].split("\n")
    if len(lines) < 3 or not all(lines):
        what = "a checkpoint has an origin, a size and a root, each on its line"
        raise BrokenError(what)
    root = from_base64(lines[2])
    if len(root) != HASH_BYTES:
        what = "a root is 32 bytes"
        raise BrokenError(what)
    return Checkpoint(lines[0], decimal(lines[1]), root)


def _signature_line(line: str) -> tuple[str, bytes]:
    words = line.split(" ")
    if len(words) != 3 or words[0] != "—" or not words[1]:
        what = "a signature line reads: dash, key name, signature"
        raise BrokenError(what)
    signature = from_base64(words[2])
    if len(signature) <= len(ED25519) + 3:
        what = "a signature is shorter than its key id"
        raise BrokenError(what)
    return words[1], signature


@dataclass
class Policy:
    """Whose cosignatures a checkpoint needs (C2SP `tlog-policy`)."""

    witnesses: dict[str, VerifierKey] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    """Where to ask a witness, by name; a witness without an address asks the log."""
    groups: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    """How many of which witnesses and groups, by name."""
    quorum: str = ""

    @classmethod
    def parse(cls, text: str) -> Policy:
        """Read a policy: `witness NAME KEY [URL]`, `group NAME K NAME...`, `quorum NAME`."""
        policy = cls()
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if not words or words[0].startswith("#") or words[0] == "log":
                continue  # the log's keys are given apart
            try:
                policy._add(words)
            except BrokenError as broken:
                raise BrokenError(broken.what, f"line {number} of the policy") from None
        if not policy.quorum:
            what = "it has no line `quorum NAME`"
            raise BrokenError(what, "the policy")
        return policy

    def _add(self, words: Sequence[str]) -> None:
        known = {"none", *self.witnesses, *self.groups}
        used = {name for _, members in self.groups.values() for name in members}
        what = "write `witness NAME KEY [URL]`, `group NAME K NAME...` or `quorum NAME`"
        match words:
            case ["quorum", name] if name in known and not self.quorum:
                self.quorum = name
            case ["witness", name, key, *url] if name not in known and len(url) <= 1:
                witness = VerifierKey.parse(key, COSIGNATURE)
                if any(witness.public == each.public for each in self.witnesses.values()):
                    what = "this key is already named above"
                    raise BrokenError(what)
                self.witnesses[name] = witness
                if url:
                    self.addresses[name] = url[0]
            case ["group", name, count, *members] if name not in known:
                least = {"any": "1", "all": str(len(members))}.get(count, count)
                self.groups[name] = decimal(least), members
                usable = known - used - {"none"}
                if not 1 <= decimal(least) <= len(members) or not usable.issuperset(members):
                    what = "a group has some number of members, each named above and in no other"
                    raise BrokenError(what)
            case _:
                raise BrokenError(what)

    def cosigners(self, note: str) -> set[str]:
        """Return the names of the witnesses that cosigned a checkpoint."""
        signers = read_note(note, self.witnesses.values())[1]
        return {name for name, key in self.witnesses.items() if key in signers}

    def is_met(self, cosigners: Iterable[str]) -> bool:
        """Return whether these witnesses are enough."""
        enough = {*cosigners, "none"}
        for name, (least, of) in self.groups.items():
            if len(enough.intersection(of)) >= least:
                enough.add(name)
        return self.quorum in enough

    def fewest(self) -> int:
        """Return the smallest number of witnesses that can be enough."""
        needs = {"none": 0, **dict.fromkeys(self.witnesses, 1)}
        for name, (least, of) in self.groups.items():  # each names only what is above it
            needs[name] = sum(sorted(needs[each] for each in of)[:least])
        return needs[self.quorum]

    def check(self, note: str) -> None:
        """Raise unless enough witnesses cosigned a checkpoint."""
        cosigners = self.cosigners(note)
        if not self.is_met(cosigners):
            what = f"too few witnesses cosigned this: {', '.join(sorted(cosigners)) or 'none'}"
            raise BrokenError(what)


# --- proofs as text files ---------------------------------------------------------------------


@dataclass(frozen=True)
class InclusionProof:
    """A proof file: the index of a leaf, the path to the root, and the signed checkpoint."""

    index: int
    path: tuple[bytes, ...]
    note: str

    @classmethod
    def parse(cls, text: str) -> InclusionProof:
        """Read a C2SP `tlog-proof` file."""
        head, separator, note = text.partition("\n\n")
        lines = head.split("\n")
        if not separator or lines[0] != PROOF_HEADER:
            what = f"a proof file begins with {PROOF_HEADER}"
            raise BrokenError(what)
        lines = lines[2:] if lines[1:2] and lines[1].startswith("extra ") else lines[1:]
        if not lines or not lines[0].startswith("index "):
            what = "a proof file names the index of the leaf"
            raise BrokenError(what)
        return cls(decimal(lines[0][len("index ") :]), read_hashes(lines[1:]), note)

    def check(self, leaf: bytes, keys: Iterable[VerifierKey]) -> Checkpoint:
        """Raise unless `leaf` is at the index under a checkpoint signed by a trusted key."""
        checkpoint = read_checkpoint(self.note, keys)
        if root_from_inclusion(leaf, self.index, checkpoint.size, self.path) != checkpoint.root:
            what = "the event is not what the log holds at this place"
            raise BrokenError(what, f"leaf {self.index}")
        return checkpoint


def read_hashes(lines: Iterable[str]) -> tuple[bytes, ...]:
    """Read a path: one hash per line."""
    hashes = tuple(from_base64(line) for line in lines)
    if any(len(one) != HASH_BYTES for one in hashes):
        what = "a hash is 32 bytes"
        raise BrokenError(what)
    return hashes


def read_consistency(text: str) -> tuple[int, int, tuple[bytes, ...]]:
    """Read a consistency proof: `consistency OLD NEW`, then one hash per line."""
    lines = text.rstrip("\n").split("\n")
    words = lines[0].split(" ")
    if len(words) != 3 or words[0] != CONSISTENCY_HEADER:
        what = "a consistency proof begins with: consistency OLD NEW"
        raise BrokenError(what)
    return decimal(words[1]), decimal(words[2]), read_hashes(lines[1:])


def decimal(text: str) -> int:
    """Read a number of ASCII digits without leading zeroes."""
    if not (text.isascii() and text.isdigit()) or (text != "0" and text.startswith("0")):
        what = "not a plain decimal number"
        raise BrokenError(what, text[:40])
    return int(text)


def from_base64(text: str) -> bytes:
    """Decode base64 strictly: the result must encode to the same text."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if base64.b64encode(raw).decode() != text:
        what = "not base64"
        raise BrokenError(what, text[:40])
    return raw


# --- events -----------------------------------------------------------------------------------


def canonical_json(value: object) -> bytes:
    """Write JSON in the canonical form of RFC 8785; reject fractions and integers beyond 2^53."""
    return json.dumps(
        _ordered(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False
    ).encode()


def _ordered(value: object) -> object:
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return {key: _ordered(value[key]) for key in keys}
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    if isinstance(value, float) or (isinstance(value, int) and abs(value) > LARGEST_INTEGER):
        what = "an event holds whole numbers up to 2^53 only"
        raise BrokenError(what)
    return value


def check_personal(event: Mapping[str, Any], personal: Mapping[str, Any] | None) -> None:
    """Raise unless personal data, if it is still kept, matches the event's salted digest."""
    if personal is None:
        return
    data = bytes.fromhex(personal["salt"]) + canonical_json(personal["data"])
    if hashlib.sha256(data).hexdigest() != event.get("personal"):
        what = "personal data is not what was recorded"
        raise BrokenError(what)


# --- answers ----------------------------------------------------------------------------------


@dataclass
class Answer:
    """The number of items checked, and the problems found."""

    checked: int = 0
    problems: list[dict[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Data that is missing but not required, one sentence each."""

    def broken(self, what: str, where: str) -> None:
        """Add a problem."""
        self.problems.append({"what": what, "where": where})

    def add(self, other: Answer) -> None:
        """Add the answer of another check."""
        self.checked += other.checked
        self.problems += other.problems
        self.notes += other.notes

    def as_json(self) -> dict[str, Any]:
        """Return the answer in the format for programs."""
        return {"ok": not self.problems, "checked": self.checked, "problems": self.problems}


def no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reject an object with a duplicate name: two readers might read different values."""
    found = dict(pairs)
    if len(found) != len(pairs):
        what = "says the same thing twice"
        raise BrokenError(what)
    return found


# --- command line -----------------------------------------------------------------------------


def read_keys(given: str) -> list[VerifierKey]:
    """Read a key, or a file of keys: one per line, `#` starts a comment."""
    path = Path(given)
    text = path.read_text() if "+" not in given or path.is_file() else given
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [VerifierKey.parse(line) for line in lines if line]


def _inclusion(args: argparse.Namespace, keys: Sequence[VerifierKey]) -> Answer:
    answer = Answer(checked=1)
    try:
        text = Path(args.event).read_text(encoding="utf-8")
        line = json.loads(text, object_pairs_hook=no_name_twice)
        event = line.get("event", line)
        proof = InclusionProof.parse(Path(args.proof).read_text())
        _check_policy(args, proof.note)
        proof.check(leaf_hash(canonical_json(event)), keys)
        check_personal(event, line.get("personal") if "event" in line else None)
        if problem := _joined("events.signatures", "problem_of_signature")(event):
            answer.broken(problem, args.event)
    except BrokenError as broken:
        answer.broken(broken.what, broken.where or args.proof)
    return answer


def _check_policy(args: argparse.Namespace, note: str) -> None:
    """Raise unless the witnesses that `--policy` requires cosigned a checkpoint."""
    if args.policy:
        Policy.parse(Path(args.policy).read_text(encoding="utf-8")).check(note)


def _consistency(args: argparse.Namespace, keys: Sequence[VerifierKey]) -> Answer:
    answer = Answer(checked=2)
    where = args.old
    try:
        old = read_checkpoint(Path(args.old).read_text(), keys)
        where = args.new
        new = read_checkpoint(Path(args.new).read_text(), keys)
        _check_policy(args, Path(args.new).read_text())
        where = args.proof
        old_size, new_size, path = read_consistency(Path(args.proof).read_text())
        if (old_size, new_size) != (old.size, new.size):
            what = f"the proof is for {old_size} and {new_size} leaves, not {old.size}, {new.size}"
            raise BrokenError(what)
        check_consistency(old.size, old.root, new.size, new.root, path)
    except BrokenError as broken:
        answer.broken(broken.what, broken.where or where)
    return answer


def _export(args: argparse.Namespace, keys: Sequence[VerifierKey]) -> Answer:
    answer: Answer = _joined("event_log.verifier_export", "check_export")(args, keys)
    return answer


def _pdf(args: argparse.Namespace, keys: Sequence[VerifierKey]) -> Answer:
    answer: Answer = _joined("event_log.verifier_pdf", "check_pdf")(args, keys)
    return answer


def _joined(module: str, name: str) -> Any:
    """Return a function of the published script, which is a module of its own in the system."""
    found = globals().get(name)
    return found or getattr(importlib.import_module(f"{PACKAGE}.{module}"), name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status means intact, broken or cannot tell."""
    parser = argparse.ArgumentParser(description="Check proofs of an event log, offline.")
    parser.add_argument("--json", action="store_true", help="answer as JSON")
    commands = parser.add_subparsers(required=True)
    inclusion = commands.add_parser("inclusion", help="is this event in the log?")
    inclusion.add_argument("--proof", required=True)
    inclusion.add_argument("--event", required=True)
    inclusion.set_defaults(check=_inclusion)
    consistency = commands.add_parser("consistency", help="does the log only grow?")
    consistency.add_argument("--old", required=True)
    consistency.add_argument("--new", required=True)
    consistency.add_argument("--proof", required=True)
    consistency.set_defaults(check=_consistency)
    export = commands.add_parser("export", help="is this export whole and as signed?")
    export.add_argument("--held", help="a checkpoint you kept, which the export must agree with")
    export.add_argument("--signed-from", default="", metavar="DAY",
        help="first day (UTC) on which decisions need a personal signature")  # fmt: skip
    export.add_argument("file")
    export.set_defaults(check=_export)
    pdf = commands.add_parser("pdf", help="is this report as signed and recorded?")
    pdf.add_argument("--certificate", help="the agency's certificate (PEM), which must have signed")
    pdf.add_argument("file")
    pdf.set_defaults(check=_pdf)
    for command in (inclusion, consistency):
        command.add_argument("--policy", help="file that names the witnesses who must cosign")
    for command in (inclusion, consistency, export, pdf):
        command.add_argument("--key", required=True, help="public key, or a file of them")
        command.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    try:
        answer: Answer = args.check(args, read_keys(args.key))
    except (OSError, ValueError, BrokenError) as error:
        sys.stderr.write(f"Cannot tell: {error}\n")
        return 2
    try:
        _say(answer, args)
    except BrokenPipeError:  # the reader has quit, like `head` does; the exit status still answers
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1 if answer.problems else 0


def _say(answer: Answer, args: argparse.Namespace) -> None:
    if args.json:
        sys.stdout.write(json.dumps(answer.as_json()) + "\n")
    else:
        for problem in answer.problems:
            sys.stdout.write(f"BROKEN  {problem['where']}: {problem['what']}\n")
        verdict = "broken" if answer.problems else "intact"
        in_words = getattr(args, "in_words", f"{answer.checked} checked")
        sys.stdout.write(f"{verdict}, {in_words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
