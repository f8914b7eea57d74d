"""Reads exceptions while the program waits, and describes them for a report afterwards."""

import linecache
import sys
from dataclasses import dataclass
from types import CodeType, TracebackType
from typing import Any, Dict, Hashable, List, Optional, Tuple

from ._in_app import is_in_app
from ._normalize import normalize, safe_repr, safe_text, truncate
from ._options import Options

_MAX_EXCEPTIONS = 6
_MAX_FRAMES = 100
_MAX_MESSAGE = 8_000
_MAX_LINE = 400
_CONTEXT_LINES = 5
_MAX_VARIABLES = 30
_CAUSE = "The above exception was the direct cause of the following exception:"
_CONTEXT = "During handling of the above exception, another exception occurred:"


@dataclass(frozen=True)
class RawFrame:
    """A call of a traceback. Holds no frame object, because that would keep all local variables alive."""

    code: CodeType
    line: int
    module: str
    globals_loader: Any
    variables: Optional[Dict[str, str]]


@dataclass(frozen=True)
class RawException:
    """An exception as it was read. ``relation`` is how it relates to the previous one of the list."""

    type_name: str
    module: str
    message: str
    #: Outermost call first, as Python lists them.
    frames: Tuple[RawFrame, ...]
    relation: Optional[str] = None


def read_exception(error: BaseException, options: Options) -> List[RawException]:
    """Reads an exception, its causes and the members of its group: the exception itself first."""
    found: List[RawException] = []
    seen = set()
    waiting: List[Tuple[BaseException, Optional[str]]] = [(error, None)]
    while waiting and len(found) < _MAX_EXCEPTIONS:
        current, relation = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        found.append(_read_one(current, relation, options))
        cause = _attribute(current, "__cause__")
        context = None if _attribute(current, "__suppress_context__") else _attribute(current, "__context__")
        if isinstance(cause, BaseException):
            waiting.append((cause, "cause"))
        elif isinstance(context, BaseException):
            waiting.append((context, "context"))
        members = _attribute(current, "exceptions")
        if isinstance(members, tuple):
            waiting.extend((member, "member") for member in members[:5] if isinstance(member, BaseException))
    return found


def identity_of(exceptions: List[RawException]) -> Hashable:
    """Returns what two occurrences of the same error have in common."""
    first = exceptions[0]
    places = tuple((frame.code.co_filename, frame.line) for frame in first.frames)
    return first.type_name, first.message[:200], places


def _attribute(value: object, name: str) -> Any:
    try:
        return getattr(value, name, None)
    except Exception:
        return None


def _read_one(error: BaseException, relation: Optional[str], options: Options) -> RawException:
    kind = type(error)
    notes = _attribute(error, "__notes__")
    message = safe_text(error)
    if isinstance(notes, (list, tuple)):
        message = "\n".join([message, *(safe_text(note) for note in notes[:20])])
    frames = _read_frames(_attribute(error, "__traceback__"), options)
    if isinstance(error, SyntaxError):
        message = safe_text(_attribute(error, "msg")) or message
    return RawException(
        type_name=truncate(safe_text(_attribute(kind, "__qualname__") or "Exception"), 200),
        module=safe_text(_attribute(kind, "__module__") or ""),
        message=truncate(message, _MAX_MESSAGE),
        frames=frames,
        relation=relation,
    )


def _read_frames(traceback: Optional[TracebackType], options: Options) -> Tuple[RawFrame, ...]:
    frames: List[RawFrame] = []
    while isinstance(traceback, TracebackType):
        frame = traceback.tb_frame
        names = frame.f_globals
        module = names.get("__name__")
        frames.append(
            RawFrame(
                code=frame.f_code,
                line=traceback.tb_lineno or 0,
                module=module if isinstance(module, str) else "",
                globals_loader=names.get("__loader__"),
                variables=_read_variables(frame.f_locals) if options.include_local_variables else None,
            )
        )
        if len(frames) > 2 * _MAX_FRAMES:
            # A recursion: the first and the last calls tell what happened.
            del frames[_MAX_FRAMES : _MAX_FRAMES + 1]
        traceback = traceback.tb_next
    return tuple(frames)


def _read_variables(variables: Dict[str, Any]) -> Dict[str, str]:
    return {name: safe_repr(variables[name]) for name in list(variables)[:_MAX_VARIABLES]}


def describe_exceptions(exceptions: List[RawException], options: Options) -> Dict[str, Any]:
    """Returns the fields of a report that describe the error."""
    first = exceptions[0]
    described = [_describe(exception, options) for exception in exceptions]
    return {
        "type": _type_of(first),
        "message": first.message or _type_of(first),
        "stacktrace": _format(exceptions),
        "exceptions": described,
    }


def _type_of(exception: RawException) -> str:
    if exception.module in ("", "builtins", "__main__"):
        return exception.type_name
    return f"{exception.module}.{exception.type_name}"


def _describe(exception: RawException, options: Options) -> Dict[str, Any]:
    # Top frame first, as the server lists them.
    frames = [_describe_frame(frame, options) for frame in reversed(exception.frames[-_MAX_FRAMES:])]
    return {"type": _type_of(exception), "message": exception.message, "relation": exception.relation, "frames": frames}


def _describe_frame(frame: RawFrame, options: Options) -> Dict[str, Any]:
    file = frame.code.co_filename
    in_app = is_in_app(file, frame.module, options.in_app_include, options.in_app_exclude)
    described: Dict[str, Any] = {
        "function": function_name(frame.code),
        "file": file,
        "module": frame.module,
        "line": frame.line,
        "in_app": in_app,
    }
    if in_app:
        described["context"] = _context(frame)
    if frame.variables:
        described["variables"] = normalize(frame.variables, 4_000)
    return described


def function_name(code: CodeType) -> str:
    """Returns ``Cart.total`` for a method. Before Python 3.11, code objects have the plain name only."""
    name = getattr(code, "co_qualname", None) or code.co_name
    # `<locals>` stands between a function and one that it contains.
    return str(name).replace(".<locals>.", ".")


def _context(frame: RawFrame) -> List[Dict[str, Any]]:
    try:
        linecache.lazycache(frame.code.co_filename, {"__name__": frame.module, "__loader__": frame.globals_loader})
        lines = linecache.getlines(frame.code.co_filename)
    except Exception:
        return []
    start = max(0, frame.line - 1 - _CONTEXT_LINES)
    return [
        {"line": start + index + 1, "text": truncate(line.rstrip("\r\n"), _MAX_LINE)}
        for index, line in enumerate(lines[start : frame.line + _CONTEXT_LINES])
    ]


def _format(exceptions: List[RawException]) -> str:
    """Writes a traceback as Python does: the cause first, the exception itself last, then the members of its group."""
    chain = [exception for exception in exceptions if exception.relation != "member"]
    members = [exception for exception in exceptions if exception.relation == "member"]
    parts: List[str] = []
    for exception, inner in zip(reversed(chain), [None, *reversed(chain)]):
        if inner is not None:
            parts.append(_CAUSE if inner.relation == "cause" else _CONTEXT)
        parts.append(_format_one(exception))
    text = "\n\n".join(parts)
    if members:
        text = _format_group(text, members)
    return text


def _format_one(exception: RawException) -> str:
    lines = ["Traceback (most recent call last):"]
    frames = exception.frames
    shown = frames if len(frames) <= _MAX_FRAMES else frames[: _MAX_FRAMES // 2] + frames[-_MAX_FRAMES // 2 :]
    for frame in shown:
        lines.append(f'  File "{frame.code.co_filename}", line {frame.line}, in {function_name(frame.code)}')
        source = linecache.getline(frame.code.co_filename, frame.line).strip()
        if source:
            lines.append(f"    {truncate(source, _MAX_LINE)}")
    if not frames:
        lines = []
    message = exception.message
    lines.append(f"{_type_of(exception)}: {message}" if message else _type_of(exception))
    return "\n".join(lines)


def _format_group(text: str, members: List[RawException]) -> str:
    header = text.replace("Traceback (most", "Exception Group Traceback (most")
    lines = ["  + " + header.split("\n")[0], *(f"  | {line}" for line in header.split("\n")[1:])]
    for number, member in enumerate(members, 1):
        start = "  +-+" if number == 1 else "    +"
        lines.append(f"{start}---------------- {number} ----------------")
        lines.extend(f"    | {line}" for line in _format_one(member).split("\n"))
    lines.append("    +------------------------------------")
    return "\n".join(lines)


def current_exception() -> Optional[BaseException]:
    """Returns the exception that is being handled."""
    return sys.exc_info()[1]
