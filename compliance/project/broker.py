"""Message transport: Redis between machines, a folder on one.

Either may lose or repeat a message, and it does not matter: a message says that there is work; the
database says which. Tasks are short and may run twice. Anyone who can reach a broker can write to
it: a message that does not look exactly like one of ours is set aside, and one that does is rebuilt
from scratch (`messages`). Nothing else that kombu keeps in Redis (bindings, exchanges,
unacknowledged messages, priorities) is used: there is one queue, and beat resends what a killed
worker had received.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections import deque
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

from celery import current_app
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from kombu.transport import TRANSPORT_ALIASES, filesystem, redis, virtual
from kombu.utils.json import dumps

from compliance.project.messages import MOST_BYTES, Reason, RefusedError, read

if TYPE_CHECKING:
    from collections.abc import Callable

    from compliance.project.operations.quarantine import Quarantine

MOST_AT_ONCE = 1000
SECONDS_OF_SIFTING = 0.1
"""Between batches of foreign messages, a worker maintains its processes."""
SECONDS_BETWEEN_LOOKS = 0.05
SECONDS_OF_A_TURN = 60
TURNS = 120
TURNS_OF_A_PROCESS = 20
"""Beat sends no task more often than once a second; each process may add a few of its own."""


def on_one_machine(url: str) -> bool:
    """Return whether the broker is a folder, which only a single worker may read."""
    return urlsplit(url).scheme == "filesystem"


class Turns:
    """Limits how often a task may start: a flood of one kind means no more than a few messages.

    Without this, a flood of well-formed messages would keep the workers from all other work. A task
    that just ran finds little to do and ends quickly (the job table, `last_runs`).
    """

    def __init__(self) -> None:
        self.used: dict[str, tuple[float, int]] = {}

    def take(self, task: str) -> bool:
        """Return whether the task may start again now."""
        now = time.monotonic()
        since, times = self.used.get(task, (now, 0))
        if now - since >= SECONDS_OF_A_TURN:
            since, times = now, 0
        self.used[task] = since, times + 1
        return times < TURNS + TURNS_OF_A_PROCESS * settings.WORKERS


class OneQueue(virtual.Channel):
    """The behavior that both brokers share: messages are checked before kombu sees them."""

    at_once = 1

    def _lookup(self, exchange: str, routing_key: str, default: Any = None) -> list[str]:
        """Route a message without reading a table that others may have written."""
        del exchange, default
        return [routing_key]

    def _queue_bind(self, *_: Any, **__: Any) -> None:
        """Do nothing: there is no such table."""

    def _size(self, queue: str) -> int:
        """Return 0: declaring a queue asks for its size, and must work if the key is no queue."""
        del queue
        return 0

    def _get(self, queue: str) -> dict[str, Any]:  # type: ignore[override]  # as kombu's own do
        """Return the next message that may be ours; set aside all others."""
        until = time.monotonic() + SECONDS_OF_SIFTING
        try:
            while batch := self._take(queue, self.at_once):
                message, later = self._sift(batch, queue)
                self._put_back(queue, later)
                if message is not None:
                    self.at_once = 1
                    return message
                self.at_once = min(2 * self.at_once, MOST_AT_ONCE)
                if time.monotonic() > until:
                    break
            raise Empty
        finally:
            self.aside.write_now_and_then()

    def _sift(
        self, batch: list[tuple[int, bytes]], queue: str
    ) -> tuple[dict[str, Any] | None, list[bytes]]:
        """Return the first message whose turn it is, and the ones after it."""
        first, later = None, []
        for size, content in batch:
            try:
                if size < 0:
                    raise RefusedError(Reason.NOT_A_QUEUE)
                message = read(content, size, queue=queue, known=self.known)
            except RefusedError as refused:
                self.aside.add(refused.reason, content, max(size, 0))
                continue
            if first is not None:
                later.append(content)
            elif message is not None and self.turns.take(message["headers"]["task"]):
                first = message
        return first, later

    def _take(self, queue: str, most: int) -> list[tuple[int, bytes]]:
        """Remove the oldest messages; return the size and the first bytes of each."""
        raise NotImplementedError

    def _put_back(self, queue: str, later: list[bytes]) -> None:
        """Put messages back so that the first of them comes next."""
        raise NotImplementedError

    @cached_property
    def turns(self) -> Turns:
        """Return the limits of this worker."""
        return Turns()

    @cached_property
    def known(self) -> frozenset[str]:
        """Return our own tasks; Celery's built-in ones take other tasks as arguments."""
        return frozenset(each for each in current_app.tasks if not each.startswith("celery."))

    @cached_property
    def aside(self) -> Quarantine:
        """Return the quarantine in the database; settings cannot import its models."""
        from compliance.project.operations.quarantine import Quarantine

        return Quarantine()


class FolderChannel(OneQueue, filesystem.Channel):
    """A folder with one file per message."""

    @cached_property
    def names(self) -> deque[str]:
        """Return file names found in the folder and not read yet."""
        return deque()

    def _put(self, queue: str, message: Any, **_: Any) -> None:  # type: ignore[override]
        self._write(queue, f"{time.monotonic_ns():020}_{uuid4()}", dumps(message).encode())

    def _write(self, queue: str, name: str, content: bytes) -> None:
        """Write under another name first, so that no reader gets a partial message."""
        place = Path(self.data_folder_out, f"{name}.{queue}.msg")
        half = place.with_suffix(".half")
        try:
            half.write_bytes(content)
            half.rename(place)
        except OSError:
            half.unlink(missing_ok=True)
            raise

    def _put_back(self, queue: str, later: list[bytes]) -> None:
        for number, content in enumerate(later):
            self._write(queue, f"{0:020}_{number:06}_{uuid4()}", content)

    def _take(self, queue: str, most: int) -> list[tuple[int, bytes]]:
        if not self.names:
            ending = f".{queue}.msg"
            folder = os.listdir(self.data_folder_in)  # noqa: PTH208 - only the names are needed
            self.names.extend(sorted(each for each in folder if each.endswith(ending)))
        batch: list[tuple[int, bytes]] = []
        while self.names and len(batch) < most:
            if (found := _take_file(Path(self.data_folder_in, self.names.popleft()))) is not None:
                batch.append(found)
        return batch


def _take_file(place: Path) -> tuple[int, bytes] | None:
    """Read the first bytes of a file and remove it; None if it is gone or cannot be removed."""
    try:
        about = place.lstat()
        if not stat.S_ISREG(about.st_mode):
            shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink()
            return -1, place.name.encode()
        with place.open("rb") as opened:
            content = opened.read(MOST_BYTES)
        place.unlink()
    except OSError:
        return None
    return about.st_size, content


class FolderTransport(filesystem.Transport):
    """A folder as a broker; its reader checks often whether it should stop."""

    Channel = FolderChannel

    def drain_events(self, connection: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Wait for messages briefly; without this, a worker takes six seconds to stop."""
        super().drain_events(connection, **{**kwargs, "timeout": 0.1})


# Every message is removed from Redis, but only its first bytes are returned, so a worker's memory
# does not depend on what others wrote. A key that is not a list is removed too: no message could be
# sent or received until it was.
TAKE = """
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {} end
if kind ~= 'list' then
  redis.call('UNLINK', KEYS[1])
  return {{-1, kind}}
end
local taken, bytes = {}, 0
while #taken < tonumber(ARGV[1]) and bytes < 1000000 do
  local each = redis.call('RPOP', KEYS[1])
  if not each then break end
  bytes = bytes + #each
  taken[#taken + 1] = {#each, string.sub(each, 1, tonumber(ARGV[2]))}
end
return taken
"""


class Looks(redis.MultiChannelPoller):
    """Poll the queue: a blocking read would return a whole message, however large."""

    _channels: set[RedisChannel]

    def get(self, callback: Any, timeout: float | None = None) -> None:
        """Take one message, if there is one."""
        del timeout
        for channel in tuple(self._channels):
            with suppress(Empty):
                channel.drain_events(callback=callback)
                return
        raise Empty


class RedisChannel(OneQueue, redis.Channel):
    """One list in Redis."""

    ack_emulation = False
    _create_client: Callable[[], Any]

    @cached_property
    def script(self) -> Any:
        """Return the script that removes messages."""
        return self._create_client().register_script(TAKE)

    def _take(self, queue: str, most: int) -> list[tuple[int, bytes]]:
        return [(size, begin) for size, begin in self.script([queue], [most, MOST_BYTES])]

    def _put(self, queue: str, message: Any, **_: Any) -> None:
        self._create_client().lpush(queue, dumps(message))

    def _put_back(self, queue: str, later: list[bytes]) -> None:
        if later:
            self._create_client().rpush(queue, *reversed(later))


class RedisTransport(redis.Transport):
    """Redis as a broker; any error it returns counts as a lost connection and is retried."""

    Channel = RedisChannel
    connection_errors = (*redis.Transport.connection_errors, *redis.Transport.channel_errors)
    polling_interval: float = SECONDS_BETWEEN_LOOKS  # type: ignore[assignment]
    cycle: Looks
    looking: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cycle = Looks()

    def register_with_event_loop(self, connection: Any, loop: Any) -> None:
        """Poll from the worker's event loop."""
        del connection
        self.looking = loop.call_repeatedly(SECONDS_BETWEEN_LOOKS, self._look)

    def _look(self) -> None:
        with suppress(Empty):
            while True:
                self.cycle.get(self._deliver)

    def close_connection(self, connection: Any) -> None:
        """Stop polling."""
        if self.looking is not None:
            self.looking.cancel()
        super().close_connection(connection)


TRANSPORT_ALIASES["folder"] = f"{__name__}:{FolderTransport.__name__}"
TRANSPORT_ALIASES["redis"] = f"{__name__}:{RedisTransport.__name__}"
TRANSPORT_ALIASES["rediss"] = TRANSPORT_ALIASES["redis"]


def celery_url(url: str) -> str:
    """Return the broker's URL as Celery wants it."""
    return "folder://localhost" if on_one_machine(url) else url


def transport_options(url: str, folder: Path) -> dict[str, Any]:
    """Return the transport's options; create the folder that serves as a broker."""
    if not on_one_machine(url):
        return {"socket_connect_timeout": 5, "socket_timeout": 10, "socket_keepalive": True}
    place = folder / "messages"
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as refused:
        message = (
            f"{place} cannot be created ({refused.strerror}). "
            "Make its parent folder writable, or set VAR to a folder that is."
        )
        raise ImproperlyConfigured(message) from None
    return {
        "data_folder_in": str(place),
        "data_folder_out": str(place),
        # At the default of one second, five tasks arrive per second; with this, 200.
        "polling_interval": SECONDS_BETWEEN_LOOKS,
    }
