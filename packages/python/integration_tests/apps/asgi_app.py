"""An ASGI app whose paths fail in different ways. ``ASGI_START=fail`` fails while it starts."""

import asyncio
import gc
import os
from typing import Any, Dict

import service_sdk
from service_sdk.integrations.asgi import ServiceMiddleware


async def app(scope: Dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        await start(receive, send)
        return
    path = scope["path"]
    service_sdk.add_breadcrumb(message=f"serves {path}")
    if path == "/fail":
        await asyncio.sleep(0.01)
        raise KeyError("no order")
    if path == "/cancelled":
        raise asyncio.CancelledError
    if path == "/task":
        # Nothing awaits the task until it is garbage, as in many programs.
        asyncio.ensure_future(fail())
        for _ in range(3):
            await asyncio.sleep(0.01)
            gc.collect()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"8")]})
    await send({"type": "http.response.body", "body": b"half", "more_body": True})
    if path == "/stream":
        raise ValueError("in the middle")
    await send({"type": "http.response.body", "body": b"full"})


async def fail() -> None:
    raise ValueError("of a task")


async def start(receive: Any, send: Any) -> None:
    if os.environ.get("ASGI_START") == "unsupported":
        raise AssertionError("no lifespan here")
    assert (await receive())["type"] == "lifespan.startup"
    if os.environ.get("ASGI_START") == "fail":
        raise ValueError("no database")
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


if "SERVICE_API_KEY" in os.environ:
    # A busy machine may take longer to respond.
    service_sdk.init(shutdown_timeout=30)
    app = ServiceMiddleware(app)  # type: ignore[assignment]
