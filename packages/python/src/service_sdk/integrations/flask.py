"""Integration of Flask."""

from importlib import import_module
from typing import Any

from ._request import ROUTE_KEY, capture_uncaught
from .wsgi import ServiceMiddleware


def init_app(app: Any) -> None:
    """Reports the exceptions for which a Flask app has no error handler. Call it once for each app.

    Flask sends signals by the package ``blinker``. Without it, raises ``RuntimeError`` on Flask before 2.3.
    """
    flask = import_module("flask")

    def save_route(sender: Any, **_: Any) -> None:
        rule = flask.request.url_rule
        # The context of the request ends before a streamed response.
        flask.request.environ[ROUTE_KEY] = None if rule is None else rule.rule

    def capture(sender: Any, exception: BaseException, **_: Any) -> None:
        # Flask turns the exception into a response, so it does not reach the middleware.
        capture_uncaught(exception, "flask")

    flask.request_started.connect(save_route, app, weak=False)
    flask.got_request_exception.connect(capture, app, weak=False)
    app.wsgi_app = ServiceMiddleware(app.wsgi_app)
