"""Log records become breadcrumbs. Records of errors with an exception become reports."""

import logging
from typing import Any, Dict, Set

from .._attempt import attempt
from .._client import Client
from .._is_error import is_error
from .._normalize import safe_text
from .._patch_function import Teardown, patch_function

_MAX_MESSAGE = 1_000
_LEVELS = ((logging.CRITICAL, "fatal"), (logging.ERROR, "error"), (logging.WARNING, "warning"), (logging.INFO, "info"))
_ignored_loggers: Set[str] = set()


def ignore_logger(name: str) -> None:
    """Stops the reports of a logger whose errors an integration reports itself."""
    _ignored_loggers.add(name)


def level_of(record: logging.LogRecord) -> str:
    """Returns the level of a report about a record."""
    return next((name for level, name in _LEVELS if record.levelno >= level), "debug")


def _message_of(record: logging.LogRecord) -> str:
    # Arguments may not fit the format. Logging itself reports that.
    message = attempt(record.getMessage, None)
    return safe_text(record.msg if message is None else message)[:_MAX_MESSAGE]


def context_of(record: logging.LogRecord) -> Dict[str, Any]:
    """Returns the level and the metadata of a report about a record."""
    return {"level": level_of(record), "metadata": {"logger": record.name, "log_message": _message_of(record)}}


def record_to_breadcrumb(client: Client, record: logging.LogRecord) -> None:
    """Adds a breadcrumb for a record."""
    data: Dict[str, Any] = {"level": safe_text(record.levelname).lower(), "message": _message_of(record)}
    client.add_breadcrumb("log", safe_text(record.name), data)


def capture_record(client: Client, record: logging.LogRecord) -> None:
    """Reports the exception of a record, if it is an error and no integration reports it."""
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    if error is not None and record.name not in _ignored_loggers and is_error(error):
        client.capture_exception(error, context_of(record))


def install_logging(client: Client) -> Teardown:
    """Watches every logger, also one without handlers."""
    has_breadcrumbs = client.options.breadcrumbs.get("logging", True)
    captures = client.options.capture_logging

    def watch(record: logging.LogRecord) -> None:
        if record.name == "service_sdk" or client.is_in_sdk:
            return
        if captures and record.levelno >= logging.ERROR:
            capture_record(client, record)
        if has_breadcrumbs and record.levelno >= logging.INFO:
            record_to_breadcrumb(client, record)

    def create(original: Any) -> Any:
        def callHandlers(logger: logging.Logger, record: logging.LogRecord) -> None:
            # A record of the program must reach its handlers in any case.
            attempt(lambda: watch(record), None)
            original(logger, record)

        return callHandlers

    return patch_function(logging.Logger, "callHandlers", create)
