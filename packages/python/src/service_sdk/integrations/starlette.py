"""Integration of Starlette, and of frameworks that are built on it."""

from importlib import import_module
from typing import Any, Iterable, Optional

from .asgi import Connection, ServiceMiddleware


def init_app(app: Any) -> None:
    """Reports the exceptions for which an app has no exception handler. Call it once for each app, before it starts."""
    build = app.build_middleware_stack

    def build_middleware_stack() -> Any:
        # Outside of all other middleware, also of what the program adds later.
        return ServiceMiddleware(build(), lambda connection: _find_route(app.routes, connection))

    app.build_middleware_stack = build_middleware_stack


def _find_route(routes: Iterable[Any], connection: Connection) -> Optional[str]:
    """Returns the pattern of the route that serves a connection, such as ``/shops/{shop}/orders/{id}``."""
    full = import_module("starlette.routing").Match.FULL
    for route in routes:
        match, changes = route.matches(connection)
        if match is not full:
            continue
        path = str(getattr(route, "path", ""))
        inner = getattr(route, "routes", None)
        if not inner:
            return path or None
        return path + (_find_route(inner, {**connection, **changes}) or "")
    return None
