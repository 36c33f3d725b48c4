"""Where the files of Swagger UI lie: in a package, served by ourselves and fetched from nowhere."""

from importlib.util import find_spec
from pathlib import Path


def swagger_ui() -> Path:
    """The folder of the one viewer we serve; the package's other one is left out."""
    spec = find_spec("drf_spectacular_sidecar")
    assert spec is not None  # noqa: S101 - pinned with the run-time set
    assert spec.origin is not None  # noqa: S101
    return Path(spec.origin).parent / "static" / "drf_spectacular_sidecar" / "swagger-ui-dist"
