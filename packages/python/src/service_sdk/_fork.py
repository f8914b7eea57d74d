"""Starts over in a forked child, which inherits locks that threads of its parent hold, but not these threads."""

import os
import weakref
from typing import Any, Callable, List

#: The methods to call. They must not keep a closed client alive.
_methods: List["weakref.WeakMethod[Callable[[], Any]]"] = []
_pid = os.getpid()


def register_after_fork(method: Callable[[], Any]) -> None:
    """Calls a bound method in each child that the process forks from now on, for as long as its object lives."""
    _methods[:] = [known for known in _methods if known() is not None]
    _methods.append(weakref.WeakMethod(method))


def start_over_if_forked() -> None:
    """Starts over in a child that was forked by C code, such as uWSGI, which does not call the hooks of Python."""
    if os.getpid() != _pid:
        _start_over()


def _start_over() -> None:
    global _pid
    _pid = os.getpid()
    for reference in _methods:
        method = reference()
        if method is not None:
            method()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_over)
