import unittest
from typing import Any, Dict, List

from integration_tests.programs import ProgramResult, ProgramTest, python, require

_INIT = "import os, service_sdk\nif 'SERVICE_API_KEY' in os.environ: service_sdk.init(shutdown_timeout=60)\n"


class ScriptTest(ProgramTest):
    def run_script(self, code: str, before: str = "") -> "tuple[ProgramResult, List[Dict[str, Any]]]":
        return self.compare(python("-c", before + _INIT + code))

    def test_reports_the_exception_that_ends_a_script(self) -> None:
        ended, reports = self.run_script("print('works')\n{}['total']")
        self.assertEqual((ended.status, ended.stdout, len(ended.tracebacks)), (1, "works\n", 1))
        self.assertEqual([report["type"] for report in reports], ["KeyError"])

    def test_reports_the_exception_of_a_thread(self) -> None:
        ended, reports = self.run_script("import threading\nthreading.Thread(target=lambda: [][0]).start()")
        self.assertEqual((ended.status, len(ended.tracebacks)), (0, 1))
        self.assertEqual([report["type"] for report in reports], ["IndexError"])

    def test_reports_the_exception_of_an_asyncio_task_that_nothing_awaits(self) -> None:
        code = (
            "import asyncio, gc\n"
            "async def fail(): raise KeyError('task')\n"
            "async def main():\n"
            "    asyncio.ensure_future(fail())\n"
            "    await asyncio.sleep(0.01)\n"
            "    gc.collect()\n"
            "asyncio.run(main())\n"
        )
        ended, reports = self.run_script(code)
        self.assertEqual((ended.status, len(ended.tracebacks)), (0, 1))
        self.assertEqual([report["type"] for report in reports], ["KeyError"])

    def test_reports_the_exception_that_ends_an_asyncio_program_once(self) -> None:
        code = "import asyncio\nasync def main(): await asyncio.gather(fail(), fail())\n"
        ended, reports = self.run_script(code + "async def fail(): raise KeyError('task')\nasyncio.run(main())")
        self.assertEqual((ended.status, len(ended.tracebacks)), (1, 1))
        self.assertEqual([report["type"] for report in reports], ["KeyError"])

    def test_a_regular_end_is_no_error(self) -> None:
        for code in (
            "import sys; sys.exit('out of stock')",
            "raise KeyboardInterrupt",
            "def parts(): yield 1; yield 2\nnext(parts())",
            "import asyncio\nasync def main():\n  task = asyncio.ensure_future(asyncio.sleep(9))\n"
            "  await asyncio.sleep(0)\n  task.cancel()\nasyncio.run(main())",
        ):
            with self.subTest(code=code):
                _, reports = self.run_script(code)
                self.assertEqual(reports, [])


class GeventTest(ScriptTest):
    """Runs the tests above with modules that gevent has patched, and its own."""

    @classmethod
    def setUpClass(cls) -> None:
        require("gevent.core")

    def run_script(self, code: str, before: str = "") -> "tuple[ProgramResult, List[Dict[str, Any]]]":
        return super().run_script(code, "from gevent import monkey; monkey.patch_all()\nimport gevent\n")

    def test_reports_the_exception_of_a_greenlet_once(self) -> None:
        code = (
            "def fail(): raise KeyError('greenlet')\n"
            "greenlet = gevent.spawn(fail)\n"
            "try: greenlet.get()\n"
            "except KeyError: print('caught')\n"
            "gevent.spawn(gevent.sleep, 9).kill()\n"
        )
        ended, reports = self.run_script(code)
        self.assertEqual((ended.status, ended.stdout, len(ended.tracebacks)), (0, "caught\n", 1))
        self.assertEqual([report["type"] for report in reports], ["KeyError"])

    def test_a_scope_belongs_to_one_greenlet(self) -> None:
        code = (
            "def work(name):\n"
            "    with service_sdk.new_scope() as scope:\n"
            "        scope.set_tag('name', name)\n"
            "        gevent.sleep(0.01)\n"
            "        service_sdk.capture_message(name)\n"
            "gevent.joinall([gevent.spawn(work, name) for name in ('one', 'two', 'three')])\n"
        )
        _, reports = self.run_script(code)
        self.assertEqual(len(reports), 3)
        self.assertEqual([report["tags"]["name"] for report in reports], [report["message"] for report in reports])


if __name__ == "__main__":
    unittest.main()
