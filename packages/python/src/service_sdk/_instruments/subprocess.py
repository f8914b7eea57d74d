"""Programs that ``subprocess`` starts become breadcrumbs."""

import os
import subprocess
from typing import Any, Optional

from .._attempt import attempt
from .._client import Client
from .._patch_function import Teardown, patch_function


def install_subprocess(client: Client) -> Teardown:
    """Records each program that is started, also if the start fails. Leaves out its arguments, which may be secrets."""

    def create(original: Any) -> Any:
        def __init__(self: Any, args: Any, *others: Any, **options: Any) -> None:
            error: Optional[str] = None
            try:
                original(self, args, *others, **options)
            except Exception as raised:
                error = type(raised).__name__
                raise
            finally:
                _record(client, args, error)

        return __init__

    return patch_function(subprocess.Popen, "__init__", create)


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
