"""Posts reports to the server."""

import base64
import gzip
import http.client
import io
import os
import socket
import ssl
import time
import urllib.request
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Optional
from urllib.parse import SplitResult, unquote, urlsplit

from ._fork import register_after_fork
from ._json import encode_json
from ._options import Report, Response

#: The seconds for each step of a request: to connect, to send, and to receive the whole response.
_TIMEOUT_SECONDS = 10.0
_GZIP_BYTES = 1_000
#: A little less than 1 MiB, above which the server rejects a report. The limit is for the size before compression.
_MAX_REPORT_BYTES = 1_000_000
#: Left out of a larger report, in this order, until it is small enough. The traceback remains as a text.
_OPTIONAL_FIELDS = ("breadcrumbs", "metadata", "exceptions")
_MAX_RESPONSE_BYTES = 64 * 1024
#: ``ssl`` itself reads SSL_CERT_FILE and SSL_CERT_DIR.
_CA_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_DEFAULT_PORTS = {"http": 80, "https": 443}


class HttpTransport:
    """Posts reports over one keep-alive connection. Only the sender thread uses it."""

    def __init__(self, endpoint: str, user_agent: str) -> None:
        self._url = _read_endpoint(endpoint)
        self._user_agent = user_agent
        self._connection: Optional[http.client.HTTPConnection] = None
        #: Created once, because it takes long to read the certificates.
        self._context: Optional[ssl.SSLContext] = None
        register_after_fork(self._reset_after_fork)

    def __call__(self, report: Report) -> Response:
        body = _encode(report)
        headers = {"Content-Type": "application/json", "User-Agent": self._user_agent}
        if len(body) > _GZIP_BYTES:
            body = gzip.compress(body, 6)
            headers["Content-Encoding"] = "gzip"
        try:
            return self._post(body, headers)
        except Exception as error:
            self.close()
            return Response(0, reason=type(error).__name__)

    def _post(self, body: bytes, headers: Dict[str, str]) -> Response:
        if self._connection is not None:
            try:
                return self._post_once(self._connection, body, headers)
            except (http.client.HTTPException, ConnectionError):
                # The server has closed the keep-alive connection. It counts a report once if it receives it twice.
                self.close()
        self._connection = self._connect()
        return self._post_once(self._connection, body, headers)

    def _post_once(self, connection: http.client.HTTPConnection, body: bytes, headers: Dict[str, str]) -> Response:
        path = self._url.path
        if isinstance(connection, _ProxyConnection):
            path = self._url.geturl()
            headers = {**headers, **connection.proxy_headers}
        connection.response_class = _TimedResponse
        if connection.sock is not None:
            connection.sock.settimeout(_TIMEOUT_SECONDS)
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        response.read(_MAX_RESPONSE_BYTES)
        if response.will_close or not response.isclosed():
            self.close()
        return Response(response.status, _seconds(response.getheader("Retry-After")))

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._url.hostname or "", self._url.port or _DEFAULT_PORTS[self._url.scheme]
        proxy = _find_proxy(self._url.scheme, host, port)
        if self._url.scheme == "https":
            return self._connect_securely(host, port, proxy)
        if proxy is None:
            return http.client.HTTPConnection(host, port, timeout=_TIMEOUT_SECONDS)
        return _ProxyConnection(proxy.hostname or "", proxy.port or 80, _proxy_headers(proxy))

    def _connect_securely(self, host: str, port: int, proxy: Optional[SplitResult]) -> http.client.HTTPSConnection:
        if self._context is None:
            self._context = _ssl_context()
        if proxy is None:
            return http.client.HTTPSConnection(host, port, timeout=_TIMEOUT_SECONDS, context=self._context)
        connection = http.client.HTTPSConnection(
            proxy.hostname or "", proxy.port or 80, timeout=_TIMEOUT_SECONDS, context=self._context
        )
        connection.set_tunnel(host, port, _proxy_headers(proxy))
        return connection

    def _reset_after_fork(self) -> None:
        # The parent still uses the connection. Closing it here would wait for a thread of the parent that reads it.
        self._connection = None

    def close(self) -> None:
        """Closes the connection. The next report opens another one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _encode(report: Report) -> bytes:
    body = encode_json(report)
    for name in _OPTIONAL_FIELDS:
        if len(body) <= _MAX_REPORT_BYTES:
            break
        report = {key: value for key, value in report.items() if key != name}
        body = encode_json(report)
    return body


def _read_endpoint(endpoint: str) -> SplitResult:
    """Returns the URL of reports. Raises ``ValueError`` if it cannot be one."""
    url = urlsplit(endpoint.strip().rstrip("/") + "/api/v1/errors")
    if url.scheme not in _DEFAULT_PORTS or not url.hostname:
        raise ValueError("the endpoint must be an http: or https: URL")
    if url.query or url.fragment or not url.path.isascii() or not url.path.isprintable() or " " in url.path:
        raise ValueError("the endpoint must be the server's base URL, without a query")
    if url.port == 0:
        raise ValueError("the endpoint has no valid port")
    return url


class _ProxyConnection(http.client.HTTPConnection):
    """A connection to a proxy, which gets the whole URL."""

    def __init__(self, host: str, port: int, proxy_headers: Dict[str, str]) -> None:
        super().__init__(host, port, timeout=_TIMEOUT_SECONDS)
        self.proxy_headers = proxy_headers


def _find_proxy(scheme: str, host: str, port: int) -> Optional[SplitResult]:
    proxies = urllib.request.getproxies()
    address = proxies.get(scheme) or proxies.get("all")
    if not address or urllib.request.proxy_bypass(f"{host}:{port}") or urllib.request.proxy_bypass(host):
        return None
    proxy = urlsplit(address if "://" in address else f"http://{address}")
    if proxy.scheme != "http":
        raise ValueError("the proxy must be an http: URL")
    return proxy


def _proxy_headers(proxy: SplitResult) -> Dict[str, str]:
    if proxy.username is None:
        return {}
    credentials = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(credentials.encode()).decode()}"}


def _ssl_context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    for name in _CA_VARIABLES:
        path = os.environ.get(name)
        if path and os.path.isdir(path):
            context.load_verify_locations(capath=path)
        elif path:
            context.load_verify_locations(cafile=path)
    return context


class _TimedResponse(http.client.HTTPResponse):
    """A response that must arrive within the timeout of its socket. Otherwise each byte would restart the timeout."""

    def __init__(self, sock: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        file: Any = self.fp
        self.fp = io.BufferedReader(_TimedReader(sock, file.detach()))


class _TimedReader(io.RawIOBase):
    def __init__(self, sock: socket.socket, file: io.RawIOBase) -> None:
        self._sock = sock
        self._file = file
        self._deadline = time.monotonic() + (sock.gettimeout() or _TIMEOUT_SECONDS)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(left)
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


def _seconds(header: Optional[str]) -> Optional[float]:
    """Reads ``Retry-After``: seconds, or a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except Exception:
        return None
