import sqlite3
import subprocess
import sys
import unittest
from contextlib import closing
from typing import Any, Dict, List

import service_sdk


class BreadcrumbTest(unittest.TestCase):
    def setUp(self) -> None:
        self.reports: List[Dict[str, Any]] = []
        self.addCleanup(service_sdk.close)

    def init(self, **options: Any) -> None:
        def keep(report: Dict[str, Any]) -> service_sdk.Response:
            self.reports.append(report)
            return service_sdk.Response(200)

        service_sdk.init("pk_test", "http://127.0.0.1:9", transport=keep, **options)

    def breadcrumbs(self, kind: str) -> List[Dict[str, Any]]:
        """Returns the data of the breadcrumbs of one type, without durations."""
        service_sdk.capture_message("now")
        self.assertTrue(service_sdk.flush(60))
        found = [item["data"] for item in self.reports[-1].get("breadcrumbs", []) if item["type"] == kind]
        for data in found:
            self.assertGreaterEqual(data.pop("duration", 0), 0)
        return found


class SubprocessTest(BreadcrumbTest):
    def test_records_the_name_of_a_program_without_its_arguments(self) -> None:
        self.init()
        subprocess.run([sys.executable, "-c", "", "--password", "hunter22"], check=True)
        subprocess.run("TOKEN=abc : --secret", shell=True, check=True)
        with self.assertRaises(FileNotFoundError):
            subprocess.run([b"/nowhere/backup", "x"])
        program = sys.executable.rsplit("/", 1)[-1]
        expected = [{"command": program}, {"command": ":"}, {"command": "backup", "error": "FileNotFoundError"}]
        self.assertEqual(self.breadcrumbs("subprocess"), expected)

    def test_wrong_arguments_fail_as_without_the_sdk(self) -> None:
        self.init()
        for args in ([], None, [None], 7):
            with self.subTest(args=args), self.assertRaises((IndexError, TypeError, ValueError)):
                subprocess.Popen(args)  # type: ignore[arg-type]

    def test_records_nothing_if_it_is_switched_off_or_closed(self) -> None:
        original = subprocess.Popen.__init__
        self.init(breadcrumbs={"subprocess": False})
        self.assertIs(subprocess.Popen.__init__, original)
        service_sdk.close()
        self.init()
        self.assertIsNot(subprocess.Popen.__init__, original)
        service_sdk.close()
        self.assertIs(subprocess.Popen.__init__, original)


class SqliteTest(BreadcrumbTest):
    def test_records_statements_without_values(self) -> None:
        self.init()
        connection = sqlite3.connect(":memory:")
        self.addCleanup(connection.close)
        connection.execute("CREATE TABLE users (name, age)")
        connection.executemany("INSERT INTO users VALUES (?, 7)", [("Ada",), ("Bob",)])
        cursor = connection.cursor()
        cursor.execute("""SELECT name AS "it's" FROM users WHERE name = 'O''Brien' OR age > 1.5""")
        self.assertEqual(cursor.fetchall(), [("Ada",), ("Bob",)])
        with self.assertRaises(sqlite3.OperationalError):
            connection.execute("SELECT secret FROM nowhere")
        self.assertEqual(
            self.breadcrumbs("query"),
            [
                {"statement": "CREATE TABLE users (name, age)"},
                {"statement": "INSERT INTO users VALUES (?, ?)"},
                {"statement": """SELECT name AS "it's" FROM users WHERE name = ? OR age > ?"""},
                {"statement": "SELECT secret FROM nowhere", "error": "OperationalError"},
            ],
        )

    def test_connections_and_rows_behave_as_without_the_sdk(self) -> None:
        self.init()
        with closing(sqlite3.connect(":memory:", timeout=5.0, isolation_level=None)) as connection:
            self.assertIsInstance(connection, sqlite3.Connection)
            connection.row_factory = sqlite3.Row
            row = connection.execute("SELECT ? AS name", ("Ada",)).fetchone()
            self.assertEqual((row["name"], connection.isolation_level), ("Ada", None))
            with self.assertRaises(TypeError):
                connection.execute()
            with self.assertRaises(TypeError):
                connection.execute(b"SELECT 1")

    def test_leaves_classes_of_the_program_alone(self) -> None:
        class Connection(sqlite3.Connection):
            pass

        self.init()
        with closing(sqlite3.connect(":memory:", factory=Connection)) as connection:
            self.assertIs(type(connection), Connection)

    def test_records_nothing_if_it_is_switched_off_or_closed(self) -> None:
        original = sqlite3.connect
        self.init(breadcrumbs={"sqlite3": False})
        self.assertIs(sqlite3.connect, original)
        service_sdk.close()
        self.init()
        self.assertIsNot(sqlite3.connect, original)
        self.assertIs(sqlite3.connect, sqlite3.dbapi2.connect)
        service_sdk.close()
        self.assertIs(sqlite3.connect, original)

    def test_a_statement_of_any_length_is_read_in_linear_time(self) -> None:
        from service_sdk._instruments.sqlite import _without_values

        for text in ("'" * 1_000_000, '"' * 1_000_000, "1" * 1_000_000, "'a" * 500_000, '"a' * 500_000):
            self.assertLess(len(_without_values(text)), 1_001)


if __name__ == "__main__":
    unittest.main()
