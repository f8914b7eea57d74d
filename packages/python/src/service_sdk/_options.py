"""The options of ``init()``."""

import difflib
import os
from dataclasses import dataclass, field, fields
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._warn import warn

Report = Dict[str, Any]
Breadcrumb = Dict[str, Any]
Pattern = Union[str, "Any", type]
BeforeSend = Callable[[Report], Optional[Report]]
BeforeBreadcrumb = Callable[[Breadcrumb], Optional[Breadcrumb]]


@dataclass(frozen=True)
class Response:
    """The server's response to a report. ``status`` is 0 without a response."""

    status: int
    retry_after: Optional[float] = None


Transport = Callable[[Report], Response]


@dataclass(frozen=True)
class Options:
    """The options of ``init()``, with their defaults."""

    api_key: str = ""
    endpoint: str = ""
    environment: Optional[str] = None
    release: Optional[str] = None
    before_send: Optional[BeforeSend] = None
    before_breadcrumb: Optional[BeforeBreadcrumb] = None
    sample_rate: float = 1.0
    #: Classes, texts that occur in ``Type: message``, and compiled patterns.
    ignore_errors: Sequence[Pattern] = ()
    max_breadcrumbs: int = 64
    #: Switches kinds of breadcrumbs off: ``http``, ``subprocess``, ``sqlite3``, ``logging``.
    breadcrumbs: Mapping[str, bool] = field(default_factory=dict)
    #: Modules that belong to the app although they are installed like dependencies.
    in_app_include: Sequence[str] = ()
    #: Modules that do not belong to the app.
    in_app_exclude: Sequence[str] = ()
    #: Sends the name and the e-mail address of the user too.
    send_user_details: bool = False
    #: Sends the values of local variables of the app's frames, scrubbed.
    include_local_variables: bool = False
    #: Reports log records with ``exc_info`` and a level of ERROR or more.
    capture_logging: bool = True
    #: The number of reports that may wait for the sender. More are dropped.
    max_queue: int = 100
    #: The seconds that the end of the process waits for reports.
    shutdown_timeout: float = 2.0
    transport: Optional[Transport] = None
    debug: bool = False


_TYPES: Dict[str, Tuple[type, ...]] = {
    "api_key": (str,),
    "endpoint": (str,),
    "environment": (str,),
    "release": (str,),
    "sample_rate": (int, float),
    "ignore_errors": (list, tuple, set, frozenset),
    "max_breadcrumbs": (int,),
    "breadcrumbs": (dict,),
    "in_app_include": (list, tuple, set, frozenset),
    "in_app_exclude": (list, tuple, set, frozenset),
    "send_user_details": (bool,),
    "include_local_variables": (bool,),
    "capture_logging": (bool,),
    "max_queue": (int,),
    "shutdown_timeout": (int, float),
    "debug": (bool,),
}
_CALLABLES = ("before_send", "before_breadcrumb", "transport")
_FROM_ENVIRONMENT = ("api_key", "endpoint", "environment", "release")


def read_options(given: Mapping[str, Any]) -> Options:
    """Reads options and ``SERVICE_*`` variables. Names each unknown or wrong option in a warning, and ignores it."""
    names: List[str] = [option.name for option in fields(Options)]
    accepted: Dict[str, Any] = {}
    for name in _FROM_ENVIRONMENT:
        value = os.environ.get(f"SERVICE_{name.upper()}")
        if value:
            accepted[name] = value
    for name, value in given.items():
        if name not in names:
            nearest = difflib.get_close_matches(name, names, 1)
            hint = f" Did you mean {nearest[0]}?" if nearest else ""
            warn(4, f"There is no option {name}, so it is ignored.{hint}")
        elif value is None:
            continue
        elif callable(value) if name in _CALLABLES else isinstance(value, _TYPES[name]):
            accepted[name] = value
        else:
            kind = "callable" if name in _CALLABLES else _TYPES[name][-1].__name__
            warn(4, f"The option {name} must be a {kind}, so it is ignored.")
    return Options(**accepted)
