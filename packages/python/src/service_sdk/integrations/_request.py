"""The scope of a request, for the integrations of web frameworks."""

from types import TracebackType
from typing import Any, Callable, Mapping, Optional, Type
from urllib.parse import quote

from .. import capture_exception
from .._client import Client
from .._is_error import is_error
from .._normalize import truncate
from .._scope import Scope

_MAX_URL = 2_000
_MAX_USER_AGENT = 500
_URL_CHARACTERS = "/:;,@!$&'()*+=~%"

#: Completes the scope of a report with fields that are computed only when an error is captured.
CompleteScope = Callable[[Scope], None]


class RequestScope:
    """The scope of one request. Reports the exception that leaves its block.

    It can be entered again, for each part of a streamed response. ``complete`` adds method, route and URL to a report. It
    runs only when an error is captured, because few requests fail.
    """

    def __init__(self, client: Client, mechanism: str, complete: CompleteScope) -> None:
        self._scopes = client.scopes
        self._mechanism = mechanism
        self._scope = client.scopes.current.fork()
        self._scope.describe_with(complete)
        self._token: Any = None

    def __enter__(self) -> Scope:
        self._token = self._scopes.enter(self._scope)
        return self._scope

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        try:
            if error is not None:
                capture_uncaught(error, self._mechanism)
        finally:
            self._scopes.leave(self._token)


def capture_uncaught(error: BaseException, mechanism: str) -> None:
    """Reports an exception that the program has not handled. ``mechanism`` names the integration."""
    if is_error(error):
        capture_exception(error, metadata={"mechanism": mechanism})


def describe_request(
    scope: Scope, *, method: object, route: object, url: Optional[str], user_agent: object = None
) -> None:
    """Adds a request to the scope of a report, except fields that the program has set. ``route`` is a pattern."""
    if scope.url is None and url is not None:
        scope.url = truncate(url, _MAX_URL)
    if scope.user_agent is None and isinstance(user_agent, str):
        scope.user_agent = truncate(user_agent, _MAX_USER_AGENT)
    tags = {"method": method, "route": route}
    scope.set_tags({name: value for name, value in tags.items() if value and name not in scope.tags})


def format_url(scheme: object, host: object, path: str, query: object) -> str:
    """Returns a URL. ``path`` is decoded, ``query`` is not."""
    url = f"{scheme}://{host}{quote(path[:_MAX_URL], _URL_CHARACTERS, errors='replace')}"
    return f"{url}?{query}" if query else url


def describe_environ(scope: Scope, environ: Mapping[str, Any]) -> None:
    """Adds the request of a WSGI environment to the scope of a report."""
    path = str(environ.get("SCRIPT_NAME", "")) + str(environ.get("PATH_INFO", ""))
    # WSGI decodes bytes as Latin-1.
    path = path.encode("latin-1", "replace").decode("utf-8", "replace")
    host = environ.get("HTTP_HOST") or f"{environ.get('SERVER_NAME')}:{environ.get('SERVER_PORT')}"
    describe_request(
        scope,
        method=environ.get("REQUEST_METHOD"),
        route=environ.get(ROUTE_KEY),
        url=format_url(environ.get("wsgi.url_scheme", "http"), host, path, environ.get("QUERY_STRING")),
        user_agent=environ.get("HTTP_USER_AGENT"),
    )


#: The key of a WSGI environment that holds the pattern of the route. A framework or the program sets it.
ROUTE_KEY = "service_sdk.route"
