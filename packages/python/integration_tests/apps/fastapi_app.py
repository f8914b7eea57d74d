"""A FastAPI app, with a mounted Starlette app, whose paths fail in different ways."""

import os
from typing import Any, AsyncIterator

import fastapi
import service_sdk
from fastapi.responses import JSONResponse, StreamingResponse
from service_sdk.integrations import fastapi as integration
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.routing import Route, WebSocketRoute

app = fastapi.FastAPI()
if "SERVICE_API_KEY" in os.environ:
    # A busy machine may take longer to respond.
    service_sdk.init(shutdown_timeout=30)
    integration.init_app(app)


@app.put("/orders/{number}")
async def order(number: int) -> None:
    raise TypeError("no order")


@app.get("/sync/{number}")
def sync(number: int) -> None:
    raise ValueError("in a thread")


@app.get("/missing")
async def missing() -> None:
    raise fastapi.HTTPException(404)


@app.get("/handled")
async def handled() -> None:
    raise LookupError("handled")


@app.exception_handler(LookupError)
async def handle(request: Any, error: Any) -> JSONResponse:
    return JSONResponse({}, 409)


@app.get("/stream")
async def stream() -> StreamingResponse:
    async def parts() -> AsyncIterator[str]:
        yield "half"
        raise ValueError("in the middle")

    return StreamingResponse(parts())


@app.get("/background")
async def background() -> JSONResponse:
    def fail() -> None:
        raise ValueError("after the response")

    return JSONResponse({}, background=BackgroundTask(fail))


async def inner(request: Any) -> None:
    raise ValueError("in a mounted app")


async def echo(websocket: Any) -> None:
    await websocket.accept()
    if websocket.path_params["name"] == "fail":
        raise ValueError("in a websocket")
    # Raises when the client closes the connection.
    await websocket.receive_text()


routes = [Route("/items/{item}", inner), WebSocketRoute("/echo/{name}", echo)]
app.mount("/shops/{shop}", Starlette(routes=routes))


class Check:
    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope.get("path") == "/outer":
            raise ValueError("in a middleware")
        await self._app(scope, receive, send)


app.add_middleware(Check)
