"""A client sends the errors of the process to one project."""

import platform
import random
import re
import time
from typing import Any, Callable, Dict, Hashable, Mapping, Optional

from ._attempt import attempt
from ._breadcrumbs import format_breadcrumbs
from ._dedupe import Dedupe
from ._describe import describe_exceptions
from ._drops import Drops
from ._exceptions import (
    RawException,
    get_attribute,
    identity_of,
    is_exception,
    read_exception,
    read_properties,
    set_attribute,
)
from ._fork import register_after_fork, start_over_if_forked
from ._format_time import format_time
from ._in_sdk import enter, is_in_sdk, leave
from ._normalize import MARGIN, first_items, normalize_mapping, safe_text, scrub_and_truncate, truncate
from ._options import Breadcrumb, Options, Report
from ._rate_limit import RateLimit
from ._scope import Scope, ScopeStack
from ._sender import Sender
from ._transport import HttpTransport
from ._warn import debug, warn

VERSION = "0.1.0"
_RUNTIME = f"{platform.python_implementation()} {platform.python_version()}"
#: The attribute of an exception that was captured: the id of its report, and the time.
_MARK = "__service_event__"
#: An exception object that was captured is captured again only after this many seconds.
_MARK_SECONDS = 300.0
_MAX_MESSAGE = 8_000
_MAX_TEXT = 200
_MAX_URL = 2_000
_METADATA_BYTES = 50_000
_REPORT_BYTES = 600_000
_MAX_FIELDS = 100
#: The server rejects a report if one of these fields has another type. It drops other fields that are invalid.
_FIELD_TYPES = {
    "stacktrace": str,
    "environment": str,
    "release": str,
    "url": str,
    "user_agent": str,
    "metadata": dict,
    "breadcrumbs": list,
}

#: A separate generator, because a program may seed that of the module to repeat its numbers. An id from the random
#: numbers of the system would take longer than the rest of a capture.
_random = random.Random()

#: Returns the fields that describe an error.
DescribeError = Callable[[], Dict[str, Any]]


class Client:
    """The pipeline of a report: ``capture_exception`` reads the exception, and drops repeats, ignored errors and floods.
    The sender thread completes the report, scrubs it, calls ``before_send`` and posts it.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.scopes = ScopeStack(options.max_breadcrumbs)
        #: Counts what is not sent.
        self.drops = Drops()
        transport = options.transport or HttpTransport(options.endpoint, f"service-sdk/{VERSION} {_RUNTIME}")
        self.sender = Sender(transport, options.max_queue, self.drops)
        self._dedupe = Dedupe()
        self._rate_limit = RateLimit()
        register_after_fork(self._reset_after_fork)

    def _reset_after_fork(self) -> None:
        # Otherwise the ids of the child would be those of its parent.
        _random.seed()
        self.drops.reset()
        self.sender.reset()
        self._dedupe.reset_after_fork()
        self._rate_limit.reset_after_fork()

    @property
    def is_in_sdk(self) -> bool:
        """True in a thread, task or greenlet that runs the SDK."""
        return is_in_sdk()

    def capture_exception(self, error: BaseException, context: Mapping[str, Any]) -> Optional[str]:
        """Captures an exception. Returns the id of the report, or None if nothing will be sent."""
        if is_in_sdk() or not is_exception(error):
            return None
        start_over_if_forked()
        # One error is one report, also if it reaches several hooks.
        mark = get_attribute(error, _MARK)
        if type(mark) is tuple and time.time() < mark[1] + _MARK_SECONDS:
            event_id: Optional[str] = mark[0]
            return event_id
        token = enter()
        try:
            event_id = self._read_and_capture(error, context)
        finally:
            leave(token)
        set_attribute(error, _MARK, (event_id, time.time()))
        return event_id

    def _read_and_capture(self, error: BaseException, context: Mapping[str, Any]) -> Optional[str]:
        if self.sender.is_inactive:
            self.sender.count_unsent()
            return None
        exceptions = read_exception(error, self.options.include_local_variables)
        if self._is_ignored(error, exceptions[0]):
            return None
        properties = read_properties(error)
        metadata = {"error": properties} if properties else {}
        return self._capture(
            lambda: describe_exceptions(exceptions, self.options), identity_of(exceptions), context, metadata
        )

    def capture_message(self, text: str, context: Mapping[str, Any]) -> Optional[str]:
        """Captures a message. Returns the id of the report, or None if nothing will be sent."""
        if is_in_sdk():
            return None
        start_over_if_forked()
        if self.sender.is_inactive:
            self.sender.count_unsent()
            return None
        message = truncate(safe_text(text), _MAX_MESSAGE + MARGIN)
        # The server rejects a report without any text, and three rejected reports pause all others.
        if not message.strip():
            warn(4, "capture_message() was called without a text, so nothing is reported.")
            return None
        token = enter()
        try:
            return self._capture(
                lambda: {"message": scrub_and_truncate(message, _MAX_MESSAGE)}, message, {"level": "info", **context}, {}
            )
        finally:
            leave(token)

    def _is_ignored(self, error: BaseException, first: RawException) -> bool:
        if not self.options.ignore_errors:
            return False
        text = f"{first.full_type}: {first.message}"
        return any(attempt(lambda: _matches(pattern, error, text), False) for pattern in self.options.ignore_errors)

    def _capture(
        self, describe: DescribeError, identity: Hashable, context: Mapping[str, Any], metadata: Dict[str, Any]
    ) -> Optional[str]:
        now = time.monotonic()
        repeats = self._dedupe.count_repeats(identity, now)
        if repeats is None or _random.random() >= self.options.sample_rate:
            return None
        if not self._rate_limit.take_token(now):
            self.drops.add("flood")
            warn(6, "Too many errors, so some are dropped. The limit is ten at once, and one more each second.")
            return None
        self._dedupe.remember(identity, now)
        if repeats:
            metadata["repeated"] = repeats
        scope = self.scopes.current.fork()
        scope.describe()
        _apply(context, scope)
        event_id = _new_event_id()
        captured_at = time.time()
        return event_id if self.sender.put(lambda: self._complete(describe, scope, metadata, event_id, captured_at)) else None

    # The sender thread runs the methods below.

    def _complete(
        self, describe: DescribeError, scope: Scope, metadata: Dict[str, Any], event_id: str, captured_at: float
    ) -> Optional[Report]:
        # In order of importance, because the last ones are dropped if before_send returns too much.
        fields = {
            "event_id": event_id,
            "timestamp": format_time(captured_at),
            "sdk": {"name": "service-sdk", "version": VERSION},
            "environment": _text_or_none(self.options.environment, _MAX_TEXT),
            "release": _text_or_none(self.options.release, _MAX_TEXT),
            "level": scope.level or "error",
            "url": _text_or_none(scope.url, _MAX_URL),
            "user_agent": _text_or_none(scope.user_agent, _MAX_TEXT) or "",
            "user": self._user_of(scope.user),
            "tags": {name: scrub_and_truncate(value, _MAX_TEXT) for name, value in scope.tags.items()} or None,
            "fingerprint": [scrub_and_truncate(text, _MAX_TEXT) for text in scope.fingerprint or ()] or None,
            **describe(),
            "metadata": normalize_mapping({"runtime": _RUNTIME, **metadata, **scope.metadata}, _METADATA_BYTES),
            "breadcrumbs": format_breadcrumbs(scope.breadcrumbs) or None,
        }
        report: Report = {name: value for name, value in fields.items() if value is not None}
        if self.options.before_send is not None:
            changed = self._apply_before_send(self.options.before_send, report)
            if changed is None:
                return None
            report = changed
        # The key is first, because the server stops decompressing a large body early if it has no known key.
        report = {"project_api_key": "", **report, "project_api_key": self.options.api_key}
        if self.options.debug:
            debug(f"Sends {report.get('type') or 'a message'}: {report['message'][:_MAX_TEXT]}")
        return report

    def _user_of(self, user: Any) -> Optional[Dict[str, str]]:
        """Returns the user as it is sent: only the id, scrubbed. With ``send_user_details``, id, name and email are not
        scrubbed, because the program has decided to send them.
        """
        if not isinstance(user, dict) or user.get("id") is None:
            return None
        if not self.options.send_user_details:
            return {"id": scrub_and_truncate(safe_text(user["id"]), _MAX_TEXT)}
        return {key: truncate(safe_text(user[key]), _MAX_TEXT) for key in ("id", "name", "email") if user.get(key)}

    def _apply_before_send(self, before_send: Callable[[Report], Optional[Report]], report: Report) -> Optional[Report]:
        """Returns a copy of what ``before_send`` returns, or None if the report is dropped. If ``before_send`` raises, the
        report is dropped, because ``before_send`` may have been about to remove a secret.
        """
        try:
            changed = before_send(report)
        except BaseException as error:  # noqa: B902 - SystemExit must not end the sender thread
            self.drops.add("before_send")
            warn(5, f"before_send raised {type(error).__name__}, so a report is dropped.")
            return None
        if changed is None:
            return None
        copied = normalize_mapping(changed, _REPORT_BYTES)
        if type(copied.get("message")) is not str or not copied["message"]:
            self.drops.add("before_send")
            warn(11, "before_send must return the report, or None to drop it.")
            return None
        _remove_invalid(copied)
        copied.pop("user", None)
        user = self._user_of(first_items(changed, _MAX_FIELDS).get("user"))
        return copied if user is None else {**copied, "user": user}

    # Any thread runs the methods below.

    def add_breadcrumb(self, kind: str, category: str, data: Mapping[str, Any]) -> None:
        """Adds a breadcrumb to the next reports of the current scope. ``data`` must not change afterwards."""
        breadcrumbs = self.scopes.current.breadcrumbs
        if breadcrumbs.maxlen == 0 or is_in_sdk():
            return
        breadcrumb: Breadcrumb = {"timestamp": time.time(), "type": kind, "category": category, "data": data}
        if self.options.before_breadcrumb is not None:
            changed = self._apply_before_breadcrumb(self.options.before_breadcrumb, breadcrumb)
            if changed is None:
                return
            breadcrumb = changed
        breadcrumbs.append(breadcrumb)

    def _apply_before_breadcrumb(
        self, before_breadcrumb: Callable[[Breadcrumb], Optional[Breadcrumb]], breadcrumb: Breadcrumb
    ) -> Optional[Breadcrumb]:
        token = enter()
        try:
            changed = before_breadcrumb({**breadcrumb, "timestamp": format_time(breadcrumb["timestamp"])})
            return {**breadcrumb, **changed, "timestamp": breadcrumb["timestamp"]} if isinstance(changed, dict) else None
        except Exception as error:
            warn(5, f"before_breadcrumb raised {type(error).__name__}, so a breadcrumb is dropped.")
            return None
        finally:
            leave(token)


def _remove_invalid(report: Report) -> None:
    """Removes fields for which the server would reject the report. Losing an error is worse than losing a part of it."""
    for name, kind in _FIELD_TYPES.items():
        if name in report and type(report[name]) is not kind:
            del report[name]
            warn(11, f"before_send must return a report whose {name} is a {kind.__name__}, so it is removed.")


def _new_event_id() -> str:
    """Returns a UUID of version 4."""
    bits = f"{_random.getrandbits(128):032x}"
    return f"{bits[:8]}-{bits[8:12]}-4{bits[13:16]}-{'89ab'[_random.getrandbits(2)]}{bits[17:20]}-{bits[20:]}"


def _matches(pattern: Any, error: BaseException, text: str) -> bool:
    if isinstance(pattern, type):
        return issubclass(type(error), pattern)
    if isinstance(pattern, re.Pattern):
        return pattern.search(text) is not None
    return safe_text(pattern) in text


def _apply(context: Mapping[str, Any], scope: Scope) -> None:
    """Adds the arguments of a capture to the scope of its report."""
    if not context:
        return
    setters: Dict[str, Callable[[Any], None]] = {
        "level": scope.set_level,
        "user": scope.set_user,
        "tags": scope.set_tags,
        "metadata": scope.set_metadata,
        "fingerprint": scope.set_fingerprint,
    }
    for name, value in context.items():
        if name not in setters:
            warn(4, f"A report has no field {truncate(name, 100)}, so it is ignored.")
        elif value is not None:
            setters[name](value)


def _text_or_none(value: Optional[str], max_chars: int) -> Optional[str]:
    return scrub_and_truncate(safe_text(value), max_chars) if value else None
