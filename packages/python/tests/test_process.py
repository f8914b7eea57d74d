import ctypes
import os
import subprocess
import sys
import tempfile
import time
import unittest
from typing import List, Optional

from tests.sink import BrokenServer, Sink

_SOURCE = os.path.join(os.path.dirname(__file__), "..", "src")
_HAS_GEVENT = subprocess.run([sys.executable, "-c", "import gevent; gevent.sleep(0)"], capture_output=True).returncode == 0


class ProcessTest(unittest.TestCase):
    """Runs programs in separate processes."""

    def run_program(
        self, code: str, *, endpoint: Optional[str] = None, before: str = "", options: str = "shutdown_timeout=60"
    ) -> "subprocess.CompletedProcess[str]":
        """Runs a program from a file: first the code ``before``, then ``init()``, then ``code``."""
        self.sink = Sink()
        self.addCleanup(self.sink.close)
        setup = f"import service_sdk\nservice_sdk.init('pk_test', {endpoint or self.sink.endpoint!r}, {options})\n"
        folder = tempfile.mkdtemp()
        path = os.path.join(folder, "program.py")
        with open(path, "w") as file:
            file.write(before + setup + code)
        environment = {**os.environ, "PYTHONPATH": _SOURCE, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run([sys.executable, path], capture_output=True, text=True, env=environment, timeout=120)

    def messages(self) -> List[str]:
        return sorted(report["message"] for report in self.sink.reports)

    def test_an_uncaught_exception_arrives_once_and_the_program_ends_as_without_the_sdk(self) -> None:
        result = self.run_program("raise ValueError('fatal')")
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stderr.startswith("Traceback"), result.stderr)
        self.assertEqual(self.messages(), ["fatal"])

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
            "    service_sdk.capture_message('child'); service_sdk.flush(60); os._exit(0)\n"
            "os.waitpid(pid, 0)\n"
        )
        self.run_program(code)
        self.assertEqual(self.messages(), ["child", "parent"])

    @unittest.skipUnless(hasattr(ctypes, "PyDLL"), "C code cannot fork here while it holds the lock of the interpreter")
    def test_a_child_that_c_code_has_forked_sends_its_own_reports(self) -> None:
        # As uWSGI does. The hooks of Python are not called.
        code = (
            "import ctypes, os\n"
            "service_sdk.capture_message('parent')\n"
            "service_sdk.flush(60)\n"
            "pid = ctypes.PyDLL(None).fork()\n"
            "if pid == 0:\n"
            "    service_sdk.capture_message('child'); os._exit(not service_sdk.flush(60))\n"
            "print(os.waitpid(pid, 0)[1])\n"
        )
        result = self.run_program(code)
        self.assertEqual(result.stdout.strip(), "0", result.stderr)
        self.assertEqual(self.messages(), ["child", "parent"])

    def test_a_fork_while_another_thread_captures_leaves_no_lock_behind(self) -> None:
        code = (
            "import itertools, os, signal, threading\n"
            "def capture():\n"
            "    for number in itertools.count():\n"
            "        with service_sdk.new_scope() as scope:\n"
            "            scope.set_tag('number', number)\n"
            "            service_sdk.set_metadata({'number': number})\n"
            "            try: raise ValueError(f'parent {number}')\n"
            "            except ValueError: service_sdk.capture_exception()\n"
            "for _ in range(3):\n"
            "    threading.Thread(target=capture, daemon=True).start()\n"
            "hung = 0\n"
            "for number in range(100):\n"
            "    pid = os.fork()\n"
            "    if pid == 0:\n"
            "        signal.alarm(20)\n"
            "        service_sdk.set_tag('child', number)\n"
            "        service_sdk.capture_message(f'child {number}')\n"
            "        service_sdk.flush(0.001)\n"
            "        service_sdk.close(0)\n"
            "        os._exit(0)\n"
            "    hung += os.waitpid(pid, 0)[1] != 0\n"
            "print(hung)\n"
        )
        result = self.run_program(code)
        self.assertEqual(result.stdout.strip(), "0", result.stderr[-2_000:])

    @unittest.skipUnless(sys.implementation.name == "pypy", "only the caches of PyPy have a lock")
    def test_no_capture_uses_a_cache_with_a_lock_that_a_forked_child_might_inherit(self) -> None:
        code = (
            "import functools, _thread\n"
            "def watch(frame, event, arg):\n"
            "    if frame.f_code.co_filename == functools.__file__ and frame.f_code.co_name == 'wrapper':\n"
            "        print(frame.f_back.f_code)\n"
            "service_sdk.close()\n"
            "service_sdk.init('pk_test', 'http://x', transport=lambda report: service_sdk.Response(200))\n"
            "start = _thread.start_new_thread\n"
            "_thread.start_new_thread = lambda run, args: start(lambda: (sys.setprofile(watch), run(*args)), ())\n"
            "import sys; sys.setprofile(watch)\n"
            "with service_sdk.new_scope() as scope:\n"
            "    scope.set_tags({'number': 1}); scope.set_user({'id': 7}); scope.set_metadata({'cartNumber': {'a': 'b'}})\n"
            "    service_sdk.add_breadcrumb(message='step', data={'cartNumber': 1})\n"
            "    try: raise ValueError('x') from KeyError('y')\n"
            "    except ValueError: service_sdk.capture_exception(level='fatal', metadata={'cartNumber': 7})\n"
            "    service_sdk.capture_message('text')\n"
            "print(service_sdk.flush(60))\n"
        )
        self.assertEqual(self.run_program(code).stdout, "True\n")

    def test_a_child_of_multiprocessing_sends_its_reports_however_it_starts(self) -> None:
        code = (
            "import multiprocessing, sys\n"
            "def tell(): service_sdk.capture_message('of the child')\n"
            "def fail(): raise ValueError('uncaught')\n"
            "def end(): sys.exit(3)\n"
            "if __name__ == '__main__':\n"
            "    context = multiprocessing.get_context(sys.argv[1] if sys.argv[1:] else METHOD)\n"
            "    for target in (tell, fail, end):\n"
            "        child = context.Process(target=target)\n"
            "        child.start(); child.join(60)\n"
            "        print(child.exitcode)\n"
        )
        for method in ("fork", "spawn", "forkserver"):
            with self.subTest(method):
                result = self.run_program(f"METHOD = {method!r}\n{code}")
                self.assertEqual(result.stdout.split(), ["0", "1", "3"], result.stderr)
                self.assertIn("ValueError: uncaught", result.stderr)
                self.assertEqual(self.messages(), ["of the child", "uncaught"])

    def test_a_child_that_is_forked_before_multiprocessing_is_loaded_sends_its_reports(self) -> None:
        code = (
            "import multiprocessing\n"
            "context = multiprocessing.get_context('fork')\n"
            "child = context.Process(target=lambda: service_sdk.capture_message('of the child'))\n"
            "child.start(); child.join()\n"
        )
        self.run_program(code)
        self.assertEqual(self.messages(), ["of the child"])

    def test_a_finalizer_that_fails_in_the_thread_of_the_sdk_is_reported_once(self) -> None:
        code = (
            "import gc\n"
            "gc.disable()\n"
            "class Cycle:\n"
            "    def __init__(self): self.cycle = self\n"
            "    def __del__(self): raise ValueError('of a finalizer')\n"
            "def collect(report): gc.collect(); return report\n"
            "endpoint = service_sdk.get_client().options.endpoint\n"
            "service_sdk.close()\n"
            "service_sdk.init('pk_test', endpoint, before_send=collect, shutdown_timeout=60)\n"
            "Cycle()\n"
            "service_sdk.capture_message('first')\n"
            "service_sdk.flush(60); service_sdk.flush(60)\n"
        )
        self.run_program(code)
        self.assertEqual([report["message"] for report in self.sink.reports], ["first", "of a finalizer"])

    def test_a_capture_while_the_interpreter_ends_does_not_hang(self) -> None:
        code = (
            "class Late:\n"
            "    def __del__(self): service_sdk.capture_message('late')\n"
            "late = Late()\n"
        )
        result = self.run_program(code)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_what_is_captured_after_the_last_flush_is_still_sent(self) -> None:
        before = "import atexit\natexit.register(lambda: service_sdk.capture_message('at exit'))\n"
        result = self.run_program("service_sdk.capture_message('before')", before=before)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.messages(), ["at exit", "before"])

    def test_threads_that_capture_while_the_process_ends_do_not_change_how_it_ends(self) -> None:
        code = (
            "import itertools, threading, time\n"
            "def capture():\n"
            "    for number in itertools.count():\n"
            "        service_sdk.capture_message(f'message {number}')\n"
            "for _ in range(3):\n"
            "    threading.Thread(target=capture, daemon=True).start()\n"
            "time.sleep(0.05)\n"
        )
        for _ in range(5):
            result = self.run_program(code, options="shutdown_timeout=0.2")
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_server_that_never_answers_delays_the_end_by_the_timeout_only(self) -> None:
        server = BrokenServer("silent")
        self.addCleanup(server.close)
        started_at = time.monotonic()
        without = self.run_program("", endpoint=server.endpoint)
        seconds_without = time.monotonic() - started_at
        started_at = time.monotonic()
        result = self.run_program("raise ValueError('x')", endpoint=server.endpoint, options="shutdown_timeout=0.5")
        # The time limit of a request is ten seconds.
        self.assertLess(time.monotonic() - started_at - seconds_without, 8)
        self.assertEqual((without.returncode, result.returncode), (0, 1))
        self.assertIn("1 without a response before the end", result.stderr)

    def test_the_program_gets_the_same_random_numbers_as_without_the_sdk(self) -> None:
        code = (
            "import random\n"
            "random.seed(1); first = random.random()\n"
            "random.seed(1); service_sdk.capture_message('x'); print(random.random() == first)\n"
        )
        self.assertEqual(self.run_program(code, options="sample_rate=0.5").stdout, "True\n")

    def test_close_restores_every_hook(self) -> None:
        before = (
            "import asyncio, http.client, logging, sqlite3, subprocess, sys, threading\n"
            "def hooks():\n"
            "    return [sys.excepthook, sys.unraisablehook, threading.excepthook, logging.Logger.callHandlers,\n"
            "        asyncio.BaseEventLoop.call_exception_handler, http.client.HTTPConnection.putrequest,\n"
            "        http.client.HTTPConnection.getresponse, subprocess.Popen.__init__, sqlite3.connect]\n"
            "original = hooks()\n"
        )
        result = self.run_program("changed = hooks()\nservice_sdk.close()\nprint(changed != original, hooks() == original)", before=before)
        self.assertEqual(result.stdout, "True True\n", result.stderr)

    @unittest.skipUnless(_HAS_GEVENT, "gevent is not installed")
    def test_greenlets_go_on_while_a_server_does_not_answer(self) -> None:
        server = BrokenServer("silent")
        self.addCleanup(server.close)
        code = (
            "import time\n"
            "service_sdk.capture_message('lost')\n"
            "ticks = 0\n"
            "def tick():\n"
            "    global ticks\n"
            "    while True:\n"
            "        gevent.sleep(0.01); ticks += 1\n"
            "gevent.spawn(tick)\n"
            "started = time.monotonic()\n"
            "print(service_sdk.flush(2), time.monotonic() - started < 8, ticks > 5)\n"
        )
        patch = "from gevent import monkey; monkey.patch_all()\nimport gevent\n"
        for before in (patch, "import service_sdk\n" + patch):
            result = self.run_program(code, before=before, endpoint=server.endpoint, options="shutdown_timeout=0.1")
            self.assertEqual(result.stdout, "False True True\n", result.stderr)
        result = self.run_program("gevent.spawn(lambda: 1 / 0).join()", before=patch)
        self.assertEqual(self.messages(), ["division by zero"], result.stderr)


if __name__ == "__main__":
    unittest.main()
