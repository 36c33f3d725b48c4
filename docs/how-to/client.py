"""A client of the API in Python's standard library: submits a log, waits, fetches what came of it.

    KEY=cg_… python3 client.py https://HOST --operator cedar submission night.jsonl.gz
    KEY=cg_… python3 client.py https://HOST --operator cedar findings --day 2025-07-12
    KEY=cg_… python3 client.py https://HOST --operator cedar reports --into reports/

It goes on where it was: run it again after a break. Nothing is taken twice.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

TRIES = 6
WORKING = {"waiting", "reading"}
ENDED = {"refused", "abandoned"}


class Refused(Exception):  # noqa: N818
    """The API answered with a problem; `problem` is the whole of it."""

    def __init__(self, problem: dict[str, Any]) -> None:
        places = [f"{e['in']} {e['pointer']}: {e['detail']}" for e in problem.get("errors", [])]
        super().__init__("\n".join([problem["detail"], *places]))
        self.problem = problem


class Api:
    """One installation, asked with one key."""

    def __init__(self, host: str, key: str) -> None:
        self.root = host.rstrip("/") + "/api/v1/"
        self.key = key

    def get(self, path: str, **query: Any) -> Any:
        """Ask for something."""
        asked = {name: value for name, value in query.items() if value is not None}
        return json.loads(self._send("GET", f"{path}?{urllib.parse.urlencode(asked)}"))

    def pages(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """All items of a list, page by page."""
        while True:
            page = self.get(path, limit=200, **query)
            yield from page["items"]
            if page["next"] is None:
                return
            query["cursor"] = page["next"]

    def post(self, path: str, once: str, body: dict[str, Any]) -> Any:
        """Have something done, once under this idempotency key."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": once}
        return json.loads(self._send("POST", path, json.dumps(body).encode(), headers))

    def fetch(self, path: str, into: Path) -> None:
        """Keep a file."""
        into.write_bytes(self._send("GET", path))

    def send_piece(self, path: str, content: bytes) -> None:
        """Send a piece of a file under its digest."""
        digest = hashlib.sha256(content).hexdigest()
        headers = {"Content-Type": "application/octet-stream", "Piece-SHA256": digest}
        self._send("PUT", path, content, headers)

    def _send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> bytes:
        """Send, and send again after a break: the server does it once."""
        headers = {"Authorization": f"Bearer {self.key}", **(headers or {})}
        request = urllib.request.Request(self.root + path, body, headers, method=method)
        for left in reversed(range(TRIES)):
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return answer.read()
            except urllib.error.HTTPError as error:
                if error.code not in {429, 500, 502, 503, 504} or not left:
                    raise Refused(json.load(error)) from None
                wait = float(error.headers.get("Retry-After", 2))
            except OSError:
                if not left:
                    raise
                wait = 2
            time.sleep(wait)
        raise AssertionError


def submission(api: Api, operator: str, path: Path) -> dict[str, Any]:
    """Submit a log and wait until it was read; its receipt. The same file again has its first."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = path.stat().st_size
        about = {"operator": operator, "name": path.name, "size": size, "sha256": digest}
        state = {"state": "refused"}
        tries = itertools.count()
        while state["state"] in ENDED:
            # The name follows from the file: after a break the submission goes on, and one that
            # was refused before is tried anew.
            try:
                begun = api.post("submissions", f"begin-{digest}-{next(tries)}", about)
            except Refused as refused:
                if refused.problem["code"] != "on_file":
                    raise
                return api.get(f"round-logs/{refused.problem['log']}")
            place = f"submissions/{begun['submission']}"
            state = api.get(place)
        while state["next_piece"] is not None:
            file.seek(state["next_piece"] * state["piece"])
            api.send_piece(f"{place}/pieces/{state['next_piece']}", file.read(state["piece"]))
            state = api.get(place)
    if state["state"] == "receiving":
        state = api.post(f"{place}/finish", f"finish-{begun['submission']}", {"sha256": digest})
    while state["state"] in WORKING:
        time.sleep(1)
        state = api.get(place)
    if state["state"] != "registered":
        sys.exit(f"{path}: {state['refusal'] or state['state']}")
    return api.get(f"round-logs/{state['log']}")


def main() -> None:
    """Do what the command line says, and print it as JSON."""
    parser = argparse.ArgumentParser(description="Submit round logs, fetch what came of them.")
    parser.add_argument("host")
    parser.add_argument("--operator", required=True)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("submission").add_argument("file", type=Path)
    commands.add_parser("findings").add_argument("--day")
    commands.add_parser("reports").add_argument("--into", type=Path, default=Path())
    options = parser.parse_args()
    api = Api(options.host, os.environ["KEY"])
    if options.command == "submission":
        print(json.dumps(submission(api, options.operator, options.file), indent=1))
    elif options.command == "findings":
        for finding in api.pages("findings", operator=options.operator, day=options.day):
            print(json.dumps(finding))
    else:
        options.into.mkdir(parents=True, exist_ok=True)
        for report in api.pages("reports", party=options.operator):
            if report["signed"]:
                into = options.into / f"{report['report']}.pdf"
                api.fetch(f"reports/{report['report']}/file", into)
                print(json.dumps({**report, "file": str(into)}))


if __name__ == "__main__":
    try:
        main()
    except Refused as refused:
        sys.exit(str(refused))
