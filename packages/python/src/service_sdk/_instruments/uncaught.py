"""Installs hooks of the interpreter that receive uncaught exceptions. ``close()`` removes them."""

import asyncio
import sys
import threading
from importlib import import_module
from typing import Any, Callable, Dict, List

from .._in_sdk import run_finalizer_hook
from .._is_error import is_error
from .._patch_function import Teardown, patch_function

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


def capture_error(capture: Capture, error: Any, mechanism: str) -> None:
    """Captures what a hook receives, unless it is no error, such as ``SystemExit``."""
    if isinstance(error, BaseException) and is_error(error):
        capture(error, mechanism)


def _hook_main(capture: Capture) -> Teardown:
    def create(original: Any) -> Any:
        def excepthook(kind: Any, error: Any, traceback: Any) -> None:
            try:
                capture_error(capture, error, "excepthook")
            finally:
                original(kind, error, traceback)

        return excepthook

    return patch_function(sys, "excepthook", create)


def _hook_args(capture: Capture, owner: Any, name: str, mechanism: str) -> Teardown:
    def create(original: Any) -> Any:
        def hook(args: Any) -> None:
            try:
                run_finalizer_hook(lambda: capture_error(capture, args.exc_value, mechanism))
            finally:
                original(args)

        return hook

    return patch_function(owner, name, create)


def _hook_asyncio(capture: Capture) -> Teardown:
    def create(original: Any) -> Any:
        def call_exception_handler(loop: Any, context: Dict[str, Any]) -> Any:
            try:
                run_finalizer_hook(lambda: capture_error(capture, context.get("exception"), "asyncio"))
            finally:
                original(loop, context)

        return call_exception_handler

    return patch_function(asyncio.BaseEventLoop, "call_exception_handler", create)


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
                capture_error(capture, error, "gevent")
            finally:
                original(self, context, kind, error, traceback)

        return handle_error

    return [patch_function(hub.Hub, "handle_error", create)]
