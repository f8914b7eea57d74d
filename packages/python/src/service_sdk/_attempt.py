"""Calls code of the program, which may raise anything."""

from typing import Callable, TypeVar

Result = TypeVar("Result")


def attempt(call: Callable[[], Result], otherwise: Result) -> Result:
    """Returns what ``call`` returns, or ``otherwise`` if it raises, even ``SystemExit``. Only ``KeyboardInterrupt`` is raised
    again, because the user stops the program with it.
    """
    try:
        return call()
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: B902 - code of the program may raise anything
        return otherwise
