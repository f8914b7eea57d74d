"""Copies values of any kind into values that JSON can hold. Calls code of the program, which may raise anything."""

# Otherwise annotations of inner functions would be evaluated at each call. On PyPy, `typing` then takes a lock, which a
# forked child might inherit.
from __future__ import annotations

import math
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from typing import Any, Callable, Dict, List, Mapping
from uuid import UUID

from ._attempt import attempt
from ._scrub import SCRUBBED, is_secret, name_of_pair, scrub, scrub_repr

_MAX_DEPTH = 10
_MAX_MEMBERS = 200
_MAX_KEY = 200
_MAX_REPR = 1_000
_UNREADABLE = "…"
_SIZED_TYPES = (str, bytes, bytearray, list, tuple, dict, set, frozenset)
_TEXT_TYPES = (datetime, date, time, Decimal, UUID)
#: Characters that are read beyond a limit: a secret is recognized by what follows, such as an address by its ``@``.
MARGIN = 400


def truncate(text: str, max_chars: int) -> str:
    """Returns the first characters of a text, followed by ``…`` if it was longer. Replaces lone surrogates, which are not
    valid in UTF-8.
    """
    short = text if len(text) <= max_chars else text[:max_chars] + _UNREADABLE
    return short if short.isascii() else short.encode("utf-8", "replace").decode("utf-8")


def scrub_and_truncate(text: str, max_chars: int, scrubber: Callable[[str], str] = scrub) -> str:
    """Returns the first characters of a text without secrets. A repr needs ``scrub_repr`` as the scrubber."""
    return truncate(scrubber(truncate(text, max_chars + MARGIN)), max_chars)


def safe_text(value: object) -> str:
    """Returns ``str(value)``, or ``…`` if that raises."""
    return value if type(value) is str else attempt(lambda: _plain(str(value)), _UNREADABLE)


def safe_repr(value: object) -> str:
    """Returns the first 1,000 characters of ``repr(value)``, or ``…`` if that raises. Secrets are not removed."""
    return attempt(lambda: truncate(_plain(repr(_begin_of(value))), _MAX_REPR), _UNREADABLE)


def _begin_of(value: Any) -> object:
    """Returns the beginning of a large value of a built-in type, because its whole repr would take too long."""
    kind = type(value)
    if kind not in _SIZED_TYPES or len(value) <= _MAX_REPR:
        return value
    if kind is dict:
        return dict(islice(value.items(), _MAX_REPR))
    return kind(islice(value, _MAX_REPR)) if kind in (set, frozenset) else value[:_MAX_REPR]


def first_items(value: object, max_items: int) -> Dict[str, Any]:
    """Returns the first items of a mapping, with its keys converted to text, or an empty dict if it cannot be read."""

    def read() -> Dict[str, Any]:
        mapping: Any = value
        return {safe_text(key): mapping[key] for key in list(islice(mapping, max_items))}

    return attempt(read, {}) if value is not None else {}


def _plain(text: str) -> str:
    """Returns a text as an instance of ``str`` itself: a subclass may change every method."""
    plain: str = str.__str__(text)
    return plain


class _Copier:
    """Copies one value within a budget of bytes."""

    def __init__(self, max_bytes: int) -> None:
        self.bytes_left = max_bytes

    def copy(self, read: Callable[[], object], key: str, depth: int) -> Any:
        # Every value costs some bytes, so that the walk ends on endless objects too.
        self.bytes_left -= len(key) + 8
        if self.bytes_left < 0:
            return None
        unreadable: Any = _UNREADABLE
        return attempt(lambda: self._copy(read(), key, depth), unreadable)

    def _copy(self, value: object, key: str, depth: int) -> Any:
        if is_secret(key, value):
            return SCRUBBED
        if value is None or value is True or value is False:
            return value
        if type(value) is int:
            # Larger integers are no longer exact in JSON.
            return value if -(2**53) < value < 2**53 else self._text(safe_text(value))
        if type(value) is float:
            return value if math.isfinite(value) else str(value)
        if isinstance(value, str):
            return self._text(_plain(value))
        if isinstance(value, (bytes, bytearray)):
            return self._text(repr(bytes(value[:_MAX_REPR])))
        if depth < _MAX_DEPTH:
            if isinstance(value, Mapping):
                return self._members(value, depth)
            if isinstance(value, (list, tuple, set, frozenset)):
                return self._items(value, depth)
        if isinstance(value, _TEXT_TYPES):
            return self._text(safe_text(value))
        return self._text(safe_repr(value), scrub_repr)

    def _text(self, value: str, scrubber: Callable[[str], str] = scrub) -> str:
        # Limits one text to as many characters as a third of the bytes left, so that later values have room.
        text = scrub_and_truncate(value, max(0, self.bytes_left // 3), scrubber)
        self.bytes_left -= len(text.encode("utf-8"))
        return text

    def _members(self, value: Mapping[Any, Any], depth: int) -> Dict[str, Any]:
        members: Dict[str, Any] = {}
        # A list, because another thread may change the value during the walk.
        for key in list(islice(value, _MAX_MEMBERS)):
            if self.bytes_left <= 0:
                break
            name = truncate(safe_text(key), _MAX_KEY)
            members[name] = self.copy(lambda key=key: value[key], name, depth + 1)  # type: ignore[misc]
        return members

    def _items(self, value: Any, depth: int) -> List[Any]:
        items: List[Any] = []
        name = truncate(name_of_pair(value), _MAX_KEY)
        for item in list(islice(value, _MAX_MEMBERS)):
            if self.bytes_left <= 0:
                break
            # The first item is the name.
            items.append(self.copy(lambda item=item: item, name if items else "", depth + 1))  # type: ignore[misc]
        return items


def normalize(value: object, max_bytes: int = 60_000) -> Any:
    """Returns a copy that JSON can hold, without secrets, of about ``max_bytes`` bytes and ten levels. Never raises an
    ``Exception``.
    """
    return _Copier(max_bytes).copy(lambda: value, "", 1)


def normalize_mapping(value: object, max_bytes: int = 60_000) -> Dict[str, Any]:
    """Returns a copy like ``normalize()``, or an empty dict if the value is no mapping or cannot be read."""
    copied = normalize(value, max_bytes)
    return copied if isinstance(copied, dict) else {}
