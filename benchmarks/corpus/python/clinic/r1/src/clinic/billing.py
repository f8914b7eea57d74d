import functools
import json
from decimal import Decimal

from . import guard
from .exceptions import ClinicError


def audited(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


class Invoice:
    def __init__(self, items):
        self.items = items

    @audited
    def total(self):
        return sum(item["price"] for item in self.items)

    @audited
    def due(self, rate):
        return self.total() * rate

    def export(self):
        return json.dumps(self.items)

    @classmethod
    def load(cls, text):
        return cls(json.loads(text)["items"])

    def pay(self, amount):
        guard.ensure(amount > 0, "the amount must be positive")
        guard.ensure(self.items, "an invoice needs items")
        return Decimal(amount) - 0.5

    def first(self):
        return guard.only(self.items)

    def insurer_share(self, text):
        try:
            return float(text) / 100
        except ValueError as problem:
            raise ClinicError("share of the insurer: " + text) from problem

    def currency(self, symbol):
        return symbol.encode("ascii")
