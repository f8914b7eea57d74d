import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from typing import Any, Dict, List

from integration_tests.programs import PACKAGE, require
from integration_tests.server import create_project

_PROGRAM = "import service_sdk; service_sdk.init(shutdown_timeout=30); print(service_sdk.__file__); 1 / 0"
_TYPED = (
    "import service_sdk\n"
    "from service_sdk.integrations import asgi, celery, django, fastapi, flask, logging, starlette, wsgi\n"
    "service_sdk.init('pk_test', 'http://127.0.0.1:9')\n"
    "event_id = service_sdk.capture_message('typed')\n"
    "length: int = len(event_id or '')\n"
    "app = wsgi.ServiceMiddleware(lambda environ, start_response: [b''])\n"
)


class PackageTest(unittest.TestCase):
    """Builds the package, as it would be published, and installs it."""

    folder: str

    @classmethod
    def setUpClass(cls) -> None:
        require("build", "setuptools", "wheel")
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = temporary.name
        # A build writes into the folder of the package.
        source = os.path.join(cls.folder, "source")
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__", "*_tests", "tests", "build"))
        # Builds the sdist first, and the wheel from the sdist.
        _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", cls.folder, source)

    def check(self, python: str, environment: Dict[str, str]) -> None:
        """Runs a program that fails, outside of the folder of the package."""
        project = create_project()
        settings = {"SERVICE_API_KEY": project.api_key, "SERVICE_ENDPOINT": project.endpoint, **environment}
        ended = subprocess.run(
            [python, "-c", _PROGRAM], env=settings, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.assertEqual(ended.returncode, 1)
        self.assertTrue(ended.stdout.decode().startswith(self.folder), ended.stdout)
        self.assertEqual([report["message"] for report in project.reports()], ["division by zero"])

    def install(self, python: str, pattern: str, *flags: str) -> None:
        (file,) = glob.glob(os.path.join(self.folder, pattern))
        _run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", *flags, file)

    def test_the_wheel_runs_in_an_empty_environment(self) -> None:
        environment = os.path.join(self.folder, "environment")
        _run(sys.executable, "-m", "venv", environment)
        python = os.path.join(environment, "bin", "python")
        self.install(python, "*.whl")
        self.check(python, {})
        self.assertTrue(glob.glob(f"{environment}/lib/*/site-packages/service_sdk/py.typed"))
        self.assertTrue(glob.glob(f"{environment}/lib/*/site-packages/service_sdk/integrations/wsgi.py"))
        self.assertTrue(glob.glob(f"{environment}/lib/*/site-packages/service_sdk/_instruments/logging.py"))

    def test_the_sdist_can_be_installed(self) -> None:
        target = os.path.join(self.folder, "target")
        self.install(sys.executable, "*.tar.gz", "--no-build-isolation", "--target", target)
        self.check(sys.executable, {"PYTHONPATH": target})
        self.assertTrue(os.path.exists(os.path.join(target, "service_sdk", "py.typed")))

    def test_mypy_finds_no_error_in_the_package_and_knows_its_types(self) -> None:
        require("mypy")
        target = os.path.join(self.folder, "typed")
        self.install(sys.executable, "*.whl", "--target", target)
        with open(os.path.join(self.folder, "program.py"), "w", encoding="utf-8") as file:
            file.write(_TYPED + "wrong: int = service_sdk.capture_message('typed')\nservice_sdk.init(sampel_rate=1)\n")
        mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.path.join(self.folder, "cache")]
        _run(*mypy, os.path.join(PACKAGE, "src"), cwd=PACKAGE)
        found = subprocess.run(
            [*mypy, "program.py"], cwd=self.folder, env={**os.environ, "MYPYPATH": target}, stdout=subprocess.PIPE, text=True
        )
        errors = re.findall(r"^.*error:.*$", found.stdout, flags=re.MULTILINE)
        self.assertEqual(len(errors), 2, found.stdout)
        self.assertIn('program.py:7: error: Incompatible types in assignment (expression has type "Optional[str]"', errors[0])
        self.assertIn('program.py:8: error: Argument "sampel_rate" to "init"', errors[1])


def _run(*command: str, **options: Any) -> None:
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if ended.returncode != 0:
        lines: List[str] = ended.stdout.splitlines()
        raise AssertionError("\n".join([" ".join(command), *lines[-20:]]))


if __name__ == "__main__":
    unittest.main()
