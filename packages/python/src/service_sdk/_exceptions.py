"""Reads exceptions while the program waits. ``_describe`` does the rest in the sender thread.

The attributes that every exception has are read as the interpreter reads them, because a property of a subclass may run
any code.
"""

# Otherwise annotations of inner functions would be evaluated at each call. On PyPy, `typing` then takes a lock, which a
# forked child might inherit.
from __future__ import annotations

import time
from collections import deque
from types import CodeType, FrameType, TracebackType
from typing import Any, Callable, Deque, Dict, Hashable, Iterator, List, NamedTuple, Optional, Tuple

from ._attempt import attempt
from ._normalize import MARGIN, safe_repr, safe_text, truncate

MAX_MESSAGE = 8_000
_MAX_EXCEPTIONS = 6
_MAX_MEMBERS = 5
#: The maximum number of calls of a traceback: the outermost half and the innermost half. Those between are dropped.
_MAX_FRAMES = 100
#: A traceback that a program has built by hand may be endless.
_MAX_CALLS = 1_000_000
_MAX_TYPE = 200
_MAX_NOTES = 20
_MAX_VARIABLES = 30
#: The seconds in which local variables are read. The program waits, and their ``__repr__`` may take any time.
_VARIABLES_SECONDS = 0.1
_UNREAD = "…"
_MAX_PROPERTIES = 30


def _getter(kind: type, name: str) -> Callable[[Any], Any]:
    """Returns a function that reads an attribute of an instance, whatever its class overrides."""
    getter: Callable[[Any], Any] = vars(kind)[name].__get__
    return getter


_cause_of = _getter(BaseException, "__cause__")
_context_of = _getter(BaseException, "__context__")
_suppresses_context = _getter(BaseException, "__suppress_context__")
_traceback_of = _getter(BaseException, "__traceback__")
_qualname_of = _getter(type, "__qualname__")
_module_of = _getter(type, "__module__")
#: The dict of the instance's own attributes.
_attributes_of: Callable[[BaseException], Dict[str, Any]] = _getter(BaseException, "__dict__")
_get = dict.get
_new_tuple = tuple.__new__


class RawFrame(NamedTuple):
    """A call of a traceback. Holds no frame object, because that would keep all local variables alive."""

    code: CodeType
    line: int
    module: str
    loader: Any
    #: The repr of local variables, not scrubbed yet.
    variables: Optional[Dict[str, str]]


class RawException(NamedTuple):
    """An exception as it was read, not scrubbed yet. ``relation`` is how it relates to an earlier one of the list."""

    type_name: str
    module: str
    message: str
    #: Outermost call first, as Python lists them.
    frames: Tuple[RawFrame, ...]
    #: ``cause``, ``context`` or ``member``; None for the exception itself.
    relation: Optional[str] = None

    @property
    def full_type(self) -> str:
        """The class with its module: ``shop.errors.PaymentError``."""
        return self.type_name if self.module in ("", "builtins", "__main__") else f"{self.module}.{self.type_name}"


def name_of(kind: type) -> str:
    """Returns the name of a class with its module: ``asyncio.exceptions.CancelledError``."""
    return f"{_module_name_of(kind)}.{_qualname_of(kind)}"


def _module_name_of(kind: type) -> str:
    # A class may have any value there.
    module = _module_of(kind)
    return module if type(module) is str else ""


def is_exception(value: object) -> bool:
    """Returns whether a value is an exception. ``isinstance`` would believe a false ``__class__``."""
    return issubclass(type(value), BaseException)


def get_attribute(error: BaseException, name: str) -> Any:
    """Returns an own attribute of an exception, or None."""
    # The program may have replaced the dict by a subclass.
    return dict.get(_attributes_of(error), name)


def set_attribute(error: BaseException, name: str, value: object) -> None:
    """Sets an own attribute of an exception."""
    dict.__setitem__(_attributes_of(error), name, value)


def read_exception(error: BaseException, with_variables: bool = False) -> List[RawException]:
    """Reads an exception, its causes and the members of its group: the exception itself first."""
    found: List[RawException] = []
    seen = set()
    deadline = time.monotonic() + _VARIABLES_SECONDS if with_variables else None
    waiting: Deque[Tuple[BaseException, Optional[str]]] = deque([(error, None)])
    while waiting and len(found) < _MAX_EXCEPTIONS:
        current, relation = waiting.popleft()
        if id(current) not in seen:
            seen.add(id(current))
            found.append(_read_one(current, relation, deadline))
            waiting.extend(_related_to(current))
    return found


def _related_to(error: BaseException) -> Iterator[Tuple[BaseException, str]]:
    cause = _cause_of(error)
    context = None if _suppresses_context(error) else _context_of(error)
    if cause is not None:
        yield cause, "cause"
    elif context is not None:
        yield context, "context"
    members = attempt(lambda: getattr(error, "exceptions", None), None)
    if type(members) is tuple:
        for member in members[:_MAX_MEMBERS]:
            if is_exception(member):
                yield member, "member"


def identity_of(exceptions: List[RawException]) -> Hashable:
    """Returns what two occurrences of the same error have in common."""
    first = exceptions[0]
    return first.full_type, first.message, tuple([(frame.code.co_filename, frame.line) for frame in first.frames])


def read_properties(error: BaseException) -> Dict[str, Any]:
    """Returns the own attributes of an exception that are plain values, such as ``code`` and ``status``."""
    properties: Dict[str, Any] = {}
    for name in list(dict.keys(_attributes_of(error)))[:_MAX_PROPERTIES]:
        value = get_attribute(error, name)
        if type(value) in (str, int, float, bool) and type(name) is str and not name.startswith("__"):
            properties[name] = value
    return properties


def _read_one(error: BaseException, relation: Optional[str], deadline: Optional[float]) -> RawException:
    kind = type(error)
    return RawException(
        truncate(_qualname_of(kind), _MAX_TYPE),
        truncate(_module_name_of(kind), _MAX_TYPE),
        truncate(_message_of(error), MAX_MESSAGE + MARGIN),
        _read_frames(_traceback_of(error), deadline),
        relation,
    )


def _message_of(error: BaseException) -> str:
    # The text of a SyntaxError ends with the file and the line, which change.
    message = attempt(lambda: getattr(error, "msg", None), None) if issubclass(type(error), SyntaxError) else None
    if type(message) is not str:
        message = safe_text(error)
    notes = get_attribute(error, "__notes__")
    if type(notes) is list:
        message = "\n".join([message, *(safe_text(note) for note in notes[:_MAX_NOTES])])
    return message


def _read_frames(traceback: Optional[TracebackType], deadline: Optional[float]) -> Tuple[RawFrame, ...]:
    """Returns the calls of a traceback, outermost first. The middle of a deep recursion is left out."""
    outer: List[TracebackType] = []
    inner: Deque[TracebackType] = deque(maxlen=_MAX_FRAMES // 2)
    for _ in range(_MAX_CALLS):
        if traceback is None:
            break
        calls = outer if len(outer) < _MAX_FRAMES // 2 else inner
        calls.append(traceback)
        traceback = traceback.tb_next
    # The variables of the innermost calls are read first.
    frames = [_read_frame(call, deadline) for call in reversed([*outer, *inner])]
    frames.reverse()
    return tuple(frames)


def _read_frame(call: TracebackType, deadline: Optional[float]) -> RawFrame:
    frame = call.tb_frame
    names = frame.f_globals
    # A program may run code with a subclass of dict, whose methods are its own.
    module = _get(names, "__name__")
    # Half of the time of a capture is spent here. `RawFrame(…)` takes twice as long.
    return _new_tuple(
        RawFrame,
        (
            frame.f_code,
            call.tb_lineno or 0,
            module if type(module) is str else "",
            _get(names, "__loader__"),
            None if deadline is None else _read_variables(frame, deadline),
        ),
    )


def _read_variables(frame: FrameType, deadline: float) -> Optional[Dict[str, str]]:
    def read_one(value: object) -> str:
        return safe_repr(value) if time.monotonic() < deadline else _UNREAD

    def read() -> Dict[str, str]:
        variables: Any = frame.f_locals
        names = list(variables)[:_MAX_VARIABLES]
        return {truncate(safe_text(name), _MAX_TYPE): read_one(variables[name]) for name in names}

    return attempt(read, None)
