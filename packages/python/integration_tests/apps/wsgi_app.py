"""A WSGI app whose paths fail in different ways."""

import os
import sys
from typing import Any, Callable, Dict, Iterable, Iterator

import service_sdk
from service_sdk.integrations.wsgi import ServiceMiddleware


class Body:
    def __init__(self, fails: bool) -> None:
        self._fails = fails

    def __iter__(self) -> Iterator[bytes]:
        return iter([b"whole"])

    def close(self) -> None:
        service_sdk.add_breadcrumb(message="closed")
        if self._fails:
            raise ValueError("in close")


def stream() -> Iterator[bytes]:
    yield b"half"
    raise ValueError("in the middle")


def app(environ: Dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    service_sdk.add_breadcrumb(message=f"serves {path}")
    if path.startswith("/orders/"):
        environ["service_sdk.route"] = "/orders/{id}"
        raise KeyError("no order")
    if path == "/exit":
        sys.exit(0)
    start_response("200 OK", [("Content-Type", "text/plain")])
    if path == "/stream":
        return stream()
    if path == "/close":
        return Body(fails=True)
    if path == "/whole":
        return Body(fails=False)
    return [b"fine"]


if "SERVICE_API_KEY" in os.environ:
    # A busy machine may take longer to respond.
    service_sdk.init(shutdown_timeout=30)
    if "REPORT_AT_START" in os.environ:
        service_sdk.capture_message("starts")
        service_sdk.flush()
    app = ServiceMiddleware(app)
