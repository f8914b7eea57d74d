"""Hooks of the interpreter that see uncaught exceptions. ``close()`` removes them."""

import asyncio
import atexit
import functools
import os
import sys
import threading
from typing import Any, Callable, Dict, List, Optional

Teardown = Callable[[], None]
Capture = Callable[[BaseException, str], None]
_NOT_ERRORS = (KeyboardInterrupt, SystemExit, GeneratorExit)


def install_hooks(capture: Capture) -> List[Teardown]:
    """Captures the exceptions that nothing else handles. Earlier hooks are still called."""
    return [
        _hook_main(capture),
        _hook_threads(capture),
        _hook_unraisable(capture),
        _hook_asyncio(capture),
    ]


def _replace(owner: Any, name: str, create: Callable[[Any], Any]) -> Teardown:
    """Replaces a function. The returned function restores it, unless the program has replaced it again."""
    original = getattr(owner, name)
    replaced = create(original)
    setattr(owner, name, replaced)

    def restore() -> None:
        if getattr(owner, name) is replaced:
            setattr(owner, name, original)

    return restore


def _hook_main(capture: Capture) -> Teardown:
    def create(original: Any) -> Any:
        def excepthook(kind: Any, error: Any, traceback: Any) -> None:
            if isinstance(error, BaseException) and not isinstance(error, _NOT_ERRORS):
                capture(error, "excepthook")
            original(kind, error, traceback)

        return excepthook

    return _replace(sys, "excepthook", create)


def _hook_threads(capture: Capture) -> Teardown:
    def create(original: Any) -> Any:
        def excepthook(args: Any) -> None:
            error = args.exc_value
            if isinstance(error, BaseException) and not isinstance(error, _NOT_ERRORS):
                capture(error, "threading")
            original(args)

        return excepthook

    return _replace(threading, "excepthook", create)


def _hook_unraisable(capture: Capture) -> Teardown:
    def create(original: Any) -> Any:
        def unraisablehook(args: Any) -> None:
            error = args.exc_value
            if isinstance(error, BaseException) and not isinstance(error, _NOT_ERRORS):
                capture(error, "unraisable")
            original(args)

        return unraisablehook

    return _replace(sys, "unraisablehook", create)


def _hook_asyncio(capture: Capture) -> Teardown:
    def create(original: Any) -> Any:
        @functools.wraps(original)
        def call_exception_handler(loop: Any, context: Dict[str, Any]) -> Any:
            error = context.get("exception")
            if isinstance(error, BaseException) and not isinstance(error, (*_NOT_ERRORS, asyncio.CancelledError)):
                capture(error, "asyncio")
            return original(loop, context)

        return call_exception_handler

    return _replace(asyncio.BaseEventLoop, "call_exception_handler", create)


def run_at_exit(flush: Callable[[], Any]) -> Teardown:
    """Calls ``flush`` when the process ends, also in a child of ``multiprocessing``, which skips ``atexit``."""
    atexit.register(flush)
    finalizer = _finalize_multiprocessing(flush)
    if hasattr(os, "register_at_fork"):
        # The program may import multiprocessing later.
        os.register_at_fork(after_in_child=lambda: _finalize_forked_child(flush))

    def forget() -> None:
        atexit.unregister(flush)
        if finalizer is not None:
            finalizer.cancel()

    return forget


def _finalize_multiprocessing(flush: Callable[[], Any]) -> Optional[Any]:
    util = sys.modules.get("multiprocessing.util")
    return None if util is None else util.Finalize(None, flush, exitpriority=10)


def _finalize_forked_child(flush: Callable[[], Any]) -> None:
    """Registers ``flush`` for the end of a child: it forgets its finalizers first, and then runs what is registered here."""
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.register_after_fork(flush, lambda _: _finalize_multiprocessing(flush))


__all__ = ["Capture", "Teardown", "install_hooks", "run_at_exit"]
