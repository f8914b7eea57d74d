"""The options of ``init()``."""

import difflib
import inspect
import math
import os
import re
from dataclasses import dataclass, field, fields
from typing import Any, Callable, Collection, Dict, List, Mapping, Optional, Tuple, Type, Union

from ._normalize import safe_text
from ._warn import warn

Report = Dict[str, Any]
Breadcrumb = Dict[str, Any]
#: A class of errors, a text that occurs in ``Type: message``, or a compiled pattern that matches it.
Pattern = Union[str, "re.Pattern[str]", Type[BaseException]]
BeforeSend = Callable[[Report], Optional[Report]]
BeforeBreadcrumb = Callable[[Breadcrumb], Optional[Breadcrumb]]


@dataclass(frozen=True)
class Response:
    """The response to a report. If the server did not respond, ``status`` is 0 and ``reason`` names the error.

    ``retry_after`` is in seconds.
    """

    status: int
    retry_after: Optional[float] = None
    reason: Optional[str] = None


Transport = Callable[[Report], Response]


@dataclass(frozen=True)
class Options:
    """The options of ``init()``, with their defaults."""

    api_key: str = ""
    endpoint: str = ""
    environment: Optional[str] = None
    release: Optional[str] = None
    #: Changes a report, or drops it by returning None. If it raises, the report is dropped.
    before_send: Optional[BeforeSend] = None
    #: Changes a breadcrumb, or drops it by returning None. If it raises, the breadcrumb is dropped.
    before_breadcrumb: Optional[BeforeBreadcrumb] = None
    #: The share of errors that is reported, from 0 (none) to 1 (all).
    sample_rate: float = 1.0
    #: Drops errors that match one of these.
    ignore_errors: Collection[Pattern] = ()
    max_breadcrumbs: int = 64
    #: Switches kinds of breadcrumbs off: ``http``, ``subprocess``, ``sqlite3``, ``logging``.
    breadcrumbs: Mapping[str, bool] = field(default_factory=dict)
    #: Modules that belong to the app although they are installed like dependencies.
    in_app_include: Collection[str] = ()
    #: Modules that do not belong to the app.
    in_app_exclude: Collection[str] = ()
    #: Sends the name and the e-mail address of the user too.
    send_user_details: bool = False
    #: Sends the values of local variables of the app's frames, scrubbed.
    include_local_variables: bool = False
    #: Reports log records with ``exc_info`` and a level of ERROR or more.
    capture_logging: bool = True
    #: The maximum number of reports that wait for the sender. Further reports are dropped.
    max_queue: int = 100
    #: The maximum number of seconds for which the process waits for reports when it ends.
    shutdown_timeout: float = 2.0
    #: Receives the reports in place of the server, for tests.
    transport: Optional[Transport] = None
    #: Writes a log line for each report.
    debug: bool = False


_LIST = (list, tuple, set, frozenset)
#: The accepted classes of each option, and how the warning describes them.
_TYPES: Dict[str, Tuple[Tuple[type, ...], str]] = {
    "api_key": ((str,), "a text"),
    "endpoint": ((str,), "a text"),
    "environment": ((str,), "a text"),
    "release": ((str,), "a text"),
    "sample_rate": ((int, float), "a number from 0 to 1"),
    "ignore_errors": (_LIST, "a list"),
    "max_breadcrumbs": ((int,), "a whole number from 0 to 100"),
    "breadcrumbs": ((dict,), "a dict"),
    "in_app_include": (_LIST, "a list"),
    "in_app_exclude": (_LIST, "a list"),
    "send_user_details": ((bool,), "True or False"),
    "include_local_variables": ((bool,), "True or False"),
    "capture_logging": ((bool,), "True or False"),
    "max_queue": ((int,), "a whole number from 1 to 10000"),
    "shutdown_timeout": ((int, float), "a number of seconds from 0 to 3600"),
    "debug": ((bool,), "True or False"),
}
_RANGES = {
    "sample_rate": (0, 1),
    "max_breadcrumbs": (0, 100),
    "max_queue": (1, 10_000),
    "shutdown_timeout": (0, 3_600),
}
_BREADCRUMBS = ("http", "subprocess", "sqlite3", "logging")
_CALLABLES = ("before_send", "before_breadcrumb", "transport")
_FROM_ENVIRONMENT = ("api_key", "endpoint", "environment", "release")


def read_options(given: Mapping[str, Any]) -> Options:
    """Reads options and ``SERVICE_*`` variables. Names each unknown or wrong option in a warning, and ignores it.

    An option that is None counts as not given.
    """
    accepted: Dict[str, Any] = {}
    for name in _FROM_ENVIRONMENT:
        value = os.environ.get(f"SERVICE_{name.upper()}")
        if value:
            accepted[name] = value
    names = [option.name for option in fields(Options)]
    for name, value in given.items():
        if name not in names:
            _warn_of_unknown(name, names)
        elif value is not None and _is_valid(name, value):
            accepted[name] = value
    return Options(**accepted)


def _takes_one_argument(function: Any) -> bool:
    try:
        signature = inspect.signature(function)
    except Exception:
        # Functions written in C may have no signature.
        return True
    try:
        signature.bind(None)
        return True
    except TypeError:
        return False


def _warn_of_unknown(name: str, names: List[str]) -> None:
    nearest = difflib.get_close_matches(name[:100], names, 1)
    hint = f" Did you mean {nearest[0]}?" if nearest else ""
    warn(4, f"There is no option {name[:100]}, so it is ignored.{hint}")


def _is_valid(name: str, value: Any) -> bool:
    if name in _CALLABLES:
        is_valid, expected = callable(value), "callable"
        if is_valid and not _takes_one_argument(value):
            # The option is kept, because before_send may remove secrets: each call raises, which drops the report.
            warn(4, f"The option {name} must take one argument, or each call fails.")
    else:
        classes, expected = _TYPES[name]
        # True and False are integers too.
        is_valid = isinstance(value, classes) and (isinstance(value, bool) == (bool in classes))
    if is_valid and name in _RANGES:
        smallest, largest = _RANGES[name]
        is_valid = math.isfinite(value) and smallest <= value <= largest
    if not is_valid:
        warn(4, f"The option {name} must be {expected}, so it is ignored.")
    elif name == "breadcrumbs":
        _warn_of_unknown_breadcrumbs(value)
    return is_valid


def _warn_of_unknown_breadcrumbs(switches: Mapping[Any, Any]) -> None:
    for kind in switches:
        if kind not in _BREADCRUMBS:
            kinds = ", ".join(_BREADCRUMBS)
            warn(4, f"There are no breadcrumbs of the kind {safe_text(kind)[:100]}. The kinds are {kinds}.")
