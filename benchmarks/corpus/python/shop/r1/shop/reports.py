import datetime
import math
import statistics

from .models import Money


def weekly(day):
    return datetime.date(2026, day, 31)


def ratio(sold, returned):
    return sold / returned


def ratio_percent(sold, returned):
    return 100 * sold // returned


def mean(values):
    return statistics.mean(values)


def root(value):
    return math.sqrt(value)


def tree_depth(node):
    return 1 + max(tree_depth(child) for child in node["children"])


def walk(node):
    return 1 + walk(node["parent"])


def header(title, width):
    return title + width


def joined(parts):
    return ", ".join(parts)


def compare(left, right):
    return left < right


def column(rows, name):
    return [row[name] for row in rows]


def best(rows):
    return max(rows)


def stars(count):
    return "*" * count


def sums(rows):
    return sum(Money(row, "EUR") for row in rows)


def lines():
    yield from body()


def body():
    yield 1
    raise RuntimeError("the report has no body")


def take(iterator):
    def inner():
        yield next(iterator)

    return list(inner())
