import os
import re
import subprocess
import tempfile
import unittest
from typing import List

from integration_tests.programs import LISTENING, PACKAGE, HttpResult, get, python, require, serve, wait_until
from integration_tests.server import create_project

_DOCS = os.path.join(PACKAGE, "..", "..", "docs", "python")
#: The pages whose examples are scripts, with the messages that they report.
_SCRIPTS = {
    "README.md": ["The payment is late", "no money"],
    "start.md": ["The payment is late", "no money"],
    "breadcrumbs.md": ["The cart is full"],
    "logging.md": ["The stock of tea is negative", "no money"],
    "privacy.md": ["The cart of customer … is empty"],
    "sending.md": [],
}
#: The pages whose examples are web apps. Each has the number of an example, a server and the route of a request.
_APPS = [
    ("flask.md", 0, "gunicorn", "/orders/<int:number>"),
    ("fastapi.md", 0, "uvicorn", "/orders/{number}"),
    ("wsgi-and-asgi.md", 0, "gunicorn", "/orders/{number}"),
    ("wsgi-and-asgi.md", 1, "uvicorn", "/orders/{number}"),
]
_DJANGO_SETTINGS = """
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "app"
SECRET_KEY = "test"
"""
_DJANGO_APP = """
from django.core.wsgi import get_wsgi_application
from django.urls import path

def order(request, number):
    raise LookupError("This order does not exist")

urlpatterns = [path("orders/<int:number>", order)]
app = get_wsgi_application()
"""


class DocsTest(unittest.TestCase):
    """Runs the examples of the documentation."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.project = create_project()

    def examples(self, page: str) -> List[str]:
        folder = PACKAGE if page == "README.md" else _DOCS
        with open(os.path.join(folder, page), encoding="utf-8") as file:
            text = file.read().replace("pk_…", self.project.api_key)
        text = text.replace("https://errors.example.com", self.project.endpoint)
        return re.findall(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def messages(self) -> List[str]:
        return sorted(report["message"] for report in self.project.reports())

    def serve(self, server: str, path: str, **environment: str) -> None:
        """Serves ``app.py`` and requests a path, which must fail."""
        command = {
            "gunicorn": ["-m", "gunicorn", "--bind", "127.0.0.1:0", "--chdir", self.folder, "app:app"],
            "uvicorn": ["-m", "uvicorn", "--port", "0", "--app-dir", self.folder, "app:app"],
        }[server]

        def use(url: str) -> HttpResult:
            answer = get(url, path)
            # A busy machine may take longer than the end of the server waits.
            wait_until(lambda: self.project.count() > 0)
            return answer

        answer, _ = serve(python(*command), None, use, LISTENING, environment)
        self.assertEqual(answer.status, 500)

    def test_the_scripts_report_what_they_promise(self) -> None:
        require("gevent.core")
        for page, messages in _SCRIPTS.items():
            with self.subTest(page=page):
                self.project = create_project()
                examples = self.examples(page)
                self.assertGreater(len(examples), 0)
                # gevent must patch the modules before they are used.
                programs = [text for text in examples if "monkey" in text]
                programs.append("".join(text for text in examples if "monkey" not in text))
                for text in programs:
                    subprocess.run(
                        python(self.write("program.py", text)),
                        env={**os.environ, "PYTHONPATH": os.path.join(PACKAGE, "src")},
                        stderr=subprocess.DEVNULL,
                        check=True,
                    )
                self.assertEqual(self.messages(), messages)

    def test_the_web_apps_report_an_exception_with_its_route(self) -> None:
        for page, number, server, route in _APPS:
            with self.subTest(page=page, number=number):
                require(server, *(["flask"] if page == "flask.md" else ["fastapi"] if page == "fastapi.md" else []))
                self.project = create_project()
                self.write("app.py", self.examples(page)[number])
                self.serve(server, "/orders/7")
                (report,) = self.project.reports()
                self.assertEqual((report["message"], report["tags"]["route"]), ("This order does not exist", route))

    def test_the_settings_of_django_report_an_exception(self) -> None:
        require("django", "gunicorn")
        self.write("app.py", _DJANGO_APP)
        for number_of_examples in (1, 2):
            with self.subTest(number_of_examples=number_of_examples):
                self.project = create_project()
                examples = self.examples("django.md")[:number_of_examples]
                self.write("settings.py", "".join(examples) + _DJANGO_SETTINGS)
                self.serve("gunicorn", "/orders/7", DJANGO_SETTINGS_MODULE="settings")
                self.assertEqual(self.messages(), ["This order does not exist"])

    def test_the_task_of_celery_is_reported(self) -> None:
        require("celery")
        (example,) = self.examples("celery.md")
        self.write("tasks.py", example + "\ncharge.apply(args=['4111'])\n")
        subprocess.run(
            python("-c", "import tasks"),
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": os.path.join(PACKAGE, "src")},
            stderr=subprocess.DEVNULL,
            check=True,
        )
        self.assertEqual(self.messages(), ["no money"])

    def test_every_page_with_an_example_is_run(self) -> None:
        pages = {name for name in os.listdir(_DOCS) if name != "README.md" and self.examples(name)}
        run = {*_SCRIPTS, *(page for page, *_ in _APPS), "django.md", "celery.md"}
        self.assertEqual(pages, run - {"README.md"})


if __name__ == "__main__":
    unittest.main()
