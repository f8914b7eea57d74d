"""Writes values as JSON."""

import json
from typing import Any


def encode_json(value: Any) -> bytes:
    """Returns a value as JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
