import logging
import os
import random
import sys
import threading
import time
import unittest
from typing import Any, Dict, List, Optional

import service_sdk
from integration_tests.server import create_project
from service_sdk._transport import HttpTransport
from tests.hostile import RAISED, any_value, raising, situation

_IS_FULL = os.environ.get("TEST_DEPTH") == "full"
_COUNT = 10_000 if _IS_FULL else 500
#: The SDK reports ten errors at once, so each ten errors get a separate client.
_ROUND = 10


class Recorder:
    """Posts reports like the SDK itself, and remembers the responses."""

    def __init__(self, endpoint: str) -> None:
        self._transport = HttpTransport(endpoint, "fuzz")
        self.statuses: Dict[str, int] = {}

    def __call__(self, report: service_sdk.Report) -> service_sdk.Response:
        response = self._transport(report)
        self.statuses[report["event_id"]] = response.status
        return response

    def close(self) -> None:
        self._transport.close()


class FuzzTest(unittest.TestCase):
    def test_hostile_exceptions_raise_nothing_and_every_report_is_accepted(self) -> None:
        seed = os.environ.get("FUZZ_SEED") or (str(int(time.time())) if _IS_FULL else "1")
        print(f"FUZZ_SEED={seed}", file=sys.stderr)
        # The records would fill the screen.
        logging.getLogger("fuzz").addHandler(logging.NullHandler())
        logging.getLogger("fuzz").propagate = False
        logging.getLogger("service_sdk").setLevel(logging.CRITICAL)
        self.addCleanup(logging.getLogger("service_sdk").setLevel, logging.NOTSET)
        # Hooks of the program. Those of Python would print every traceback.
        for owner, name in ((sys, "unraisablehook"), (threading, "excepthook")):
            self.addCleanup(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, lambda args: None)
        project = create_project()
        recorder = Recorder(project.endpoint)
        self.addCleanup(service_sdk.close)
        ids: List[str] = []
        for first in range(0, _COUNT, _ROUND):
            ids += self._run_round(random.Random(f"{seed} {first}"), project.api_key, project.endpoint, recorder)
        # before_send drops some, and a few are repeats.
        self.assertGreater(len(ids), _COUNT * 0.6)
        self.assertEqual({recorder.statuses.get(event_id) for event_id in ids}, {200})
        self.assertEqual(project.count(), len(set(ids)))

    def _run_round(self, chance: random.Random, api_key: str, endpoint: str, recorder: Recorder) -> List[str]:
        service_sdk.init(
            api_key,
            endpoint,
            transport=recorder,
            include_local_variables=chance.random() < 0.5,
            ignore_errors=[KeyboardInterrupt] if chance.random() < 0.5 else None,
            before_send=_before_send(chance) if chance.random() < 0.2 else None,
        )
        ids: List[Optional[str]] = []
        for error, context in [situation(chance) for _ in range(_ROUND)]:
            try:
                ids.append(_capture(chance, error, context))
            except BaseException as error:  # noqa: B902
                raise AssertionError("The SDK raised into the program.") from error
        self.assertTrue(service_sdk.close(60))
        # before_send drops reports after their id was returned.
        return [event_id for event_id in ids if event_id is not None and event_id in recorder.statuses]


def _capture(chance: random.Random, error: BaseException, context: Dict[str, Any]) -> Optional[str]:
    way = chance.random()
    if way < 0.1:
        service_sdk.add_breadcrumb(any_value(chance), any_value(chance), any_value(chance), any_value(chance))
        service_sdk.set_metadata(any_value(chance))
        service_sdk.set_tags(any_value(chance))
        service_sdk.set_user(any_value(chance))
    if way < 0.2:
        _log(error, any_value(chance), any_value(chance))
    elif way < 0.3:
        sys.unraisablehook(_Unraisable(error))
    elif way < 0.4:
        threading.excepthook(_Uncaught(error))
    # Returns the id again if a hook has captured the error already.
    return service_sdk.capture_exception(error, **context)


def _log(error: BaseException, message: Any, argument: Any) -> None:
    # Logger.error() would ask the exception whether it is true.
    logger = logging.getLogger("fuzz")
    exc_info = (type(error), error, None)
    logger.handle(logger.makeRecord("fuzz", logging.ERROR, "", 1, message, (argument, argument), exc_info))


class _Unraisable:
    exc_type, exc_traceback, err_msg, object = ValueError, None, "", None

    def __init__(self, error: BaseException) -> None:
        self.exc_value = error


class _Uncaught(_Unraisable):
    thread = None


def _before_send(chance: random.Random) -> Any:
    def change(report: service_sdk.Report) -> Any:
        report["metadata"] = any_value(chance)
        report[any_value(chance) if chance.random() < 0.1 else "exceptions"] = any_value(chance)
        return report

    return chance.choice([raising(chance.choice(RAISED)), lambda report: any_value(chance), change])


if __name__ == "__main__":
    unittest.main()
