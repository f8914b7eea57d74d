"""A Celery app whose tasks fail in different ways. Runs them directly, or sends them to a worker through a folder."""

import os
import sys
import tempfile
import time
from typing import Any

import celery
import service_sdk
from celery.signals import worker_process_init
from service_sdk.integrations import celery as integration

app = celery.Celery("shop")
_FOLDER = os.environ.get("CELERY_FOLDER")
if "CELERY_PARENT_FOLDER" in os.environ:
    # Each worker has a separate folder, because a worker that ends puts back what it has not acknowledged.
    _FOLDER = tempfile.mkdtemp(dir=os.environ["CELERY_PARENT_FOLDER"])
if _FOLDER is None:
    app.conf.update(task_always_eager=True)
else:
    app.conf.update(
        broker_url="filesystem://",
        broker_transport_options={"data_folder_in": _FOLDER, "data_folder_out": _FOLDER},
        result_backend=f"file://{_FOLDER}",
        # A child ends after its task, so it must have sent its report.
        worker_max_tasks_per_child=1,
    )

    @worker_process_init.connect
    def show_child(folder: str = _FOLDER, **_: Any) -> None:
        """Writes a file for each child of the worker, so that a test sees when the last one was replaced."""
        open(os.path.join(folder, f"child-{os.getpid()}"), "x").close()


if "SERVICE_API_KEY" in os.environ:
    # A child must wait for its report before it ends.
    service_sdk.init(before_send=lambda report: time.sleep(0.5) or report, shutdown_timeout=30)
    integration.init_app(app)


class Unpicklable(Exception):
    def __init__(self, reason: str, code: int) -> None:
        super().__init__(f"{reason}: {code}")


class Declined(Exception):
    pass


@app.task
def charge(card: str) -> None:
    service_sdk.add_breadcrumb(message="charges")
    raise ValueError("no money")


@app.task
def refund() -> None:
    raise Unpicklable("no refund", 7)


@app.task(throws=(Declined,))
def decline() -> None:
    raise Declined("expected")


@app.task(bind=True, max_retries=1)
def retry(self: Any) -> None:
    try:
        raise ValueError("after the last retry")
    except ValueError as error:
        raise self.retry(exc=error, countdown=0)


def main() -> None:
    """Runs the tasks that the command line names, and prints how each has ended."""
    for name in sys.argv[1:]:
        task = app.tasks[f"integration_tests.apps.celery_app.{name}"]
        result = task.apply_async(args=["4111 1111 1111 1111"] if name == "charge" else [])
        result.get(timeout=60, propagate=False)
        print(name, result.state)
