"""Drops errors that repeat, and floods of errors."""

import threading
from collections import OrderedDict
from typing import Hashable, List, Optional

_REPEAT_SECONDS = 5.0
_MAX_ERRORS = 100
_CAPACITY = 10.0


class Limiter:
    """Finds repeats within five seconds, and lets ten errors through at once, then one a second. Thread-safe."""

    def __init__(self) -> None:
        #: By identity: when a repeat is reported again, and the number of repeats that were dropped.
        self._recent: "OrderedDict[Hashable, List[float]]" = OrderedDict()
        self._tokens = _CAPACITY
        self._refilled_at = 0.0
        self.renew_lock()

    def renew_lock(self) -> None:
        """Replaces the lock, which a thread that is gone may hold after a fork."""
        # Reentrant, because garbage collection and signals run code of the program that captures errors too.
        self._lock = threading.RLock()

    def repeats_of(self, identity: Hashable, now: float) -> Optional[int]:
        """Returns the number of dropped repeats since the previous report of an error, or None if this is another one.

        ``now`` is in seconds of a clock that never goes back.
        """
        with self._lock:
            recent = self._recent.get(identity)
            if recent is None:
                return 0
            if now < recent[0]:
                recent[1] += 1
                return None
            return int(recent[1])

    def admit(self, identity: Hashable, now: float) -> bool:
        """Remembers an error that is reported. Returns False if it is one of a flood."""
        with self._lock:
            self._tokens = min(_CAPACITY, self._tokens + max(0.0, now - self._refilled_at))
            self._refilled_at = now
            if self._tokens < 1:
                return False
            self._tokens -= 1
            self._recent[identity] = [now + _REPEAT_SECONDS, 0]
            self._recent.move_to_end(identity)
            if len(self._recent) > _MAX_ERRORS:
                self._recent.popitem(last=False)
            return True
