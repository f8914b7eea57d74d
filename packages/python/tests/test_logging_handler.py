import logging
import unittest
from typing import Any, Dict, List

import service_sdk
from service_sdk.integrations.logging import ServiceHandler


class ServiceHandlerTest(unittest.TestCase):
    def setUp(self) -> None:
        self.reports: List[Dict[str, Any]] = []
        self.logger = logging.getLogger("shop.handler")
        self.logger.propagate = False
        self.handler = ServiceHandler()
        self.logger.addHandler(self.handler)
        self.addCleanup(self.logger.removeHandler, self.handler)
        self.addCleanup(service_sdk.close)

    def init(self, **options: Any) -> None:
        def keep(report: Dict[str, Any]) -> service_sdk.Response:
            self.reports.append(report)
            return service_sdk.Response(200)

        service_sdk.init("pk_test", "http://127.0.0.1:9", transport=keep, **options)

    def sent(self) -> List[Any]:
        self.assertTrue(service_sdk.flush(60))
        return [(report["message"], report["level"]) for report in self.reports]

    def test_reports_records_with_and_without_an_exception(self) -> None:
        self.init(capture_logging=False)
        self.logger.warning("below the level")
        self.logger.error("payment %d failed", 7)
        try:
            raise ValueError("no money")
        except ValueError:
            self.logger.critical("The payment has failed", exc_info=True)
        self.assertEqual(self.sent(), [("payment 7 failed", "error"), ("no money", "fatal")])
        self.assertEqual(self.reports[1]["metadata"]["logger"], "shop.handler")

    def test_reports_an_exception_once_although_the_sdk_watches_all_loggers(self) -> None:
        self.init()
        try:
            raise ValueError("no money")
        except ValueError:
            self.logger.exception("The payment has failed")
        self.assertEqual(self.sent(), [("no money", "error")])
        self.assertEqual(self.reports[0]["metadata"]["log_message"], "The payment has failed")

    def test_the_sdk_reports_an_exception_with_the_message_and_the_level_of_its_record(self) -> None:
        self.init()
        self.logger.removeHandler(self.handler)
        try:
            raise ValueError("no money")
        except ValueError:
            self.logger.critical("The payment of %s has failed, token=hush", "Ann", exc_info=True)
        self.assertEqual(self.sent(), [("no money", "fatal")])
        metadata = self.reports[0]["metadata"]
        self.assertEqual(metadata["logger"], "shop.handler")
        self.assertEqual(metadata["log_message"], "The payment of Ann has failed, token=[scrubbed]")

    def test_a_record_that_cannot_be_formatted_does_not_raise(self) -> None:
        self.init()
        previous, logging.raiseExceptions = logging.raiseExceptions, False
        self.addCleanup(setattr, logging, "raiseExceptions", previous)
        self.logger.error("%d", "seven")
        self.assertEqual(self.sent(), [])

    def test_reports_nothing_before_init(self) -> None:
        self.logger.error("too early")
        self.init()
        self.assertEqual(self.sent(), [])


if __name__ == "__main__":
    unittest.main()
