"""Lines for the developer. They go to the logger ``service_sdk``, so that a program can silence them."""

import logging
from typing import Set

logger = logging.getLogger("service_sdk")

_MAX_LINES = 100
_written: Set[str] = set()
_is_muted = False


def warn(number: int, text: str) -> None:
    """Writes a line, once for each client. ``docs/python/troubleshooting.md`` explains each number."""
    line = f"[ServiceSDK] {text} [W{number}]"
    if line in _written or len(_written) >= _MAX_LINES:
        return
    _written.add(line)
    _write(line)


def debug(text: str) -> None:
    """Writes a line for the option ``debug``."""
    _write(f"[ServiceSDK] {text}")


def _write(line: str) -> None:
    if _is_muted:
        return
    try:
        logger.warning("%s", line)
    except Exception:
        # A handler or a filter of the program failed. There is no other place to report that.
        pass


def reset_warnings() -> None:
    """Lets every line be written again."""
    _written.clear()


def mute_at_exit() -> None:
    """Writes nothing more. A thread that writes to stderr while the interpreter ends would abort the process."""
    global _is_muted
    _is_muted = True
