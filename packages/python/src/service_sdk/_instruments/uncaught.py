"""Installs hooks of the interpreter that receive uncaught exceptions. ``close()`` removes them."""

import asyncio
import atexit
import functools
import sys
import threading
import time
from importlib import import_module
from typing import Any, Callable, Dict, List, Optional

from .._fork import register_after_fork
from .._in_sdk import run_finalizer_hook
from .._is_error import is_error

Teardown = Callable[[], None]
Capture = Callable[[BaseException, str], None]


def install_uncaught(capture: Capture) -> List[Teardown]:
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
        # Lets other greenlets run, so that one that has just failed is reported.
        time.sleep(0)
        flush()

    atexit.register(end)
    child = _MultiprocessingChild(flush, capture)

    def forget() -> None:
        atexit.unregister(end)
        child.restore()

    return forget


class _MultiprocessingChild:
    """Watches what the children of ``multiprocessing`` run, however they start: forked, or as a new interpreter."""

    def __init__(self, flush: Callable[[], Any], capture: Capture) -> None:
        self._flush = flush
        self._capture = capture
        self._restore: Optional[Teardown] = None
        self._install()
        # The program may load multiprocessing later.
        register_after_fork(self._install)

    def _install(self) -> None:
        process = sys.modules.get("multiprocessing.process")
        if process is not None and self._restore is None:
            self._restore = _replace(getattr(process, "BaseProcess"), "_bootstrap", self._create)

    def restore(self) -> None:
        if self._restore is not None:
            self._restore()

    def _create(self, original: Any) -> Any:
        def bootstrap(process: Any, *args: Any, **options: Any) -> Any:
            run = process.run

            def watched() -> None:
                try:
                    run()
                except BaseException as error:
                    _capture_error(self._capture, error, "multiprocessing")
                    raise

            process.run = watched
            try:
                return original(process, *args, **options)
            finally:
                self._flush()

        return bootstrap
