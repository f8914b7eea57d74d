"""Middleware for any WSGI app, under any server."""

from typing import Any, Callable, Dict, Iterable, Iterator

from .. import get_client
from ._request import RequestScope, describe_environ

_END = object()

Environ = Dict[str, Any]
App = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class ServiceMiddleware:
    """Reports the uncaught exceptions of a WSGI app and raises them again. Each request has a separate scope.

    The app may set ``environ["service_sdk.route"]`` to the pattern of the request's route.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        client = get_client()
        if client is None:
            return self._app(environ, start_response)
        request = RequestScope(client, "wsgi", lambda scope: describe_environ(scope, environ))
        with request:
            response = self._app(environ, start_response)
        if _must_stay_unwrapped(response, environ):
            return response
        return _StreamedResponse(response, request)


def _must_stay_unwrapped(response: object, environ: Environ) -> bool:
    """Returns whether the server needs the object itself: it reads the length of a list, and may send a file directly."""
    wrapper = environ.get("wsgi.file_wrapper")
    return isinstance(response, (list, tuple)) or (isinstance(wrapper, type) and isinstance(response, wrapper))


class _StreamedResponse:
    """Runs each step of a response in the scope of its request."""

    def __init__(self, response: Iterable[bytes], request: RequestScope) -> None:
        self._response = response
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        with self._request:
            self._iterator = iter(self._response)
        return self

    def __next__(self) -> bytes:
        with self._request:
            part: Any = next(self._iterator, _END)
        if part is _END:
            raise StopIteration
        result: bytes = part
        return result

    def close(self) -> None:
        close = getattr(self._response, "close", None)
        if close is not None:
            with self._request:
                close()
