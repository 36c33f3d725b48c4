"""How messages travel: Redis between machines, a folder on one.

Either may lose or repeat a message, and neither matters: a message says that there is work, the
database says which. Tasks are short and may run twice.
"""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
from django.core.exceptions import ImproperlyConfigured
from kombu.transport import TRANSPORT_ALIASES, filesystem

log = structlog.get_logger(__name__)

# No task may run longer: a message that is not acknowledged within the visibility timeout is
# given to another worker as well.
TASK_SECONDS = 45
VISIBILITY_SECONDS = 60


def on_one_machine(url: str) -> bool:
    """Whether the broker is a folder, which a single worker may read."""
    return urlsplit(url).scheme == "filesystem"


class FolderChannel(filesystem.Channel):
    """Kombu's folder, whose reader survives half a message: a full disk takes no more of one.

    Without this it ends the worker, as often as such messages lie there.
    """

    def _get(self, queue: str) -> Any:  # type: ignore[override]  # as kombu's own folder does
        while True:
            try:
                return super()._get(queue)
            except ValueError as broken:  # it is out of the folder already
                log.warning("half a message is left out; a sweep says it again", says=str(broken))


class FolderTransport(filesystem.Transport):
    """Kombu's folder as a broker, whose reader looks up often enough to end when it is asked to."""

    Channel = FolderChannel

    def drain_events(self, connection: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Wait for messages for a moment; without this a worker takes six seconds to end."""
        super().drain_events(connection, **{**kwargs, "timeout": 0.1})


TRANSPORT_ALIASES["folder"] = f"{__name__}:{FolderTransport.__name__}"


def celery_url(url: str) -> str:
    """Return the broker's URL as Celery wants it."""
    return "folder://localhost" if on_one_machine(url) else url


def transport_options(url: str, folder: Path) -> dict[str, Any]:
    """Return the transport's options; make the folder that stands for a broker."""
    if not on_one_machine(url):
        return {
            "visibility_timeout": VISIBILITY_SECONDS,
            # With both at 1 a killed worker's message is under way again 9 s after the
            # visibility timeout; with the defaults it takes a minute and a half.
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 5,
            "socket_timeout": 10,
            "socket_keepalive": True,
        }
    places = {
        "data_folder_in": folder / "messages",
        "data_folder_out": folder / "messages",
        "control_folder": folder / "control",
        "processed_folder": folder / "processed",
    }
    for place in places.values():
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as refused:
            message = (
                f"{place} cannot be made ({refused.strerror}). "
                "Make its parent writable, or let VAR name a folder that is."
            )
            raise ImproperlyConfigured(message) from None
    return {
        **{name: str(place) for name, place in places.items()},
        "store_processed": False,
        # With the default of one second five tasks pass in a second; with this 200.
        "polling_interval": 0.05,
    }
