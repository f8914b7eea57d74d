"""Requests of ``http.client``, which ``urllib`` and ``requests`` use, become breadcrumbs."""

import http.client
import time
from typing import Any, List

from .._client import Client
from .._patch_function import Teardown, patch_function

_PENDING = "_service_sdk_request"


def install_http_client(client: Client) -> Teardown:
    """Records each request when its response arrives, or with the status 0 if reading the response fails.

    A request whose connection fails is not recorded.
    """

    def create_putrequest(original: Any) -> Any:
        def putrequest(self: Any, method: Any, url: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                setattr(self, _PENDING, (str(method), _full_url(self, str(url)), time.monotonic()))
            except Exception:
                # A subclass may forbid further attributes. Its requests are not recorded.
                pass
            return original(self, method, url, *args, **kwargs)

        return putrequest

    def create_getresponse(original: Any) -> Any:
        def getresponse(self: Any, *args: Any, **kwargs: Any) -> Any:
            status = 0
            try:
                response = original(self, *args, **kwargs)
                status = response.status
                return response
            finally:
                _record(client, self, status)

        return getresponse

    connection: Any = http.client.HTTPConnection
    restore_putrequest = patch_function(connection, "putrequest", create_putrequest)
    restore_getresponse = patch_function(connection, "getresponse", create_getresponse)

    def restore() -> None:
        restore_putrequest()
        restore_getresponse()

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
