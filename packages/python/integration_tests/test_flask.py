import unittest
from typing import Any, List

from integration_tests.programs import ProgramTest, get, python, require


class FlaskTest(ProgramTest):
    @classmethod
    def setUpClass(cls) -> None:
        require("flask", "gunicorn")

    def serve(self, use: Any) -> Any:
        gunicorn = ["-m", "gunicorn", "--bind", "127.0.0.1:0", "integration_tests.apps.flask_app:app"]
        return self.compare_server(python(*gunicorn), use)

    def test_reports_each_exception_that_flask_turns_into_a_response_once(self) -> None:
        def use(url: str) -> List[Any]:
            failing = ["/fail/a/b?api_key=1", "/before", "/teardown", "/stream/x", "/logged"]
            return [get(url, "/orders/7", "POST"), *(get(url, path) for path in failing)]

        answers, reports = self.serve(use)
        self.assertEqual([answer.status for answer in answers], [500, 500, 500, 500, 200, 200])
        self.assert_reported(
            reports,
            ("no order", "POST", "/orders/<int:number>"),
            ("in a view", "GET", "/fail/<path:path>"),
            ("before the view", "GET", None),
            ("after the view", "GET", "/teardown"),
            ("in the middle", "GET", "/stream/<name>"),
            ("logged", "GET", "/logged"),
        )
        mechanisms = {report["message"]: report["metadata"].get("mechanism") for report in reports}
        self.assertEqual((mechanisms["in a view"], mechanisms["in the middle"]), ("flask", "wsgi"))

    def test_reports_no_exception_that_the_app_handles(self) -> None:
        def use(url: str) -> List[Any]:
            return [get(url, path) for path in ("/missing", "/nowhere", "/handled")]

        answers, reports = self.serve(use)
        self.assertEqual([answer.status for answer in answers], [404, 404, 409])
        self.assertEqual(reports, [])


if __name__ == "__main__":
    unittest.main()
