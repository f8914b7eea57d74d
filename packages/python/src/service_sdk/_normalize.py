"""Copies values of any kind into values that JSON can hold."""

import math
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Dict, List, Mapping
from uuid import UUID

from ._scrub import SCRUBBED, is_secret, scrub

_MAX_DEPTH = 7
_MAX_MEMBERS = 200
_UNREADABLE = "…"
_TEXT_TYPES = (datetime, date, time, Decimal, UUID)


def truncate(text: str, max_chars: int) -> str:
    """Returns the first characters of a text, without lone surrogates, which JSON of the server refuses."""
    short = text if len(text) <= max_chars else text[:max_chars] + _UNREADABLE
    return short.encode("utf-8", "replace").decode("utf-8") if not short.isascii() else short


def safe_text(value: object) -> str:
    """Returns ``str(value)``, or ``…`` if that raises."""
    try:
        text = str(value)
        return text if type(text) is str else str.__str__(text)
    except BaseException as error:  # noqa: B902 - __str__ of the program may raise anything
        _reraise_exit(error)
        return _UNREADABLE


def safe_repr(value: object, max_chars: int = 200) -> str:
    """Returns ``repr(value)``, or ``…`` if that raises."""
    try:
        text = repr(value)
        return truncate(text if type(text) is str else str.__str__(text), max_chars)
    except BaseException as error:  # noqa: B902
        _reraise_exit(error)
        return _UNREADABLE


def _reraise_exit(error: BaseException) -> None:
    """Lets the user stop the program."""
    if isinstance(error, KeyboardInterrupt):
        raise error


class _Copier:
    """Copies one value within a budget of bytes."""

    def __init__(self, max_bytes: int) -> None:
        self.bytes_left = max_bytes

    def copy(self, value: object, key: str, depth: int) -> Any:
        # Every value costs some bytes, so that the walk ends on endless objects too.
        self.bytes_left -= len(key) + 8
        if self.bytes_left < 0:
            return None
        try:
            return self._copy(value, key, depth)
        except BaseException as error:  # noqa: B902
            _reraise_exit(error)
            return _UNREADABLE

    def _copy(self, value: object, key: str, depth: int) -> Any:
        if is_secret(key, value):
            return SCRUBBED
        if value is None or value is True or value is False:
            return value
        if type(value) is int:
            # Larger integers are no longer exact in JSON.
            return value if -(2**53) < value < 2**53 else safe_text(value)
        if type(value) is float:
            return value if math.isfinite(value) else str(value)
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, (bytes, bytearray)):
            return self._text(repr(bytes(value[:1_000])))
        if depth < _MAX_DEPTH:
            if isinstance(value, Mapping):
                return self._members(value, depth)
            if isinstance(value, (list, tuple, set, frozenset)):
                return self._items(value, depth)
        return self._text(str(value) if isinstance(value, _TEXT_TYPES) else safe_repr(value, 1_000))

    def _text(self, value: str) -> str:
        text = truncate(str.__str__(value), max(0, self.bytes_left // 3))
        self.bytes_left -= len(text.encode("utf-8", "replace"))
        return scrub(text)

    def _members(self, value: Mapping[Any, Any], depth: int) -> Any:
        members: Dict[str, Any] = {}
        for key in value:
            if self.bytes_left <= 0 or len(members) >= _MAX_MEMBERS:
                break
            name = truncate(safe_text(key), 200)
            members[name] = self.copy(value[key], name, depth + 1)
        return members

    def _items(self, value: Any, depth: int) -> Any:
        items: List[Any] = []
        for item in value:
            if self.bytes_left <= 0 or len(items) >= _MAX_MEMBERS:
                break
            items.append(self.copy(item, "", depth + 1))
        return items


def normalize(value: object, max_bytes: int = 60_000) -> Any:
    """Returns a copy that JSON can hold, without secrets, of about ``max_bytes`` bytes. Never raises an ``Exception``."""
    return _Copier(max_bytes).copy(value, "", 1)
