"""A server that keeps the reports it receives."""

import gzip
import json
import socket
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Optional


class Sink:
    """Listens on a free port of the loopback. ``status`` and ``headers`` are its response.

    As a proxy, it responds itself in place of the server. With a certificate, it speaks TLS.
    """

    def __init__(self, certificate: Optional[str] = None) -> None:
        self.reports: List[Dict[str, Any]] = []
        #: The path and the headers of each request.
        self.requests: List[Dict[str, str]] = []
        self.connections = 0
        self.status = 200
        self.headers: Dict[str, str] = {}
        self._server = _QuietServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        scheme = "http" if certificate is None else "https"
        self.endpoint = f"{scheme}://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, *args: Any) -> None:
        """Writes nothing if a client that ends has reset its connection."""


def _handler_of(sink: Sink) -> Any:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            sink.connections += 1

        def do_POST(self) -> None:
            sink.requests.append({"path": self.path, **{name.lower(): value for name, value in self.headers.items()}})
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers["Content-Encoding"] == "gzip":
                body = gzip.decompress(body)
            sink.reports.append(json.loads(body))
            self.send_response(sink.status)
            for name, value in sink.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *args: Any) -> None:
            pass

    return Handler


class BrokenServer:
    """Accepts connections, and does one of these with each:

    - ``silent``: never responds
    - ``half``: sends the first half of a response
    - ``slow``: sends an endless response, a byte at a time
    - ``reset``: resets the connection
    - ``garbage``: responds with something that is not HTTP
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._ended = threading.Event()
        self._connections: List[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self._connections.append(connection)
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        try:
            connection.recv(1_000)
            if self._kind == "half":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Le")
            elif self._kind == "garbage":
                connection.sendall(b"\x00\xff garbage\r\n\r\n" * 100)
                connection.close()
            elif self._kind == "reset":
                linger = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                connection.close()
            elif self._kind == "slow":
                connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                while not self._ended.wait(0.1):
                    connection.sendall(b"x")
        except OSError:
            # The client has closed the connection.
            pass

    def close(self) -> None:
        self._ended.set()
        self._socket.close()
        for connection in self._connections:
            connection.close()
