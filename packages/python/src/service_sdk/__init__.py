"""Reports the errors of a Python program to your own server.

    import service_sdk

    service_sdk.init(api_key="pk_…", endpoint="https://errors.example.com")

No function raises into the program.
"""

import os
import sys
import threading
from contextlib import contextmanager
from types import TracebackType
from typing import (
    Any,
    Callable,
    Collection,
    Generator,
    List,
    Mapping,
    NoReturn,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from ._client import VERSION as __version__
from ._client import Client
from ._exceptions import is_exception
from ._instruments.http_client import install_http_client
from ._instruments.logging import install_logging
from ._instruments.process_exit import run_at_exit
from ._instruments.sqlite import install_sqlite
from ._instruments.subprocess import install_subprocess
from ._instruments.uncaught import install_uncaught
from ._normalize import normalize, normalize_mapping, safe_text, truncate
from ._options import BeforeBreadcrumb, BeforeSend, Breadcrumb, Pattern, Report, Response, Transport, read_options
from ._patch_function import Teardown
from ._scope import Scope
from ._uwsgi import check_uwsgi
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

_BREADCRUMB_BYTES = 1_000

_lock = threading.RLock()
_current: Optional[Client] = None
_teardowns: List[Teardown] = []

Result = TypeVar("Result")
#: What ``sys.exc_info()`` returns.
ExceptionInfo = Union[Tuple[Type[BaseException], BaseException, Optional[TracebackType]], Tuple[None, None, None]]

# A type checker rejects arguments that do not exist. At run time a warning names them, because no function raises into
# the program.


def init(
    api_key: Optional[str] = None,
    endpoint: Optional[str] = None,
    *,
    environment: Optional[str] = None,
    release: Optional[str] = None,
    before_send: Optional[BeforeSend] = None,
    before_breadcrumb: Optional[BeforeBreadcrumb] = None,
    sample_rate: Optional[float] = None,
    ignore_errors: Optional[Collection[Pattern]] = None,
    max_breadcrumbs: Optional[int] = None,
    breadcrumbs: Optional[Mapping[str, bool]] = None,
    in_app_include: Optional[Collection[str]] = None,
    in_app_exclude: Optional[Collection[str]] = None,
    send_user_details: Optional[bool] = None,
    include_local_variables: Optional[bool] = None,
    capture_logging: Optional[bool] = None,
    max_queue: Optional[int] = None,
    shutdown_timeout: Optional[float] = None,
    transport: Optional[Transport] = None,
    debug: Optional[bool] = None,
    **unknown: NoReturn,
) -> None:
    """Starts to report errors. Only the first call has an effect, until ``close()``.

    ``Options`` explains the options and has their defaults. One that is None counts as not given. ``SERVICE_API_KEY``,
    ``SERVICE_ENDPOINT``, ``SERVICE_ENVIRONMENT`` and ``SERVICE_RELEASE`` set those that are not given.
    """
    given = locals()
    _init({**given.pop("unknown"), **given})


def _init(given: Mapping[str, Any]) -> None:
    global _current
    with _lock:
        if _current is not None:
            warn(1, "init() was already called, so this call has no effect. Call close() first to change options.")
            return
        try:
            settings = read_options(given)
            if not settings.api_key or not settings.endpoint:
                warn(2, "init() needs api_key and endpoint, so nothing is reported.")
                return
            client = Client(settings)
            _install(client)
        except Exception as error:
            _tear_down()
            warn(2, f"init() failed, so nothing is reported: {truncate(safe_text(error), 200)}.")
            return
        _current = client


def get_client() -> Optional[Client]:
    """Returns the client that ``init()`` started, or None. For integrations."""
    return _current


def _install(client: Client) -> None:
    check_uwsgi()

    def capture(error: BaseException, mechanism: str) -> None:
        _guarded(None, client.capture_exception, error, {"metadata": {"mechanism": mechanism}})

    def finish() -> None:
        _guarded(None, client.sender.finish, client.options.shutdown_timeout)

    _teardowns.extend(install_uncaught(capture))
    _teardowns.append(install_logging(client))
    for kind, install in (("http", install_http_client), ("subprocess", install_subprocess), ("sqlite3", install_sqlite)):
        if client.options.breadcrumbs.get(kind, True):
            _teardowns.append(install(client))
    _teardowns.append(run_at_exit(finish, capture))


def _tear_down() -> None:
    for teardown in reversed(_teardowns):
        _guarded(None, teardown)
    _teardowns.clear()


def _guarded(otherwise: Result, run: Callable[..., Result], *args: Any) -> Result:
    """Returns what ``run`` returns, or ``otherwise`` with a warning if it raises."""
    try:
        return run(*args)
    except Exception as error:
        try:
            warn(5, f"The SDK failed: {type(error).__name__}. The program keeps running.")
        except RecursionError:
            # The stack has no room left, not even for a warning.
            pass
        return otherwise


def capture_exception(
    error: Union[BaseException, ExceptionInfo, None] = None,
    *,
    level: Optional[str] = None,
    metadata: Optional[Mapping[str, Any]] = None,
    tags: Optional[Mapping[str, Any]] = None,
    user: Optional[Mapping[str, Any]] = None,
    fingerprint: Optional[Sequence[str]] = None,
    **unknown: NoReturn,
) -> Optional[str]:
    """Reports an exception, by default the one that is being handled. Also takes what ``sys.exc_info()`` returns.

    The other arguments apply to this report only. Returns the id of the report, or None if nothing will be sent.
    """
    client = _current
    if client is None:
        warn(3, "Call init() first. This error is not reported.")
        return None
    current = _guarded(None, _exception_of, error)
    if current is None:
        return None
    context = {"level": level, "metadata": metadata, "tags": tags, "user": user, "fingerprint": fingerprint, **unknown}
    return _guarded(None, client.capture_exception, current, context)


def _exception_of(given: Any) -> Optional[BaseException]:
    """Returns the exception to report, or None with a warning."""
    error: Any = sys.exc_info()[1] if given is None else given[1] if type(given) is tuple and len(given) == 3 else given
    if error is None:
        warn(4, "capture_exception() was called without an exception, and none is being handled. Nothing is reported.")
    elif not is_exception(error):
        warn(4, "capture_exception() takes an exception, so nothing is reported. Use capture_message() for a text.")
        return None
    exception: Optional[BaseException] = error
    return exception


def capture_message(
    text: str,
    level: Optional[str] = "info",
    *,
    metadata: Optional[Mapping[str, Any]] = None,
    tags: Optional[Mapping[str, Any]] = None,
    user: Optional[Mapping[str, Any]] = None,
    fingerprint: Optional[Sequence[str]] = None,
    **unknown: NoReturn,
) -> Optional[str]:
    """Reports a message. Returns the id of the report, or None if nothing will be sent."""
    client = _current
    if client is None:
        warn(3, "Call init() first. This message is not reported.")
        return None
    context = {"level": level, "metadata": metadata, "tags": tags, "user": user, "fingerprint": fingerprint, **unknown}
    return _guarded(None, client.capture_message, text, context)


def add_breadcrumb(
    type: str = "custom",
    category: Optional[str] = None,
    message: Optional[str] = None,
    data: Optional[Mapping[str, Any]] = None,
) -> None:
    """Adds a breadcrumb to the next reports of the current scope. ``data`` is copied."""
    client = _current
    if client is not None:
        _guarded(None, _add_breadcrumb, client, type, category, message, data)


def _add_breadcrumb(client: Client, kind: str, category: Optional[str], message: Optional[str], data: Any) -> None:
    copied = normalize_mapping(data, _BREADCRUMB_BYTES)
    if message is not None:
        copied = {"message": normalize(message, _BREADCRUMB_BYTES), **copied}
    client.add_breadcrumb(safe_text(kind), safe_text(category if category is not None else kind), copied)


def _update(change: Callable[[Scope], None]) -> None:
    client = _current
    if client is not None:
        _guarded(None, change, client.scopes.current)


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
def new_scope() -> Generator[Scope, None, None]:
    """Opens a scope for the current thread, task or greenlet. Changes to it end with the block."""
    client = _current
    if client is None:
        yield Scope()
        return
    with client.scopes.new_scope() as scope:
        yield scope


def flush(timeout: float = 2.0) -> bool:
    """Waits until every report is sent or dropped. Returns False if that takes longer than ``timeout`` seconds."""
    client = _current
    return True if client is None else _guarded(False, client.sender.flush, timeout)


def close(timeout: float = 2.0) -> bool:
    """Removes every hook and sends the captured reports. Returns the same as ``flush()``. ``init()`` may be called again."""
    global _current
    with _lock:
        client, _current = _current, None
        _tear_down()
    is_done = True if client is None else _guarded(False, client.sender.close, timeout)
    reset_warnings()
    return is_done


def _reset_after_fork() -> None:
    global _lock
    # A thread that the child does not have may hold the lock.
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)
