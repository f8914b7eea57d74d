"""Hooks of the interpreter that see uncaught exceptions. ``close()`` removes them."""

import asyncio
import atexit
import functools
import sys
import threading
import time
from importlib import import_module
from typing import Any, Callable, Dict, List

from ._fork import run_in_forked_child
from ._inside import run_finalizer_hook
from ._is_error import is_error

Teardown = Callable[[], None]
Capture = Callable[[BaseException, str], None]


def install_hooks(capture: Capture) -> List[Teardown]:
    """Captures the exceptions that nothing else handles. Earlier hooks are still called."""
    return [
        _hook_main(capture),
        _hook_args(capture, threading, "excepthook", "threading"),
        _hook_args(capture, sys, "unraisablehook", "unraisable"),
        _hook_asyncio(capture),
        *_hook_gevent(capture),
    ]


def _replace(owner: Any, name: str, create: Callable[[Any], Any]) -> Teardown:
    """Replaces a function. The returned function restores it, unless the program has replaced it again."""
    original = getattr(owner, name)
    replaced = functools.wraps(original)(create(original))
    setattr(owner, name, replaced)

    def restore() -> None:
        if getattr(owner, name) is replaced:
            setattr(owner, name, original)

    return restore


def _capture_error(capture: Capture, error: Any, mechanism: str) -> None:
    if isinstance(error, BaseException) and is_error(error):
        capture(error, mechanism)


def _hook_main(capture: Capture) -> Teardown:
    def create(original: Any) -> Any:
        def excepthook(kind: Any, error: Any, traceback: Any) -> None:
            try:
                _capture_error(capture, error, "excepthook")
            finally:
                original(kind, error, traceback)

        return excepthook

    return _replace(sys, "excepthook", create)


def _hook_args(capture: Capture, owner: Any, name: str, mechanism: str) -> Teardown:
    def create(original: Any) -> Any:
        def hook(args: Any) -> None:
            try:
                run_finalizer_hook(lambda: _capture_error(capture, args.exc_value, mechanism))
            finally:
                original(args)

        return hook

    return _replace(owner, name, create)


def _hook_asyncio(capture: Capture) -> Teardown:
    def create(original: Any) -> Any:
        def call_exception_handler(loop: Any, context: Dict[str, Any]) -> Any:
            try:
                run_finalizer_hook(lambda: _capture_error(capture, context.get("exception"), "asyncio"))
            finally:
                original(loop, context)

        return call_exception_handler

    return _replace(asyncio.BaseEventLoop, "call_exception_handler", create)


def _hook_gevent(capture: Capture) -> List[Teardown]:
    """Hooks into gevent, which prints the exceptions of greenlets itself. A program imports it first, to patch modules."""
    hub = sys.modules.get("gevent.hub")
    if hub is None:
        return []
    # Host names are resolved by its thread pool, which cannot be imported while the interpreter ends.
    import_module("gevent.threadpool")

    def create(original: Any) -> Any:
        def handle_error(self: Any, context: Any, kind: Any, error: Any, traceback: Any) -> None:
            try:
                _capture_error(capture, error, "gevent")
            finally:
                original(self, context, kind, error, traceback)

        return handle_error

    return [_replace(hub.Hub, "handle_error", create)]


def run_at_exit(flush: Callable[[], Any], capture: Capture) -> Teardown:
    """Calls ``flush`` when the process ends, also in a child of ``multiprocessing``, which skips ``atexit`` and prints an
    uncaught exception itself.
    """

    def end() -> None:
        # A greenlet that has just failed is reported when others may run.
        time.sleep(0)
        flush()

    atexit.register(end)
    child = _MultiprocessingChild(flush, capture)

    def forget() -> None:
        atexit.unregister(end)
        child.is_active = False

    return forget


class _MultiprocessingChild:
    """Finishes the work of the SDK in the children of ``multiprocessing``.

    A forked child forgets the finalizers of its parent first, then runs what was registered to run after a fork. Another
    child is a new interpreter that loads the main module. Python 3.9 treats both alike.
    """

    def __init__(self, flush: Callable[[], Any], capture: Capture) -> None:
        self._flush = flush
        self._capture = capture
        self._is_registered = False
        self.is_active = True
        self._register()
        # The program may load multiprocessing later.
        run_in_forked_child(self._register)

    def _register(self) -> None:
        util = sys.modules.get("multiprocessing.util")
        if util is not None and self.is_active and not self._is_registered:
            self._is_registered = True
            util.register_after_fork(self, _MultiprocessingChild._begin)
            self._begin()

    def _begin(self) -> None:
        sys.modules["multiprocessing.util"].Finalize(None, self._end, exitpriority=10)

    def _end(self) -> None:
        if self.is_active:
            # The finalizers run while the exception is on its way out of the child's function.
            _capture_error(self._capture, sys.exc_info()[1], "multiprocessing")
            self._flush()
