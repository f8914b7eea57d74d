"""Measures the CPU time of the calling thread for capturing an exception. Writes microseconds as JSON: first, others.

    capture.py service|sentry CLIENTS
"""

import gc
import json
import sys
import time

#: The SDK lets ten errors through at once, so a client captures ten.
_CAPTURES = 10
_DEPTH = 20


def main(name, clients):
    start, capture, stop = {"service": service, "sentry": sentry}[name]()
    first, others = [], []
    for client in range(clients):
        start()
        gc.collect()
        times = [seconds_of(capture, f"failure {client} {number}") for number in range(_CAPTURES)]
        stop()
        first.append(times[0])
        others += times[1:]
    print(json.dumps({"first": [time * 1e6 for time in first], "others": [time * 1e6 for time in others]}))


def seconds_of(capture, message):
    try:
        descend(_DEPTH, message, {"items": [1, 2, 3], "total": 12.5})
    except ValueError as error:
        started_at = time.thread_time()
        event_id = capture(error)
        seconds = time.thread_time() - started_at
        assert event_id, "The error was not captured."
        # The background thread does its work now, and not during the next measurement.
        time.sleep(0.005)
        return seconds


def descend(depth, message, cart):
    if depth == 0:
        raise ValueError(message)
    return descend(depth - 1, message, {**cart, "depth": depth})


def service():
    import service_sdk

    def start():
        service_sdk.init("pk_test", "http://127.0.0.1:9", transport=lambda report: service_sdk.Response(200))
        # The steps of a program before its errors.
        for number in range(64):
            service_sdk.add_breadcrumb(message=f"step {number}", data={"number": number})

    return start, service_sdk.capture_exception, service_sdk.close


def sentry():
    import sentry_sdk

    def start():
        sentry_sdk.init("http://key@127.0.0.1:9/1", transport=lambda event: None)
        for number in range(64):
            sentry_sdk.add_breadcrumb(message=f"step {number}", data={"number": number})

    return start, sentry_sdk.capture_exception, lambda: None


main(sys.argv[1], int(sys.argv[2]))
