"""Runs a program twice, without the SDK and with it, and compares what can be seen from outside."""

import http.client
import importlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple
from urllib.parse import urlsplit

from integration_tests.server import Project, create_project

#: The folder of the package.
PACKAGE = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
_DEADLINE_SECONDS = 60
#: Matches the log of gunicorn and uvicorn once they listen. The group is the URL.
LISTENING = r"(?:Listening at:|running on) (http://[\w.:]+)"


class ProgramResult(NamedTuple):
    """How a program ended. ``tracebacks`` are those on stderr, without the frames of the SDK."""

    status: int
    stdout: str
    tracebacks: List[str]


class HttpResult(NamedTuple):
    """A response. ``body`` ends early if the server closed the connection in the middle of it."""

    status: int
    body: bytes


def require(*modules: str) -> None:
    """Skips a test if a package is missing, or does not run on this interpreter."""
    for module in modules:
        try:
            importlib.import_module(module)
        except Exception as error:
            raise unittest.SkipTest(f"{module} cannot be imported on this interpreter: {error!r}")


def python(*args: str) -> List[str]:
    return [sys.executable, *args]


class EndlessProgramError(AssertionError):
    """A program is still running after a signal to end."""


class ProgramTest(unittest.TestCase):
    """A program uses the SDK if ``SERVICE_API_KEY`` is set."""

    maxDiff = None

    def compare(self, command: Sequence[str], **environment: str) -> Tuple[ProgramResult, List[Dict[str, Any]]]:
        """Runs a program that ends by itself. Returns how it ended and what was reported."""
        plain = _finish(_start(command, None, environment))
        project = create_project()
        watched = _finish(_start(command, project, environment))
        self.assertEqual(watched, plain)
        return watched, project.reports()

    def compare_server(
        self, command: Sequence[str], use: Callable[[str], Any], ready: str = LISTENING, **environment: str
    ) -> Tuple[Any, List[Dict[str, Any]]]:
        """Runs a server. When its log matches ``ready``, calls ``use(…)`` with the first group, such as the URL.

        Returns the result of ``use()`` and what was reported.
        """
        try:
            plain = serve(command, None, use, ready, environment)
        except EndlessProgramError:
            # Celery sometimes hangs while it stops, also without the SDK: its pool waits for a lock that a child holds.
            plain = serve(command, None, use, ready, environment)
        project = create_project()
        watched = serve(command, project, use, ready, environment)
        self.assertEqual(watched, plain)
        return watched[0], project.reports()

    def assert_reported(self, reports: List[Dict[str, Any]], *expected: Tuple[Any, ...]) -> None:
        """Asserts that each error was reported exactly once: its message, the method and the route of its request."""
        found = [(report["message"], *map(report["tags"].get, ("method", "route"))) for report in reports]
        self.assertEqual(sorted(found, key=repr), sorted(expected, key=repr))


def get(url: str, path: str, method: str = "GET", **headers: str) -> HttpResult:
    """Sends a request on a new connection."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_DEADLINE_SECONDS)
    try:
        connection.request(method, path, headers={"User-Agent": "test/1", **headers})
        response = connection.getresponse()
        try:
            return HttpResult(response.status, response.read())
        except http.client.IncompleteRead as error:
            return HttpResult(response.status, error.partial)
    except (http.client.HTTPException, ConnectionError):
        return HttpResult(0, b"")
    finally:
        connection.close()


def serve(
    command: Sequence[str],
    project: Optional[Project],
    use: Callable[[str], Any],
    ready: str,
    environment: Dict[str, str],
) -> Tuple[Any, ProgramResult]:
    """Runs a server while ``use(…)`` sends requests. Returns its result, and how the server ended."""
    process = _start(command, project, environment)
    with _killing(process):
        result = use(_wait_for(process, ready))
        process.send_signal(signal.SIGTERM)
        ended = _finish(process)
        return result, ended


def _start(command: Sequence[str], project: Optional[Project], environment: Dict[str, str]) -> "subprocess.Popen[str]":
    settings = {name: value for name, value in os.environ.items() if not name.startswith("SERVICE_")}
    settings.update(environment, PYTHONPATH=os.pathsep.join([os.path.join(PACKAGE, "src"), PACKAGE]))
    settings.update(PYTHONDONTWRITEBYTECODE="1", PYTHONUNBUFFERED="1", PYTHONFAULTHANDLER="1")
    if project is not None:
        settings.update(SERVICE_API_KEY=project.api_key, SERVICE_ENDPOINT=project.endpoint)
    # A file cannot fill up like a pipe, and shows the output while the program runs.
    stderr = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
    process = subprocess.Popen(
        command, env=settings, stdout=subprocess.PIPE, stderr=stderr, text=True, cwd=PACKAGE, start_new_session=True
    )
    setattr(process, "log", stderr)
    return process


def _finish(process: Any) -> ProgramResult:
    try:
        stdout, _ = process.communicate(timeout=_DEADLINE_SECONDS)
    except subprocess.TimeoutExpired as error:
        # Each process then writes what its threads are doing.
        os.killpg(process.pid, signal.SIGABRT)
        process.wait()
        raise EndlessProgramError(f"The program does not end:\n{_log_of(process)}") from error
    finally:
        # Also ends the workers of a server that did not stop by itself.
        _kill_group(process.pid)
    with process.log:
        # Ports of clients, and addresses of objects.
        stdout = re.sub(r"(127\.0\.0\.1:)\d+|0x[0-9a-f]+", r"\1", stdout)
        return ProgramResult(process.returncode, stdout, _tracebacks_of(_log_of(process)))


@contextmanager
def _killing(process: Any) -> Iterator[None]:
    try:
        yield
    finally:
        _kill_group(process.pid)
        process.wait()


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _wait_for(process: Any, pattern: str) -> str:
    deadline = time.monotonic() + _DEADLINE_SECONDS
    while time.monotonic() < deadline:
        found = re.search(pattern, _log_of(process))
        if found:
            return found[1]
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise AssertionError(f"The program does not start:\n{_log_of(process)}")


def wait_until(is_true: Callable[[], bool]) -> None:
    """Waits until a condition holds. Raises after a minute."""
    deadline = time.monotonic() + _DEADLINE_SECONDS
    while not is_true():
        if time.monotonic() > deadline:
            raise AssertionError("What the test waits for does not happen.")
        time.sleep(0.05)


def _log_of(process: Any) -> str:
    process.log.seek(0)
    text: str = process.log.read()
    return text


def _tracebacks_of(log: str) -> List[str]:
    """Returns the tracebacks in a log, sorted, because the workers of a server write in any order."""
    lines = re.sub(r'^ +File ".*/service_sdk/.*\n(?: {4}.*\n)*', "", log, flags=re.MULTILINE)
    return sorted(re.findall(r"^Traceback .*\n(?:(?: +.*)?\n)*\w.*", lines, flags=re.MULTILINE))


__all__ = [
    "LISTENING",
    "PACKAGE",
    "HttpResult",
    "ProgramResult",
    "ProgramTest",
    "get",
    "python",
    "require",
    "serve",
    "wait_until",
]
