import unittest
from typing import Any, List

from integration_tests.programs import ProgramTest, get, python, require


class GunicornTest(ProgramTest):
    @classmethod
    def setUpClass(cls) -> None:
        require("gunicorn")

    def serve(self, *flags: str) -> Any:
        def use(url: str) -> List[Any]:
            paths = ["/", "/orders/7?token=abc&page=2", "/stream", "/close", "/whole"]
            return [get(url, path) for path in paths]

        gunicorn = ["-m", "gunicorn", "--workers", "2", "--bind", "127.0.0.1:0", *flags, "integration_tests.apps.wsgi_app:app"]
        return self.compare_server(python(*gunicorn), use)

    def check(self, answers: List[Any], reports: List[Any]) -> None:
        self.assertEqual([answer.status for answer in answers], [200, 500, 200, 200, 200])
        self.assert_reported(
            reports,
            ("'no order'", "GET", "/orders/{id}"),
            ("in the middle", "GET", None),
            ("in close", "GET", None),
        )

    def test_reports_each_exception_of_the_workers_once(self) -> None:
        answers, reports = self.serve()
        self.check(answers, reports)

    def test_reports_each_exception_of_workers_that_were_forked_from_a_loaded_app(self) -> None:
        answers, reports = self.serve("--preload")
        self.check(answers, reports)

    def test_reports_each_exception_of_a_worker_with_greenlets_once(self) -> None:
        require("gevent.core")
        answers, reports = self.serve("--worker-class", "gevent", "--workers", "1")
        self.check(answers, reports)

    def test_an_exit_is_no_error(self) -> None:
        gunicorn = python("-m", "gunicorn", "--bind", "127.0.0.1:0", "integration_tests.apps.wsgi_app:app")
        _, reports = self.compare_server(gunicorn, lambda url: [get(url, "/exit"), get(url, "/")])
        self.assertEqual(reports, [])

    def test_a_report_has_the_url_without_secrets_and_the_breadcrumbs_of_its_own_request(self) -> None:
        _, reports = self.serve("--workers", "1")
        (report,) = [report for report in reports if report["message"] == "'no order'"]
        self.assertRegex(report["url"], r"^http://127\.0\.0\.1:\d+/orders/7\?token=\[scrubbed\]&page=2$")
        self.assertEqual(report["user_agent"], "test/1")
        messages = [breadcrumb["data"].get("message") for breadcrumb in report["breadcrumbs"]]
        self.assertEqual([message for message in messages if "serves" in message], ["serves /orders/7"])


if __name__ == "__main__":
    unittest.main()
