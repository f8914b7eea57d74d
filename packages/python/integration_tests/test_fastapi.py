import unittest
from typing import Any, List

from integration_tests.programs import ProgramTest, get, python, require
from integration_tests.websocket import open_websocket


class FastApiTest(ProgramTest):
    @classmethod
    def setUpClass(cls) -> None:
        require("fastapi", "uvicorn")

    def serve(self, use: Any, *flags: str) -> Any:
        uvicorn = ["-m", "uvicorn", "--port", "0", *flags, "integration_tests.apps.fastapi_app:app"]
        return self.compare_server(python(*uvicorn), use)

    def test_reports_each_exception_once_with_its_route(self) -> None:
        def use(url: str) -> List[Any]:
            failing = ["/sync/7", "/stream", "/background", "/shops/1/items/2?sid=3", "/outer"]
            return [get(url, "/orders/7", "PUT"), *(get(url, path) for path in failing)]

        answers, reports = self.serve(use)
        self.assertEqual([answer.status for answer in answers], [500, 500, 200, 200, 500, 500])
        self.assert_reported(
            reports,
            ("no order", "PUT", "/orders/{number}"),
            ("in a thread", "GET", "/sync/{number}"),
            ("in the middle", "GET", "/stream"),
            ("after the response", "GET", "/background"),
            ("in a mounted app", "GET", "/shops/{shop}/items/{item}"),
            ("in a middleware", "GET", None),
        )
        (report,) = [report for report in reports if report["message"] == "in a mounted app"]
        self.assertRegex(report["url"], r"^http://127\.0\.0\.1:\d+/shops/1/items/2\?sid=\[scrubbed\]$")

    def test_reports_no_exception_that_the_app_handles(self) -> None:
        def use(url: str) -> List[Any]:
            return [get(url, path) for path in ("/missing", "/nowhere", "/handled", "/orders/7")]

        answers, reports = self.serve(use)
        self.assertEqual([answer.status for answer in answers], [404, 404, 409, 405])
        self.assertEqual(reports, [])

    def test_reports_a_websocket_that_fails_but_not_one_that_its_client_closes(self) -> None:
        require("wsproto")

        def use(url: str) -> List[Any]:
            return [open_websocket(url, f"/shops/1/echo/{name}") for name in ("fail", "close")]

        answers, reports = self.serve(use, "--ws", "wsproto")
        self.assertEqual(answers, ["HTTP/1.1 101 "] * 2)
        self.assert_reported(reports, ("in a websocket", "WEBSOCKET", "/shops/{shop}/echo/{name}"))


if __name__ == "__main__":
    unittest.main()
