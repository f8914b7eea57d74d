"""Formats a time for the server."""

from datetime import datetime, timezone


def format_time(seconds: float) -> str:
    """Returns a time, in seconds since 1970, as ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat()
