"""Log records become breadcrumbs. Records of errors with an exception become reports."""

import logging
from typing import Any, Callable, Dict

from ._client import Client

_MAX_MESSAGE = 1_000


def record_to_breadcrumb(client: Client, record: logging.LogRecord) -> None:
    """Adds a breadcrumb for a record."""
    try:
        message = record.getMessage()
    except Exception:
        # The arguments do not fit the format. Logging itself complains about it.
        message = str(record.msg)
    data: Dict[str, Any] = {"level": record.levelname.lower(), "message": message[:_MAX_MESSAGE]}
    client.add_breadcrumb("log", record.name, data)


def capture_record(client: Client, record: logging.LogRecord) -> None:
    """Reports the exception of a record."""
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    if isinstance(error, Exception):
        client.capture_exception(error, {"metadata": {"logger": record.name}})


def install_logging(client: Client) -> Callable[[], None]:
    """Watches every logger, whatever handlers it has."""
    owner: Any = logging.Logger
    original = owner.callHandlers
    has_breadcrumbs = client.options.breadcrumbs.get("logging", True)
    captures = client.options.capture_logging

    def callHandlers(logger: logging.Logger, record: logging.LogRecord) -> None:
        if record.name != "service_sdk" and not client.is_inside:
            try:
                if captures and record.levelno >= logging.ERROR:
                    capture_record(client, record)
                if has_breadcrumbs and record.levelno >= logging.INFO:
                    record_to_breadcrumb(client, record)
            except Exception:
                # A record of the program must reach its handlers in any case.
                pass
        original(logger, record)

    owner.callHandlers = callHandlers

    def restore() -> None:
        if owner.callHandlers is callHandlers:
            owner.callHandlers = original

    return restore
