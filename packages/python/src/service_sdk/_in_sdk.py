"""Marks the SDK's own code.

Errors and breadcrumbs that it causes are ignored, because recording them would never end.
"""

from contextvars import ContextVar, Token
from typing import Callable

#: A context variable, because greenlets share a thread.
_is_in_sdk: "ContextVar[bool]" = ContextVar("service_sdk_is_in_sdk", default=False)
_is_finalizing: "ContextVar[bool]" = ContextVar("service_sdk_is_finalizing", default=False)


def is_in_sdk() -> bool:
    """Returns whether the SDK runs in this thread, task or greenlet."""
    return _is_in_sdk.get()


def enter() -> "Token[bool]":
    """Marks the following code as code of the SDK, until ``leave()``."""
    return _is_in_sdk.set(True)


def leave(token: "Token[bool]") -> None:
    """Restores the mark that ``enter()`` has changed."""
    _is_in_sdk.reset(token)


def run_finalizer_hook(hook: Callable[[], None]) -> None:
    """Runs the hook of an error that may come from a finalizer of the program.

    The interpreter runs finalizers in any thread, also while the SDK runs, so the hook does not count as code of the SDK.
    A finalizer that fails during the hook does not reset the mark again, because that might never end.
    """
    if _is_finalizing.get():
        hook()
        return
    tokens = _is_in_sdk.set(False), _is_finalizing.set(True)
    try:
        hook()
    finally:
        _is_finalizing.reset(tokens[1])
        _is_in_sdk.reset(tokens[0])
