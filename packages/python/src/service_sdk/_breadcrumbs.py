"""Formats the breadcrumbs of a report."""

import time
from typing import Any, List

from ._format_time import format_time
from ._normalize import normalize_mapping, safe_text, scrub_and_truncate
from ._options import Breadcrumb

_BREADCRUMBS_BYTES = 30_000
_BREADCRUMB_BYTES = 4_000
_MAX_TEXT = 200


def format_breadcrumbs(breadcrumbs: Any) -> List[Breadcrumb]:
    """Returns the breadcrumbs of a report without secrets, oldest first. Above 30 kB, the oldest are left out."""
    bytes_left = _BREADCRUMBS_BYTES
    formatted: List[Breadcrumb] = []
    for breadcrumb in reversed(breadcrumbs):
        # Lets the threads of the program run.
        time.sleep(0)
        data = normalize_mapping(breadcrumb["data"], _BREADCRUMB_BYTES)
        kind, category = (scrub_and_truncate(safe_text(breadcrumb[key]), _MAX_TEXT) for key in ("type", "category"))
        bytes_left -= len(repr(data)) + len(kind) + len(category) + 100
        if bytes_left < 0:
            break
        formatted.append({"timestamp": format_time(breadcrumb["timestamp"]), "type": kind, "category": category, "data": data})
    formatted.reverse()
    return formatted
