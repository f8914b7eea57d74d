"""Marks the code of the SDK: what it causes itself is neither an error nor a breadcrumb, which would never end."""

from contextvars import ContextVar, Token

#: A context variable, because greenlets share a thread.
_inside: "ContextVar[bool]" = ContextVar("service_sdk_inside", default=False)


def is_inside() -> bool:
    """Returns whether the SDK runs in this thread, task or greenlet."""
    return _inside.get()


def enter() -> "Token[bool]":
    """Marks what follows as code of the SDK, until ``leave()``."""
    return _inside.set(True)


def leave(token: "Token[bool]") -> None:
    """Ends what ``enter()`` has begun."""
    _inside.reset(token)
