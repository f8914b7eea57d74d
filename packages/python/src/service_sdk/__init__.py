"""Reports the errors of a Python program to your own server.

    import service_sdk

    service_sdk.init(api_key="pk_…", endpoint="https://errors.example.com")

No function raises into the program.
"""

import sys
import threading
from contextlib import contextmanager
from typing import Any, Callable, Iterator, List, Mapping, Optional

from ._client import VERSION as __version__
from ._client import Client
from ._hooks import install_hooks, run_at_exit
from ._logging import install_logging
from ._normalize import normalize, safe_text
from ._options import Breadcrumb, Options, Report, Response, read_options
from ._requests import install_http
from ._scope import Scope
from ._warn import reset_warnings, warn

__all__ = [
    "Breadcrumb",
    "Report",
    "Response",
    "Scope",
    "__version__",
    "add_breadcrumb",
    "capture_exception",
    "capture_message",
    "close",
    "flush",
    "init",
    "new_scope",
    "set_metadata",
    "set_tag",
    "set_tags",
    "set_user",
]

_lock = threading.Lock()
_client: Optional[Client] = None
_teardowns: List[Callable[[], None]] = []


def init(api_key: Optional[str] = None, endpoint: Optional[str] = None, **options: Any) -> None:
    """Starts to report errors. Only the first call has an effect, until ``close()``.

    Takes the options of ``Options``. ``SERVICE_API_KEY``, ``SERVICE_ENDPOINT``, ``SERVICE_ENVIRONMENT`` and
    ``SERVICE_RELEASE`` set those that are not given.
    """
    global _client
    with _lock:
        if _client is not None:
            warn(1, "init() was already called, so this call has no effect.")
            return
        try:
            settings = read_options({"api_key": api_key, "endpoint": endpoint, **options})
            if not settings.api_key or not settings.endpoint:
                warn(2, "init() needs api_key and endpoint, so nothing is reported.")
                return
            client = Client(settings)
        except Exception as error:
            warn(2, f"init() failed, so nothing is reported: {safe_text(error)}")
            return
        _client = client
        _teardowns.extend(_install(client))


def _install(client: Client) -> List[Callable[[], None]]:
    def capture(error: BaseException, mechanism: str) -> None:
        _guarded(client.capture_exception, error, {"metadata": {"mechanism": mechanism}})

    teardowns = [*install_hooks(capture), install_logging(client)]
    if client.options.breadcrumbs.get("http", True):
        teardowns.append(install_http(client))
    teardowns.append(run_at_exit(lambda: client.sender.flush(client.options.shutdown_timeout)))
    return teardowns


def _guarded(run: Callable[..., Any], *args: Any) -> Any:
    """Returns the result of ``run``, or None with a warning if it raises."""
    try:
        return run(*args)
    except Exception as error:
        warn(5, f"The SDK failed: {type(error).__name__}. The program keeps running.")
        return None


def capture_exception(error: Optional[BaseException] = None, **context: Any) -> Optional[str]:
    """Reports an exception, by default the one that is being handled.

    ``context`` may hold ``level``, ``metadata``, ``tags``, ``user`` and ``fingerprint`` of this report. Returns the id of
    the report, or None if nothing will be sent.
    """
    client = _client
    current = error if error is not None else sys.exc_info()[1]
    if client is None:
        warn(3, "Call init() first. This error is not reported.")
        return None
    if not isinstance(current, BaseException):
        return None
    result: Optional[str] = _guarded(client.capture_exception, current, context)
    return result


def capture_message(text: str, level: str = "info", **context: Any) -> Optional[str]:
    """Reports a message. Returns the id of the report, or None if nothing will be sent."""
    client = _client
    if client is None:
        warn(3, "Call init() first. This error is not reported.")
        return None
    result: Optional[str] = _guarded(client.capture_message, text, {**context, "level": level})
    return result


def add_breadcrumb(
    type: str = "custom",
    category: Optional[str] = None,
    message: Optional[str] = None,
    data: Optional[Mapping[str, Any]] = None,
) -> None:
    """Adds a breadcrumb to the next reports of the current scope. ``data`` is copied."""
    if _client is not None:
        _guarded(_add_breadcrumb, _client, type, category, message, data)


def _add_breadcrumb(client: Client, kind: str, category: Optional[str], message: Optional[str], data: Any) -> None:
    given = dict(data or {})
    if message is not None:
        given["message"] = message
    client.add_breadcrumb(safe_text(kind), safe_text(category or kind), normalize(given, 4_000) or {})


def _update(change: Callable[[Scope], None]) -> None:
    if _client is not None:
        _guarded(change, _client.scopes.current)


def set_user(user: Optional[Mapping[str, Any]]) -> None:
    """Sets the user of the current scope: ``{"id": …}``, and optionally ``name`` and ``email``. None removes it."""
    _update(lambda scope: scope.set_user(user))


def set_tag(name: str, value: Any) -> None:
    """Sets a tag of the current scope. None deletes it."""
    _update(lambda scope: scope.set_tag(name, value))


def set_tags(tags: Mapping[str, Any]) -> None:
    """Sets several tags of the current scope. None deletes one."""
    _update(lambda scope: scope.set_tags(tags))


def set_metadata(changes: Mapping[str, Any]) -> None:
    """Merges keys into the metadata of the current scope. None deletes a key."""
    _update(lambda scope: scope.set_metadata(changes))


@contextmanager
def new_scope() -> Iterator[Scope]:
    """Opens a scope for the current thread, task or greenlet: what is set in it ends with the block."""
    client = _client
    if client is None:
        yield Scope()
        return
    with client.scopes.new_scope() as scope:
        yield scope


def flush(timeout: float = 2.0) -> bool:
    """Waits until every report has a response. Returns False after ``timeout`` seconds."""
    client = _client
    return True if client is None else bool(_guarded(client.sender.flush, timeout))


def close(timeout: float = 2.0) -> bool:
    """Removes every hook and sends what was captured. Returns like ``flush()``. ``init()`` may be called again."""
    global _client
    with _lock:
        client, _client = _client, None
        for teardown in reversed(_teardowns):
            _guarded(teardown)
        _teardowns.clear()
        reset_warnings()
    return True if client is None else bool(_guarded(client.sender.close, timeout))
