"""Drops errors that repeat."""

import threading
from collections import OrderedDict
from typing import Hashable, List, Optional

_REPEAT_SECONDS = 5.0
_MAX_ERRORS = 100


class Dedupe:
    """Finds the repeats of an error within five seconds after its report. Thread-safe."""

    def __init__(self) -> None:
        #: By identity: the time from which a repeat is reported again, and the number of repeats dropped until then.
        self._recent: "OrderedDict[Hashable, List[float]]" = OrderedDict()
        # Reentrant: garbage collection and signal handlers may run code that captures an error while the lock is held.
        self._lock = threading.RLock()

    def reset_after_fork(self) -> None:
        """Replaces the lock, which a thread that is gone may hold."""
        self._lock = threading.RLock()

    def count_repeats(self, identity: Hashable, now: float) -> Optional[int]:
        """Returns None for a repeat within five seconds, and counts it. Otherwise returns the number of repeats that were
        dropped since the previous report of the error.

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

    def remember(self, identity: Hashable, now: float) -> None:
        """Remembers an error that is reported, and begins to count its repeats."""
        with self._lock:
            self._recent[identity] = [now + _REPEAT_SECONDS, 0]
            self._recent.move_to_end(identity)
            if len(self._recent) > _MAX_ERRORS:
                self._recent.popitem(last=False)
