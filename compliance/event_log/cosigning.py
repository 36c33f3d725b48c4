"""Cosignatures: witnesses confirm that the log only grows, and a contradiction stops signing."""

from __future__ import annotations

import urllib.error
import urllib.request
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile, ZipInfo

import structlog
from django.conf import settings
from django.db.models import Count, Q
from django.utils import timezone

from compliance.errors import RefusedError
from compliance.event_log.models import Checkpoint, Cosignature, WitnessState
from compliance.event_log.proof import consistency_path
from compliance.event_log.tree import StoredTiles, newest_checkpoint, root_at, trusted_keys
from compliance.event_log.verifier import BrokenError, Policy, read_checkpoint
from compliance.jobs import queue
from compliance.jobs.work import Kind, do_due_jobs

if TYPE_CHECKING:
    from compliance.event_log.verifier import Answer
    from compliance.jobs.queue import Lease


EVERY = timedelta(minutes=1)
"""All witnesses who ask within this time get the same checkpoint, so that it gets a quorum."""
SECONDS = 20.0
SECONDS_TO_ANSWER = 10.0
LONGEST = 1 << 16
CHUNK = 20
OK, CONFLICT, REJECTED = 200, 409, 422

log = structlog.get_logger(__name__)


class WitnessUnavailableError(Exception):
    """A witness did not answer as agreed; the message says how."""


@cache
def _read_policy(place: str, _changed: float) -> Policy:
    return Policy.parse(Path(place).read_text(encoding="utf-8"))


def witness_policy() -> Policy | None:
    """Return who has to cosign, or None if WITNESSES names no policy."""
    place = settings.WITNESSES
    return _read_policy(place, Path(place).stat().st_mtime) if place else None


def checkpoint_to_cosign() -> Checkpoint | None:
    """Return the newest checkpoint of the minutes that are over."""
    now = timezone.now()
    begun = now - (now - datetime.min.replace(tzinfo=UTC)) % EVERY
    older: Checkpoint | None = Checkpoint.objects.filter(at__lt=begun).order_by("-number").first()
    return older or newest_checkpoint()


def cosigned_note(checkpoint: Checkpoint) -> str:
    """Return a checkpoint with the cosignatures on file."""
    lines = checkpoint.cosignatures.order_by("witness").values_list("line", flat=True)
    return checkpoint.note + "".join(lines)


def cosigners(checkpoint: Checkpoint) -> set[str]:
    """Return the known witnesses whose signatures on file are of this checkpoint."""
    policy = witness_policy()
    try:
        return policy.cosigners(cosigned_note(checkpoint)) if policy is not None else set()
    except BrokenError:
        return set()


def check_cosignatures(answer: Answer) -> None:
    """Report each row of a known witness whose signature is not of its checkpoint."""
    policy = witness_policy()
    known = Cosignature.objects.filter(witness__in=list(policy.witnesses) if policy else [])
    for row in known.select_related("checkpoint").order_by("pk").iterator():
        answer.checked += 1
        try:
            signers = policy.cosigners(row.checkpoint.note + row.line) if policy else set()
        except BrokenError:
            signers = set()
        if row.witness not in signers:
            what = f"this witness did not sign checkpoint {row.checkpoint.number:,}"
            answer.broken(what, f"compliance.cosignature {row.pk} ({row.witness})")


def newest_cosigned() -> Checkpoint | None:
    """Return the newest checkpoint that enough witnesses cosigned."""
    policy = witness_policy()
    if policy is None:
        return None
    by_known = Count("cosignatures", filter=Q(cosignatures__witness__in=list(policy.witnesses)))
    cosigned = Checkpoint.objects.annotate(by_known=by_known)
    enough = cosigned.filter(by_known__gte=max(1, policy.fewest()))
    checkpoint: Checkpoint
    for checkpoint in enough.order_by("-number").iterator(CHUNK):
        if policy.is_met(cosigners(checkpoint)):
            return checkpoint
    return None


def receive(note: str) -> set[str]:
    """Keep the cosignatures of a checkpoint of this log; return the names of the witnesses.

    A checkpoint that this log signed and does not continue proves that the log was rewritten: it is
    kept, and nothing more is signed.

    Raises:
        RefusedError: this log or no known witness signed it.
    """
    policy = witness_policy()
    try:
        checkpoint = read_checkpoint(note, trusted_keys())
        names = policy.cosigners(note) if policy is not None else set()
    except BrokenError as broken:
        message = f"This is no checkpoint of this log: {broken}."
        raise RefusedError(message) from broken
    if policy is None or not names:
        message = "No witness of this system cosigned this checkpoint. WITNESSES names them."
        raise RefusedError(message)
    if not is_continued(checkpoint.size, checkpoint.root):
        for name in names:
            WitnessState.objects.update_or_create(witness=name, defaults={"contradicted": note})
        log.error("a witness cosigned a checkpoint that this log does not continue", names=names)
        return names
    kept = Checkpoint.objects.filter(size=checkpoint.size).first()
    text, _, lines = note.rpartition("\n\n")
    for line in lines.splitlines(keepends=True) if kept is not None else ():
        for name in policy.cosigners(f"{text}\n\n{line}"):
            Cosignature.objects.get_or_create(
                checkpoint=kept, witness=name, defaults={"line": line, "at": timezone.now()}
            )
    return names


def is_continued(size: int, root: bytes) -> bool:
    """Return whether this log begins with the tree of a checkpoint."""
    newest = newest_checkpoint()
    return newest is not None and size <= newest.size and root_at(size) == root


def contradiction() -> str:
    """Return which witness holds a checkpoint of this log that it does not continue.

    After a restored backup that lacks events, a witness starts anew under another name.
    """
    policy = witness_policy()
    names = list(policy.witnesses) if policy is not None else []
    for state in WitnessState.objects.filter(witness__in=names).exclude(contradicted=""):
        cosigned = read_checkpoint(state.contradicted, trusted_keys())
        if not is_continued(cosigned.size, cosigned.root):
            return (
                f"the witness {state.witness} cosigned another beginning of {cosigned.size} "
                "events, which this system signed"
            )
    return ""


def build_witness() -> bytes:
    """Return the witness as one file for Python: `witness.py` with the verifier it uses."""
    here, made = Path(__file__).parent, BytesIO()
    main = "import sys\nfrom compliance.event_log.witness import main\nsys.exit(main())\n"
    files = {"__main__.py": main, "compliance/__init__.py": ""}
    for name in ("__init__.py", "verifier.py", "witness.py"):
        files[f"compliance/event_log/{name}"] = (here / name).read_text()
    with ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(ZipInfo(name), text)  # always dated 1980: the same bytes each time
    return made.getvalue()


def ask_witnesses() -> int:
    """Send the newest checkpoint to the witnesses that have an address; return how many jobs."""
    policy, checkpoint = witness_policy(), checkpoint_to_cosign()
    if policy is None or checkpoint is None:
        return 0
    missing = set(policy.addresses) - set(checkpoint.cosignatures.values_list("witness", flat=True))
    states = [WitnessState.objects.get_or_create(witness=name)[0] for name in sorted(missing)]
    queue.add_jobs(WitnessState.JOB, [state.pk for state in states])
    return do_due_jobs({WitnessState.JOB}, seconds=SECONDS)


def ask_witness(lease: Lease) -> None:
    """Ask one witness for its cosignature of the newest checkpoint (C2SP `tlog-witness`)."""
    state = WitnessState.objects.get(pk=lease.subject)
    policy, checkpoint = witness_policy(), checkpoint_to_cosign()
    address = policy.addresses.get(state.witness, "") if policy is not None else ""
    if address and checkpoint is not None:
        try:
            _exchange(address.rstrip("/"), checkpoint, known=_known_size(state))
        except (OSError, ValueError, BrokenError, RefusedError, WitnessUnavailableError) as failure:
            with queue.under(lease):
                WitnessState.objects.filter(pk=state.pk).update(
                    failing_since=state.failing_since or timezone.now(), reason=f"{failure}"[:400]
                )
            raise WitnessUnavailableError(str(failure)) from failure
    with queue.finishing(lease):
        WitnessState.objects.filter(pk=state.pk).update(failing_since=None, reason="")


def _known_size(state: WitnessState) -> int:
    sizes = Cosignature.objects.filter(witness=state.witness).order_by("-checkpoint__size")
    return sizes.values_list("checkpoint__size", flat=True).first() or 0


def _exchange(address: str, checkpoint: Checkpoint, *, known: int) -> None:
    status, answer = _post(address, checkpoint, known)
    if status == CONFLICT and answer.strip().isdigit() and int(answer) <= checkpoint.size:
        status, answer = _post(address, checkpoint, int(answer))
    if status == OK:
        receive(checkpoint.note + answer)
        return
    if status in {CONFLICT, REJECTED}:  # what it holds shows whether this log was rewritten
        origin = sha256(settings.LOG_ORIGIN.encode()).hexdigest()
        receive(_open(f"{address}/{origin}/checkpoint", None)[1])
    message = f"It answered {status}: {answer.strip()[:200]}"
    raise WitnessUnavailableError(message)


def _post(address: str, checkpoint: Checkpoint, known: int) -> tuple[int, str]:
    path = consistency_path(known, checkpoint.size, StoredTiles())
    hashes = "".join(f"{b64encode(each).decode()}\n" for each in path)
    body = f"old {known}\n{hashes}\n{checkpoint.note}"
    return _open(f"{address}/add-checkpoint", body.encode())


def _open(url: str, body: bytes | None) -> tuple[int, str]:
    request = urllib.request.Request(url, body, {"Content-Type": "text/plain; charset=utf-8"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=SECONDS_TO_ANSWER) as answer:  # noqa: S310
            return answer.status, str(answer.read(LONGEST), "utf-8")
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, str(refusal.read(LONGEST), "utf-8")


WITNESS_JOBS = Kind(
    run=ask_witness, unavailable=(WitnessUnavailableError,), pauses=(EVERY, 5 * EVERY, 10 * EVERY)
)
