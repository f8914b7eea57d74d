"""The source lines of a report."""

import linecache
import os
import stat
from typing import Dict, List

from ._attempt import attempt
from ._exceptions import RawFrame

_MAX_BYTES = 2_000_000


class Sources:
    """Reads the files of one report, each at most once. Shares the cache of ``traceback``, which prints the same lines."""

    def __init__(self) -> None:
        self._files: Dict[str, List[str]] = {}

    def lines_of(self, frame: RawFrame) -> List[str]:
        """Returns the lines of the file of a frame, or no lines if it cannot be read."""
        file = frame.code.co_filename
        if file not in self._files:
            self._files[file] = attempt(lambda: _read_lines(frame), [])
        return self._files[file]

    def line_of(self, frame: RawFrame) -> str:
        """Returns the line of a frame, without its indentation."""
        lines = self.lines_of(frame)
        return lines[frame.line - 1].strip() if 0 < frame.line <= len(lines) else ""


def _read_lines(frame: RawFrame) -> List[str]:
    file = frame.code.co_filename
    if not _is_readable(file):
        return []
    # Drops the lines of a file that has changed since it was read.
    linecache.checkcache(file)
    linecache.lazycache(file, {"__name__": frame.module, "__loader__": frame.loader})
    return linecache.getlines(file)


def _is_readable(file: str) -> bool:
    """Returns False for files that are large, or endless such as a pipe."""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        # The source may be in an archive, or of an interactive session.
        return True
    return stat.S_ISREG(status.st_mode) and status.st_size <= _MAX_BYTES
