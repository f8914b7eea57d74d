import importlib
from types import SimpleNamespace


def load(name):
    return importlib.import_module(name)


def feature():
    from shop.models import Wishlist

    return Wishlist


def evaluate(rule, values):
    return eval(rule, {}, values)


def settings_of(user):
    return SimpleNamespace(**user).theme.colour


def configure(**options):
    return connect(**options)


def connect(host, port=80):
    return host, port


def freeze(money):
    money.cents = 0


def rename(product):
    product.label = "new"


def call(value):
    return value()


def lookup(mapping, key):
    return mapping[key]


def index(values, position):
    return values[position]


def unpack_pair(pair):
    left, right = pair
    return left, right


def concat(values):
    text = ""
    for value in values:
        text += value
    return text
