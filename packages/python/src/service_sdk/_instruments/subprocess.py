"""Programs that ``subprocess`` starts become breadcrumbs."""

import functools
import os
import subprocess
from typing import Any, Callable, Optional

from .._attempt import attempt
from .._client import Client


def install_subprocess(client: Client) -> Callable[[], None]:
    """Records each program that is started, also if the start fails. Leaves out its arguments, which may be secrets."""
    popen: Any = subprocess.Popen
    original = popen.__init__

    @functools.wraps(original)
    def __init__(self: Any, args: Any, *others: Any, **options: Any) -> None:
        error: Optional[str] = None
        try:
            original(self, args, *others, **options)
        except Exception as raised:
            error = type(raised).__name__
            raise
        finally:
            _record(client, args, error)

    popen.__init__ = __init__

    def restore() -> None:
        if popen.__init__ is __init__:
            popen.__init__ = original

    return restore


def _record(client: Client, args: Any, error: Optional[str]) -> None:
    # Reading the arguments may fail, because they may be any objects. That must not break the call.
    data = {"command": attempt(lambda: _command_of(args), "")}
    client.add_breadcrumb("subprocess", "subprocess", data if error is None else {**data, "error": error})


def _command_of(args: Any) -> str:
    """Returns the name of the program, such as ``git``."""
    if isinstance(args, (str, bytes)):
        # A shell sets variables first, as in `TOKEN=… backup`.
        path = next((word for word in os.fsdecode(args)[:1_000].split() if "=" not in word), "")
    elif hasattr(args, "__fspath__"):
        path = os.fsdecode(args)
    else:
        path = os.fsdecode(args[0])
    return os.path.basename(path)[:200]
