"""Sends reports in the background: one thread, a bounded queue, retries and pauses."""

import _thread
import sys
import threading
import time
from collections import deque
from typing import Callable, Deque, Optional, Union

from ._drops import Drops
from ._fork import start_over_if_forked
from ._in_sdk import enter
from ._options import Report, Response, Transport
from ._warn import mute_at_exit, warn

_RETRY_SECONDS = (1.0, 2.0)
_PAUSE_SECONDS = 60.0
_MAX_RETRY_AFTER = 3_600.0
_MAX_PAUSE = 86_400.0
_MAX_FAILURES = 3

#: Completes a report in the sender thread. Returns None if there is nothing to send.
Job = Callable[[], Optional[Report]]


class Sender:
    """Runs jobs and sends their reports.

    Putting a job waits for no lock: a signal handler or a ``__del__`` may capture an error at any moment, also while the
    same thread puts a job. Appending to a deque and releasing a lock are single steps.
    """

    def __init__(self, transport: Transport, max_queue: int, drops: Drops) -> None:
        self._transport = transport
        self._max_queue = max_queue
        self._drops = drops
        self._is_closed = False
        #: True once the server has rejected the key.
        self._is_stopped = False
        self._paused_until = 0.0
        #: Failures in a row.
        self._failures = 0
        self.reset()

    def reset(self) -> None:
        """Begins with an empty queue and new locks. After a fork, the parent sends what was queued before."""
        #: Jobs, and the events that flush() waits for. An item is removed once it is done.
        self._queue: Deque[Union[Job, threading.Event]] = deque()
        #: Held while the thread runs.
        self._running = threading.Lock()
        #: Released to wake the thread.
        self._wake = threading.Lock()
        self._wake.acquire()
        #: Ends the pause before a retry.
        self._closing = threading.Event()
        self._thread_id: Optional[int] = None
        #: While the process ends, a capture waits until this time of the monotonic clock, in seconds. None before that.
        self._exit_until: Optional[float] = None

    def _disconnect(self) -> None:
        close = getattr(self._transport, "close", None)
        if callable(close):
            close()

    @property
    def is_inactive(self) -> bool:
        """True if nothing is sent now, so that errors need not be read."""
        return self._is_closed or self._is_stopped or time.monotonic() < self._paused_until

    def count_unsent(self) -> None:
        """Counts a report that is dropped because nothing is sent now."""
        # close() counts the reports that it leaves behind.
        if not self._is_closed:
            self._drops.add("stopped" if self._is_stopped else "paused")

    def put(self, job: Job) -> bool:
        """Queues a job. Returns False if it is dropped. Waits only while the process ends, because the job would be lost."""
        if len(self._queue) >= self._max_queue:
            self._drops.add("queue")
            warn(6, "Too many reports wait for the server, so some are dropped.")
            return False
        if not self._enqueue(job):
            self._drops.add("thread")
            return False
        if self._exit_until is not None:
            self.flush(self._exit_until - time.monotonic())
        return True

    def _enqueue(self, item: Union[Job, threading.Event]) -> bool:
        if self._is_closed or not self._start_thread():
            return False
        self._queue.append(item)
        self._wake_thread()
        return True

    def _wake_thread(self) -> None:
        try:
            self._wake.release()
        except RuntimeError:
            # The thread is awake, and reads the queue once more before it sleeps.
            pass

    def _start_thread(self) -> bool:
        """Starts the thread unless it runs. ``threading.Thread`` takes five times as long, because ``start()`` waits until it runs."""
        if not self._running.acquire(False):
            return True
        try:
            # A thread that is started while the interpreter ends never runs.
            if not sys.is_finalizing():
                _thread.start_new_thread(self._run, ())
                return True
        except RuntimeError:
            # The process has too many threads.
            pass
        self._running.release()
        return False

    def _run(self) -> None:
        self._thread_id = _thread.get_ident()
        threading.current_thread().name = "service-sdk"
        enter()
        while not self._is_closed:
            if self._queue:
                self._run_item(self._queue[0])
                self._queue.popleft()
            else:
                self._wake.acquire()
        self._disconnect()

    def _run_item(self, item: Union[Job, threading.Event]) -> None:
        if isinstance(item, threading.Event):
            item.set()
            return
        if self.is_inactive:
            self.count_unsent()
            return
        try:
            report = item()
            if report is not None:
                self._send(report)
        except BaseException as error:  # noqa: B902 - nothing may end this thread
            self._drops.add("failed")
            warn(5, f"A report was dropped because the SDK failed: {type(error).__name__}.")

    def _send(self, report: Report) -> None:
        for delay in (*_RETRY_SECONDS, None):
            response = self._request(report)
            status = response.status
            if 200 <= status < 300:
                self._failures = 0
                return
            if 0 < status < 500 or delay is None:
                self._reject(response)
                return
            self._closing.wait(min(response.retry_after or delay, _MAX_RETRY_AFTER))
            if self.is_inactive:
                self.count_unsent()
                return

    def _request(self, report: Report) -> Response:
        try:
            response = self._transport(report)
            return response if isinstance(response, Response) else Response(200)
        except Exception as error:
            return Response(0, reason=type(error).__name__)

    def _reject(self, response: Response) -> None:
        if response.status == 401:
            self._is_stopped = True
            self._drops.add("stopped")
            warn(8, "The server does not know the API key (401), so nothing more is sent. Check api_key and endpoint.")
        elif response.status == 429:
            # Unlike a page, a process may run for months, so it tries again after the pause.
            self._pause(min(max(_PAUSE_SECONDS, response.retry_after or 0.0), _MAX_PAUSE))
            self._drops.add("paused")
            warn(9, "The project's error quota is used up (429), so reports are dropped until the time in Retry-After (up to one day).")
        else:
            self._count_failure()
            self._warn_of_failure(response)

    def _count_failure(self) -> None:
        self._failures += 1
        if self._failures >= _MAX_FAILURES:
            # After the pause, one failure pauses again, because only a success resets the count.
            self._pause(_PAUSE_SECONDS)

    def _pause(self, seconds: float) -> None:
        self._paused_until = time.monotonic() + seconds

    def _warn_of_failure(self, response: Response) -> None:
        status = response.status
        self._drops.add("network" if status == 0 else "rejected" if status < 500 else "failed")
        if status == 0:
            reason = f" ({response.reason})" if response.reason else ""
            warn(10, f"The server cannot be reached{reason}. Check endpoint, and the network of this machine.")
        elif status < 400:
            warn(13, f"The server redirects reports ({status}), so they are dropped. Set endpoint to its final address.")
        elif status < 500:
            warn(13, f"The server rejected a report ({status}), so it is dropped.")
        else:
            warn(14, f"The server failed ({status}), also after two retries, so a report is dropped.")

    def flush(self, timeout: float) -> bool:
        """Waits until every queued report is sent or dropped. Returns False if that takes longer than ``timeout`` seconds."""
        start_over_if_forked()
        if not self._queue:
            return True
        # The thread would wait for itself if before_send flushes.
        if self._thread_id == _thread.get_ident():
            return False
        done = threading.Event()
        return self._enqueue(done) and done.wait(max(0.0, timeout))

    def finish(self, timeout: float) -> None:
        """Flushes at the end of the process. What is captured later is sent within the rest of ``timeout`` seconds."""
        self._exit_until = time.monotonic() + timeout
        if not self.flush(timeout):
            self._count_waiting()
        self._drops.warn()
        mute_at_exit()

    def close(self, timeout: float) -> bool:
        """Sends what is queued, then nothing more. Returns False if that takes longer than ``timeout`` seconds."""
        is_done = self.flush(timeout)
        self._is_closed = True
        if not is_done:
            self._count_waiting()
        self._drops.warn()
        self._closing.set()
        self._wake_thread()
        return is_done

    def _count_waiting(self) -> None:
        for item in list(self._queue):
            if not isinstance(item, threading.Event):
                self._drops.add("closed")
