"""Distinguishes errors from exceptions that end a program, a task or a connection normally."""

import asyncio

from ._exceptions import name_of

_REGULAR = (KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError)
#: Classes of packages that may not be installed.
_REGULAR_NAMES = frozenset(
    {
        "greenlet.GreenletExit",
        "trio.Cancelled",
        # The client of a websocket or of an upload has disconnected.
        "starlette.websockets.WebSocketDisconnect",
        "starlette.requests.ClientDisconnect",
        "asgiref.server.ClientDisconnect",
        "django.core.exceptions.RequestAborted",
    }
)


def is_error(error: BaseException) -> bool:
    """Returns whether an uncaught exception is an error."""
    # `isinstance` would ask the error itself for its class.
    if issubclass(type(error), _REGULAR):
        return False
    return not any(name_of(kind) in _REGULAR_NAMES for kind in type.mro(type(error)))
