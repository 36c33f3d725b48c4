"""Structured logs on standard error: one line each, lines for machines in production."""

import re
from typing import Any

import structlog

# Addresses that are themselves the way in: what follows is nobody's to read in a log.
_WAYS_IN = re.compile(r"(/account/(?:invitation|calendar|password/reset/key)/)[^\s\"']+")
# Keys of programs and secrets of webhooks, wherever somebody put one by mistake.
_SECRETS = re.compile(r"\b(cg_|whsec_)[-\w+/=%]{20,}")


def without_secrets(
    _logger: object, _name: str, entry: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Blank the secret part of an address, and secrets by their marks, in every text of a line."""
    for key, value in entry.items():
        if isinstance(value, str):
            entry[key] = _SECRETS.sub(r"\1…", _WAYS_IN.sub(r"\1…", value))
    return entry


_STEPS: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    without_secrets,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


# Without the values of variables, which may be anybody's password: both are shown by default.
_TRACEBACKS = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)
_ROUTINE = frozenset({"task_enqueued", "task_started", "task_succeeded"})


def _without_clockwork(
    logger: object, method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Drop what beat has done well each second; what somebody asked for and what fails stays."""
    del logger, method
    if event.get("event") in _ROUTINE and "request_id" not in event:
        raise structlog.DropEvent
    return event


def logging_to_stderr(*, as_json: bool) -> dict[str, Any]:
    """Configure structlog and return Django's `LOGGING` for everybody else's loggers."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_STEPS,
            _without_clockwork,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.processors.StackInfoRenderer(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    last: list[structlog.typing.Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        *(
            [_TRACEBACKS, structlog.processors.JSONRenderer()]
            if as_json
            else [
                structlog.dev.ConsoleRenderer(
                    colors=False, exception_formatter=structlog.dev.plain_traceback
                )
            ]
        ),
    ]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _STEPS,
                "processors": last,
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            name: {"handlers": ["stderr"], "level": "INFO", "propagate": False}
            for name in ("compliance", "audits", "reports", "games", "django_structlog")
        }
        # A damaged PDF that somebody has verified is answered, not logged with its traceback.
        | {"pyhanko": {"level": "CRITICAL"}, "pyhanko_certvalidator": {"level": "CRITICAL"}},
    }
