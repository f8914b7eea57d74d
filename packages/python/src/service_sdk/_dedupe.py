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
        self._lock = threading.Lock()
        #: By identity: when a repeat is reported again, and the number of repeats that were dropped.
        self._recent: "OrderedDict[Hashable, List[float]]" = OrderedDict()
        self._tokens = _CAPACITY
        self._refilled_at = 0.0
        #: True once an error was dropped by the limit.
        self.is_flooded = False

    def admit(self, identity: Hashable, now: float) -> Optional[int]:
        """Returns the number of repeats since the previous report of an error, or None if it is dropped."""
        with self._lock:
            recent = self._recent.get(identity)
            if recent is not None and now < recent[0]:
                recent[1] += 1
                return None
            self._tokens = min(_CAPACITY, self._tokens + max(0.0, now - self._refilled_at))
            self._refilled_at = now
            if self._tokens < 1:
                self.is_flooded = True
                return None
            self._tokens -= 1
            repeats = int(recent[1]) if recent is not None else 0
            self._recent[identity] = [now + _REPEAT_SECONDS, 0]
            self._recent.move_to_end(identity)
            if len(self._recent) > _MAX_ERRORS:
                self._recent.popitem(last=False)
            return repeats
