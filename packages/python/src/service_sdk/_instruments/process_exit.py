"""Sends reports when the process ends, and captures what ends a child of ``multiprocessing``."""

import atexit
import sys
import time
from typing import Any, Callable, Optional

from .._fork import register_after_fork
from .._patch_function import Teardown, patch_function
from .uncaught import Capture, capture_error


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
            self._restore = patch_function(getattr(process, "BaseProcess"), "_bootstrap", self._create)

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
                    capture_error(self._capture, error, "multiprocessing")
                    raise

            process.run = watched
            try:
                return original(process, *args, **options)
            finally:
                self._flush()

        return bootstrap
