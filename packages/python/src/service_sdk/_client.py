"""A client sends the errors of the process to one project."""

import platform
import random
import re
import threading
import time
import uuid
from datetime import datetime, timezone
from typing import Any, Dict, List, Mapping, Optional

from ._dedupe import Limiter
from ._exceptions import RawException, describe_exceptions, identity_of, read_exception
from ._normalize import normalize, safe_text, truncate
from ._options import Breadcrumb, Options, Report
from ._scope import Scope, ScopeStack
from ._sender import Sender
from ._transport import HttpTransport, sending
from ._warn import warn

VERSION = "0.1.0"
_MARK = "__service_event_id__"
_BREADCRUMBS_BYTES = 30_000
_BREADCRUMB_BYTES = 4_000
_RUNTIME = f"{platform.python_implementation()} {platform.python_version()}"


class Client:
    """The pipeline of a report: ``capture`` reads the exception, and drops repeats, ignored errors and floods. The sender
    thread completes the report, scrubs it, calls ``before_send`` and posts it.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.scopes = ScopeStack(options.max_breadcrumbs)
        transport = options.transport or HttpTransport(options.endpoint, f"service-sdk/{VERSION} {_RUNTIME}")
        self.sender = Sender(transport, options.max_queue)
        self._limiter = Limiter()
        #: Marks the threads that run the SDK: what it causes itself is neither an error nor a breadcrumb.
        self._inside = threading.local()

    def capture_exception(self, error: BaseException, context: Mapping[str, Any]) -> Optional[str]:
        """Captures an exception. Returns the id of the report, or None if nothing will be sent."""
        # One error is one report, also if it reaches several hooks, or is raised again.
        known = getattr(error, "__dict__", {}).get(_MARK)
        if known is not None:
            return str(known)
        exceptions = read_exception(error, self.options)
        first = exceptions[0]
        if self._is_ignored(error, first):
            return None
        event_id = self._capture(exceptions, identity_of(exceptions), context)
        try:
            error.__dict__[_MARK] = event_id or ""
        except Exception:
            # Some classes forbid further attributes.
            pass
        return event_id

    def capture_message(self, text: str, context: Mapping[str, Any]) -> Optional[str]:
        """Captures a message. Returns the id of the report, or None if nothing will be sent."""
        message = truncate(safe_text(text), 8_000)
        return self._capture(message, message, {"level": "info", **context})

    def _is_ignored(self, error: BaseException, first: RawException) -> bool:
        text = f"{first.type_name}: {first.message}"
        for pattern in self.options.ignore_errors:
            if isinstance(pattern, type):
                if isinstance(error, pattern):
                    return True
            elif isinstance(pattern, re.Pattern):
                if pattern.search(text):
                    return True
            elif safe_text(pattern) in text:
                return True
        return False

    def _capture(self, subject: Any, identity: Any, context: Mapping[str, Any]) -> Optional[str]:
        if self.sender.is_silent or self.is_inside:
            return None
        if self.options.sample_rate < 1 and random.random() >= self.options.sample_rate:
            return None
        now = time.time()
        repeats = self._limiter.admit(identity, now)
        if repeats is None:
            if self._limiter.is_flooded:
                warn(6, "Too many errors, so some are dropped. The limit is ten at once, and one more each second.")
            return None
        scope = self._scope_with(context)
        if repeats:
            scope.metadata["repeated"] = repeats
        event_id = str(uuid.uuid4())
        is_queued = self.sender.put(lambda: self._complete(subject, scope, event_id, now))
        return event_id if is_queued else None

    def _scope_with(self, context: Mapping[str, Any]) -> Scope:
        scope = self.scopes.current.fork()
        try:
            if context.get("level"):
                scope.set_level(context["level"])
            if context.get("user") is not None:
                scope.set_user(context["user"])
            if context.get("tags"):
                scope.set_tags(context["tags"])
            if context.get("metadata"):
                scope.set_metadata(context["metadata"])
            if context.get("fingerprint"):
                scope.set_fingerprint(context["fingerprint"])
        except Exception as error:
            warn(5, f"The context of a report cannot be read: {type(error).__name__}.")
        return scope

    # The sender thread runs the methods below.

    def _complete(self, subject: Any, scope: Scope, event_id: str, now: float) -> Optional[Report]:
        self._inside.active = True
        try:
            report = self._create_report(subject, scope, event_id, now)
            if self.options.before_send is not None:
                changed = self._apply_before_send(report)
                if changed is None:
                    return None
                report = changed
            report["project_api_key"] = self.options.api_key
            if self.options.debug:
                warn(0, f"Sends {report.get('type') or 'a message'}: {report['message'][:200]}")
            return report
        finally:
            self._inside.active = False

    def _create_report(self, subject: Any, scope: Scope, event_id: str, now: float) -> Report:
        described: Dict[str, Any] = (
            describe_exceptions(subject, self.options) if isinstance(subject, list) else {"message": subject}
        )
        # Code is no secret, but a message or the text of a traceback may contain one.
        frames = described.pop("exceptions", None)
        report: Report = {
            **normalize(described, 150_000),
            "event_id": event_id,
            "timestamp": datetime.fromtimestamp(now, timezone.utc).isoformat(),
            "sdk": {"name": "service-sdk", "version": VERSION},
            "environment": self.options.environment,
            "release": self.options.release,
            "level": scope.level or "error",
            "url": normalize(scope.url, 2_000),
            "user_agent": scope.user_agent or "",
            "user": self._user_of(scope),
            "tags": normalize(scope.tags, 20_000) or None,
            "fingerprint": scope.fingerprint,
            "metadata": {"runtime": _RUNTIME, **normalize(scope.metadata, 50_000)},
            "breadcrumbs": self._breadcrumbs_of(scope),
        }
        if frames is not None:
            report["exceptions"] = frames
            for exception in frames:
                exception["message"] = normalize(exception["message"])
        return {name: value for name, value in report.items() if value is not None}

    def _user_of(self, scope: Scope) -> Optional[Dict[str, Any]]:
        if scope.user is None:
            return None
        user = {"id": normalize(scope.user["id"])}
        return {**scope.user, **user} if self.options.send_user_details else user

    def _breadcrumbs_of(self, scope: Scope) -> Optional[List[Breadcrumb]]:
        bytes_left = _BREADCRUMBS_BYTES
        kept: List[Breadcrumb] = []
        for breadcrumb in reversed(list(scope.breadcrumbs)):
            data = normalize(breadcrumb["data"], _BREADCRUMB_BYTES)
            bytes_left -= len(str(data)) + 100
            if bytes_left < 0:
                break
            timestamp = datetime.fromtimestamp(breadcrumb["timestamp"], timezone.utc).isoformat()
            kept.append({**breadcrumb, "timestamp": timestamp, "data": data})
        kept.reverse()
        return kept or None

    def _apply_before_send(self, report: Report) -> Optional[Report]:
        """Returns what ``before_send`` returns. What it raises drops the report: it may have been about to remove something."""
        assert self.options.before_send is not None
        try:
            changed = self.options.before_send(report)
        except BaseException as error:  # noqa: B902 - SystemExit must not end the sender thread
            warn(5, f"before_send raised {type(error).__name__}, so a report is dropped.")
            return None
        if changed is None:
            return None
        if not isinstance(changed, dict) or not changed.get("message"):
            warn(11, "before_send must return the report, or None to drop it.")
            return None
        exceptions = changed.pop("exceptions", None)
        user = changed.get("user")
        copied: Report = normalize(changed, 250_000)
        if exceptions is not None:
            copied["exceptions"] = exceptions
        if self.options.send_user_details and isinstance(user, dict):
            copied["user"] = user
        return copied

    # Any thread runs the methods below.

    @property
    def is_inside(self) -> bool:
        """True in a thread that runs the SDK or posts a report."""
        return getattr(self._inside, "active", False) or getattr(sending, "active", False)

    def add_breadcrumb(self, kind: str, category: str, data: Mapping[str, Any]) -> None:
        """Adds a breadcrumb to the next reports of the current scope. ``data`` must not change afterwards."""
        breadcrumbs = self.scopes.current.breadcrumbs
        if self.is_inside or breadcrumbs.maxlen == 0:
            return
        breadcrumb: Breadcrumb = {"timestamp": time.time(), "type": kind, "category": category, "data": dict(data)}
        if self.options.before_breadcrumb is not None:
            try:
                changed = self.options.before_breadcrumb({**breadcrumb})
            except Exception as error:
                warn(5, f"before_breadcrumb raised {type(error).__name__}, so a breadcrumb is dropped.")
                return
            if not isinstance(changed, dict):
                return
            breadcrumb = {**breadcrumb, **changed, "timestamp": breadcrumb["timestamp"]}
        breadcrumbs.append(breadcrumb)
