"""A handler for programs that choose which loggers report errors."""

import logging
from typing import Any, Dict

from .. import capture_exception, capture_message, get_client
from .._is_error import is_error

_LEVELS = ((logging.CRITICAL, "fatal"), (logging.ERROR, "error"), (logging.WARNING, "warning"), (logging.INFO, "info"))


class ServiceHandler(logging.Handler):
    """Reports the records of a logger: those with an exception as that exception, others as a message.

    ``level`` is ERROR by default. Without a handler, the SDK reports only records that have an exception.
    """

    def __init__(self, level: int = logging.ERROR) -> None:
        super().__init__(level)

    def emit(self, record: logging.LogRecord) -> None:
        client = get_client()
        # The lines of the SDK must not be reported by it.
        if client is None or client.is_inside or record.name == "service_sdk":
            return
        context: Dict[str, Any] = {"level": _level_of(record), "metadata": {"logger": record.name}}
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        try:
            if error is None:
                capture_message(record.getMessage(), **context)
            elif is_error(error):
                capture_exception(error, **context)
        except Exception:
            # Logging writes what a handler raises, and goes on.
            self.handleError(record)


def _level_of(record: logging.LogRecord) -> str:
    return next((name for level, name in _LEVELS if record.levelno >= level), "debug")
