"""The server of this repository as a process. Each test reports to a new project."""

import atexit
import json
import os
import re
import subprocess
import tempfile
import urllib.request
from functools import lru_cache
from typing import Any, Dict, List, NamedTuple, Optional
from unittest import SkipTest

_TOKEN = "test-admin-token-0123456789"
_FOLDER = os.path.join(os.path.dirname(__file__), "..", "..", "server")


class Project(NamedTuple):
    """A project of the server."""

    id: int
    api_key: str
    endpoint: str

    def reports(self) -> List[Dict[str, Any]]:
        """Returns every report, the oldest first."""
        groups = _call(self.endpoint, f"errors?project_id={self.id}&size=100")["items"]
        reports: List[Dict[str, Any]] = []
        for group in groups:
            path = f"errors/{group['error_group_id']}/reports"
            listed = _call(self.endpoint, path)["items"]
            # Otherwise a report would be missing in the list, and a test could not see that it arrived twice.
            assert len(listed) == group["count"], group
            reports += [_call(self.endpoint, f"{path}/{report['id']}") for report in listed]
        return sorted(reports, key=lambda report: int(report["id"]))

    def count(self) -> int:
        """Returns the number of accepted reports."""
        total, page = 0, 1
        while True:
            groups = _call(self.endpoint, f"errors?project_id={self.id}&size=100&page={page}")["items"]
            total += sum(group["count"] for group in groups)
            if not groups:
                return total
            page += 1


class KillableServer:
    """A separate server with its data in a folder. Raises ``SkipTest`` if the server is not built."""

    def __init__(self, storage: Optional[str] = None) -> None:
        if not os.path.exists(os.path.join(_FOLDER, "dist", "cli.js")):
            raise SkipTest("The server is not built: run `npm run setup` in the root of the repository.")
        self._storage = storage or f"file:{tempfile.mkdtemp()}"
        self._port = "0"
        self.start()

    def start(self) -> None:
        """Starts the process, on the port that it had before, and waits until it listens."""
        settings = {"SERVICE_ADMIN_TOKEN": _TOKEN, "SERVICE_ADMIN_PASSWORD": "correct horse battery"}
        script = os.path.join(_FOLDER, "bin", "service-server.js")
        self._process = subprocess.Popen(
            ["node", script, "--port", self._port, "--storage", self._storage],
            env={**os.environ, **settings},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.endpoint = _wait_until_listening(self._process)
        self._port = self.endpoint.rsplit(":", 1)[1]

    def kill(self) -> None:
        """Ends the process without a chance to clean up."""
        self._process.kill()
        self._process.communicate()

    def create_project(self) -> Project:
        """Creates a project."""
        project = _call(self.endpoint, "projects", {"name": "Python"})
        return Project(project["id"], project["api_key"], self.endpoint)


def create_project() -> Project:
    """Creates a project. Starts the server first, if there is none. Skips the test if the server is not built."""
    return _shared_server().create_project()


@lru_cache(maxsize=1)
def _shared_server() -> KillableServer:
    server = KillableServer("memory:")
    atexit.register(server.kill)
    return server


def _wait_until_listening(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(r"Listening: (\S+)", line)
        if found:
            return found[1]
    raise AssertionError("The server stopped before it listened.")


def _call(endpoint: str, path: str, body: Any = None) -> Any:
    request = urllib.request.Request(
        f"{endpoint}/api/v1/{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {_TOKEN}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)
