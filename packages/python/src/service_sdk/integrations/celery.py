"""Integration of Celery."""

from importlib import import_module
from typing import Any

from .. import flush, get_client, new_scope
from .._instruments.logging import ignore_logger
from .._scope import Scope
from ._request import capture_uncaught

#: The attribute of a task's request that holds the function to leave its scope.
_LEAVE = "_service_sdk_leave"


def init_app(app: Any) -> None:
    """Reports the tasks of a Celery app that fail, unless the task lists the exception in ``throws``.

    A retry is no failure. Call it once for each app.
    """
    # These loggers log each failure with a copy of the exception, which would be reported again.
    ignore_logger("celery.app.trace")
    ignore_logger("celery.worker.request")
    signals = import_module("celery.signals")

    def enter(task: Any, **_: Any) -> None:
        client = get_client()
        if client is None or task.app is not app:
            return
        scope = client.scopes.current.fork()
        scope.describe_with(lambda target: _describe(target, task))
        token = client.scopes.enter(scope)
        setattr(task.request, _LEAVE, lambda: client.scopes.leave(token))

    def leave(task: Any, **_: Any) -> None:
        leave_scope = getattr(task.request, _LEAVE, None)
        if leave_scope is not None:
            leave_scope()

    def capture(sender: Any, exception: BaseException, task_id: str, **_: Any) -> None:
        expected: Any = sender.throws or ()
        if sender.app is not app or isinstance(exception, expected):
            return
        # The main process of a worker sends the signal for a child that died, without a scope of the task.
        with new_scope() as scope:
            scope.describe_with(lambda target: _describe(target, sender, task_id))
            capture_uncaught(exception, "celery")

    def flush_child(**_: Any) -> None:
        client = get_client()
        if client is not None:
            flush(client.options.shutdown_timeout)

    signals.task_prerun.connect(enter, weak=False)
    signals.task_postrun.connect(leave, weak=False)
    signals.task_failure.connect(capture, weak=False)
    # A child of the pool ends without `atexit`.
    signals.worker_process_shutdown.connect(flush_child, weak=False)


def _describe(scope: Scope, task: Any, task_id: Any = None) -> None:
    """Adds a task to the scope of a report. Its arguments are not sent."""
    if "task" not in scope.tags:
        scope.set_tag("task", task.name)
    if "celery" not in scope.metadata:
        scope.set_metadata({"celery": {"task_id": task_id or task.request.id, "retries": task.request.retries}})
