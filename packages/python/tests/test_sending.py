import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from typing import Any, Dict, List
from unittest import mock

import service_sdk
from integration_tests.server import KillableServer
from tests.sink import BrokenServer, Sink


class SendingTest(unittest.TestCase):
    def setUp(self) -> None:
        self.lines: List[str] = []
        logger = logging.getLogger("service_sdk")
        handler = _ListHandler(self.lines)
        logger.addHandler(handler)
        self.addCleanup(logger.removeHandler, handler)
        self.addCleanup(logger.setLevel, logger.level)
        logger.setLevel(logging.WARNING)
        self.addCleanup(setattr, logger, "propagate", logger.propagate)
        logger.propagate = False
        self.addCleanup(service_sdk.close, 0)

    def init(self, endpoint: str, **options: Any) -> None:
        service_sdk.init("pk_test", endpoint, **options)

    def sink(self, **options: Any) -> Sink:
        sink = Sink(**options)
        self.addCleanup(sink.close)
        return sink

    def warnings(self) -> List[str]:
        """Returns the numbers of the lines that were written, in order."""
        return [line[line.rindex("[W") + 1 : -1] for line in self.lines]

    def test_a_program_does_not_wait_for_a_server_that_fails(self) -> None:
        for kind in ("silent", "half", "slow", "reset", "garbage"):
            with self.subTest(kind):
                server = BrokenServer(kind)
                self.addCleanup(server.close)
                self.init(server.endpoint)
                slowest = max(_seconds_of(service_sdk.capture_message, f"{kind} {number}") for number in range(5))
                # Less than the first pause before a retry, and than the time limit of a request.
                self.assertLess(slowest, 1)
                is_done: List[bool] = []
                self.assertLess(_seconds_of(lambda: is_done.append(service_sdk.flush(0.3))), 5)
                self.assertEqual(is_done, [False])
                self.assertFalse(service_sdk.close(0))
                self.assertIn("5 without a response before the end", self.lines[-1])

    def test_a_host_without_an_address_is_named_in_a_warning(self) -> None:
        self.init("http://no-such-host.invalid")
        self.assertIsNotNone(service_sdk.capture_message("lost"))
        service_sdk.flush(30)
        self.assertEqual(self.warnings(), ["W10"])
        self.assertIn("gaierror", self.lines[0])

    def test_a_response_must_arrive_as_a_whole_before_the_timeout(self) -> None:
        server = BrokenServer("slow")
        self.addCleanup(server.close)
        with mock.patch("service_sdk._transport._TIMEOUT_SECONDS", 1.0):
            transport = service_sdk._transport.HttpTransport(server.endpoint, "test")  # type: ignore[attr-defined]
            started_at = time.monotonic()
            self.assertEqual(transport({"message": "x"}).status, 0)
        # The server sends a byte every 0.1 seconds, without an end.
        self.assertLess(time.monotonic() - started_at, 30)

    def test_nothing_is_sent_after_a_401(self) -> None:
        sink = self.sink()
        sink.status = 401
        self.init(sink.endpoint)
        service_sdk.capture_message("one")
        service_sdk.flush(60)
        self.assertIsNone(service_sdk.capture_message("two"))
        self.assertTrue(service_sdk.close(60))
        self.assertEqual(len(sink.reports), 1)
        self.assertEqual(self.warnings(), ["W8", "W15"])
        self.assertIn("2 because the server does not know the API key", self.lines[1])

    def test_a_redirect_is_no_success(self) -> None:
        sink = self.sink()
        sink.status = 301
        self.init(sink.endpoint)
        service_sdk.capture_message("one")
        service_sdk.flush(60)
        self.assertEqual(self.warnings(), ["W13"])

    def test_three_failures_pause_sending(self) -> None:
        sink = self.sink()
        sink.status = 400
        self.init(sink.endpoint)
        for number in range(3):
            service_sdk.capture_message(f"message {number}")
        service_sdk.flush(60)
        self.assertIsNone(service_sdk.capture_message("during the pause"))
        service_sdk.close(60)
        self.assertEqual(len(sink.reports), 3)
        self.assertIn("3 because the server rejected them, 1 while sending was paused", self.lines[-1])

    def test_a_full_queue_drops_reports_and_says_how_many(self) -> None:
        server = BrokenServer("silent")
        self.addCleanup(server.close)
        self.init(server.endpoint, max_queue=3)
        ids = [service_sdk.capture_message(f"message {number}") for number in range(8)]
        self.assertEqual([event_id is not None for event_id in ids], [True] * 3 + [False] * 5)
        service_sdk.close(0)
        self.assertIn("5 because too many waited, 3 without a response before the end", self.lines[-1])

    def test_keeps_the_connection_and_compresses_large_reports(self) -> None:
        sink = self.sink()
        self.init(sink.endpoint)
        service_sdk.capture_message("small")
        service_sdk.capture_message("large", metadata={"text": "word " * 1_000})
        self.assertTrue(service_sdk.flush(60))
        self.assertEqual([request.get("content-encoding") for request in sink.requests], [None, "gzip"])
        self.assertEqual(sink.connections, 1)

    def test_connects_again_if_the_server_has_closed_the_connection(self) -> None:
        sink = self.sink()
        sink.headers = {"Connection": "close"}
        self.init(sink.endpoint)
        for number in range(3):
            service_sdk.capture_message(f"message {number}")
        self.assertTrue(service_sdk.flush(60))
        self.assertEqual((len(sink.reports), sink.connections, self.lines), (3, 3, []))

    def test_sends_through_a_proxy_of_the_environment_unless_the_host_is_excluded(self) -> None:
        proxy = self.sink()
        address = proxy.endpoint.replace("//", "//user:p%40ss@")
        with mock.patch.dict(os.environ, {"HTTP_PROXY": address, "http_proxy": address, "NO_PROXY": "", "no_proxy": ""}):
            self.init("http://errors.example.com")
            service_sdk.capture_message("through a proxy")
            self.assertTrue(service_sdk.close(60))
            self.assertEqual(proxy.requests[0]["path"], "http://errors.example.com/api/v1/errors")
            self.assertEqual(proxy.requests[0]["host"], "errors.example.com")
            self.assertEqual(proxy.requests[0]["proxy-authorization"], "Basic dXNlcjpwQHNz")
            server = self.sink()
            with mock.patch.dict(os.environ, {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}):
                self.init(server.endpoint)
                service_sdk.capture_message("direct")
                self.assertTrue(service_sdk.close(60))
        self.assertEqual((len(proxy.requests), len(server.requests)), (1, 1))

    @unittest.skipUnless(shutil.which("openssl"), "openssl creates the certificate")
    def test_trusts_the_certificates_of_the_environment_only(self) -> None:
        certificate = _create_certificate()
        sink = self.sink(certificate=certificate)
        for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
            with self.subTest(name), mock.patch.dict(os.environ, {name: certificate}):
                self.init(sink.endpoint)
                service_sdk.capture_message(name)
                self.assertTrue(service_sdk.close(60))
        self.assertEqual(len(sink.reports), 2)
        self.init(sink.endpoint)
        service_sdk.capture_message("not trusted")
        service_sdk.flush(60)
        self.assertEqual(len(sink.reports), 2)
        self.assertIn("SSLCertVerificationError", self.lines[-1])

    def test_a_report_survives_a_server_that_is_killed_and_starts_again(self) -> None:
        server = KillableServer()
        self.addCleanup(server.kill)
        project = server.create_project()
        service_sdk.init(project.api_key, project.endpoint)
        service_sdk.capture_message("before")
        self.assertTrue(service_sdk.flush(60))
        server.kill()
        self.assertIsNotNone(service_sdk.capture_message("in between"))
        self.assertFalse(service_sdk.flush(0.2))
        server.start()
        self.assertTrue(service_sdk.flush(30))
        self.assertEqual(project.count(), 2)

    def test_a_signal_handler_may_capture_while_the_program_captures(self) -> None:
        self.init("http://127.0.0.1:9", transport=lambda report: service_sdk.Response(200))
        previous = signal.signal(signal.SIGALRM, lambda *_: service_sdk.capture_message(f"signal {time.monotonic()}"))
        self.addCleanup(signal.signal, signal.SIGALRM, previous)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
        end = time.monotonic() + 1
        count = 0
        while time.monotonic() < end or count <= 100:
            service_sdk.capture_message(f"message {count}")
            count += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.assertTrue(service_sdk.flush(60))

    def test_before_send_may_flush_and_capture_without_a_deadlock(self) -> None:
        sink = self.sink()

        def before_send(report: Dict[str, Any]) -> Dict[str, Any]:
            service_sdk.capture_message("inside")
            report["metadata"]["flushed"] = service_sdk.flush(5)
            return report

        self.init(sink.endpoint, before_send=before_send)
        service_sdk.capture_message("outside")
        self.assertTrue(service_sdk.flush(60))
        self.assertEqual([report["metadata"]["flushed"] for report in sink.reports], [False])

    def test_threads_capture_at_the_same_time_without_losing_reports(self) -> None:
        sent: List[Dict[str, Any]] = []
        self.init("http://x", transport=lambda report: sent.append(report))
        captured: List[Any] = []

        def work(worker: int) -> None:
            for number in range(20):
                captured.append(service_sdk.capture_message(f"{worker} {number}"))

        threads = [threading.Thread(target=work, args=(worker,)) for worker in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(service_sdk.flush(60))
        ids = [event_id for event_id in captured if event_id]
        self.assertEqual(sorted(ids), sorted(report["event_id"] for report in sent))
        self.assertGreaterEqual(len(ids), 10)


class _ListHandler(logging.Handler):
    def __init__(self, lines: List[str]) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(record.getMessage())


def _seconds_of(run: Any, *args: Any) -> float:
    started_at = time.monotonic()
    run(*args)
    return time.monotonic() - started_at


def _create_certificate() -> str:
    """Returns a file with a key and a certificate for the loopback."""
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "both.pem")
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    files = ["-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"]
    subprocess.run([*command.split(), *files], check=True, capture_output=True)
    with open(path, "w") as both:
        for name in ("key.pem", "certificate.pem"):
            with open(f"{folder}/{name}") as part:
                both.write(part.read())
    return path


if __name__ == "__main__":
    unittest.main()
