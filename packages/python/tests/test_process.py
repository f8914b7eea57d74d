import os
import subprocess
import sys
import unittest

from tests.sink import Sink

_SOURCE = os.path.join(os.path.dirname(__file__), "..", "src")


class ProcessTest(unittest.TestCase):
    """Programs of their own, which end with an error."""

    def run_program(self, code: str, *flags: str) -> "subprocess.CompletedProcess[str]":
        sink = Sink()
        self.addCleanup(sink.close)
        self.sink = sink
        setup = f"import service_sdk; service_sdk.init('pk_test', {sink.endpoint!r}, shutdown_timeout=5)\n"
        environment = {**os.environ, "PYTHONPATH": _SOURCE}
        return subprocess.run(
            [sys.executable, *flags, "-c", setup + code], capture_output=True, text=True, env=environment, timeout=60
        )

    def test_an_uncaught_exception_arrives_once_and_the_program_ends_as_without_the_sdk(self) -> None:
        result = self.run_program("raise ValueError('fatal')")
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stderr.startswith("Traceback"), result.stderr)
        self.assertEqual([report["message"] for report in self.sink.reports], ["fatal"])

    def test_an_asyncio_task_that_nothing_awaits_is_reported(self) -> None:
        code = (
            "import asyncio, gc\n"
            "async def fail(): raise KeyError('task')\n"
            "async def main():\n"
            "    asyncio.ensure_future(fail())\n"
            "    await asyncio.sleep(0.01); gc.collect()\n"
            "asyncio.run(main())\n"
        )
        result = self.run_program(code)
        self.assertEqual(result.returncode, 0)
        self.assertEqual([report["type"] for report in self.sink.reports], ["KeyError"])

    def test_a_forked_child_sends_its_own_reports_and_not_those_of_its_parent(self) -> None:
        code = (
            "import os\n"
            "service_sdk.capture_message('parent')\n"
            "pid = os.fork()\n"
            "if pid == 0:\n"
            "    service_sdk.capture_message('child'); service_sdk.flush(5); os._exit(0)\n"
            "os.waitpid(pid, 0)\n"
        )
        self.run_program(code)
        self.assertEqual(sorted(report["message"] for report in self.sink.reports), ["child", "parent"])

    def test_a_child_of_multiprocessing_sends_what_it_captured_before_it_ends(self) -> None:
        code = (
            "import multiprocessing\n"
            "context = multiprocessing.get_context('fork')\n"
            "child = context.Process(target=lambda: service_sdk.capture_message('of the child'))\n"
            "child.start(); child.join()\n"
        )
        self.run_program(code)
        self.assertEqual([report["message"] for report in self.sink.reports], ["of the child"])

    def test_a_capture_while_the_interpreter_ends_does_not_hang(self) -> None:
        code = (
            "class Late:\n"
            "    def __del__(self): service_sdk.capture_message('late')\n"
            "late = Late()\n"
        )
        self.assertEqual(self.run_program(code).returncode, 0)


if __name__ == "__main__":
    unittest.main()
