"""Scopes: the fields that every report of a thread, a task or a request has."""

from collections import deque
from contextlib import contextmanager
from contextvars import ContextVar, Token
from functools import partial
from itertools import islice
from typing import Any, Callable, Deque, Dict, Generator, List, Mapping, Optional, Sequence, Tuple

from ._attempt import attempt
from ._normalize import MARGIN, first_items, normalize_mapping, safe_text, truncate
from ._options import Breadcrumb
from ._warn import warn

#: The maximum length of a text of a user or a tag. The sender removes secrets, then truncates it to 200 characters.
_MAX_TEXT = 200 + MARGIN
_MAX_METADATA = 250
_MAX_TAGS = 32
_MAX_TAG_NAME = 64
_MAX_TEXTS = 10
_USER_KEYS = ("id", "name", "email")


class Scope:
    """Fields of the reports. Values are copied when they are set. Reads and changes are single steps, so that threads may
    share a scope without a lock, which a forked child might inherit.
    """

    def __init__(self, max_breadcrumbs: int = 64) -> None:
        self.level: Optional[str] = None
        self.user: Optional[Dict[str, str]] = None
        self.tags: Dict[str, str] = {}
        self.metadata: Dict[str, Any] = {}
        self.fingerprint: Optional[List[str]] = None
        self.url: Optional[str] = None
        self.user_agent: Optional[str] = None
        self._describers: Tuple[Callable[["Scope"], None], ...] = ()
        self.breadcrumbs: Deque[Breadcrumb] = deque(maxlen=max_breadcrumbs)

    def fork(self) -> "Scope":
        """Returns a copy that changes independently."""
        scope = Scope.__new__(Scope)
        scope.level = self.level
        scope.user = self.user
        scope.tags = self.tags.copy()
        scope.metadata = self.metadata.copy()
        scope.fingerprint = self.fingerprint
        scope.url = self.url
        scope.user_agent = self.user_agent
        scope._describers = self._describers
        scope.breadcrumbs = self.breadcrumbs.copy()
        return scope

    def set_level(self, level: str) -> None:
        """Sets the level: ``fatal``, ``error``, ``warning``, ``info`` or ``debug``."""
        self.level = truncate(safe_text(level), _MAX_TEXT)

    def set_user(self, user: Optional[Mapping[str, Any]]) -> None:
        """Sets the user: ``{"id": …}``, and optionally ``name`` and ``email``. None removes it."""
        given = first_items(user, _MAX_TAGS)
        if any(key not in _USER_KEYS for key in given):
            warn(12, "set_user() takes id, name and email only. Use set_metadata() or set_tags() for other values.")
        elif given and given.get("id") is None and any(value is not None for value in given.values()):
            warn(12, "set_user() needs an id. Without one, the user is not reported.")
        known = {key: given.get(key) for key in _USER_KEYS}
        texts = {key: truncate(safe_text(value), _MAX_TEXT) for key, value in known.items() if value is not None}
        self.user = texts if "id" in texts else None

    def set_tag(self, name: str, value: Any) -> None:
        """Sets a tag, by which errors can be searched. None deletes it."""
        # Any value may be given as a name, also one that cannot be the key of a dict.
        self.set_tags({safe_text(name): value})

    def set_tags(self, tags: Mapping[str, Any]) -> None:
        """Sets several tags. None deletes one."""
        for name, value in first_items(tags, _MAX_TAGS).items():
            key = truncate(name, _MAX_TAG_NAME)
            if value is None:
                self.tags.pop(key, None)
            elif key in self.tags or len(self.tags) < _MAX_TAGS:
                self.tags[key] = truncate(safe_text(value), _MAX_TEXT)

    def set_metadata(self, changes: Mapping[str, Any]) -> None:
        """Merges keys into the metadata. None deletes a key."""
        for key, value in normalize_mapping(changes).items():
            if value is None:
                self.metadata.pop(key, None)
            elif key in self.metadata or len(self.metadata) < _MAX_METADATA:
                self.metadata[key] = value

    def set_fingerprint(self, fingerprint: Sequence[str]) -> None:
        """Groups the reports by these texts in place of their traceback."""
        none: List[str] = []
        texts = attempt(lambda: [fingerprint] if isinstance(fingerprint, str) else list(islice(fingerprint, _MAX_TEXTS)), none)
        self.fingerprint = [truncate(safe_text(text), _MAX_TEXT) for text in texts] or None

    def describe_with(self, describe: Callable[["Scope"], None]) -> None:
        """Adds a function that completes the scope of a report, such as with the URL of a request.

        It runs in the thread that captures the error, the function of the innermost scope first.
        """
        self._describers = (describe, *self._describers)

    def describe(self) -> None:
        """Completes the scope of a report."""
        for describe in self._describers:
            attempt(partial(describe, self), None)


#: One variable for all clients, because a ContextVar lives as long as the process.
_current: "ContextVar[Optional[Scope]]" = ContextVar("service_sdk_scope", default=None)


class ScopeStack:
    """The scopes of one client: one of the process, and one of each context that ``new_scope()`` opened."""

    def __init__(self, max_breadcrumbs: int) -> None:
        self._process = Scope(max_breadcrumbs)

    @property
    def current(self) -> Scope:
        """The scope of the current thread, task or greenlet."""
        return _current.get() or self._process

    def enter(self, scope: Scope) -> "Token[Optional[Scope]]":
        """Makes a scope the current one, until ``leave()``."""
        return _current.set(scope)

    def leave(self, token: "Token[Optional[Scope]]") -> None:
        """Makes the scope current again that was current before ``enter()``."""
        try:
            _current.reset(token)
        except ValueError:
            # A generator may be closed in another context.
            pass

    @contextmanager
    def new_scope(self) -> Generator[Scope, None, None]:
        """Opens a scope for the current thread, task or greenlet, with a copy of the fields of the outer one."""
        scope = self.current.fork()
        token = self.enter(scope)
        try:
            yield scope
        finally:
            self.leave(token)
