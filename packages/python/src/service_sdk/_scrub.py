"""Finds secrets in texts and by the names of values.

The rules are those of the browser SDK, and both pass one table of tests. Beyond them, these rules know the repr of
Python's values: single quotes, bytes, ``None``, pairs such as ``('token', '…')``, and lists, dicts and calls as the
value of a name.
"""

import re
from typing import List

SCRUBBED = "[scrubbed]"

# Names of secrets. The short ones must begin at a word, because ``spin`` and ``discard`` are no secrets.
_NAME = (
    r"(?:token|secret|passw(?:or)?d|passphrase|(?:api|private)[-_.]?key|cookie|[cx]srf|signature|credentials?|authorization"
    r"|session|sessid|(?:\b|_)(?:auth|jwt|pwd|sid|pin|otp|cvv|card|ssn))(?:[-_]?(?:id|key|number))?"
)
# A name and what separates it from its value.
_ASSIGNED = rf"{_NAME}(?:(?:\W|%5D)?(?:=|%3D)|\\*[\"']\s*:\s*(?!true|false|null|none))"

# Takes linear time: a quantifier backtracks a few steps at most. Matches, in this order:
# - ``token=…`` in a query, a fragment or a cookie, plain or percent-encoded, and ``"password": "…"`` in JSON or in the
#   repr of a dict, also inside JSON, and as bytes
# - the ``code`` of a query, ``Bearer …``, JSON web tokens, ``Authorization: Basic …``
# - ``//user:password@`` and e-mail addresses
# ``[scrubbed]`` is matched whole, so that a text may be scrubbed twice. ``:10:5`` after a value is a line and column;
# ``,``, ``}`` and ``]`` after a value belong to JSON. ``package@1.2.3`` and ``logo@2x.png`` are no addresses.
_SECRET = re.compile(
    rf"({_ASSIGNED}"
    r"|(?:[?&#]|%..)code(?:=|%3D)|\bBearer |\beyJ|authorization\W{1,5}\w{1,9} )"
    r"""(?:([bru]?)(?:(\\*")(?:(?!\3)\\?.)+|(\\*')(?:(?!\4)\\?.)+)|\[scrubbed\]|(?:[^\s&#)"':]|:(?!\d+:\d))*[^\s&#)"':,}\]\\])"""
    r"|//[^\s/@]+@"
    r"|\b[\w.+-]{1,64}(?:@|%40)(?!v?\d+\.\d|\dx\b)[\w.-]+\.[a-z]+",
    re.IGNORECASE | re.ASCII,
)
#: The beginning of a list, a dict or a call as the value of a name: ``'password': ['…`` or ``token=bytearray(b'…``.
_SECRET_BRACKET = re.compile(rf"({_ASSIGNED})(?!\[scrubbed\])[\w.]{{0,64}}[\[({{]", re.IGNORECASE | re.ASCII)
#: A pair of a name and its value in the repr of headers or of a form, such as ``(b'x-api-key', b'…')``.
_SECRET_PAIR = re.compile(
    rf"""(\(b?(['"])[\w.-]{{0,64}}?{_NAME}\2, b?)(?:(")(?:[^"\\]|\\.)+|(')(?:[^'\\]|\\.)+)""", re.IGNORECASE | re.ASCII
)
#: A pair whose value is neither a text nor bytes, such as ``('pin', 1234)`` or ``('token', ['…'])``.
_SECRET_PAIR_BRACKET = re.compile(
    rf"""(\(b?(['"])[\w.-]{{0,64}}?{_NAME}\2, )(?!b?['"]|(?:true|false|none)\b|\[scrubbed\])""", re.IGNORECASE | re.ASCII
)
#: Quoted texts, also in JSON in a text, so that their brackets don't count; brackets; and line breaks.
_TOKEN = re.compile(r"""(\\{0,3}["'])(?:(?!\1)\\?.)*(?:\1)?|([\[({])|([\])}])|\n""")
#: A name and no sentence or URL, which may end like the name of a secret.
_NAME_OF_PAIR = re.compile(r"[\w.\[\]-]+", re.ASCII)
_CAMEL = re.compile(r"([a-z])([A-Z])")
_NO_SECRET = re.compile(r"(?:[a-z]{0,3}|true|false|null|none|undefined)", re.IGNORECASE)


# Matches are replaced by functions, not by templates: `re` keeps templates in an `lru_cache`, which has a lock on PyPy
# that a forked child might inherit.
def _replace(match: "re.Match[str]") -> str:
    return "".join(group or "" for group in match.groups()) + SCRUBBED


def _replace_pair(match: "re.Match[str]") -> str:
    return f"{match[1]}{match[3] or match[4]}{SCRUBBED}"


def _separate(match: "re.Match[str]") -> str:
    return f"{match[1]}_{match[2]}"


def _scrub_brackets(pattern: "re.Pattern[str]", text: str) -> str:
    """Replaces what follows each match, up to the closing bracket or the end of the line. Both brackets are replaced
    too if the match ends with the first one.
    """
    parts: List[str] = []
    end = 0
    # Takes linear time: each search begins where the last value ended.
    while match := pattern.search(text, end):
        parts += (text[end : match.start()], match[1], SCRUBBED)
        end = _end_of_bracket(text, match.end())
        if match[0][-1] in "[({" and text[end : end + 1] != "\n":
            end += 1
    return "".join([*parts, text[end:]])


def _end_of_bracket(text: str, start: int) -> int:
    """Returns the position of the bracket that closes what was opened before ``start``, or of the end of the line."""
    depth = 1
    for token in _TOKEN.finditer(text, start):
        depth += bool(token[2]) - bool(token[3])
        if depth == 0 or token[0] == "\n":
            return token.start()
    return len(text)


def scrub(text: str) -> str:
    """Replaces the secrets in a text by ``[scrubbed]``."""
    return _SECRET.sub(_replace, _scrub_brackets(_SECRET_BRACKET, text))


def scrub_repr(text: str) -> str:
    """Replaces the secrets in the repr of a value. A text may list names in parentheses, so only a repr has pairs."""
    return scrub(_scrub_brackets(_SECRET_PAIR_BRACKET, _SECRET_PAIR.sub(_replace_pair, text)))


def is_secret(key: str, value: object) -> bool:
    """Returns whether a value is a secret by its key, such as ``access_token`` or ``accessToken``.

    A boolean or a word of at most three letters, such as ``yes``, only says whether there is a secret.
    """
    if not key or value is None or isinstance(value, bool):
        return False
    if not _SECRET.search(_CAMEL.sub(_separate, key) + "=…"):
        return False
    return not (isinstance(value, str) and _NO_SECRET.fullmatch(value))


def name_of_pair(value: object) -> str:
    """Returns the name of a pair such as ``(b'x-api-key', b'…')``, or an empty text if the value is no such pair."""
    if not isinstance(value, tuple) or len(value) != 2:
        return ""
    name = value[0].decode("ascii", "replace") if type(value[0]) is bytes else value[0]
    return name if type(name) is str and _NAME_OF_PAIR.fullmatch(name) else ""
