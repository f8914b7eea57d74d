"""Middleware for any ASGI app, under any server."""

from typing import Any, Awaitable, Callable, Dict, MutableMapping, Optional

from .. import get_client
from .._scope import Scope
from ._request import RequestScope, capture_uncaught, describe_request, format_url

Connection = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Connection, Receive, Send], Awaitable[None]]
FindRoute = Callable[[Connection], Optional[str]]


class ServiceMiddleware:
    """Reports the uncaught exceptions of requests, websockets and the lifespan of an ASGI app, and raises them again.

    Each request and each websocket has a separate scope. ``find_route`` returns the pattern of the route of a
    connection. It gets the connection as the server sent it.
    """

    def __init__(self, app: App, find_route: Optional[FindRoute] = None) -> None:
        self._app = app
        self._find_route = find_route

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        client = get_client()
        kind = scope.get("type")
        if client is None:
            await self._app(scope, receive, send)
        elif kind == "lifespan":
            await self._run_lifespan(scope, receive, send)
        elif kind in ("http", "websocket"):
            # Frameworks change these while they route.
            original = {"path": scope.get("path", ""), "root_path": scope.get("root_path", "")}
            with RequestScope(client, "asgi", lambda target: self._describe({**scope, **original}, target)):
                await self._app(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _run_lifespan(self, scope: Connection, receive: Receive, send: Send) -> None:
        is_supported = False

        async def receive_event() -> Any:
            nonlocal is_supported
            is_supported = True
            return await receive()

        try:
            await self._app(scope, receive_event, send)
        except BaseException as error:
            # An app without support for lifespan raises before it receives an event, which is no error.
            if is_supported:
                capture_uncaught(error, "asgi")
            raise

    def _describe(self, connection: Connection, target: Scope) -> None:
        headers = _read_headers(connection)
        method = connection.get("method") or str(connection.get("type")).upper()
        describe_request(
            target,
            method=method,
            route=None if self._find_route is None else self._find_route(connection),
            url=_url_of(connection, headers.get("host")),
            user_agent=headers.get("user-agent"),
        )


def _read_headers(connection: Connection) -> Dict[str, str]:
    found: Dict[str, str] = {}
    for name, value in connection.get("headers") or ():
        if name in (b"host", b"user-agent"):
            found[name.decode()] = value.decode("latin-1")
    return found


def _url_of(connection: Connection, host: Optional[str]) -> str:
    root_path, path = str(connection["root_path"]), str(connection["path"])
    # Servers differ in whether the path begins with the root path.
    if not path.startswith(root_path):
        path = root_path + path
    if host is None:
        server = connection.get("server") or ("", None)
        host = f"{server[0]}:{server[1]}" if server[1] else str(server[0])
    query = bytes(connection.get("query_string") or b"").decode("latin-1")
    return format_url(connection.get("scheme", "http"), host, path, query)
