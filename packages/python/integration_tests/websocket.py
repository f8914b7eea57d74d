"""A minimal client of websockets for the tests."""

import socket
from contextlib import suppress
from urllib.parse import urlsplit

#: A frame without a payload, masked as those of a client are.
_CLOSE = b"\x88\x80\0\0\0\0"


def open_websocket(url: str, path: str) -> str:
    """Opens a websocket, closes it, and returns the first line of the response."""
    host, port = urlsplit(url).hostname, urlsplit(url).port
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    ]
    with socket.create_connection((host, port), timeout=30) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        with connection.makefile("rb") as response:
            status = response.readline().decode().rstrip("\r\n")
            while response.readline().strip():
                pass
            connection.sendall(_CLOSE)
            # Waits until the server has closed the connection.
            with suppress(ConnectionError):
                response.read()
            return status
