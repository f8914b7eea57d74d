"""What every report of a thread, a task or a request carries."""

import copy
import threading
from collections import deque
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Deque, Dict, Iterator, List, Mapping, Optional, Sequence

from ._normalize import normalize, safe_text, truncate
from ._options import Breadcrumb

_MAX_TEXT = 200


class Scope:
    """Fields of the reports. Values are copied when they are set."""

    def __init__(self, max_breadcrumbs: int = 64) -> None:
        self.level: Optional[str] = None
        self.user: Optional[Dict[str, str]] = None
        self.tags: Dict[str, str] = {}
        self.metadata: Dict[str, Any] = {}
        self.fingerprint: Optional[List[str]] = None
        self.url: Optional[str] = None
        self.user_agent: Optional[str] = None
        self.breadcrumbs: Deque[Breadcrumb] = deque(maxlen=max(0, max_breadcrumbs))
        self._lock = threading.Lock()

    def fork(self) -> "Scope":
        """Returns a copy that changes independently."""
        with self._lock:
            scope = copy.copy(self)
            scope.tags = dict(self.tags)
            scope.metadata = dict(self.metadata)
            scope.breadcrumbs = self.breadcrumbs.copy()
        scope._lock = threading.Lock()
        return scope

    def set_level(self, level: str) -> None:
        """Sets the level: ``fatal``, ``error``, ``warning``, ``info`` or ``debug``."""
        self.level = safe_text(level)

    def set_user(self, user: Optional[Mapping[str, Any]]) -> None:
        """Sets the user: ``{"id": …}``, and optionally ``name`` and ``email``. None removes it."""
        if not isinstance(user, Mapping) or user.get("id") is None:
            self.user = None
            return
        known = {key: user.get(key) for key in ("id", "name", "email")}
        self.user = {key: truncate(safe_text(value), _MAX_TEXT) for key, value in known.items() if value is not None}

    def set_tag(self, name: str, value: Any) -> None:
        """Sets a tag, by which errors can be searched. None deletes it."""
        self.set_tags({name: value})

    def set_tags(self, tags: Mapping[str, Any]) -> None:
        """Sets several tags. None deletes one."""
        with self._lock:
            changed = dict(self.tags)
            for name, value in dict(tags).items():
                changed.pop(name, None)
                if value is not None:
                    changed[truncate(safe_text(name), 64)] = truncate(safe_text(value), _MAX_TEXT)
            self.tags = changed

    def set_metadata(self, changes: Mapping[str, Any]) -> None:
        """Merges keys into the metadata. None deletes a key."""
        copied = normalize(changes)
        if not isinstance(copied, dict):
            return
        with self._lock:
            merged = {**self.metadata, **copied}
            self.metadata = {key: value for key, value in merged.items() if value is not None}

    def set_fingerprint(self, fingerprint: Sequence[str]) -> None:
        """Groups the reports by these texts in place of their traceback."""
        texts = [fingerprint] if isinstance(fingerprint, str) else list(fingerprint)
        self.fingerprint = [truncate(safe_text(text), _MAX_TEXT) for text in texts[:10]]


class ScopeStack:
    """The scopes of one client: one of the process, and one of each context that ``new_scope()`` opened."""

    def __init__(self, max_breadcrumbs: int) -> None:
        self._process = Scope(max_breadcrumbs)
        self._current: ContextVar[Optional[Scope]] = ContextVar("service_sdk_scope", default=None)

    @property
    def current(self) -> Scope:
        return self._current.get() or self._process

    @contextmanager
    def new_scope(self) -> Iterator[Scope]:
        """Opens a scope for the current thread, task or greenlet, with a copy of the fields of the outer one."""
        scope = self.current.fork()
        token = self._current.set(scope)
        try:
            yield scope
        finally:
            try:
                self._current.reset(token)
            except ValueError:
                # A generator may be closed in another context.
                pass
