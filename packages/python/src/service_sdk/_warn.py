"""Lines for the developer. They go to the logger ``service_sdk``, so that a program can silence them."""

import logging
from typing import Set

logger = logging.getLogger("service_sdk")

_MAX_LINES = 100
_written: Set[str] = set()


def warn(number: int, text: str) -> None:
    """Writes a line, once for each client. ``docs/python/troubleshooting.md`` explains each number."""
    line = f"[ServiceSDK] {text} [W{number}]"
    if line in _written or len(_written) >= _MAX_LINES:
        return
    _written.add(line)
    logger.warning("%s", line)


def reset_warnings() -> None:
    """Lets every line be written again."""
    _written.clear()
