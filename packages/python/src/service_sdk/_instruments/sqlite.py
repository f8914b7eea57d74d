"""Statements of ``sqlite3`` become breadcrumbs."""

import re
import time
from typing import Any, Callable, Dict, Optional

from .._client import Client
from .._patch_function import Teardown, patch_function

_MAX_STATEMENT = 1_000
# A name in double quotes is kept, and read as a whole because it may contain an apostrophe. Takes linear time.
_LITERAL = re.compile(r"""("[^"]*")|(?:'[^']*(?:'|$))+|\b\d[\w.]*""")
_FACTORY_POSITION = 5


def install_sqlite(client: Client) -> Teardown:
    """Records the statements of connections that are opened from now on, without values.

    A connection or a cursor is not watched if the program passes its class.
    """
    try:
        import sqlite3
        import sqlite3.dbapi2
    except ImportError:
        # Python can be built without SQLite.
        return lambda: None
    factory = _create_connection_class(client, sqlite3)

    def create(original: Any) -> Any:
        def connect(*args: Any, **options: Any) -> Any:
            if len(args) <= _FACTORY_POSITION and "factory" not in options:
                options["factory"] = factory
            return original(*args, **options)

        return connect

    restore_connect = patch_function(sqlite3, "connect", create)
    # Both modules have the same function.
    restore_dbapi2 = patch_function(sqlite3.dbapi2, "connect", lambda _: sqlite3.connect)

    def restore() -> None:
        restore_connect()
        restore_dbapi2()

    return restore


def _create_connection_class(client: Client, sqlite3: Any) -> Any:
    # Classes written in C cannot be patched, so these are derived from them.
    cursor_class: Any = sqlite3.Cursor
    connection_class: Any = sqlite3.Connection

    class Cursor(cursor_class):  # type: ignore[misc]
        def execute(self, sql: Any, *args: Any) -> Any:
            return _run(client, cursor_class.execute, self, sql, *args)

        def executemany(self, sql: Any, *args: Any) -> Any:
            return _run(client, cursor_class.executemany, self, sql, *args)

        def executescript(self, sql: Any) -> Any:
            return _run(client, cursor_class.executescript, self, sql)

    class Connection(connection_class):  # type: ignore[misc]
        def cursor(self, factory: Any = Cursor) -> Any:
            return connection_class.cursor(self, factory)

        def execute(self, *args: Any) -> Any:
            return self.cursor().execute(*args)

        def executemany(self, *args: Any) -> Any:
            return self.cursor().executemany(*args)

        def executescript(self, *args: Any) -> Any:
            return self.cursor().executescript(*args)

    for derived in (Cursor, Connection):
        # A warning about an unclosed connection names its class.
        derived.__module__, derived.__qualname__ = "sqlite3", derived.__name__
    return Connection


def _run(client: Client, execute: Callable[..., Any], cursor: Any, sql: Any, *args: Any) -> Any:
    started_at = time.monotonic()
    try:
        result = execute(cursor, sql, *args)
    except BaseException as error:
        _record(client, sql, started_at, type(error).__name__)
        raise
    _record(client, sql, started_at, None)
    return result


def _record(client: Client, sql: Any, started_at: float, error: Optional[str]) -> None:
    try:
        data: Dict[str, Any] = {"statement": _without_values(sql)} if isinstance(sql, str) else {}
        data["duration"] = round((time.monotonic() - started_at) * 1_000)
        if error is not None:
            data["error"] = error
        client.add_breadcrumb("query", "sqlite3", data)
    except RecursionError:
        # The statement was the deepest call that the stack allows.
        pass


def _without_values(sql: str) -> str:
    """Returns a statement with ``?`` in place of its texts and numbers."""
    return _LITERAL.sub(lambda match: match[1] or "?", sql[:_MAX_STATEMENT])
