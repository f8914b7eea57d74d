import json
import os
import time
import unittest
from typing import Any, Dict

from service_sdk._normalize import normalize
from service_sdk._scrub import is_secret, scrub, scrub_repr

#: The tests of the browser SDK also read this table.
_TABLE = os.path.join(os.path.dirname(__file__), "..", "..", "..", "test", "test-utils", "scrub-examples.json")


@unittest.skipUnless(os.path.exists(_TABLE), "the table is part of the repository, not of the package")
class ScrubTest(unittest.TestCase):
    table: Dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        with open(_TABLE, encoding="utf-8") as file:
            cls.table = json.load(file)

    def test_replaces_secrets_as_the_browser_sdk_does(self) -> None:
        for text, expected in self.table["scrubbed"]:
            with self.subTest(text):
                self.assertEqual(scrub(text), expected)

    def test_a_text_may_be_scrubbed_twice(self) -> None:
        for _, expected in self.table["scrubbed"]:
            with self.subTest(expected):
                self.assertEqual(scrub(expected), expected)

    def test_keeps_what_is_no_secret(self) -> None:
        for text in self.table["kept"]:
            with self.subTest(text):
                self.assertEqual(scrub(text), text)

    def test_finds_secrets_by_their_key(self) -> None:
        for key in self.table["secretKeys"]:
            with self.subTest(key):
                self.assertEqual(normalize({"form": [{key: "hush", "page": 1}]}), {"form": [{key: "[scrubbed]", "page": 1}]})
        for key in self.table["plainKeys"]:
            with self.subTest(key):
                self.assertEqual(normalize({key: "shown"}), {key: "shown"})

    def test_a_boolean_or_a_short_word_says_only_whether_there_is_a_secret(self) -> None:
        for value in (True, None, "yes", "", "true", "None"):
            with self.subTest(value):
                self.assertFalse(is_secret("password", value))

    def test_replaces_secrets_in_the_repr_of_a_dict(self) -> None:
        text = repr({"password": "it's", "token": "a", "page": 1, "pin": None})
        self.assertEqual(scrub(text), """{'password': "[scrubbed]", 'token': '[scrubbed]', 'page': 1, 'pin': None}""")

    def test_replaces_secrets_in_the_repr_of_bytes_and_of_lists(self) -> None:
        examples = [
            (repr({b"password": b"hunter22", b"page": b"1"}), "{b'password': b'[scrubbed]', b'page': b'1'}"),
            ("Login(password=b'hunter22', page=1)", "Login(password=b'[scrubbed]', page=1)"),
            # A form of Django.
            ("<QueryDict: {'password': ['hunter22'], 'page': ['1']}>", "<QueryDict: {'password': [scrubbed], 'page': ['1']}>"),
            (repr({"token": ("it's", 1), "page": 1}), "{'token': [scrubbed], 'page': 1}"),
            (repr({"password": ["hunter22", "hunter33"], "page": 1}), "{'password': [scrubbed], 'page': 1}"),
            (repr({"password": ["", "hunter22"]}), "{'password': [scrubbed]}"),
            (repr({"token": ("a", "b"), "page": 1}), "{'token': [scrubbed], 'page': 1}"),
            (repr({"token": bytearray(b"hush"), "page": 1}), "{'token': [scrubbed], 'page': 1}"),
            (repr({"api_key": {"v": "hush", "w": ["]", "hush"]}, "page": 1}), "{'api_key': [scrubbed], 'page': 1}"),
            ("Login(token=deque(['a', 'b']), page=1)", "Login(token=[scrubbed], page=1)"),
            (repr(repr({"token": ["it's", "hush"], "page": 1})), "'{\\'token\\': [scrubbed], \\'page\\': 1}'"),
            (json.dumps(json.dumps({"token": ["a", "b"], "page": 1})), '"{\\"token\\": [scrubbed], \\"page\\": 1}"'),
            # Cut by a limit.
            ("{'password': ['hunter22', 'hunt", "{'password': [scrubbed]"),
            ("{'password': ['hunter22',\nValueError: [1]", "{'password': [scrubbed]\nValueError: [1]"),
        ]
        for text, expected in examples:
            with self.subTest(text):
                self.assertEqual(scrub(text), expected)
                self.assertEqual(scrub(expected), expected)

    def test_replaces_secrets_in_the_repr_of_pairs(self) -> None:
        examples = [
            (repr([("token", ["hush", ")"]), ("page", [1])]), "[('token', [scrubbed]), ('page', [1])]"),
            (repr([("pin", 1234), (b"pin", 1.5), ("page", 2)]), "[('pin', [scrubbed]), (b'pin', [scrubbed]), ('page', 2)]"),
            (repr([("token", bytearray(b"hush"))]), "[('token', [scrubbed])]"),
            ("('session', <Session {'user': 'ada'} 'hush'>)", "('session', [scrubbed])"),
            ("('token', ['hush', 'hu", "('token', [scrubbed]"),
            (repr([("token", None), ("hasPassword", True)]), "[('token', None), ('hasPassword', True)]"),
        ]
        for text, expected in examples:
            with self.subTest(text):
                self.assertEqual(scrub_repr(text), expected)
                self.assertEqual(scrub_repr(expected), expected)

    def test_finds_a_secret_that_the_limit_would_cut(self) -> None:
        text = "x" * 980 + " ada.lovelace@mail.example.com"
        self.assertNotIn("ada", normalize({"text": text}, 3_000)["text"])

    def test_takes_time_in_proportion_to_the_length_of_a_hostile_text(self) -> None:
        pieces = ["token", "-token", "%3Ftoken", "Bearer ", "a@", "a.", "//", "token=:1", "\n ", "'password' : '", "token=(((", "('token", "('token', '", "\\"]
        pieces += ["token=(", "token=[]", "'token': ['\\", "'token': [\n", "('token', [", "('token', 1", "('token', (')", "token=a."]
        for piece in pieces:
            with self.subTest(piece):
                text = piece * (200_000 // len(piece))
                started_at = time.process_time()
                scrub_repr(f"a@{text}")
                # A quadratic pattern would take hours.
                self.assertLess(time.process_time() - started_at, 10)


if __name__ == "__main__":
    unittest.main()
