import os
import subprocess
import tempfile
import unittest
from glob import glob
from typing import Any

from integration_tests.programs import ProgramTest, python, require, wait_until

#: A task that is retried runs twice, and each child of the worker runs one task.
_EXECUTIONS = 4
_MAIN = python("-c", "from integration_tests.apps.celery_app import main; main()")


class CeleryTest(ProgramTest):
    @classmethod
    def setUpClass(cls) -> None:
        require("celery")

    def check(self, reports: Any, *messages: str) -> None:
        self.assertEqual(sorted(report["message"] for report in reports), sorted(messages))
        (report,) = [report for report in reports if report["message"] == "no money"]
        self.assertEqual(report["tags"], {"task": "integration_tests.apps.celery_app.charge"})
        self.assertEqual(set(report["metadata"]["celery"]), {"task_id", "retries"})
        self.assertIn("charges", [breadcrumb["data"].get("message") for breadcrumb in report["breadcrumbs"]])
        # The arguments of a task are not sent.
        self.assertNotIn("4111", str(report))

    def test_reports_each_failed_task_once_without_a_worker(self) -> None:
        ended, reports = self.compare([*_MAIN, "charge", "refund", "decline", "retry"])
        self.assertEqual(ended.stdout.count("FAILURE"), 4)
        self.check(reports, "no money", "no refund: 7", "after the last retry")

    def test_reports_each_failed_task_of_a_worker_once(self) -> None:
        with tempfile.TemporaryDirectory() as parent:

            def use(_: str) -> str:
                newest = max(os.scandir(parent), key=lambda folder: folder.stat().st_ctime)
                environment = {**os.environ, "CELERY_FOLDER": newest.path, "PYTHONPATH": "src:."}
                main = [*_MAIN, "charge", "decline", "retry"]
                printed = subprocess.run(main, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
                # A worker that is stopped while it replaces a child may take any time to end.
                wait_until(lambda: len(glob(os.path.join(newest.path, "child-*"))) == 1 + _EXECUTIONS)
                return printed

            worker = ["-m", "celery", "-A", "integration_tests.apps.celery_app", "-q", "worker", "-l", "INFO", "-c", "1"]
            printed, reports = self.compare_server(
                python(*worker, "--without-gossip", "--without-mingle"),
                use,
                r"celery@\S+ (ready)",
                CELERY_PARENT_FOLDER=parent,
            )
        self.assertEqual(printed, "charge FAILURE\ndecline FAILURE\nretry FAILURE\n")
        self.check(reports, "no money", "after the last retry")


if __name__ == "__main__":
    unittest.main()
