"""Requests of ``http.client``, which ``urllib`` and ``requests`` use, become breadcrumbs."""

import functools
import http.client
import time
from typing import Any, Callable, List

from .._client import Client

_PENDING = "_service_sdk_request"


def install_http_client(client: Client) -> Callable[[], None]:
    """Records each request when its response arrives, or with the status 0 if reading the response fails.

    A request whose connection fails is not recorded.
    """
    connection: Any = http.client.HTTPConnection
    original_putrequest, original_getresponse = connection.putrequest, connection.getresponse

    @functools.wraps(original_putrequest)
    def putrequest(self: Any, method: Any, url: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            setattr(self, _PENDING, (str(method), _full_url(self, str(url)), time.monotonic()))
        except Exception:
            # A subclass may forbid further attributes. Its requests are not recorded.
            pass
        return original_putrequest(self, method, url, *args, **kwargs)

    @functools.wraps(original_getresponse)
    def getresponse(self: Any, *args: Any, **kwargs: Any) -> Any:
        status = 0
        try:
            response = original_getresponse(self, *args, **kwargs)
            status = response.status
            return response
        finally:
            _record(client, self, status)

    connection.putrequest, connection.getresponse = putrequest, getresponse

    def restore() -> None:
        if connection.putrequest is putrequest:
            connection.putrequest = original_putrequest
        if connection.getresponse is getresponse:
            connection.getresponse = original_getresponse

    return restore


def _record(client: Client, connection: Any, status: int) -> None:
    pending = getattr(connection, _PENDING, None)
    if pending is None:
        return
    delattr(connection, _PENDING)
    method, url, started_at = pending
    duration = round((time.monotonic() - started_at) * 1_000)
    client.add_breadcrumb("http", "http", {"method": method, "url": url, "status": status, "duration": duration})


def _full_url(connection: Any, url: str) -> str:
    if not url.startswith("/"):
        return url[:2_000]
    is_secure = isinstance(connection, http.client.HTTPSConnection)
    parts: List[str] = ["https" if is_secure else "http", "://", str(connection.host)]
    if connection.port not in (None, 443 if is_secure else 80):
        parts.append(f":{connection.port}")
    return ("".join(parts) + url)[:2_000]
