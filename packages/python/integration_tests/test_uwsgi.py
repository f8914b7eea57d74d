import os
import re
import shutil
import socket
import subprocess
import tempfile
import unittest
from typing import Any, List

from integration_tests.programs import ProgramTest, get, serve, wait_until
from integration_tests.server import create_project

#: uWSGI embeds the Python of the system.
_UWSGI = shutil.which("uwsgi")
_LISTENING = r"bound to TCP address (127\.0\.0\.1:\d+)"
_ERRORS = ["'no order'", "in close", "in the middle"]


def _has_uwsgi() -> bool:
    return _UWSGI is not None and subprocess.run([_UWSGI, "--plugin", "python3", "--version"], capture_output=True).returncode == 0


def _are_idle(statistics: str) -> bool:
    """Returns whether no worker handles a request, by the stats server of uWSGI on a Unix socket."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(statistics)
        except (FileNotFoundError, ConnectionRefusedError):
            # The stats server starts after the workers.
            return False
        with connection.makefile("rb") as document:
            # It is almost JSON: texts of a request that has ended are not always UTF-8.
            return set(re.findall(rb'"status":\s*"(\w+)"', document.read())) == {b"idle"}


@unittest.skipUnless(_has_uwsgi(), "uWSGI or its plugin for Python is not installed")
class UwsgiTest(ProgramTest):
    """uWSGI forks its workers without the hooks of Python, and runs threads only with ``enable-threads``."""

    def serve(self, *flags: str, first_reports: int, **environment: str) -> List[str]:
        """Returns the messages of all reports. At least ``first_reports`` must arrive while the server runs."""
        project = create_project()

        with tempfile.TemporaryDirectory() as folder:
            statistics = os.path.join(folder, "statistics.sock")

            def use(address: str) -> None:
                for path in ("/", "/orders/7", "/stream", "/close"):
                    get(f"http://{address}", path)
                wait_until(lambda: project.count() >= first_reports)
                # uWSGI ends a busy worker without `atexit`, and a worker is busy until shortly after its response.
                wait_until(lambda: _are_idle(statistics))

            command = [str(_UWSGI), "--plugin", "python3", "--http-socket", "127.0.0.1:0", "--stats", statistics]
            command += ["--master", "--die-on-term", "--processes", "2"]
            command += ["--wsgi-file", "integration_tests/apps/wsgi_app.py", "--callable", "app", *flags]
            serve(command, project, use, _LISTENING, environment)
        return sorted(report["message"] for report in project.reports())

    def test_workers_with_threads_report_while_they_run(self) -> None:
        self.assertEqual(self.serve("--enable-threads", first_reports=3), _ERRORS)

    def test_workers_report_although_the_process_that_forked_them_has_reported_before(self) -> None:
        messages: Any = self.serve("--enable-threads", first_reports=4, REPORT_AT_START="1")
        self.assertEqual(messages, sorted([*_ERRORS, "starts"]))

    def test_workers_without_threads_report_when_they_end(self) -> None:
        self.assertEqual(self.serve(first_reports=0), _ERRORS)


if __name__ == "__main__":
    unittest.main()
