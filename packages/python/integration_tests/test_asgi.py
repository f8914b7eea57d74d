import unittest
from typing import Any, List

from integration_tests.programs import ProgramTest, get, python, require
from integration_tests.websocket import open_websocket


class UvicornTest(ProgramTest):
    @classmethod
    def setUpClass(cls) -> None:
        require("uvicorn")

    def serve(self, *paths: str, **environment: str) -> Any:
        def use(url: str) -> List[Any]:
            return [get(url, path) for path in paths]

        uvicorn = ["-m", "uvicorn", "--port", "0", "integration_tests.apps.asgi_app:app"]
        return self.compare_server(python(*uvicorn), use, **environment)

    def test_reports_each_exception_once(self) -> None:
        answers, reports = self.serve("/", "/fail?password=hunter22", "/stream", "/task")
        self.assertEqual([answer.status for answer in answers], [200, 500, 200, 200])
        # The garbage collection that finds a task may run in any context.
        (of_task,) = [report for report in reports if report["message"] == "of a task"]
        reports.remove(of_task)
        self.assert_reported(reports, ("'no order'", "GET", None), ("in the middle", "GET", None))
        (report,) = [report for report in reports if report["message"] == "'no order'"]
        self.assertRegex(report["url"], r"^http://127\.0\.0\.1:\d+/fail\?password=\[scrubbed\]$")
        self.assertEqual(report["user_agent"], "test/1")
        messages = [breadcrumb["data"].get("message") for breadcrumb in report["breadcrumbs"]]
        self.assertEqual([message for message in messages if "serves" in message], ["serves /fail"])

    def test_a_cancelled_request_is_no_error(self) -> None:
        _, reports = self.serve("/cancelled", "/")
        self.assertEqual(reports, [])

    def test_an_app_without_lifespan_is_no_error(self) -> None:
        answers, reports = self.serve("/", ASGI_START="unsupported")
        self.assertEqual([answer.status for answer in answers], [200])
        self.assertEqual(reports, [])

    def test_reports_an_app_that_fails_to_start(self) -> None:
        command = python("-m", "uvicorn", "--port", "0", "--lifespan", "on", "integration_tests.apps.asgi_app:app")
        ended, reports = self.compare(command, ASGI_START="fail")
        self.assertNotEqual(ended.status, 0)
        self.assertEqual([report["message"] for report in reports], ["no database"])

    def test_reports_a_websocket_that_fails(self) -> None:
        require("wsproto")

        def use(url: str) -> str:
            return open_websocket(url, "/fail")

        uvicorn = ["-m", "uvicorn", "--port", "0", "--ws", "wsproto", "integration_tests.apps.asgi_app:app"]
        _, reports = self.compare_server(python(*uvicorn), use)
        self.assert_reported(reports, ("'no order'", "WEBSOCKET", None))


if __name__ == "__main__":
    unittest.main()
