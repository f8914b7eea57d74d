"""Reports errors by the SDK of Sentry. The first argument is the DSN."""

import logging
import sys

import sentry_sdk

sentry_sdk.init(sys.argv[1], release="api@1.0.0", traces_sample_rate=1.0)


def total(cart):
    password = "hunter2"  # must not arrive
    return cart["price"]


try:
    total({})
except KeyError as error:
    sentry_sdk.capture_exception(error)

try:
    try:
        total({})
    except KeyError as error:
        raise ValueError("no total") from error
except ValueError as error:
    sentry_sdk.capture_exception(error)

logging.getLogger("shop").error("cart %s failed", 17)
sentry_sdk.flush()
