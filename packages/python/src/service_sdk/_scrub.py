"""Finds secrets in texts and by the names of values. The rules are those of the browser SDK."""

import re

SCRUBBED = "[scrubbed]"

# Names of secrets. The short ones must begin at a word, because ``spin`` and ``discard`` are no secrets.
_NAME = (
    r"(?:token|secret|passw(?:or)?d|passphrase|(?:api|private)[-_.]?key|cookie|csrf|signature|credentials?|authorization"
    r"|session|(?:\b|_)(?:auth|jwt|pwd|sid|pin|otp|cvv|card|ssn))(?:[-_]?(?:id|key|number))?"
)

# Takes linear time: a quantifier backtracks a few steps at most.
_TEXT = re.compile(
    rf"({_NAME}(?:\W|%5D)?(?:=|%3D)|(?:[?&#]|%(?:26|3F|23))code(?:=|%3D)|\bBearer |\beyJ|authorization\W{{1,5}}\w{{1,9}} )"
    r"""(?:[^\s&#)"':]|:(?!\d+:\d))+"""
    rf"""|({_NAME}\\*["']\s{{0,9}}:\s{{0,9}})(?:(\\*["'])[^"'\\]+|\d+)"""
    r"|(//)[^\s/@]+@"
    r"|\b[\w.+-]{1,64}(?:@|%40)(?!v?\d+\.\d|\dx\b)[\w.-]+\.[a-z]+",
    re.IGNORECASE | re.ASCII,
)
_KEY = re.compile(rf"{_NAME}$", re.IGNORECASE | re.ASCII)
_CAMEL = re.compile(r"([a-z])([A-Z])")
_WORD = re.compile(r"[A-Za-z]{0,3}$")


def _replace(match: "re.Match[str]") -> str:
    return "".join(group or "" for group in match.groups()) + SCRUBBED


def scrub(text: str) -> str:
    """Replaces the secrets in a text by ``[scrubbed]``."""
    return _TEXT.sub(_replace, text)


def is_secret(key: str, value: object) -> bool:
    """Returns whether a value is a secret by its key, such as ``access_token``.

    A boolean or a word of three letters at most, such as ``yes``, only says whether there is a secret.
    """
    if value is None or isinstance(value, bool) or len(key) > 200:
        return False
    if isinstance(value, str) and _WORD.match(value):
        return False
    return _KEY.search(_CAMEL.sub(r"\1_\2", key)) is not None
