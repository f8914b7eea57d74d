"""Describes exceptions for a report, without secrets. Runs in the sender thread."""

import time
from types import CodeType
from typing import Any, Dict, Iterable, List, Optional

from ._exceptions import MAX_MESSAGE, RawException, RawFrame
from ._in_app import is_in_app
from ._json import encode_json
from ._normalize import scrub_and_truncate, truncate
from ._options import Options
from ._scrub import SCRUBBED, is_secret, scrub_repr
from ._source import Sources

_MAX_STACKTRACE = 60_000
#: The server keeps this many lines from the beginning and from the end of a longer traceback.
_HEAD_LINES = 200
_TAIL_LINES = 50
_MAX_LINE = 300
_CONTEXT_LINES = 5
#: Frames with source lines in a report. The innermost frames of the first exception come first.
_MAX_CONTEXTS = 40
_MAX_VARIABLE = 200
_MAX_FILE = 1_000
#: The source lines and variables of a report. The server keeps about as much.
_DETAILS_BYTES = 128_000
#: All frames of a report, without source lines and variables. A report must stay below the limit of the server.
_FRAMES_BYTES = 256_000
_CAUSE = "The above exception was the direct cause of the following exception:"
_CONTEXT = "During handling of the above exception, another exception occurred:"


def describe_exceptions(exceptions: List[RawException], options: Options) -> Dict[str, Any]:
    """Returns the fields of a report that describe the error."""
    return _Describer(options).describe(exceptions)


def function_name(code: CodeType) -> str:
    """Returns ``Cart.total`` for a method. Before Python 3.11, code objects have the plain name only."""
    name = getattr(code, "co_qualname", None) or code.co_name
    # `<locals>` separates a function from one that is defined in it.
    return truncate(str(name).replace(".<locals>.", "."), _MAX_LINE)


class _Describer:
    def __init__(self, options: Options) -> None:
        self._options = options
        self._sources = Sources()
        self._contexts_left = _MAX_CONTEXTS
        self._details_bytes_left = _DETAILS_BYTES
        self._frames_bytes_left = _FRAMES_BYTES

    def describe(self, exceptions: List[RawException]) -> Dict[str, Any]:
        first = exceptions[0]
        return {
            "type": first.full_type,
            "message": scrub_and_truncate(first.message or first.full_type, MAX_MESSAGE),
            "stacktrace": scrub_and_truncate(format_exceptions(exceptions, self._sources), _MAX_STACKTRACE),
            "exceptions": [self._describe_one(exception) for exception in exceptions],
        }

    def _describe_one(self, exception: RawException) -> Dict[str, Any]:
        return {
            "type": exception.full_type,
            "message": scrub_and_truncate(exception.message, MAX_MESSAGE),
            "relation": exception.relation,
            # Top frame first, as the server lists them.
            "frames": self._describe_frames(reversed(exception.frames)),
        }

    def _describe_frames(self, frames: Iterable[RawFrame]) -> List[Dict[str, Any]]:
        described: List[Dict[str, Any]] = []
        for frame in frames:
            fields = self._describe_frame(frame)
            self._frames_bytes_left -= len(encode_json(fields))
            if self._frames_bytes_left < 0:
                break
            described.append({**fields, **self._details_of(frame)} if fields["in_app"] else fields)
        return described

    def _describe_frame(self, frame: RawFrame) -> Dict[str, Any]:
        # Lets the threads of the program run. They would have to wait for five milliseconds for the interpreter's lock.
        time.sleep(0)
        file = frame.code.co_filename
        return {
            "function": function_name(frame.code),
            "file": truncate(file, _MAX_FILE),
            "module": truncate(frame.module, _MAX_LINE),
            "line": frame.line,
            "in_app": is_in_app(file, frame.module, self._options.in_app_include, self._options.in_app_exclude),
        }

    def _details_of(self, frame: RawFrame) -> Dict[str, Any]:
        """Returns the source lines and the variables of a frame, as far as the report has room for them."""
        details: Dict[str, Any] = {}
        if self._contexts_left > 0:
            self._contexts_left -= 1
            self._add_detail(details, "context", self._context_of(frame))
        if frame.variables:
            self._add_detail(details, "variables", _scrub_variables(frame.variables))
        return details

    def _add_detail(self, details: Dict[str, Any], name: str, value: Any) -> None:
        size = len(encode_json(value))
        if size <= self._details_bytes_left:
            self._details_bytes_left -= size
            details[name] = value

    def _context_of(self, frame: RawFrame) -> List[Dict[str, Any]]:
        start = max(0, frame.line - 1 - _CONTEXT_LINES)
        lines = self._sources.lines_of(frame)[start : frame.line + _CONTEXT_LINES]
        return [
            {"line": start + number, "text": scrub_and_truncate(line.rstrip("\r\n"), _MAX_LINE)}
            for number, line in enumerate(lines, 1)
        ]


def _scrub_variables(variables: Dict[str, str]) -> Dict[str, str]:
    return {
        name: SCRUBBED if is_secret(name, text) else scrub_and_truncate(text, _MAX_VARIABLE, scrub_repr)
        for name, text in variables.items()
    }


def format_exceptions(exceptions: List[RawException], sources: Sources) -> str:
    """Writes a traceback as Python does: the cause first, the exception itself last, then the members of its group."""
    chain = [exception for exception in exceptions if exception.relation != "member"]
    members = [exception for exception in exceptions if exception.relation == "member"]
    parts: List[str] = []
    inner: Optional[RawException] = None
    for exception in reversed(chain):
        if inner is not None:
            parts.append(_CAUSE if inner.relation == "cause" else _CONTEXT)
        parts.append(_format_one(exception, sources))
        inner = exception
    text = "\n\n".join(parts)
    if members:
        text = _format_group(text, [_format_one(member, sources) for member in members])
    lines = text.split("\n")
    return text if len(lines) <= _HEAD_LINES + _TAIL_LINES else "\n".join([*lines[:_HEAD_LINES], *lines[-_TAIL_LINES:]])


def _format_one(exception: RawException, sources: Sources) -> str:
    lines = ["Traceback (most recent call last):"] if exception.frames else []
    for frame in exception.frames:
        lines.append(f'  File "{frame.code.co_filename}", line {frame.line}, in {function_name(frame.code)}')
        source = sources.line_of(frame)
        if source:
            lines.append(f"    {truncate(source, _MAX_LINE)}")
    lines.append(f"{exception.full_type}: {exception.message}" if exception.message else exception.full_type)
    return "\n".join(lines)


def _format_group(header: str, members: List[str]) -> str:
    first, *rest = header.replace("Traceback (most", "Exception Group Traceback (most").split("\n")
    lines = [f"  + {first}", *(f"  | {line}" for line in rest)]
    for number, member in enumerate(members, 1):
        start = "  +-+" if number == 1 else "    +"
        lines.append(f"{start}---------------- {number} ----------------")
        lines.extend(f"    | {line}" for line in member.split("\n"))
    lines.append("    +------------------------------------")
    return "\n".join(lines)
