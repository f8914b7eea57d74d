import json
import logging
import sys
import threading
import unittest
from typing import Any, Dict, List
from unittest import mock

import service_sdk
from service_sdk._normalize import safe_repr
from tests.sink import Sink


class Hostile(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class CaptureTest(unittest.TestCase):
    def setUp(self) -> None:
        self.sink = Sink()
        self.addCleanup(self.sink.close)
        self.addCleanup(service_sdk.close)
        logging.getLogger("service_sdk").setLevel(logging.CRITICAL)
        self.addCleanup(logging.getLogger("service_sdk").setLevel, logging.NOTSET)

    def init(self, **options: Any) -> None:
        service_sdk.init(api_key="pk_test", endpoint=self.sink.endpoint, **options)

    def sent(self) -> List[Dict[str, Any]]:
        self.assertTrue(service_sdk.flush(60))
        return self.sink.reports

    def fail_with(self, error: BaseException) -> Any:
        try:
            raise error
        except BaseException as caught:
            return service_sdk.capture_exception(caught)

    def test_reports_type_message_and_traceback_of_an_exception(self) -> None:
        self.init(release="1.2.0", environment="production")
        event_id = self.fail_with(ValueError("no cart"))
        (report,) = self.sent()
        self.assertEqual(report["event_id"], event_id)
        # The server reads the key before it has decompressed a large body.
        self.assertEqual(next(iter(report.items())), ("project_api_key", "pk_test"))
        self.assertEqual((report["type"], report["message"]), ("ValueError", "no cart"))
        self.assertEqual((report["release"], report["environment"]), ("1.2.0", "production"))
        self.assertTrue(report["stacktrace"].endswith("ValueError: no cart"))
        frame = report["exceptions"][0]["frames"][0]
        self.assertTrue(frame["in_app"])
        self.assertIn("raise error", [line["text"].strip() for line in frame["context"]])

    def test_takes_what_exc_info_returns(self) -> None:
        self.init()
        try:
            raise ValueError("no cart")
        except ValueError:
            event_id = service_sdk.capture_exception(sys.exc_info())
        self.assertEqual([(report["event_id"], report["message"]) for report in self.sent()], [(event_id, "no cart")])

    def test_names_a_call_without_an_exception(self) -> None:
        self.init()
        logging.getLogger("service_sdk").setLevel(logging.NOTSET)
        wrong: Any = "The payment has failed"
        for error, text in ((None, "none is being handled"), (wrong, "Use capture_message() for a text")):
            with self.subTest(error), self.assertLogs("service_sdk") as logs:
                self.assertIsNone(service_sdk.capture_exception(error))
            self.assertIn(text, logs.output[0])
        self.assertEqual(self.sent(), [])

    def test_names_a_message_without_a_text(self) -> None:
        self.init()
        with self.assertLogs("service_sdk") as logs:
            self.assertEqual([service_sdk.capture_message(text) for text in ("", " \n")], [None, None])
        self.assertEqual(len(logs.output), 1)
        self.assertIn("capture_message() was called without a text, so nothing is reported. [W4]", logs.output[0])
        self.assertEqual(self.sent(), [])

    def test_a_variable_that_takes_long_to_read_delays_the_program_once(self) -> None:
        clock = [0.0]

        class Slow:
            reads = 0

            def __repr__(self) -> str:
                Slow.reads += 1
                clock[0] += 0.06
                return "Slow()"

        def descend(depth: int, slow: Slow) -> None:
            if depth == 0:
                raise ValueError("deep")
            descend(depth - 1, slow)

        self.init(include_local_variables=True)
        with mock.patch("service_sdk._exceptions.time.monotonic", lambda: clock[0]):
            try:
                descend(30, Slow())
            except ValueError as error:
                service_sdk.capture_exception(error)
        self.assertEqual(Slow.reads, 2)
        (report,) = self.sent()
        frames = report["exceptions"][0]["frames"]
        self.assertEqual([frame["variables"]["slow"] for frame in frames[:3]], ["Slow()", "Slow()", "…"])

    def test_a_large_variable_is_read_as_far_as_it_is_sent(self) -> None:
        class Counted:
            reads = 0

            def __repr__(self) -> str:
                Counted.reads += 1
                return "1"

        items = [Counted()] * 10_000
        for value in (items, tuple(items), dict(enumerate(items))):
            with self.subTest(type(value)):
                Counted.reads = 0
                self.assertTrue(safe_repr(value).endswith("…"))
                self.assertEqual(Counted.reads, 1_000)

    def test_a_deep_traceback_with_large_local_variables_keeps_within_the_limits_of_the_server(self) -> None:
        def descend(depth: int) -> None:
            large = {f"key {number}": "😀" * 900 for number in range(5)}
            one, two, three, four, five, six = (str(depth) + "x" * 900,) * 6
            if depth == 0:
                raise ValueError(f"{len(large)} {one == two == three == four == five == six}")
            try:
                descend(depth - 1)
            except ValueError as error:
                if depth % 16 == 0:
                    raise ValueError(f"again {depth}") from error
                raise

        self.init(include_local_variables=True)
        try:
            descend(90)
        except ValueError as error:
            service_sdk.capture_exception(error)
        (report,) = self.sent()
        first = report["exceptions"][0]["frames"][0]
        self.assertIn("variables", first)
        self.assertIn("context", first)
        details = [frame for exception in report["exceptions"] for frame in exception["frames"] if "variables" in frame]
        self.assertLess(len(json.dumps(details)), 400_000)
        self.assertLess(len(json.dumps(report)), 1_000_000)

    def test_a_report_that_would_be_too_large_is_sent_without_its_largest_parts(self) -> None:
        def enlarge(report: Dict[str, Any]) -> Dict[str, Any]:
            return {**report, "breadcrumbs": [{"data": "\0" * 190_000}], "metadata": {"text": "m"}}

        self.init(before_send=enlarge)
        self.fail_with(ValueError("kept"))
        (report,) = self.sent()
        self.assertEqual((report["message"], report["metadata"]), ("kept", {"text": "m"}))
        self.assertNotIn("breadcrumbs", report)
        self.assertIn("exceptions", report)

    def test_reports_the_exception_that_is_being_handled_by_default(self) -> None:
        self.init()
        try:
            {}["total"]
        except KeyError:
            service_sdk.capture_exception()
        self.assertEqual([report["type"] for report in self.sent()], ["KeyError"])

    def test_reports_one_exception_once_although_it_passes_several_hooks(self) -> None:
        self.init()
        error = ValueError("once")
        first = self.fail_with(error)
        self.assertEqual(self.fail_with(error), first)
        logging.getLogger("shop").error("failed", exc_info=error)
        self.assertEqual(len(self.sent()), 1)

    def test_lists_the_cause_of_an_exception(self) -> None:
        self.init()
        try:
            try:
                raise KeyError("total")
            except KeyError as error:
                raise ValueError("no total") from error
        except ValueError:
            service_sdk.capture_exception()
        (report,) = self.sent()
        self.assertEqual([exception["relation"] for exception in report["exceptions"]], [None, "cause"])
        self.assertIn("The above exception was the direct cause", report["stacktrace"])

    def test_does_not_raise_for_an_exception_without_a_text(self) -> None:
        self.init()
        self.fail_with(Hostile())
        self.assertEqual(self.sent()[0]["message"], "…")

    def test_before_send_that_raises_drops_the_report(self) -> None:
        def before_send(report: Dict[str, Any]) -> Dict[str, Any]:
            raise SystemExit

        self.init(before_send=before_send)
        self.fail_with(ValueError("private"))
        self.assertEqual(self.sent(), [])

    def test_sends_nothing_after_a_429(self) -> None:
        self.init()
        self.sink.status = 429
        self.fail_with(ValueError("one"))
        self.sent()
        self.assertIsNone(self.fail_with(ValueError("two")))
        self.assertEqual(len(self.sent()), 1)

    def test_retries_with_the_same_event_id_after_a_500(self) -> None:
        self.init()
        self.sink.status = 500
        self.sink.headers = {"Retry-After": "0.05"}
        self.fail_with(ValueError("again"))
        self.sent()
        self.assertEqual(len(self.sink.reports), 3)
        self.assertEqual(len({report["event_id"] for report in self.sink.reports}), 1)

    def test_sends_ten_errors_at_once_and_drops_the_rest(self) -> None:
        self.init()
        for number in range(30):
            self.fail_with(ValueError(f"error {number}"))
        self.assertEqual(len(self.sent()), 10)

    def test_a_scope_ends_with_its_block(self) -> None:
        self.init()
        with service_sdk.new_scope() as scope:
            scope.set_user({"id": 7, "name": "Ada"})
            self.fail_with(ValueError("inside"))
        self.fail_with(ValueError("outside"))
        inside, outside = self.sent()
        self.assertEqual(inside["user"], {"id": "7"})
        self.assertNotIn("user", outside)

    def test_a_tag_may_have_any_value_as_its_name(self) -> None:
        self.init()
        with service_sdk.new_scope() as scope:
            for name in ("cart", [7], {"a": 1}):
                scope.set_tag(name, "full")  # type: ignore[arg-type]
            service_sdk.capture_message("the cart is full")
        self.assertEqual(self.sent()[0]["tags"], {"cart": "full", "[7]": "full", "{'a': 1}": "full"})

    def test_a_fingerprint_is_sent_without_secrets(self) -> None:
        self.init()
        service_sdk.capture_message("out of stock", fingerprint=["cart", "token=abc123"])
        (report,) = self.sent()
        self.assertEqual(report["fingerprint"], ["cart", "token=[scrubbed]"])

    def test_a_repr_in_metadata_or_a_breadcrumb_is_sent_without_secrets(self) -> None:
        class Headers:
            def __repr__(self) -> str:
                return "Headers([('X-Api-Key', 'hush'), ('Host', 'shop.test')])"

        self.init()
        with service_sdk.new_scope() as scope:
            scope.set_metadata({"headers": Headers()})
            service_sdk.add_breadcrumb(data={"headers": Headers()})
            service_sdk.capture_message("a call")
        (report,) = self.sent()
        for values in (report["metadata"], report["breadcrumbs"][0]["data"]):
            self.assertEqual(values["headers"], "Headers([('X-Api-Key', '[scrubbed]'), ('Host', 'shop.test')])")

    def test_pairs_in_metadata_are_sent_without_secrets(self) -> None:
        self.init()
        with service_sdk.new_scope() as scope:
            scope.set_metadata(
                {
                    "headers": [(b"x-api-key", b"hush"), (b"host", b"shop.test")],
                    "form": [("accessToken", "hush"), ("user[password]", ["hush"]), ("pin", 1234), ("page", 2)],
                    "others": [("/?page=token", 200), ("the token", 2), ("token", "a1b2", "c3d4"), ["token", "a1b2"], ("token",)],
                }
            )
            service_sdk.capture_message("a call")
        metadata = self.sent()[0]["metadata"]
        self.assertEqual(metadata["headers"], [["b'x-api-key'", "[scrubbed]"], ["b'host'", "b'shop.test'"]])
        form = [["accessToken", "[scrubbed]"], ["user[password]", "[scrubbed]"], ["pin", "[scrubbed]"], ["page", 2]]
        self.assertEqual(metadata["form"], form)
        others = [["/?page=token", 200], ["the token", 2], ["token", "a1b2", "c3d4"], ["token", "a1b2"], ["token"]]
        self.assertEqual(metadata["others"], others)

    def test_captures_the_exception_of_a_thread(self) -> None:
        self.init()
        thread = threading.Thread(target=lambda: [][0])
        previous, threading.excepthook = threading.excepthook, threading.excepthook
        self.addCleanup(setattr, threading, "excepthook", previous)
        thread.start()
        thread.join()
        self.assertEqual([report["type"] for report in self.sent()], ["IndexError"])

    def test_records_become_breadcrumbs_without_secrets(self) -> None:
        self.init()
        logging.getLogger("shop").warning("sign-in with password=hunter22")
        self.fail_with(ValueError("x"))
        (breadcrumb,) = self.sent()[0]["breadcrumbs"]
        self.assertEqual(breadcrumb["data"], {"level": "warning", "message": "sign-in with password=[scrubbed]"})


if __name__ == "__main__":
    unittest.main()
