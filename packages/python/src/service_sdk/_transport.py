"""Posts reports to the server."""

import gzip
import http.client
import json
import os
import ssl
import threading
import time
import urllib.request
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Optional
from urllib.parse import SplitResult, urlsplit

from ._options import Report, Response

_TIMEOUT_SECONDS = 10.0
_GZIP_BYTES = 1_000
_CA_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")

#: Marks the threads whose requests must not become breadcrumbs.
sending = threading.local()


class HttpTransport:
    """Posts reports over one kept connection. Only the sender thread uses it."""

    def __init__(self, endpoint: str, user_agent: str) -> None:
        self._url: SplitResult = urlsplit(endpoint.rstrip("/") + "/api/v1/errors")
        if self._url.scheme not in ("http", "https") or not self._url.hostname:
            raise ValueError("the endpoint must be an http: or https: URL")
        self._user_agent = user_agent
        self._connection: Optional[http.client.HTTPConnection] = None

    def __call__(self, report: Report) -> Response:
        body = json.dumps(report, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        headers = {"Content-Type": "application/json", "User-Agent": self._user_agent}
        if len(body) > _GZIP_BYTES:
            body = gzip.compress(body, 6)
            headers["Content-Encoding"] = "gzip"
        sending.active = True
        try:
            try:
                return self._post(body, headers)
            except (http.client.HTTPException, ConnectionError):
                # The server may have closed the kept connection.
                self.close()
                return self._post(body, headers)
        except Exception:
            self.close()
            return Response(0)
        finally:
            sending.active = False

    def _post(self, body: bytes, headers: Dict[str, str]) -> Response:
        if self._connection is None:
            self._connection = self._connect()
        path = self._url.path + (f"?{self._url.query}" if self._url.query else "")
        if isinstance(self._connection, _PlainProxyConnection):
            path = self._url.geturl()
        self._connection.request("POST", path, body, headers)
        response = self._connection.getresponse()
        response.read(64 * 1024)
        if response.will_close:
            self.close()
        return Response(response.status, _seconds(response.getheader("Retry-After")))

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._url.hostname or "", self._url.port
        proxy = self._proxy(host)
        context = _ssl_context() if self._url.scheme == "https" else None
        if proxy is None:
            if context is None:
                return http.client.HTTPConnection(host, port, timeout=_TIMEOUT_SECONDS)
            return http.client.HTTPSConnection(host, port, timeout=_TIMEOUT_SECONDS, context=context)
        if context is None:
            return _PlainProxyConnection(proxy.hostname or "", proxy.port, timeout=_TIMEOUT_SECONDS)
        connection = http.client.HTTPSConnection(
            proxy.hostname or "", proxy.port, timeout=_TIMEOUT_SECONDS, context=context
        )
        connection.set_tunnel(host, port)
        return connection

    def _proxy(self, host: str) -> Optional[SplitResult]:
        proxy = urllib.request.getproxies().get(self._url.scheme)
        if not proxy or urllib.request.proxy_bypass(host):
            return None
        return urlsplit(proxy if "://" in proxy else f"http://{proxy}")

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class _PlainProxyConnection(http.client.HTTPConnection):
    """A connection to a proxy, which gets the whole URL."""


def _ssl_context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    for name in _CA_VARIABLES:
        file = os.environ.get(name)
        if file and os.path.isfile(file):
            context.load_verify_locations(file)
    return context


def _seconds(header: Optional[Any]) -> Optional[float]:
    """Reads ``Retry-After``: seconds, or a date."""
    if not isinstance(header, str):
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(header)
        return max(0.0, date.timestamp() - time.time())
    except Exception:
        return None
