import datetime

from . import checks
from .errors import OutOfStock, ShopError
from .models import Basket

ORDERS = {}


def reserve(product, count):
    if product.stock < count:
        raise OutOfStock(product.name, product.stock)
    product.stock -= count


def total(rows):
    return sum(row["amount"] for row in rows)


def add(owner, product):
    basket = Basket(owner)
    basket.put(product)
    return basket


def confirm(order):
    address = checks.require(order.get("address"), "the delivery address is missing")
    email = checks.require(order.get("email"), "an email for the invoice is missing")
    return address, email


def last_order(user):
    return checks.first(ORDERS.get(user, []))


def delivery_date(text):
    return datetime.datetime.strptime(text, "%Y-%m-%d").date()


def days_left(order, today):
    return (order["due"] - today).days


def split(order):
    street, city, country = order["address"].split(",")
    return street, city, country


def cancel(order):
    if order["state"] == "sent":
        raise ShopError("order %s is already on its way" % order["id"])
    order["state"] = "cancelled"


def refund(order):
    if order["state"] != "paid":
        raise ShopError("order %s is not paid" % order["id"])
    return order["sum"]


def merge(left, right):
    for key in left:
        if key in right:
            left[key + "-2"] = right[key]
    return left


def owner_of(order):
    return checks.must_exist(order.get("owner"))
