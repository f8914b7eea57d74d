import inspect
import logging
import os
import re
import unittest
from dataclasses import fields
from types import SimpleNamespace
from typing import Any, Dict, List
from unittest import mock

import service_sdk
from service_sdk._options import Options, read_options
from service_sdk._uwsgi import check_uwsgi
from service_sdk._warn import reset_warnings


class OptionsTest(unittest.TestCase):
    def setUp(self) -> None:
        reset_warnings()
        self.addCleanup(reset_warnings)

    def warnings_of(self, **given: Any) -> List[str]:
        with self.assertLogs("service_sdk") as logs:
            read_options(given)
        return [record.getMessage() for record in logs.records]

    def test_an_unknown_option_is_named_with_the_nearest_one(self) -> None:
        (line,) = self.warnings_of(sampel_rate=1)
        self.assertIn("There is no option sampel_rate, so it is ignored. Did you mean sample_rate?", line)

    def test_a_wrong_value_is_named_and_ignored(self) -> None:
        wrong: Dict[str, List[Any]] = {
            "sample_rate": ["1", True, float("nan"), -0.1, 2],
            "max_queue": [0, 1.5, True, 10**6],
            "max_breadcrumbs": [-1, 101, "64"],
            "shutdown_timeout": [float("inf"), -1, "2"],
            "before_send": ["text", 7],
            "ignore_errors": ["text", 7],
            "debug": [1, "yes"],
            "release": [1.2, b"1"],
        }
        for name, values in wrong.items():
            for value in values:
                with self.subTest(name, value=value):
                    reset_warnings()
                    self.assertIn(f"The option {name} must be", self.warnings_of(**{name: value})[0])

    def test_none_is_the_default_and_variables_set_what_is_not_given(self) -> None:
        variables = {"SERVICE_API_KEY": "pk_variable", "SERVICE_RELEASE": "1.0", "SERVICE_ENVIRONMENT": ""}
        with mock.patch.dict(os.environ, variables):
            options = read_options({"api_key": None, "release": "2.0", "sample_rate": None, "before_send": None})
        self.assertEqual((options.api_key, options.release, options.environment), ("pk_variable", "2.0", None))
        self.assertEqual((options.sample_rate, options.before_send), (1.0, None))

    def test_set_user_names_a_missing_id_and_other_keys(self) -> None:
        users: List[Any] = [
            ({"email": "ada@example.com"}, "set_user() needs an id"),
            ({"id": 7, "plan": "free"}, "set_user() takes id, name and email only"),
            ({"id": 7, "name": "Ada"}, None),
            ({"id": None}, None),
            (None, None),
        ]
        for user, expected in users:
            with self.subTest(user), mock.patch("service_sdk._scope.warn") as warn:
                service_sdk.Scope().set_user(user)
                lines = [line for _, line in (call.args for call in warn.call_args_list)]
                self.assertEqual(len(lines), 0 if expected is None else 1)
                self.assertIn(expected or "", "".join(lines))

    def test_init_names_every_option_so_that_editors_and_type_checkers_know_it(self) -> None:
        parameters = inspect.signature(service_sdk.init).parameters.values()
        named = [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
        self.assertEqual(named, [option.name for option in fields(Options)])

    def test_init_names_an_unknown_option_and_goes_on(self) -> None:
        self.addCleanup(service_sdk.close)
        options: Any = {"sampel_rate": 1}
        with self.assertLogs("service_sdk") as logs:
            service_sdk.init("pk_test", "http://x", **options)
        self.assertEqual(len(logs.output), 1)
        self.assertIn("There is no option sampel_rate", logs.output[0])
        self.assertTrue(service_sdk.flush(0))

    def test_a_callback_with_another_number_of_arguments_is_named(self) -> None:
        (line,) = self.warnings_of(before_send=lambda event, hint: event)
        self.assertIn("The option before_send must take one argument", line)
        with self.assertNoLogs():
            read_options({"before_send": lambda report, hint=None: report, "before_breadcrumb": dict, "transport": print})

    def test_an_unknown_kind_of_breadcrumbs_is_named(self) -> None:
        (line,) = self.warnings_of(breadcrumbs={"http": False, "sqlite": False})
        self.assertIn("no breadcrumbs of the kind sqlite. The kinds are http, subprocess, sqlite3, logging.", line)

    def test_uwsgi_without_threads_is_named(self) -> None:
        # A module that uWSGI adds.
        for options, lines in (({}, 1), ({"enable-threads": True}, 0), ({"threads": b"4"}, 0)):
            with self.subTest(options), mock.patch.dict("sys.modules", uwsgi=SimpleNamespace(opt=options)):
                with mock.patch("service_sdk._uwsgi.warn") as warn:
                    check_uwsgi()
                self.assertEqual(warn.call_count, lines)

    def assertNoLogs(self) -> Any:
        # Python has it since 3.10.
        return mock.patch("service_sdk._options.warn", side_effect=AssertionError)

    def test_an_endpoint_that_cannot_be_one_is_named_and_the_program_goes_on(self) -> None:
        self.addCleanup(service_sdk.close)
        for endpoint in ("shop.test", "ftp://shop.test", "http://", "http://a:99999999", "http://a/?q=1", "http://a/ x"):
            with self.subTest(endpoint), self.assertLogs("service_sdk") as logs:
                reset_warnings()
                service_sdk.init("pk_test", endpoint)
                self.assertIsNone(service_sdk.capture_message("not started"))
            self.assertIn("[W2]", logs.output[0])


class FilterTest(unittest.TestCase):
    def setUp(self) -> None:
        logging.getLogger("service_sdk").setLevel(logging.CRITICAL)
        self.addCleanup(logging.getLogger("service_sdk").setLevel, logging.NOTSET)
        self.sent: List[Dict[str, Any]] = []
        self.addCleanup(service_sdk.close)

    def report(self, *errors: Exception, **options: Any) -> List[str]:
        service_sdk.close()
        self.sent.clear()
        service_sdk.init("pk_test", "http://x", transport=self.sent.append, **options)
        for error in errors:
            service_sdk.capture_exception(error)
        self.assertTrue(service_sdk.close(60))
        return [report["message"] for report in self.sent]

    def test_ignore_errors_takes_classes_texts_and_patterns(self) -> None:
        errors = (KeyError("a"), ValueError("out of stock"), OSError("code 17"), OSError("kept"))
        ignored = [LookupError, "out of stock", re.compile(r"OSError: code \d+"), re.compile(rb"bytes")]
        self.assertEqual(self.report(*errors, ignore_errors=ignored), ["kept"])

    def test_a_sample_rate_of_0_reports_nothing(self) -> None:
        self.assertEqual(self.report(ValueError("x"), sample_rate=0), [])

    def test_before_send_never_fails_open(self) -> None:
        def raising(report: Dict[str, Any]) -> Any:
            raise SystemExit

        results: List[Any] = [raising, *(lambda report, value=value: value for value in (None, "text", 7, {}, [], True))]
        for before_send in results:
            with self.subTest(before_send):
                self.assertEqual(self.report(ValueError("private"), before_send=before_send), [])

    def test_what_before_send_adds_is_scrubbed(self) -> None:
        def add(report: Dict[str, Any]) -> Dict[str, Any]:
            report["metadata"] = {"password": "hush", "url": "/?token=hush"}
            return report

        self.report(ValueError("x"), before_send=add)
        self.assertEqual(self.sent[0]["metadata"], {"password": "[scrubbed]", "url": "/?token=[scrubbed]"})

    def test_local_variables_are_sent_only_if_asked_for_and_scrubbed(self) -> None:
        def fail() -> Exception:
            password, cart = "hush", {"token": "hush", "items": 2}
            headers, form = [(b"x-api-key", b"hush"), (b"host", b"shop.test")], [("user_password", "it's \"hush\""), ("page", "1")]
            try:
                raise ValueError(len(password) + len(cart) + len(headers) + len(form))
            except ValueError as error:
                return error

        def variables() -> Any:
            return self.sent[0]["exceptions"][0]["frames"][0].get("variables")

        self.report(fail())
        self.assertIsNone(variables())
        self.report(fail(), include_local_variables=True)
        self.assertEqual(variables()["password"], "[scrubbed]")
        self.assertEqual(variables()["cart"], "{'token': '[scrubbed]', 'items': 2}")
        self.assertEqual(variables()["headers"], "[(b'x-api-key', b'[scrubbed]'), (b'host', b'shop.test')]")
        self.assertEqual(variables()["form"], "[('user_password', '[scrubbed]'), ('page', '1')]")

    def test_one_exception_object_that_is_raised_for_ever_is_reported_again(self) -> None:
        error = ValueError("a constant")
        self.report(error)
        with mock.patch("service_sdk._client._MARK_SECONDS", 0.0):
            self.assertEqual(self.report(error), ["a constant"])


if __name__ == "__main__":
    unittest.main()
