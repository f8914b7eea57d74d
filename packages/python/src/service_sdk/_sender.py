"""Sends reports in the background: one thread, a bounded queue, retries and pauses."""

import os
import sys
import threading
import time
from collections import deque
from typing import Any, Callable, Deque, Optional

from ._options import Report, Response, Transport
from ._warn import warn

_RETRY_SECONDS = (1.0, 2.0)
_PAUSE_SECONDS = 60.0
_MAX_RETRY_AFTER = 3_600.0
_MAX_FAILURES = 3

#: Completes a report in the sender thread. Returns None to drop it.
Job = Callable[[], Optional[Report]]


class Sender:
    """Runs jobs and sends their reports. Putting a job never blocks the program."""

    def __init__(self, transport: Transport, max_queue: int) -> None:
        self._transport = transport
        self._max_queue = max_queue
        self._is_closed = False
        #: True once the server has rejected the key.
        self._is_stopped = False
        self._paused_until = 0.0
        self._reset()
        if hasattr(os, "register_at_fork"):
            # The parent sends what is queued. The child starts with an empty queue, a new thread and new locks.
            os.register_at_fork(after_in_child=self._reset)

    def _reset(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._queue: Deque[Job] = deque()
        self._is_busy = False
        self._thread: Optional[threading.Thread] = None
        self._failures = 0
        close = getattr(self._transport, "close", None)
        if callable(close):
            # A connection must not be shared with the parent.
            close()

    @property
    def is_silent(self) -> bool:
        """True if nothing is sent now, so that errors need not be read."""
        return self._is_closed or self._is_stopped or time.monotonic() < self._paused_until

    def put(self, job: Job) -> bool:
        """Queues a job. Returns False if it is dropped."""
        with self._changed:
            if self._is_closed:
                return False
            if len(self._queue) >= self._max_queue:
                warn(6, "Too many reports wait for the server, so some are dropped.")
                return False
            if not self._start_thread():
                return False
            self._queue.append(job)
            self._changed.notify_all()
            return True

    def _start_thread(self) -> bool:
        if self._thread is not None and self._thread.is_alive():
            return True
        # A thread that is started while the interpreter ends never runs, and the interpreter waits for it.
        if sys.is_finalizing():
            return False
        thread = threading.Thread(target=self._run, name="service-sdk", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            return False
        self._thread = thread
        return True

    def _run(self) -> None:
        changed = self._changed
        while True:
            with changed:
                while not self._queue:
                    self._is_busy = False
                    changed.notify_all()
                    if self._is_closed:
                        return
                    changed.wait()
                self._is_busy = True
                job = self._queue.popleft()
            try:
                report = job()
                if report is not None:
                    self._send(report)
            except Exception as error:
                warn(5, f"A report was dropped because the SDK failed: {type(error).__name__}.")
            # The job holds code objects of the program.
            del job

    def _send(self, report: Report) -> None:
        for delay in (*_RETRY_SECONDS, None):
            if self._is_stopped or time.monotonic() < self._paused_until:
                return
            try:
                response = self._transport(report)
                status = response.status if isinstance(response, Response) else 200
            except Exception:
                response, status = Response(0), 0
            if 0 < status < 400:
                self._failures = 0
                return
            if 0 < status < 500 or delay is None:
                self._reject(status, response)
                return
            self._wait(min(response.retry_after or delay, _MAX_RETRY_AFTER))

    def _reject(self, status: int, response: Any) -> None:
        if status == 401:
            self._is_stopped = True
            warn(8, "The server does not know the API key (401), so nothing more is sent. Check api_key and endpoint.")
        elif status == 429:
            # A process may live for months, unlike a page. It asks again once the server says so.
            seconds = max(_PAUSE_SECONDS, min(response.retry_after or _PAUSE_SECONDS, 24 * _MAX_RETRY_AFTER))
            self._paused_until = time.monotonic() + seconds
            warn(9, "The project's error quota is used up (429), so reports are dropped until Retry-After is over.")
        else:
            self._failures += 1
            if self._failures >= _MAX_FAILURES:
                self._failures = 0
                self._paused_until = time.monotonic() + _PAUSE_SECONDS
            if status == 0:
                warn(10, "The server cannot be reached. Check endpoint, and the network of this machine.")
            elif status < 500:
                warn(13, f"The server rejected a report ({status}), so it is dropped.")
            else:
                warn(14, f"The server failed ({status}), also after two retries, so a report is dropped.")

    def _wait(self, seconds: float) -> None:
        """Waits, but not longer than until the client is closed."""
        end = time.monotonic() + seconds
        with self._changed:
            while not self._is_closed:
                left = end - time.monotonic()
                if left <= 0:
                    return
                self._changed.wait(left)

    def flush(self, timeout: float) -> bool:
        """Waits until every report has a response. Returns False after ``timeout`` seconds."""
        end = time.monotonic() + timeout
        with self._changed:
            while self._queue or self._is_busy:
                left = end - time.monotonic()
                if left <= 0 or self._thread is None or not self._thread.is_alive():
                    return False
                self._changed.wait(min(left, 0.1))
        return True

    def close(self, timeout: float) -> bool:
        """Sends what is queued, then nothing more. Returns False after ``timeout`` seconds."""
        is_done = self.flush(timeout)
        with self._changed:
            self._is_closed = True
            self._queue.clear()
            self._changed.notify_all()
        return is_done
