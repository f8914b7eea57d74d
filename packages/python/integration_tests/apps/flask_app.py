"""A Flask app whose paths fail in different ways."""

import os
from typing import Any, Iterator

import flask
import service_sdk
from service_sdk.integrations import flask as integration

app = flask.Flask(__name__)
if "SERVICE_API_KEY" in os.environ:
    # A busy machine may take longer to respond.
    service_sdk.init(shutdown_timeout=30)
    integration.init_app(app)


@app.route("/orders/<int:number>", methods=["POST"])
def order(number: int) -> str:
    raise TypeError("no order")


@app.route("/missing")
def missing() -> str:
    flask.abort(404)


@app.route("/handled")
def handled() -> str:
    raise LookupError("handled")


@app.errorhandler(LookupError)
def handle(error: LookupError) -> Any:
    return "handled", 409


@app.route("/stream/<name>")
def stream(name: str) -> Any:
    def parts() -> Iterator[str]:
        yield "half"
        raise ValueError("in the middle")

    return app.response_class(parts())


@app.route("/logged")
def logged() -> str:
    try:
        raise ValueError("logged")
    except ValueError:
        app.logger.exception("The view has failed")
    return "fine"


@app.route("/fail/<path:path>")
def fail(path: str) -> str:
    raise ValueError("in a view")


@app.before_request
def check() -> None:
    if flask.request.path == "/before":
        raise ValueError("before the view")


@app.teardown_request
def clean(error: Any) -> None:
    if flask.request.path == "/teardown":
        raise ValueError("after the view")


@app.route("/teardown")
def teardown() -> str:
    return "fine"
