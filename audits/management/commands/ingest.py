"""Submit round logs from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from audits.intake.ingestion import NotReadError, take_in_here
from audits.intake.mapping.definition import read_definition
from audits.intake.mapping.reads import find_mapping
from audits.intake.mapping.writes import save_mapping
from audits.intake.reads import find_log
from audits.intake.receipts import Receipt, receipt_of
from audits.intake.submission import OnFileError, submit_whole
from audits.management.options import find_operator
from compliance.access.scope import without_access_scope
from compliance.addresses import know_addresses
from compliance.checks import CONFIGURATION
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.jobs.failures import summarize_error
from games.strict_json import visible

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

    from audits.intake.mapping.definition import Definition
    from audits.intake.mapping.models import LogMapping
    from audits.intake.models import RoundLog
    from compliance.access.models import Party

log = structlog.get_logger(__name__)

REFUSED, BROKEN = 2, 1
STOPPED = (
    "{0}: it could not be read into the archive and VAR ({2}): {1}. Nothing of it is on file yet, "
    "and nothing that arrived is lost. Make room there, or mend what is in the way; the same "
    "command again goes on."
)
FAILED = (
    "{0}: a fault in this system stopped it ({1}). The file is kept and will be retried until it "
    "succeeds; the status page lists it. This command's log shows the cause."
)


class Command(BaseCommand):
    """`manage.py ingest --operator CODE [--map MAPPING] [--corrects LOG --reason TEXT] FILE...`."""

    requires_system_checks = (CONFIGURATION,)
    help = "Submit round logs: plain, gzip or zstd. Each is on file as a whole, or not at all."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the operator and the files."""
        parser.add_argument("--operator", required=True, metavar="CODE")
        parser.add_argument("--corrects", metavar="LOG", help="number or SHA-256 of a log on file")
        parser.add_argument(
            "--map",
            metavar="MAPPING",
            help="for CSV, XLSX or JSON: a saved mapping (NAME or NAME@VERSION), or its JSON file",
        )
        parser.add_argument("--reason", default="", metavar="TEXT", help="why it is corrected")
        parser.add_argument("--sha256", default="", metavar="DIGEST", help="of the file, known")
        parser.add_argument("--json", action="store_true", help="one line per file, for programs")
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)

    def handle(self, *_: Any, **options: Any) -> None:
        """Submit the files one by one; report refused files and continue with the rest."""
        for name in ("operator", "corrects", "reason", "map"):
            _require_utf_8(name, options[name] or "")
        operator = find_operator(options["operator"])
        corrects = _corrected(operator, options["corrects"], options["reason"])
        options["mapping"] = find_given_mapping(operator, options["map"])
        files: list[Path] = options["files"]
        for path in files:
            require_file(path)
        if options["sha256"] and len(files) > 1:
            msg = "--sha256 is the digest of one file: hand the files in one by one."
            raise CommandError(msg, returncode=REFUSED)
        know_addresses()
        rejected, refused = 0, 0
        for number, path in enumerate(files):
            shown = visible(str(path))
            try:
                receipt, again = self._submission(path, operator, corrects, options)
            except RefusedError as error:
                refused += 1
                self.stderr.write(f"{shown}: {error}")
                continue
            except OSError as failed:
                refused += len(files) - number
                self.stderr.write(STOPPED.format(shown, failed.strerror or failed, settings.VAR))
                break
            except Exception as failed:
                refused += 1
                log.exception("a log failed", file=shown)
                why = str(failed) if isinstance(failed, NotReadError) else summarize_error(failed)
                self.stderr.write(FAILED.format(shown, visible(why)))
                continue
            rejected += receipt.log.rejected
            answer = receipt.as_answer(again=again)
            self.stdout.write(json.dumps(answer) if options["json"] else _summary(receipt, shown))
        if refused == len(files):
            raise SystemExit(REFUSED)
        if refused or rejected:
            raise SystemExit(BROKEN)

    def _submission(
        self, path: Path, operator: Party, corrects: RoundLog | None, options: dict[str, Any]
    ) -> tuple[Receipt, bool]:
        try:
            with path.open("rb") as content:
                submission = submit_whole(
                    party=operator,
                    name=path.name,
                    content=content,
                    by=SYSTEM,
                    corrects=corrects,
                    reason=options["reason"],
                    sha256=options["sha256"],
                    mapping=options["mapping"],
                    read_here=True,
                )
            return receipt_of(take_in_here(submission)), False
        except OnFileError as known:
            self.stderr.write(f"{visible(str(path))}: {known}")
            return receipt_of(known.log), True


def _require_utf_8(name: str, text: str) -> None:
    """Refuse invalid UTF-8, which Python passes in arguments as lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        msg = f"--{name} {visible(text)}: this is not valid UTF-8. Type it again."
        raise CommandError(msg, returncode=REFUSED) from None


def _corrected(operator: Party, name: str | None, reason: str) -> RoundLog | None:
    if name is None:
        if reason:
            msg = "--reason says why a log is corrected: name that log by --corrects."
            raise CommandError(msg, returncode=REFUSED)
        return None
    if not reason.strip():
        msg = "--corrects needs --reason: say why the log is corrected."
        raise CommandError(msg, returncode=REFUSED)
    with without_access_scope():
        found = find_log(operator, name)
    if found is None:
        msg = f"--corrects {name}: {operator} has no log of this number or SHA-256 on file."
        raise CommandError(msg, returncode=REFUSED)
    return found


def find_given_mapping(operator: Party, given: str | None) -> LogMapping | None:
    """Return the saved mapping of a name, or save the one in a file; none if none is given."""
    definition = read_given_mapping(operator, given)
    if given is None or definition is None:
        return None
    saved = find_mapping(operator, given)
    return saved or save_mapping(party=operator, content=definition.as_json(), by=SYSTEM)


def read_given_mapping(operator: Party, given: str | None) -> Definition | None:
    """Return the saved mapping of a name, or the one in a file, or end the command."""
    if given is None:
        return None
    saved = find_mapping(operator, given)
    path = Path(given)
    if saved is None and not path.is_file():
        msg = f"--map {visible(given)}: {operator} has no mapping of this name, and no file has it."
        raise CommandError(msg, returncode=REFUSED)
    try:
        return read_definition(saved.content if saved else json.loads(path.read_bytes()))
    except (ValueError, OSError) as wrong:
        msg = f"--map {visible(given)}: {visible(str(wrong))}"
        raise CommandError(msg, returncode=REFUSED) from None


def require_file(path: Path) -> None:
    """End the command with a sentence if a file cannot be read."""
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        msg = f"{visible(str(path))} cannot be read: {error.strerror}."
        raise CommandError(msg, returncode=REFUSED) from None


def _summary(receipt: Receipt, path: str) -> str:
    log = receipt.log
    says = f"{path}: log {log.uuid}, leaf {receipt.leaf}: {log.good:,} of {log.lines:,} lines taken"
    says += f", {log.rejected:,} rejected" if log.rejected else ""
    return says + (f", {log.already:,} were on file" if log.already else "")
