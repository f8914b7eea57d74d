"""Drops floods of errors."""

import threading

_CAPACITY = 10.0


class RateLimit:
    """A token bucket of ten errors, which regains one token each second. Thread-safe."""

    def __init__(self) -> None:
        self._tokens = _CAPACITY
        self._refilled_at = 0.0
        # Reentrant: garbage collection and signal handlers may run code that captures an error while the lock is held.
        self._lock = threading.RLock()

    def reset_after_fork(self) -> None:
        """Replaces the lock, which a thread that is gone may hold."""
        self._lock = threading.RLock()

    def take_token(self, now: float) -> bool:
        """Takes a token, or returns False if none is left. ``now`` is in seconds of a clock that never goes back."""
        with self._lock:
            self._tokens = min(_CAPACITY, self._tokens + max(0.0, now - self._refilled_at))
            self._refilled_at = now
            if self._tokens < 1:
                return False
            self._tokens -= 1
            return True
