"""Measures the requests of a WSGI app in which every twentieth fails. Writes their milliseconds as JSON.

    latency.py SERVER REQUESTS

SERVER: ``none`` runs without the SDK. ``accepting`` and the kinds of ``BrokenServer`` run in another process; ``refused`` has
no server, ``unknown`` is a host without an address, 401 and 429 are statuses.
"""

import io
import json
import subprocess
import sys
import time

_PAUSE_SECONDS = 0.001
_FAILS = 20


def main(server, requests):
    process, endpoint = start(server)
    try:
        app = shop
        if server != "none":
            import service_sdk
            from service_sdk.integrations.wsgi import ServiceMiddleware

            service_sdk.init("pk_test", endpoint, shutdown_timeout=0)
            app = ServiceMiddleware(app)
        for number in range(200):
            seconds_of(app, 1)
        times = [seconds_of(app, number) * 1_000 for number in range(requests)]
    finally:
        if process:
            process.kill()
    print(json.dumps(times))


def seconds_of(app, number):
    environ = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": f"/carts/{number}",
        "QUERY_STRING": "",
        "SERVER_NAME": "shop.test",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
    }
    time.sleep(_PAUSE_SECONDS)
    started_at = time.perf_counter()
    try:
        body = app(environ, lambda status, headers, error=None: None)
        b"".join(body)
        if hasattr(body, "close"):
            body.close()
    except ValueError:
        pass
    return time.perf_counter() - started_at


def shop(environ, start_response):
    number = int(environ["PATH_INFO"].rsplit("/", 1)[1])
    total = sum(json.loads(json.dumps(list(range(500)))))
    if number % _FAILS == 0:
        raise ValueError(f"cart {number} has no total")
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(total).encode()]


def start(server):
    if server in ("none", "refused"):
        return None, "http://127.0.0.1:9"
    if server == "unknown":
        return None, "http://no-such-host.invalid"
    kind = "Sink()" if server in ("accepting", "401", "429") else f"BrokenServer({server!r})"
    status = f"server.status = {server};" if server.isdigit() else ""
    code = f"from tests.sink import *; server = {kind}; {status} print(server.endpoint, flush=True); input()"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


main(sys.argv[1], int(sys.argv[2]))
