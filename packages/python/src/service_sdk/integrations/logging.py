"""A handler for programs that choose which loggers report errors."""

import logging

from .. import capture_exception, capture_message, get_client
from .._is_error import is_error
from .._instruments.logging import context_of, level_of


class ServiceHandler(logging.Handler):
    """Reports the records of a logger: the exception of a record if it has one, otherwise its message.

    ``level`` is ERROR by default. Without a handler, the SDK reports only records that have an exception.
    """

    def __init__(self, level: int = logging.ERROR) -> None:
        super().__init__(level)

    def emit(self, record: logging.LogRecord) -> None:
        client = get_client()
        # The lines of the SDK must not be reported by it.
        if client is None or client.is_in_sdk or record.name == "service_sdk":
            return
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        try:
            if error is None:
                capture_message(record.getMessage(), level_of(record), metadata={"logger": record.name})
            elif is_error(error):
                capture_exception(error, **context_of(record))
        except Exception:
            # Logging prints the exception of a handler, and the program continues.
            self.handleError(record)
