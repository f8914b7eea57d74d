import unittest
from typing import Any, List

from integration_tests.programs import ProgramTest, get, python, require

_WSGI = ("-m", "gunicorn", "--bind", "127.0.0.1:0", "integration_tests.apps.django_app:application")
_ASGI = ("-m", "uvicorn", "--port", "0", "--lifespan", "off", "integration_tests.apps.django_app:asgi")


def fail(url: str) -> List[Any]:
    paths = ["/shop/orders/7/?token=abc", "/shop/old/8", "/wait", "/stream", "/outer"]
    return [get(url, path, "POST") for path in paths]


def refuse(url: str) -> List[Any]:
    paths = ["/nowhere", "/refuse/missing", "/refuse/forbidden", "/refuse/suspicious"]
    return [*(get(url, path) for path in paths), get(url, "/nowhere", Host="evil.example")]


class DjangoTest(ProgramTest):
    @classmethod
    def setUpClass(cls) -> None:
        require("django", "gunicorn", "uvicorn")

    def check(self, command: Any) -> None:
        answers, reports = self.compare_server(python(*command), fail)
        self.assertEqual([answer.status for answer in answers], [500, 500, 500, 200, 500])
        self.assert_reported(
            reports,
            ("no order", "POST", "/shop/orders/<int:number>/"),
            ("no longer an order", "POST", "/shop/old/(\\d+)$"),
            ("in an asynchronous view", "POST", "/wait"),
            ("in the middle", "POST", "/stream"),
            ("in an outer middleware", "POST", None),
        )
        self.assertEqual({report["metadata"]["mechanism"] for report in reports}, {"django"})
        report = reports[0]
        self.assertRegex(report["url"], r"^http://127\.0\.0\.1:\d+/shop/orders/7/\?token=\[scrubbed\]$")
        self.assertEqual((report["user_agent"], report["release"]), ("test/1", "3.2.1"))

    def test_reports_each_exception_that_django_turns_into_a_response_once(self) -> None:
        self.check(_WSGI)

    def test_reports_each_exception_of_an_asynchronous_server_once(self) -> None:
        self.check(_ASGI)

    def test_reports_no_exception_that_becomes_a_response_below_500(self) -> None:
        for command in (_WSGI, _ASGI):
            with self.subTest(command=command):
                answers, reports = self.compare_server(python(*command), refuse)
                self.assertEqual([answer.status for answer in answers], [404, 404, 403, 400, 404])
                self.assertEqual(reports, [])


if __name__ == "__main__":
    unittest.main()
