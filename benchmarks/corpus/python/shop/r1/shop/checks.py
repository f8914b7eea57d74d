from .errors import CheckFailed


def require(value, message):
    if not value:
        raise CheckFailed(message)
    return value


def one_of(rows, what):
    if len(rows) != 1:
        raise CheckFailed(f"expected one {what}")
    return rows[0]


def first(rows):
    return rows[0]


def must_exist(value):
    if value is None:
        raise ValueError("a required value is missing")
    return value
