"""Starts over in a forked child, which inherits locks that threads of its parent hold, but not these threads."""

import os
import weakref
from typing import Any, Callable


def run_in_forked_child(method: Callable[[], Any]) -> None:
    """Calls a bound method in each child that the process forks from now on, for as long as its object lives."""
    if not hasattr(os, "register_at_fork"):
        return
    # A registration cannot be undone. It must not keep a closed client alive.
    reference = weakref.WeakMethod(method)

    def run() -> None:
        current = reference()
        if current is not None:
            current()

    os.register_at_fork(after_in_child=run)
