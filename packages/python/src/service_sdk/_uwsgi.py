"""Checks the settings of uWSGI."""

import sys

from ._warn import warn

_THREAD_OPTIONS = ("enable-threads", "threads", "gevent")


def check_uwsgi() -> None:
    """Warns if the program runs under uWSGI without threads: the sender would only run when a worker ends."""
    # uWSGI itself adds this module.
    options = getattr(sys.modules.get("uwsgi"), "opt", None)
    if isinstance(options, dict) and not any(options.get(name) for name in _THREAD_OPTIONS):
        warn(16, "uWSGI runs without threads, so reports are sent only when a worker ends. Set enable-threads = true.")
