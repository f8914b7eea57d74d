"""Integration of Django. In ``settings.py``:

    MIDDLEWARE = ["service_sdk.integrations.django.ServiceMiddleware", ...]
    SERVICE_API_KEY = "pk_…"
    SERVICE_ENDPOINT = "https://errors.example.com"
"""

import inspect
import sys
from dataclasses import fields
from importlib import import_module
from typing import Any, AsyncIterator, Awaitable, Callable, Iterator, Optional, Union

from .. import get_client, init, new_scope
from .._client import Client
from .._options import Options
from .._scope import Scope
from ._request import RequestScope, capture_uncaught, describe_request, format_url

Response = Any
GetResponse = Callable[[Any], Union[Response, Awaitable[Response]]]


def ServiceMiddleware(get_response: GetResponse) -> GetResponse:
    """Reports the exceptions that Django responds to with a 500, also those of other middleware.

    Calls ``service_sdk.init()`` with the settings ``SERVICE_API_KEY``, ``SERVICE_ENDPOINT`` and so on, one for each
    option, unless the program has called it.
    """
    _init_from_settings()
    signals = import_module("django.core.signals")
    signals.got_request_exception.connect(_capture, dispatch_uid="service_sdk")
    return _async_middleware(get_response) if inspect.iscoroutinefunction(get_response) else _middleware(get_response)


# Django asks for these attributes, and calls the middleware with a `get_response` of the kind that it needs.
setattr(ServiceMiddleware, "sync_capable", True)
setattr(ServiceMiddleware, "async_capable", True)


def _middleware(get_response: GetResponse) -> GetResponse:
    def middleware(request: Any) -> Response:
        client = get_client()
        if client is None:
            return get_response(request)
        scope = _request_scope(client, request)
        with scope:
            response = get_response(request)
        return _watch_stream(response, scope)

    return middleware


def _async_middleware(get_response: Callable[[Any], Any]) -> GetResponse:
    async def middleware(request: Any) -> Response:
        client = get_client()
        if client is None:
            return await get_response(request)
        scope = _request_scope(client, request)
        with scope:
            response = await get_response(request)
        return _watch_stream(response, scope)

    return middleware


def _init_from_settings() -> None:
    if get_client() is not None:
        return
    settings: Any = import_module("django.conf").settings
    names = [option.name for option in fields(Options)]
    given = {name: getattr(settings, f"SERVICE_{name.upper()}", None) for name in names}
    init(**{name: value for name, value in given.items() if value is not None})


def _request_scope(client: Client, request: Any) -> RequestScope:
    return RequestScope(client, "django", lambda scope: _describe(scope, request))


def _capture(sender: Any, request: Any = None, **_: Any) -> None:
    """Receives ``got_request_exception``, inside of the ``except`` block that handles the exception."""
    error = sys.exc_info()[1]
    if error is None:
        return
    # Outer middleware may have failed, outside of the scope of the request.
    with new_scope() as scope:
        scope.describe_with(lambda target: _describe(target, request))
        capture_uncaught(error, "django")


def _describe(scope: Scope, request: Any) -> None:
    meta = request.META
    # Not `request.get_host()`, which raises for a host that is not allowed.
    host = meta.get("HTTP_HOST") or f"{meta.get('SERVER_NAME')}:{meta.get('SERVER_PORT')}"
    describe_request(
        scope,
        method=request.method,
        route=_route_of(request),
        url=format_url(request.scheme, host, request.path, meta.get("QUERY_STRING")),
        user_agent=meta.get("HTTP_USER_AGENT"),
    )


def _route_of(request: Any) -> Optional[str]:
    match = request.resolver_match
    if match is None:
        return None
    route = str(match.route)
    return route if route.startswith(("/", "^")) else f"/{route}"


def _watch_stream(response: Any, scope: RequestScope) -> Response:
    """Reports an exception in the middle of a streamed response, which Django leaves to the server."""
    if getattr(response, "streaming", False) and getattr(response, "file_to_stream", None) is None:
        parts = response.streaming_content
        watch = _watch_async if getattr(response, "is_async", False) else _watch
        response.streaming_content = watch(parts, scope)
    return response


def _watch(parts: Any, scope: RequestScope) -> Iterator[bytes]:
    iterator = iter(parts)
    end: Any = object()
    while True:
        with scope:
            part = next(iterator, end)
        if part is end:
            return
        yield part


async def _watch_async(parts: Any, scope: RequestScope) -> AsyncIterator[bytes]:
    iterator = parts.__aiter__()
    while True:
        with scope:
            try:
                part = await iterator.__anext__()
            except StopAsyncIteration:
                return
        yield part
