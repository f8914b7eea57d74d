"""Counts the reports that are captured but not sent."""

from itertools import count
from typing import Dict, Iterator

from ._warn import warn

#: The reasons, each with the words of the summary.
_REASONS = {
    "flood": "over the limit of ten at once and one a second",
    "queue": "because too many waited",
    "thread": "because no thread could be started",
    "paused": "while sending was paused",
    "stopped": "because the server does not know the API key",
    "network": "because the server could not be reached",
    "rejected": "because the server rejected them",
    "failed": "because the server or the SDK failed",
    "before_send": "because before_send failed",
    "closed": "without a response before the end",
}


class Drops:
    """Counts dropped reports by reason. Needs no lock: a counter advances in a single step, so no drop is lost. If two threads
    add at the same time, a total may be too low until the next drop.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begins to count again."""
        self._counters: Dict[str, Iterator[int]] = {reason: count(1) for reason in _REASONS}
        self._totals: Dict[str, int] = {}

    def add(self, reason: str) -> None:
        """Counts one report."""
        self._totals[reason] = next(self._counters[reason])

    @property
    def totals(self) -> Dict[str, int]:
        """The number of dropped reports by reason. Reasons that did not occur are absent."""
        return dict(self._totals)

    def warn(self) -> None:
        """Writes a summary if reports were dropped."""
        totals = self.totals
        if totals:
            parts = ", ".join(f"{number} {_REASONS[reason]}" for reason, number in totals.items())
            warn(15, f"Reports were dropped: {parts}.")
